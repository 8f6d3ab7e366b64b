/* parser_core.h -- shared by the parser's files: tokens, lists, error recovery.
 *
 * Giving up: the first error in a phrase is reported and the current token becomes TOK_NONE, which
 * matches nothing, so every rule on the stack returns at once. Their results are discarded: the
 * rule for a list of elements or equations sees `panic`, drops the phrase, calls parser_recover and
 * goes on. No tree that leaves the parser has a hole.
 */
#ifndef RUNG_FRONTEND_SYNTAX_PARSER_CORE_H
#define RUNG_FRONTEND_SYNTAX_PARSER_CORE_H

#include "frontend/syntax/lexer.h"
#include "frontend/syntax/syntax.h"

typedef struct Parser {
    Arena *mem;
    Arena *scratch;
    Names *names;
    Diags *diags;
    Lexer lexer;
    Token tok;     /* the current token, TOK_NONE while in panic */
    uint32_t last; /* end of the token before it */
    bool panic;
    bool dead; /* nested too deep: no more errors, nothing more is read */
    Token held;
    uint32_t depth;
    uint32_t open[TOK_COUNT]; /* blocks of this keyword around the current token */
    Span else_if;             /* the last 'if' directly behind an 'else' */
    uint32_t errors;
    SynFile *file;
    SynClass *in; /* the class whose text is being read */

    /* Lists under construction, nested ones on top: entries go here until their number is
     * known. */
    char *stack;
    uint32_t used, cap;
} Parser;

static inline bool at(const Parser *p, TokenKind k)
{
    return p->tok.kind == k;
}

void parser_advance(Parser *p);
static inline bool accept(Parser *p, TokenKind k)
{
    if (p->tok.kind != k)
        return false;
    parser_advance(p);
    return true;
}
bool expect(Parser *p, TokenKind k);                /* or reports P01 and gives up */
Token parser_peek(Parser *p);                       /* the token after the current one */
void expected(Parser *p, const char *what);         /* P01: expected ..., found ...; gives up */
void expected_instead(Parser *p, const char *what); /* the same, and goes on */
void parser_fail(Parser *p, Span s, const char *code, const char *fmt, ...)
    __attribute__((format(printf, 4, 5))); /* reports and gives up */
void parser_error(Parser *p, Span s, const char *code, const char *fmt, ...)
    __attribute__((format(printf, 4, 5))); /* reports and goes on */

void parser_panic(Parser *p); /* gives up */
/* Ends panic: skips to behind the next `;`, or to a token that begins or ends a section or a
 * block. Always consumes something when nothing was consumed since `from`. */
void parser_recover(Parser *p, uint32_t from);
void parser_skip(Parser *p); /* behind the next `;`, or to such a token */
/* The `;` after a phrase. A missing one at the end of a line is reported and taken as
 * given. */
void expect_semicolon(Parser *p, const char *after);
void expect_word(Parser *p, TokenKind kind); /* the same with 'then' and 'loop' */

bool at_class_end(Parser *p);   /* end name */
bool at_block_close(Parser *p); /* end if, end for, end when, end while */

bool parser_enter(Parser *p); /* one level deeper; false (P08) when that is too deep */
static inline void parser_leave(Parser *p)
{
    p->depth--;
}

/* From byte `begin` to the end of the last token. */
static inline Span span_from(const Parser *p, uint32_t begin)
{
    return (Span){p->lexer.file, begin, p->last > begin ? p->last : begin};
}
Span span_here(const Parser *p); /* the current token; the last one at the end of the file */

/* mark = list_begin(p); list_push(p, &x, sizeof x) ...; list_end(p, mark, sizeof x, &n) */
static inline uint32_t list_begin(const Parser *p)
{
    return p->used;
}
void list_push(Parser *p, const void *x, uint32_t size);
void *list_end(Parser *p, uint32_t mark, uint32_t size, uint32_t *n); /* copied to mem */

Name parse_name(Parser *p, const char *what); /* an IDENT */
SynPath parse_path(Parser *p, const char *what);
SynPath parse_type_specifier(Parser *p, const char *what);
SynCref *parse_cref(Parser *p);
const char *parse_comment(Parser *p);      /* description-string, or NULL */
const SynMod *parse_annotation(Parser *p); /* annotation-clause, or NULL */

/* parser_expression.c */
SynExpr *parse_expression(Parser *p);
SynExpr *parse_simple_expression(Parser *p);
SynExprs parse_output_list(Parser *p); /* (a, , b) with its parentheses */
SynExprs parse_subscripts(Parser *p);  /* [i, :], or nothing */
SynExprs parse_expression_list(Parser *p);
const SynIter *parse_for_indices(Parser *p, uint32_t *n);
void parse_call_args(Parser *p, SynExpr *call);

/* parser_modification.c */
const SynMod *parse_modification(Parser *p);       /* [ modification ], or NULL */
const SynMod *parse_class_modification(Parser *p); /* [ class-modification ], or NULL */
const SynMod *parse_extends_modification(Parser *p);
SynArg parse_modification_argument(Parser *p, bool extends);

/* parser_equation.c */
void parse_section(Parser *p, SynSection *s);

/* parser_class.c */
SynTypePrefix parse_type_prefix(Parser *p);
const SynConstrained *parse_constrained(Parser *p, bool description);
bool at_class_prefix(const Parser *p);
/* class-definition; in a modification (short_only) only the short forms. Fills e. */
void parse_class(Parser *p, SynElement *e, bool short_only);
SynClass *parse_stored_class(Parser *p);

#endif
