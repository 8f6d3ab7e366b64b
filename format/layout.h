/* layout.h -- words with places where a line may end, put into lines of limited width.
 *
 * The story of Oppen (Prettyprinting, ACM TOPLAS 2(4), 1980), with the text in memory: a first pass
 * adds up widths, a second one decides at each place in constant time. Linear in the text.
 *
 *     open(FILL)  f(  break  a,  break  b  close  )       f(a,
 *                                                           b)
 *
 * A group that fits is written on one line. In one that does not, each break (EACH), or each whose
 * next part does not fit (FILL), begins a line; it is indented by two columns from the line on
 * which the group began, and from the arguments around it.
 */
#ifndef RUNG_FORMAT_LAYOUT_H
#define RUNG_FORMAT_LAYOUT_H

#include "base/text.h"
#include "base/vec.h"

#include <stdbool.h>

enum { LAYOUT_WIDTH = 100, LAYOUT_INDENT = 2 };

typedef enum GroupKind {
    GROUP_FILL,
    GROUP_EACH,
} GroupKind;

/* When a break of a FILL group begins a line. */
typedef enum BreakRule {
    BREAK_ITEM,  /* if all up to the next break of the group does not fit, or the group has several
                    parts and the one before has several lines */
    BREAK_FIRST, /* the same, if it then fits or the group has more parts           */
    BREAK_WORD,  /* if all up to the next break of any group does not fit           */
    BREAK_OWN,   /* as BREAK_ITEM, and if the phrase has more than one line already */
} BreakRule;

typedef enum ItemKind {
    ITEM_WORD,
    ITEM_BREAK,
    ITEM_OPEN,
    ITEM_CLOSE,
    ITEM_NEWLINE,
    ITEM_LINE
} ItemKind;

typedef struct LayoutItem {
    ItemKind kind;
    union {
        BreakRule rule;
        GroupKind group;
    };
    bool nests; /* of a group with several parts: lines of groups inside are indented from its */
    bool is_broken;   /* of a group: on more than one line in any case      */
    bool blank;       /* the author has an empty line here                  */
    bool has_lines;   /* of a word: it has line ends                        */
    bool is_comment;  /* of a word: its lines keep their places to each other */
    uint8_t space;    /* of a break: columns if no line begins              */
    uint8_t pad;      /* more of them, in rows that have lines of their own */
    uint32_t width;   /* of a word, in columns, up to its first line end    */
    uint32_t column;  /* of a comment: in the source; of a line: its indent */
    const char *text; /* of a word: n bytes */
    uint32_t n;
} LayoutItem;

/* Items are written as soon as there are many and no group is open: memory does not grow with the
 * file. */
typedef struct Layout {
    Arena *mem;      /* items                                    */
    Arena *scratch;  /* while they are written; given back       */
    Text *out;       /* the lines, each with `end`               */
    const char *end; /* "\n" or "\r\n"                          */
    bool has_words;  /* some were put, if only to be written yet */
    VEC(LayoutItem) item;
} Layout;

/* Text is kept, not copied. */
void layout_word(Layout *l, const char *text, uint32_t n);
/* A comment at a column of the source: where it moves, its further lines move with it. One at the
 * end of a line does not count in the width of the line. */
void layout_comment(Layout *l, const char *text, uint32_t n, uint32_t column, bool ends_line);
void layout_space(Layout *l, bool counts); /* in the width of the line */
void layout_break(Layout *l, BreakRule rule, uint8_t space, bool blank);
/* A place without width; its number. */
uint32_t layout_pad(Layout *l);
/* Widens a pad, or a break where no line begins, where the group around that of the item has
 * several lines: numbers of a matrix below each other. */
void layout_widen(Layout *l, uint32_t item, uint8_t columns);
uint32_t layout_open(Layout *l, GroupKind group, bool nests); /* its number, to change it */
void layout_close(Layout *l);
void layout_newline(Layout *l, bool blank); /* within a group */
/* Outside of all groups, with this indent. */
void layout_line(Layout *l, uint32_t indent, bool blank);

void layout_write(Layout *l); /* all items so far; outside of all groups */

#endif
