/* phrases.h -- from tokens to a layout: the grammar of MLS 3.6 appendix A once more, here for the
 * places where lines may end.
 *
 * The text has been parsed, so each function takes the tokens of its phrase without checking them;
 * every token is put exactly once and in order, whatever the grammar. Elements, equations and
 * statements are phrases: each begins a line.
 */
#ifndef RUNG_FORMAT_PHRASES_H
#define RUNG_FORMAT_PHRASES_H

#include "format/layout.h"
#include "format/token_list.h"

typedef enum SeparatorKind {
    SEPARATE_NOT,
    SEPARATE_SPACE,
    SEPARATE_BREAK,
    SEPARATE_LINE
} SeparatorKind;

/* Between the last word and the next. */
typedef struct Separator {
    SeparatorKind kind;
    BreakRule rule;  /* of a break */
    uint8_t space;   /* of a break, if no line begins */
    uint32_t indent; /* of a line */
} Separator;

typedef struct Phrases {
    Layout layout;
    const char *text;
    TokenList list;
    uint32_t at; /* the current token */
    Separator separator;
    uint32_t annotations; /* around the current token */
    uint32_t structures;  /* so far: class modifications, descriptions, pictures, long texts */
    bool has_gap;         /* in front of the current token is put */
    uint32_t n_parts;     /* of the last list */
    uint32_t n_inner;     /* of the list that its last part ends with */
} Phrases;

static inline TokenKind token_at(const Phrases *p, uint32_t ahead)
{
    uint32_t k = p->at + ahead;
    return p->list.token.at[k < p->list.token.n ? k : p->list.token.n - 1].kind;
}
static inline bool at(const Phrases *p, TokenKind k)
{
    return token_at(p, 0) == k;
}

/* ---- Words (words.c) ------------------------------------------------------------------- */

void put_space(Phrases *p); /* before the next word */
void put_break(Phrases *p, BreakRule rule, uint8_t space);
void put_line(Phrases *p, uint32_t indent);
void put_gap(Phrases *p); /* the separator, and comments, in front of the current token */
void put_token(Phrases *p);
bool put_token_if(Phrases *p, TokenKind k);
/* Groups begin at the current token: put_gap, then the group. */
uint32_t open_group(Phrases *p, GroupKind kind, bool nests);
void close_group(Phrases *p);
void drop_group(Phrases *p, uint32_t group); /* instead of closing it */
/* ( part, part ... ) around the current token; with EACH each part of a list that does not fit on a
 * line has its own. The group's number. */
uint32_t put_list(Phrases *p, GroupKind kind, void (*part)(Phrases *));

/* ---- Expressions (expression_phrase.c) ------------------------------------------------- */

void put_expression(Phrases *p);
void put_reference(Phrases *p);  /* .a.b[1].c, and the arguments of a call */
void put_path(Phrases *p);       /* .A.B */
void put_subscripts(Phrases *p); /* or nothing */
void put_iterators(Phrases *p);
void put_arguments(Phrases *p); /* of a call */

/* ---- Modifications (modification_phrase.c) --------------------------------------------- */

void put_modification(Phrases *p); /* "(a = 1) = 2"; no output where there is no modification */
void put_class_modification(Phrases *p);
void put_description(Phrases *p);       /* "text", or nothing */
void put_annotation(Phrases *p);        /* or nothing */
void put_annotation_clause(Phrases *p); /* where a line has begun */
void put_constraining(Phrases *p);      /* constrainedby ..., or nothing */
void put_value(Phrases *p);             /* = x or := x, or nothing */

/* ---- Equations (equation_phrase.c) and classes (class_phrase.c) ------------------------- */

void begin_phrase(Phrases *p, uint32_t indent);
void end_phrase(Phrases *p);                    /* with its semicolon */
void put_equation(Phrases *p, uint32_t indent); /* or a statement */
bool at_class_word(const Phrases *p);
/* Prefixes and head, and the body of a long class; the last phrase stays open. */
void put_class(Phrases *p, uint32_t indent);
void put_file(Phrases *p);

#endif
