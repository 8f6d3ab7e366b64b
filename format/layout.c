#include "format/layout.h"

/* ---- Items ---------------------------------------------------------------------------- */

enum { MANY_ITEMS = 4096 };

static LayoutItem *push(Layout *l, ItemKind kind)
{
    vec_push(l->mem, l->item, (LayoutItem){.kind = kind});
    return &vec_last(l->item);
}

/* Columns of UTF-8 text up to its first line end: bytes that begin a character. */
static uint32_t width_of(const char *text, uint32_t n, bool *has_lines)
{
    uint32_t width = 0;
    *has_lines = false;
    for (uint32_t k = 0; k < n && !*has_lines; k++) {
        *has_lines = text[k] == '\n' || text[k] == '\r';
        width += !*has_lines && ((unsigned char)text[k] & 0xC0) != 0x80;
    }
    return width;
}

void layout_word(Layout *l, const char *text, uint32_t n)
{
    LayoutItem *x = push(l, ITEM_WORD);
    l->has_words = true;
    x->text = text;
    x->n = n;
    x->width = width_of(text, n, &x->has_lines);
}

void layout_comment(Layout *l, const char *text, uint32_t n, uint32_t column, bool ends_line)
{
    layout_word(l, text, n);
    LayoutItem *x = &vec_last(l->item);
    x->is_comment = true;
    x->column = column;
    if (ends_line)
        x->width = 0;
}

void layout_space(Layout *l, bool counts)
{
    layout_word(l, " ", 1);
    vec_last(l->item).width = counts;
}

void layout_break(Layout *l, BreakRule rule, uint8_t space, bool blank)
{
    LayoutItem *x = push(l, ITEM_BREAK);
    x->rule = rule;
    x->space = space;
    x->width = space;
    x->blank = blank;
}

uint32_t layout_pad(Layout *l)
{
    layout_word(l, "", 0);
    return l->item.n - 1;
}

void layout_widen(Layout *l, uint32_t item, uint8_t columns)
{
    LayoutItem *x = &l->item.at[item];
    x->width += columns;
    x->pad = columns;
}

uint32_t layout_open(Layout *l, GroupKind group, bool nests)
{
    LayoutItem *x = push(l, ITEM_OPEN);
    x->group = group;
    x->nests = nests;
    return l->item.n - 1;
}

void layout_close(Layout *l)
{
    push(l, ITEM_CLOSE);
}

void layout_newline(Layout *l, bool blank)
{
    push(l, ITEM_NEWLINE)->blank = blank;
}

void layout_line(Layout *l, uint32_t indent, bool blank)
{
    if (l->item.n >= MANY_ITEMS)
        layout_write(l);
    LayoutItem *x = push(l, ITEM_LINE);
    x->column = indent;
    x->blank = blank;
}

/* ---- Widths --------------------------------------------------------------------------- */

/* Properties of item k, by its number, before a line is written. Item n stands for the end. */
typedef struct Measure {
    uint32_t *before;  /* width of all items before it, on one line              */
    uint32_t *place;   /* it, or the next one that is a break or begins a line   */
    uint32_t *newline; /* it, or the next one that contains a line end           */
    uint32_t *part;    /* of a break: where its part ends, the next break or newline of its group or
                          the end of the group; of an opening: its end           */
} Measure;

static bool begins_line(const LayoutItem *x)
{
    return x->kind == ITEM_NEWLINE || x->kind == ITEM_LINE;
}

static void measure_parts(const Layout *l, Measure *m, Arena *mem)
{
    struct Open {
        uint32_t open, last; /* UINT32_MAX: no break yet */
    };
    VEC(struct Open) stack = {0};
    for (uint32_t k = 0; k < l->item.n; k++) {
        const LayoutItem *x = &l->item.at[k];
        if (x->kind == ITEM_OPEN) {
            vec_push(mem, stack, ((struct Open){k, UINT32_MAX}));
            continue;
        }
        if (stack.n == 0 || x->kind == ITEM_WORD)
            continue;
        struct Open *g = &vec_last(stack);
        if (g->last != UINT32_MAX)
            m->part[g->last] = k;
        g->last = x->kind == ITEM_BREAK ? k : UINT32_MAX;
        if (x->kind == ITEM_CLOSE) {
            m->part[g->open] = k;
            stack.n--;
        }
    }
}

static Measure measure(const Layout *l, Arena *mem)
{
    uint32_t n = l->item.n;
    Measure m = {arena_array(mem, uint32_t, n + 1), arena_array(mem, uint32_t, n + 1),
                 arena_array(mem, uint32_t, n + 1), arena_array(mem, uint32_t, n + 1)};
    for (uint32_t k = 0; k < n; k++)
        m.before[k + 1] = m.before[k] + l->item.at[k].width;
    m.place[n] = m.newline[n] = n;
    for (uint32_t k = n; k-- > 0;) {
        const LayoutItem *x = &l->item.at[k];
        m.place[k] = begins_line(x) || x->kind == ITEM_BREAK ? k : m.place[k + 1];
        m.newline[k] = begins_line(x) || x->has_lines || x->is_broken ? k : m.newline[k + 1];
        m.part[k] = n;
    }
    measure_parts(l, &m, mem);
    return m;
}

/* Columns from item k up to item `end`, or up to the first line end before. */
static uint32_t width_between(const Layout *l, const Measure *m, uint32_t k, uint32_t end)
{
    uint32_t line_end = m->newline[k];
    if (line_end < end)
        end = line_end + l->item.at[line_end].has_lines;
    return m->before[end] - m->before[k];
}

/* ---- Lines ---------------------------------------------------------------------------- */

typedef struct Frame {
    GroupKind kind;
    bool flat, nests;
    uint32_t indent; /* of its lines                         */
    uint32_t inner;  /* the least one of lines of groups inside */
    uint32_t lines;  /* of the text, up to its last break       */
} Frame;

typedef struct Writer {
    const Layout *l;
    Measure m;
    Text *out;
    const char *end;
    VEC(Frame) frame;
    uint32_t column;      /* of the next character */
    uint32_t line_indent; /* of the current line   */
    uint32_t lines;       /* begun */
    bool is_split;        /* the outermost group has more than one line */
} Writer;

static void put_blanks(Text *out, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++)
        text_put_n(out, " ", 1);
}

static void begin_line(Writer *w, uint32_t indent, bool blank)
{
    while (w->out->n > 0 && w->out->at[w->out->n - 1] == ' ')
        w->out->at[--w->out->n] = 0;
    text_put(w->out, w->end);
    if (blank)
        text_put(w->out, w->end);
    put_blanks(w->out, indent);
    w->column = w->line_indent = indent;
    w->lines++;
}

static bool fits(const Writer *w, uint32_t column, uint32_t k, uint32_t end)
{
    return column + width_between(w->l, &w->m, k, end) <= LAYOUT_WIDTH;
}

/* All of a part fits, with the text behind it that no break separates. */
static bool part_fits(const Writer *w, uint32_t column, uint32_t k, uint32_t end)
{
    return w->m.newline[k] >= end && fits(w, column, k, w->m.place[end]);
}

static bool word_begins_line(const Writer *w, uint32_t k, uint32_t indent)
{
    uint32_t end = w->m.place[k + 1];
    if (fits(w, w->column, k, end))
        return false;
    return fits(w, indent, k + 1, end) ||
           (w->m.newline[k] >= end && w->column > indent + 4 * LAYOUT_INDENT);
}

/* Whether break k of a group with lines at `indent` begins a line. */
static bool begins_line_at(const Writer *w, uint32_t k, const Frame *f)
{
    const LayoutItem *x = &w->l->item.at[k];
    uint32_t part = w->m.part[k];
    if (f->flat)
        return false;
    if (f->kind == GROUP_EACH)
        return true;
    switch (x->rule) {
    case BREAK_WORD:
        return word_begins_line(w, k, f->indent);
    case BREAK_FIRST:
        if (part_fits(w, w->column, k, part))
            return false;
        return f->nests || part_fits(w, f->indent, k + 1, part) ||
               word_begins_line(w, k, f->indent);
    case BREAK_OWN:
        return w->is_split || !part_fits(w, w->column, k, part);
    case BREAK_ITEM:
        if (f->nests && w->lines > f->lines)
            return true; /* the part before has several lines */
        break;
    }
    return !part_fits(w, w->column, k, part);
}

static void open_group(Writer *w, uint32_t k)
{
    const LayoutItem *x = &w->l->item.at[k];
    const Frame *around = w->frame.n > 0 ? &vec_last(w->frame) : NULL;
    Frame f = {x->group, false, x->nests, w->line_indent + LAYOUT_INDENT, 0, w->lines};
    if (around && around->inner > f.indent)
        f.indent = around->inner;
    f.inner = x->nests ? f.indent + LAYOUT_INDENT : around ? around->inner : 0;
    f.flat = (around && around->flat) || part_fits(w, w->column, k, w->m.part[k]);
    if (!around)
        w->is_split = false;
    vec_push(w->l->scratch, w->frame, f);
}

/* A comment's further lines move with the first, as far as they have space. */
static void put_comment(Writer *w, const LayoutItem *x)
{
    int64_t shift = (int64_t)w->column - x->column;
    for (uint32_t k = 0; k < x->n;) {
        uint32_t end = k;
        while (end < x->n && x->text[end] != '\n' && x->text[end] != '\r')
            end++;
        uint32_t text_end = end;
        while (text_end > k && (x->text[text_end - 1] == ' ' || x->text[text_end - 1] == '\t'))
            text_end--;
        if (k > 0) {
            text_put(w->out, w->end);
            w->column = 0;
            uint32_t blanks = 0;
            while (k < text_end && x->text[k] == ' ') {
                k++;
                blanks++;
            }
            for (int64_t c = (int64_t)blanks + shift; c > 0 && k < text_end; c--, w->column++)
                text_put_n(w->out, " ", 1);
        }
        bool has_lines;
        text_put_n(w->out, x->text + k, text_end - k);
        w->column += width_of(x->text + k, text_end - k, &has_lines);
        k = end + (end < x->n) +
            (end + 1 < x->n && x->text[end] == '\r' && x->text[end + 1] == '\n');
    }
}

/* Blanks of a row, if the rows have lines of their own: the group around that of the row. */
static void put_pad(Writer *w, const LayoutItem *x)
{
    bool is_flat = w->frame.n < 2 || w->frame.at[w->frame.n - 2].flat;
    if (is_flat)
        return;
    put_blanks(w->out, x->pad);
    w->column += x->pad;
}

static void put_word(Writer *w, const LayoutItem *x)
{
    if (x->is_comment) {
        put_comment(w, x);
        return;
    }
    if (x->pad > 0) {
        put_pad(w, x);
        return;
    }
    text_put_n(w->out, x->text, x->n);
    w->column += x->width > 0 ? x->width : x->n; /* a blank that did not count */
    if (!x->has_lines)
        return;
    uint32_t last = x->n;
    while (x->text[last - 1] != '\n' && x->text[last - 1] != '\r')
        last--;
    bool has_lines;
    w->column = width_of(x->text + last, x->n - last, &has_lines);
    w->is_split = true;
}

static void put_item(Writer *w, uint32_t k)
{
    const LayoutItem *x = &w->l->item.at[k];
    Frame *f = w->frame.n > 0 ? &vec_last(w->frame) : NULL;
    switch (x->kind) {
    case ITEM_WORD:
        put_word(w, x);
        break;
    case ITEM_BREAK:
        if (begins_line_at(w, k, f)) {
            begin_line(w, f->indent, x->blank && f->kind == GROUP_EACH);
            w->is_split = true;
            if (x->rule == BREAK_FIRST)
                f->inner = f->indent + LAYOUT_INDENT;
        } else if (x->space) {
            put_blanks(w->out, x->space);
            w->column += x->space;
            put_pad(w, x);
        }
        f->lines = w->lines;
        break;
    case ITEM_OPEN:
        open_group(w, k);
        break;
    case ITEM_CLOSE:
        w->frame.n--;
        break;
    case ITEM_NEWLINE:
        begin_line(w, f->indent, x->blank);
        f->lines = w->lines;
        w->is_split = true;
        break;
    case ITEM_LINE:
        begin_line(w, x->column, x->blank);
        break;
    }
}

void layout_write(Layout *l)
{
    ArenaMark mark = arena_mark(l->scratch);
    Writer w = {.l = l, .m = measure(l, l->scratch), .out = l->out, .end = l->end};
    for (uint32_t k = 0; k < l->item.n; k++)
        put_item(&w, k);
    l->item.n = 0;
    arena_rollback(l->scratch, mark);
}
