/* completion.c -- the names that may stand at a place. */
#include "base/map.h"
#include "frontend/instantiate/declaration.h"
#include "frontend/syntax/syntax_print.h"
#include "language_server/cursor.h"

#include <string.h>

/* Kinds of items of the protocol. */
enum {
    ITEM_FUNCTION = 3,
    ITEM_FIELD = 5,
    ITEM_CLASS = 7,
    ITEM_INTERFACE = 8,
    ITEM_MODULE = 9,
    ITEM_KEYWORD = 14,
    ITEM_CONSTANT = 21,
    ITEM_STRUCT = 22
};

static int kind_of(const SynElement *e)
{
    if (!e)
        return ITEM_CLASS;
    if (e->kind == SYN_COMPONENT)
        return e->component->prefix.variability == SYN_CONSTANT ? ITEM_CONSTANT : ITEM_FIELD;
    switch (e->class_->restriction) {
    case SYN_R_PACKAGE:
        return ITEM_MODULE;
    case SYN_R_FUNCTION:
    case SYN_R_OPERATOR_FUNCTION:
        return ITEM_FUNCTION;
    case SYN_R_CONNECTOR:
    case SYN_R_EXPANDABLE_CONNECTOR:
        return ITEM_INTERFACE;
    case SYN_R_RECORD:
    case SYN_R_TYPE:
        return ITEM_STRUCT;
    default:
        return ITEM_CLASS;
    }
}

typedef struct Items {
    Json j;
    Arena *mem;
} Items;

static void put_item(Items *x, const char *name, int kind, const char *detail, const char *text)
{
    json_object(&x->j, NULL);
    json_text(&x->j, "label", name);
    json_count(&x->j, "kind", (uint64_t)kind);
    if (detail)
        json_text(&x->j, "detail", detail);
    if (text)
        json_text(&x->j, "documentation", text);
    json_close(&x->j);
}

static void put_names(Items *x, const NamedDeclarations *names)
{
    for (uint32_t k = 0; k < names->n; k++) {
        const SynElement *e = names->at[k].declaration.element;
        const char *detail = NULL, *text = NULL;
        if (e && e->kind == SYN_COMPONENT) {
            detail = syn_path_text(x->mem, &e->component->type);
            text = e->component->comment;
        } else if (e) {
            detail = syn_restriction_text(e->class_->restriction);
            text = e->class_->comment;
        }
        put_item(x, names->at[k].name.s, kind_of(e), detail, text);
    }
}

static void put_keywords(Items *x)
{
#define KEYWORD(id, text) put_item(x, text, ITEM_KEYWORD, NULL, NULL);
    KEYWORDS(KEYWORD)
#undef KEYWORD
}

/* *token: that ends in front of the word at the place, UINT32_MAX at the beginning. False inside a
 * comment, a string or a number. */
static bool token_before(const Cursor *p, uint32_t *token)
{
    uint32_t last = UINT32_MAX;
    for (uint32_t k = 0; k < p->list.comment.n; k++) {
        const CommentToken *c = &p->list.comment.at[k];
        if (p->at > c->begin && (p->at < c->end || (c->to_line_end && p->at == c->end)))
            return false;
    }
    for (uint32_t k = 0; k < p->list.token.n && cursor_token(p, k)->begin < p->at; k++) {
        const SourceToken *t = cursor_token(p, k);
        char first = p->text[t->begin];
        bool is_word = (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z') ||
                       first == '_' || first == '\'';
        if (t->kind == TOK_EOF || (is_word && p->at <= t->end))
            break;
        bool is_literal = t->kind == TOK_STRING || t->kind == TOK_INTEGER || t->kind == TOK_REAL;
        if (is_literal && (p->at < t->end || (p->at == t->end && t->kind != TOK_STRING)))
            return false;
        last = k;
    }
    *token = last;
    return true;
}

void analysis_completion(const Analysis *a, Text *answer)
{
    Cursor p = cursor_open(a);
    Front *f = p.c->front;
    Items x = {json_new(answer), a->mem};
    uint32_t k;
    bool is_code = token_before(&p, &k);
    SynPath within = cursor_class(&p, p.at);
    NamedDeclarations names = {0};
    json_array(&x.j, NULL);
    if (is_code && k != UINT32_MAX && cursor_token(&p, k)->kind == TOK_DOT) {
        NameList part = k > 0 ? cursor_names(&p, k - 1) : (NameList){0};
        if (part.n > 0)
            front_members(f, &within, part.at, part.n, &names);
        put_names(&x, &names);
    } else if (is_code) {
        TokenKind before = k != UINT32_MAX ? cursor_token(&p, k)->kind : TOK_NONE;
        bool begins = before == TOK_LPAREN || before == TOK_COMMA || before == TOK_EACH ||
                      before == TOK_FINAL || before == TOK_REDECLARE;
        for (int by_type = 1; begins && by_type >= 0 && names.n == 0; by_type--) {
            NameList head = cursor_heads(&p, k + 1, by_type);
            if (head.n > 0)
                front_members(f, &within, head.at, head.n, &names);
        }
        front_members(f, &within, NULL, 0, &names);
        put_names(&x, &names);
        put_keywords(&x);
    }
    json_close(&x.j);
}
