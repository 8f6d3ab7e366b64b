/* folding.c -- lines that an editor can fold: classes, sections, loops and branches, brackets,
 * annotations, comments. */
#include "frontend/syntax/parser.h"
#include "language_server/analysis.h"

#include "format/token_list.h"

#include <stdlib.h>
#include <string.h>

typedef struct Fold {
    uint32_t first, last; /* lines */
    bool is_comment;
} Fold;

typedef struct Folding {
    Arena *mem;
    Lines lines;
    VEC(Fold) fold;
} Folding;

static uint32_t line_of(const Folding *f, uint32_t byte)
{
    return lines_position(&f->lines, byte).line;
}

static void add(Folding *f, uint32_t first, uint32_t last, bool is_comment)
{
    if (first < last)
        vec_push(f->mem, f->fold, ((Fold){first, last, is_comment}));
}

/* The line of its end stays in sight. */
static void add_block(Folding *f, Span s)
{
    uint32_t last = line_of(f, s.end);
    add(f, line_of(f, s.begin), last > 0 ? last - 1 : 0, false);
}

static void add_equations(Folding *f, const SynEquations *all)
{
    for (uint32_t k = 0; k < all->n; k++) {
        const SynEquation *x = all->at[k];
        bool has_branches = x->kind == SYN_EQ_IF || x->kind == SYN_EQ_WHEN;
        if (has_branches || x->kind == SYN_EQ_FOR)
            add_block(f, x->span);
        for (uint32_t i = 0; has_branches && i < x->n_branches; i++)
            add_equations(f, &x->branch[i].body);
        if (x->kind == SYN_EQ_FOR)
            add_equations(f, &x->body);
    }
}

static void add_statements(Folding *f, const SynStatements *all)
{
    for (uint32_t k = 0; k < all->n; k++) {
        const SynStatement *x = all->at[k];
        bool has_branches = x->kind == SYN_ST_IF || x->kind == SYN_ST_WHEN;
        if (has_branches || x->kind == SYN_ST_FOR || x->kind == SYN_ST_WHILE)
            add_block(f, x->span);
        for (uint32_t i = 0; has_branches && i < x->n_branches; i++)
            add_statements(f, &x->branch[i].body);
        add_statements(f, &x->body);
    }
}

static void add_section(Folding *f, const SynSection *s)
{
    uint32_t ne = s->equations.n, ns = s->statements.n, end = s->span.end;
    if (!s->algorithm && ne > 0)
        end = s->equations.at[ne - 1]->span.end;
    if (s->algorithm && ns > 0)
        end = s->statements.at[ns - 1]->span.end;
    add(f, line_of(f, s->span.begin), line_of(f, end), false);
    add_equations(f, &s->equations);
    add_statements(f, &s->statements);
}

static void add_class(Folding *f, const SynClass *c)
{
    if (c->kind == SYN_LONG || c->kind == SYN_CLASS_EXTENDS)
        add_block(f, c->span);
    for (uint32_t k = 0; k < c->n_sections; k++)
        add_section(f, &c->section[k]);
    for (uint32_t k = 0; k < c->n_elements; k++)
        if (c->elements[k]->kind == SYN_CLASS)
            add_class(f, c->elements[k]->class_);
}

/* Of several brackets that open in a line the outermost. */
static void add_brackets(Folding *f, const TokenList *list)
{
    VEC(uint32_t) open = {0};
    for (uint32_t k = 0; k < list->token.n; k++) {
        const SourceToken *t = &list->token.at[k];
        switch (t->kind) {
        case TOK_LPAREN:
        case TOK_LBRACE:
        case TOK_LBRACKET:
            vec_push(f->mem, open, line_of(f, t->begin));
            break;
        case TOK_RPAREN:
        case TOK_RBRACE:
        case TOK_RBRACKET:
            if (open.n > 0)
                add(f, open.at[--open.n], line_of(f, t->begin), false);
            break;
        default:
            break;
        }
    }
}

/* Those of several lines, and several in lines that follow one another. */
static void add_comments(Folding *f, const TokenList *list)
{
    for (uint32_t k = 0; k < list->comment.n; k++) {
        const CommentToken *c = &list->comment.at[k];
        uint32_t first = line_of(f, c->begin), last = line_of(f, c->end);
        for (; c->to_line_end && k + 1 < list->comment.n; k++) {
            const CommentToken *next = &list->comment.at[k + 1];
            uint32_t line = line_of(f, next->begin);
            if (!next->to_line_end || line != last + 1 || next->column != c->column)
                break;
            last = line;
        }
        add(f, first, last, true);
    }
}

static int by_lines(const void *a, const void *b)
{
    const Fold *x = a, *y = b;
    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    return x->last == y->last ? 0 : x->last > y->last ? -1 : 1;
}

void analysis_folding(const Analysis *a, Text *answer)
{
    const Document *d = a->document;
    Diags *diags = diags_new(a->mem);
    Names *names = names_new(a->mem);
    const char *text = analysis_closed_text(a->mem, d);
    uint32_t file = diags_add_source(diags, d->path, text, (uint32_t)strlen(text));
    const SynFile *tree = parse_file(a->mem, names, diags, file);
    TokenList list = token_list(a->mem, names, diags, file);
    Folding f = {.mem = a->mem, .lines = analysis_lines(a)};
    for (uint32_t k = 0; k < tree->n_classes; k++)
        add_class(&f, tree->class_[k]);
    add_brackets(&f, &list);
    add_comments(&f, &list);
    if (f.fold.n > 0)
        qsort(f.fold.at, f.fold.n, sizeof *f.fold.at, by_lines);
    Json j = json_new(answer);
    json_array(&j, NULL);
    for (uint32_t k = 0; k < f.fold.n; k++) {
        const Fold *x = &f.fold.at[k];
        /* one of each line, the largest */
        if (k > 0 && x->first == x[-1].first)
            continue;
        json_object(&j, NULL);
        json_count(&j, "startLine", x->first);
        json_count(&j, "endLine", x->last);
        if (x->is_comment)
            json_text(&j, "kind", "comment");
        json_close(&j);
    }
    json_close(&j);
}
