/* Expressions: MLS 3.6 appendix A.2.7. */
#include "format/phrases.h"

/* ---- References and calls -------------------------------------------------------------- */

void put_path(Phrases *p)
{
    put_token_if(p, TOK_DOT);
    put_token_if(p, TOK_IDENT);
    while (at(p, TOK_DOT)) {
        put_token(p);
        put_token_if(p, TOK_IDENT);
    }
}

static void put_subscript(Phrases *p)
{
    if (!put_token_if(p, TOK_COLON))
        put_expression(p);
}

void put_subscripts(Phrases *p)
{
    if (at(p, TOK_LBRACKET))
        put_list(p, GROUP_FILL, put_subscript);
}

void put_iterators(Phrases *p)
{
    for (;;) {
        put_token_if(p, TOK_IDENT);
        if (at(p, TOK_IN)) {
            put_space(p);
            put_token(p);
            put_space(p);
            put_expression(p);
        }
        if (!put_token_if(p, TOK_COMMA))
            return;
        put_break(p, BREAK_ITEM, 1);
    }
}

/* e for i in r: the iterators */
static void put_comprehension(Phrases *p)
{
    if (!at(p, TOK_FOR))
        return;
    put_break(p, BREAK_ITEM, 1);
    put_token(p);
    put_space(p);
    put_iterators(p);
}

static void put_argument(Phrases *p)
{
    bool is_named = at(p, TOK_IDENT) && token_at(p, 1) == TOK_EQUALS;
    if (is_named) {
        open_group(p, GROUP_FILL, false);
        put_token(p);
        put_value(p);
        close_group(p);
    } else if (at(p, TOK_FUNCTION)) {
        put_token(p);
        put_space(p);
        put_reference(p);
    } else {
        put_expression(p);
    }
    put_comprehension(p);
}

void put_arguments(Phrases *p)
{
    put_list(p, GROUP_FILL, put_argument);
}

void put_reference(Phrases *p)
{
    put_token_if(p, TOK_DOT);
    for (;;) {
        put_token(p); /* a name, or der, initial, pure */
        put_subscripts(p);
        if (!at(p, TOK_DOT))
            break;
        put_token(p);
    }
    if (at(p, TOK_LPAREN))
        put_arguments(p);
}

/* ---- Arrays and matrices --------------------------------------------------------------- */

/* A call k tokens ahead: A.B.f( */
static bool at_call(const Phrases *p, uint32_t k)
{
    while (token_at(p, k) == TOK_IDENT && token_at(p, k + 1) == TOK_DOT)
        k += 2;
    return token_at(p, k) == TOK_IDENT && token_at(p, k + 1) == TOK_LPAREN;
}

/* Pictures in an annotation, and rows of more than two, have a line each. */
static void put_array(Phrases *p)
{
    bool has_pictures = p->annotations > 0 && at_call(p, 1);
    bool has_rows = token_at(p, 1) == TOK_LBRACE;
    p->structures += has_pictures;
    uint32_t group = put_list(p, has_pictures ? GROUP_EACH : GROUP_FILL, put_argument);
    if (has_rows && p->n_inner > 2)
        p->layout.item.at[group].group = GROUP_EACH;
}

static bool begins_line(const Phrases *p)
{
    const SourceToken *t = &p->list.token.at[p->at];
    bool begins = t->newlines > 0;
    for (uint32_t k = 0; k < t->n_comments; k++)
        begins = begins || p->list.comment.at[t->first_comment + k].newlines > 0;
    return begins;
}

/* A number of a matrix, behind item `before` of the layout. */
typedef struct Cell {
    uint32_t before, width;
} Cell;

/* Those of all rows, one row after the other; `columns` of the first row. */
typedef struct Cells {
    Arena *mem;
    VEC(Cell) cell;
    uint32_t columns;
    bool is_regular; /* so far: nothing but numbers, as many in each row */
} Cells;

static bool ends_cell(TokenKind k)
{
    return k == TOK_COMMA || k == TOK_SEMICOLON || k == TOK_RBRACKET;
}

/* Puts an expression behind the item, and notes its width if it is a number. */
static void put_cell(Phrases *p, Cells *all, uint32_t before)
{
    const SourceToken *t = &p->list.token.at[p->at];
    bool is_signed = t->kind == TOK_SUB || t->kind == TOK_ADD;
    const SourceToken *number = t + is_signed;
    bool is_number = (number->kind == TOK_INTEGER || number->kind == TOK_REAL) &&
                     ends_cell(number[1].kind) && t->n_comments + number->n_comments == 0;
    all->is_regular = all->is_regular && is_number;
    vec_push(all->mem, all->cell, ((Cell){before, number->end - number->begin + is_signed}));
    put_expression(p);
}

static void put_row(Phrases *p, Cells *all)
{
    uint32_t first = all->cell.n;
    open_group(p, GROUP_FILL, true);
    put_cell(p, all, layout_pad(&p->layout));
    while (put_token_if(p, TOK_COMMA)) {
        put_break(p, BREAK_ITEM, 1);
        put_cell(p, all, p->layout.item.n);
    }
    close_group(p);
    uint32_t n = all->cell.n - first;
    all->columns = first == 0 ? n : all->columns;
    all->is_regular = all->is_regular && n == all->columns;
}

/* Numbers below each other end in the same column. */
static void align_cells(Phrases *p, const Cells *all)
{
    enum { WIDEST = 32 };
    if (!all->is_regular || all->cell.n == all->columns)
        return;
    for (uint32_t c = 0; c < all->columns; c++) {
        uint32_t widest = 0;
        for (uint32_t k = c; k < all->cell.n; k += all->columns)
            widest = all->cell.at[k].width > widest ? all->cell.at[k].width : widest;
        for (uint32_t k = c; k < all->cell.n && widest <= WIDEST; k += all->columns)
            if (all->cell.at[k].width < widest)
                layout_widen(&p->layout, all->cell.at[k].before,
                             (uint8_t)(widest - all->cell.at[k].width));
    }
}

/* Rows that the author has on lines of their own stay there, numbers below each other. */
static void put_matrix(Phrases *p)
{
    Cells all = {.mem = p->layout.mem, .is_regular = true};
    put_token(p);
    uint32_t group = layout_open(&p->layout, GROUP_EACH, true);
    uint32_t rows = 1;
    bool is_broken = false;
    put_break(p, BREAK_FIRST, 0);
    put_row(p, &all);
    for (; put_token_if(p, TOK_SEMICOLON); rows++) {
        is_broken = is_broken || begins_line(p);
        put_break(p, BREAK_ITEM, 1);
        put_row(p, &all);
    }
    LayoutItem *g = &p->layout.item.at[group];
    g->is_broken = is_broken;
    if (rows == 1) {
        g->group = GROUP_FILL;
        g->nests = false;
    }
    align_cells(p, &all);
    close_group(p);
    put_token(p);
}

/* ---- Operators, tightest first --------------------------------------------------------- */

static void put_primary(Phrases *p)
{
    switch (token_at(p, 0)) {
    case TOK_LPAREN:
        put_list(p, GROUP_FILL, put_argument);
        while (at(p, TOK_LBRACKET) || at(p, TOK_DOT)) {
            if (at(p, TOK_LBRACKET)) {
                put_subscripts(p);
            } else {
                put_token(p);
                put_token_if(p, TOK_IDENT);
            }
        }
        break;
    case TOK_LBRACE:
        put_array(p);
        break;
    case TOK_LBRACKET:
        put_matrix(p);
        break;
    case TOK_IDENT:
    case TOK_DOT:
    case TOK_DER:
    case TOK_INITIAL:
    case TOK_PURE:
        put_reference(p);
        break;
    case TOK_COMMA: /* nothing is here */
    case TOK_SEMICOLON:
    case TOK_RPAREN:
    case TOK_RBRACKET:
    case TOK_RBRACE:
        break;
    default: /* a literal, end */
        put_token(p);
    }
}

/* No blanks around the operator; one that begins with a dot keeps off the digits before it. */
static bool is_tight_at(const Phrases *p)
{
    bool begins_with_dot = at(p, TOK_EL_MUL) || at(p, TOK_EL_DIV) || at(p, TOK_EL_POW);
    TokenKind last = p->list.token.at[p->at - 1].kind;
    return !begins_with_dot || (last != TOK_INTEGER && last != TOK_REAL);
}

static void put_factor(Phrases *p)
{
    put_primary(p);
    while (at(p, TOK_POW) || at(p, TOK_EL_POW)) {
        bool is_tight = is_tight_at(p);
        if (!is_tight)
            put_space(p);
        put_token(p);
        if (!is_tight)
            put_space(p);
        put_primary(p);
    }
}

/* Loosest first. */
typedef enum Level {
    LEVEL_OR,
    LEVEL_AND,
    LEVEL_RELATION,
    LEVEL_SUM,
    LEVEL_PRODUCT,
    LEVEL_FACTOR
} Level;

static Level level_of(TokenKind k)
{
    switch (k) {
    case TOK_OR:
        return LEVEL_OR;
    case TOK_AND:
        return LEVEL_AND;
    case TOK_LT:
    case TOK_LE:
    case TOK_GT:
    case TOK_GE:
    case TOK_EQ:
    case TOK_NE:
        return LEVEL_RELATION;
    case TOK_ADD:
    case TOK_SUB:
    case TOK_EL_ADD:
    case TOK_EL_SUB:
        return LEVEL_SUM;
    case TOK_MUL:
    case TOK_DIV:
    case TOK_EL_MUL:
    case TOK_EL_DIV:
        return LEVEL_PRODUCT;
    default:
        return LEVEL_FACTOR;
    }
}

/* Operands of one level and tighter: a group for each level that has an operator. */
static void put_level(Phrases *p, Level level)
{
    if (level == LEVEL_FACTOR) {
        put_factor(p);
        return;
    }
    uint32_t group = open_group(p, GROUP_FILL, false);
    bool has_operator = false;
    if (level == LEVEL_RELATION && put_token_if(p, TOK_NOT))
        put_space(p);
    if (level == LEVEL_SUM && level_of(token_at(p, 0)) == LEVEL_SUM)
        put_token(p); /* a sign */
    put_level(p, level + 1);
    while (level_of(token_at(p, 0)) == level) {
        bool is_tight = level == LEVEL_PRODUCT && is_tight_at(p);
        has_operator = true;
        put_break(p, level == LEVEL_PRODUCT ? BREAK_FIRST : BREAK_ITEM, !is_tight);
        put_token(p);
        if (!is_tight)
            put_space(p);
        put_level(p, level + 1);
    }
    if (has_operator)
        close_group(p);
    else
        drop_group(p, group);
}

/* A literal or name that no operator follows: most of all expressions. */
static bool is_word(const Phrases *p)
{
    switch (token_at(p, 0)) {
    case TOK_IDENT:
    case TOK_INTEGER:
    case TOK_REAL:
    case TOK_STRING:
    case TOK_TRUE:
    case TOK_FALSE:
        break;
    default:
        return false;
    }
    switch (token_at(p, 1)) {
    case TOK_COMMA:
    case TOK_SEMICOLON:
    case TOK_RPAREN:
    case TOK_RBRACKET:
    case TOK_RBRACE:
        return true;
    default:
        return false;
    }
}

static void put_simple_expression(Phrases *p)
{
    put_level(p, LEVEL_OR);
    while (put_token_if(p, TOK_COLON)) /* a range */
        put_level(p, LEVEL_OR);
}

/* ---- If -------------------------------------------------------------------------------- */

/* `then x` and `else x`: a word too long for the line begins one */
static void put_branch(Phrases *p)
{
    put_token(p);
    layout_open(&p->layout, GROUP_FILL, true);
    put_break(p, BREAK_WORD, 1);
    put_expression(p);
    close_group(p);
}

static void put_if(Phrases *p)
{
    open_group(p, GROUP_EACH, true);
    do {
        open_group(p, GROUP_FILL, true);
        put_token(p); /* if, elseif */
        put_space(p);
        put_expression(p);
        put_break(p, BREAK_WORD, 1);
        put_branch(p);
        close_group(p);
        put_break(p, BREAK_ITEM, 1);
    } while (at(p, TOK_ELSEIF));
    put_branch(p);
    close_group(p);
}

void put_expression(Phrases *p)
{
    if (at(p, TOK_IF))
        put_if(p);
    else if (is_word(p))
        put_token(p);
    else
        put_simple_expression(p);
}
