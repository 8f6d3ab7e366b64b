/* signature.c -- the arguments that a call or a modification may have. */
#include "frontend/syntax/syntax_print.h"
#include "language_server/meaning.h"

#include <string.h>

typedef struct Signature {
    const Cursor *p;
    SynPath within;
    uint32_t parenthesis;
    bool is_call;
    NameList head; /* names of the function, or of the element that is modified */
    NamedDeclarations argument;
} Signature;

/* The parenthesis around the position, brackets inside it left out; UINT32_MAX if there is none. */
static uint32_t parenthesis_around(const Cursor *p)
{
    uint32_t k = 0;
    while (cursor_token(p, k)->kind != TOK_EOF && cursor_token(p, k)->begin < p->at)
        k++;
    do
        k = cursor_bracket(p, k);
    while (k != UINT32_MAX && cursor_token(p, k)->kind != TOK_LPAREN);
    return k;
}

/* ---- Units ------------------------------------------------------------------------------- */

static const char *unit_in(const SynMod *m)
{
    const SynArg *unit = syn_mod_find(m, "unit");
    const SynExpr *x = unit && unit->mod ? unit->mod->value : NULL;
    return x && x->kind == SYN_STRING ? x->text : NULL;
}

/* A.B of the full name A.B.C */
static SynPath path_around(const Cursor *p, const char *full_name)
{
    NameList names = {0};
    for (const char *dot; (dot = strchr(full_name, '.')); full_name = dot + 1)
        vec_push(p->a->mem, names, name_of_n(p->c->names, full_name, (size_t)(dot - full_name)));
    return (SynPath){.global = true, .n = names.n, .name = names.at};
}

/* Of the component, or of the types that its own is made of (MLS 4.9); NULL if none is written. */
static const char *unit_of(const Cursor *p, const Declaration *d)
{
    enum { MOST = 100 };
    const char *unit = unit_in(d->element->component->mod), *name = d->type_name;
    const SynClass *c = d->type;
    for (uint32_t k = 0; !unit && c && name && c->kind == SYN_SHORT && k < MOST; k++) {
        Declaration base;
        SynPath around = path_around(p, name);
        unit = unit_in(c->mod);
        bool found = front_declaration(p->c->front, &around, c->base.name, c->base.n, &base);
        bool is_class = found && base.element && base.element->kind == SYN_CLASS;
        c = is_class ? base.element->class_ : NULL;
        name = is_class ? base.type_name : NULL;
    }
    return unit;
}

/* ---- Arguments --------------------------------------------------------------------------- */

static Declaration declaration_of(const Signature *s, Name name)
{
    Declaration d = {0};
    NameList part = {0};
    for (uint32_t k = 0; k < s->head.n; k++)
        vec_push(s->p->a->mem, part, s->head.at[k]);
    vec_push(s->p->a->mem, part, name);
    front_declaration(s->p->c->front, &s->within, part.at, part.n, &d);
    return d;
}

/* The inputs of a function, the components of a record. */
static bool is_argument_of_call(const SynElement *e, bool is_function)
{
    if (!e || e->kind != SYN_COMPONENT || e->is_protected)
        return false;
    SynTypePrefix prefix = e->component->prefix;
    return is_function ? prefix.causality == SYN_INPUT : prefix.variability != SYN_CONSTANT;
}

/* Parameters and what can be redeclared; attributes of predefined types, which have no element. */
static bool is_modifier(const SynElement *e)
{
    if (!e)
        return true;
    if (e->is_protected || e->final)
        return false;
    return e->replaceable ||
           (e->kind == SYN_COMPONENT && e->component->prefix.variability == SYN_PARAMETER);
}

static bool is_callable(const Declaration *d, bool *is_function)
{
    const SynClass *c = d->element && d->element->kind == SYN_CLASS ? d->element->class_ : d->type;
    if (!c)
        return false;
    *is_function = c->restriction == SYN_R_FUNCTION || c->restriction == SYN_R_OPERATOR_FUNCTION;
    return *is_function || c->restriction == SYN_R_RECORD ||
           c->restriction == SYN_R_OPERATOR_RECORD;
}

/* The name of the argument that ends in front of token `end`; .s is NULL if it has none. */
static Name argument_name(const Signature *s, uint32_t begin, uint32_t end)
{
    const Cursor *p = s->p;
    TokenKind kind = cursor_token(p, begin)->kind;
    while (begin < end && (kind == TOK_EACH || kind == TOK_FINAL))
        kind = cursor_token(p, ++begin)->kind;
    TokenKind next = begin < end ? cursor_token(p, begin + 1)->kind : TOK_NONE;
    bool is_named = kind == TOK_IDENT && (next == TOK_EQUALS || (!s->is_call && begin < end));
    const SourceToken *t = cursor_token(p, begin);
    return is_named ? name_of_n(p->c->names, p->text + t->begin, t->end - t->begin) : (Name){NULL};
}

static uint32_t index_of(const Signature *s, Name name)
{
    for (uint32_t k = 0; k < s->argument.n; k++)
        if (name_same(s->argument.at[k].name, name))
            return k;
    return UINT32_MAX;
}

/* The argument at the position: by its name; else by its place, or of a modification the first one
 * that has no value yet. */
static uint32_t active_argument(Signature *s)
{
    const Cursor *p = s->p;
    bool *given = arena_array(p->a->mem, bool, s->argument.n + 1);
    uint32_t place = 0, begin = s->parenthesis + 1, depth = 0, k = begin;
    for (;; k++) {
        TokenKind kind = cursor_token(p, k)->kind;
        bool ends = kind == TOK_EOF || kind == TOK_SEMICOLON || cursor_token(p, k)->begin >= p->at;
        if (!ends && (depth > 0 || kind != TOK_COMMA)) {
            depth += kind == TOK_LPAREN || kind == TOK_LBRACE || kind == TOK_LBRACKET;
            depth -=
                depth > 0 && (kind == TOK_RPAREN || kind == TOK_RBRACE || kind == TOK_RBRACKET);
            continue;
        }
        Name name = argument_name(s, begin, k);
        uint32_t at = name.s ? index_of(s, name) : UINT32_MAX;
        if (ends && name.s && at == UINT32_MAX && !s->is_call) {
            /* an element that is no parameter */
            NamedDeclaration x = {name, declaration_of(s, name)};
            at = s->argument.n;
            if (x.declaration.element)
                vec_push(p->a->mem, s->argument, x);
        }
        if (ends && name.s)
            return at;
        if (ends)
            break;
        if (at < s->argument.n)
            given[at] = true;
        place++;
        begin = k + 1;
    }
    for (uint32_t i = 0; !s->is_call && i < s->argument.n; i++)
        if (!given[i])
            return i;
    return place;
}

/* ---- Answers ------------------------------------------------------------------------------ */

static void put_argument(Signature *s, const NamedDeclaration *x, Text *label, Text *text)
{
    const SynElement *e = x->declaration.element;
    Arena *mem = s->p->a->mem;
    if (!e || e->kind != SYN_COMPONENT) {
        text_printf(label, "%s%s%s", e ? syn_restriction_text(e->class_->restriction) : "",
                    e ? " " : "", x->name.s);
        text_put(text, e && e->class_->comment ? e->class_->comment : "");
        return;
    }
    const SynComponent *c = e->component;
    Declaration d = declaration_of(s, x->name);
    const char *unit = d.element && d.element->kind == SYN_COMPONENT ? unit_of(s->p, &d) : NULL;
    text_printf(label, "%s %s", syn_path_text(mem, &c->type), x->name.s);
    if (c->mod && c->mod->value)
        text_printf(label, " = %s", syn_expr_text(mem, c->mod->value));
    if (unit)
        text_printf(text, "[%s]", unit);
    if (c->comment && *c->comment)
        text_printf(text, "%s%s", unit ? " " : "", c->comment);
}

/* Units of UTF-16 of the first n bytes. */
static uint32_t column_of(const Text *t, size_t n, Arena *mem)
{
    Lines lines = lines_of(t->at, (uint32_t)t->n, false, mem);
    return lines_position(&lines, (uint32_t)n).column;
}

static void put_signature(Signature *s, const Declaration *d, Json *j)
{
    Arena *mem = s->p->a->mem;
    uint32_t active = active_argument(s), n = s->argument.n;
    uint32_t(*place)[2] = arena_alloc(mem, (n + 1) * sizeof *place);
    Text label = text_new(mem);
    Text *text = arena_array(mem, Text, n + 1);
    for (uint32_t k = 0; k < s->head.n; k++)
        text_printf(&label, "%s%s", k ? "." : "", s->head.at[k].s);
    text_put(&label, "(");
    for (uint32_t k = 0; k < n; k++) {
        text_put(&label, k ? ", " : "");
        text[k] = text_new(mem);
        place[k][0] = (uint32_t)label.n;
        put_argument(s, &s->argument.at[k], &label, &text[k]);
        place[k][1] = (uint32_t)label.n;
    }
    text_put(&label, ")");
    for (size_t k = 0; k < label.n; k++) /* columns are those of one line */
        if (label.at[k] == '\n' || label.at[k] == '\r')
            label.at[k] = ' ';
    const SynClass *c = d->element && d->element->kind == SYN_CLASS ? d->element->class_ : d->type;
    json_object(j, NULL);
    json_array(j, "signatures");
    json_object(j, NULL);
    json_text(j, "label", label.at);
    if (c && c->comment)
        json_text(j, "documentation", c->comment);
    json_array(j, "parameters");
    for (uint32_t k = 0; k < n; k++) {
        json_object(j, NULL);
        json_array(j, "label");
        json_count(j, NULL, column_of(&label, place[k][0], mem));
        json_count(j, NULL, column_of(&label, place[k][1], mem));
        json_close(j);
        if (text[k].n > 0)
            json_text(j, "documentation", text[k].at);
        json_close(j);
    }
    json_close(j);
    json_close(j);
    json_close(j);
    json_count(j, "activeSignature", 0);
    if (active < n)
        json_count(j, "activeParameter", active);
    json_close(j);
}

static bool find_signature(Signature *s, Declaration *d)
{
    Front *f = s->p->c->front;
    for (int by_type = 1; by_type >= 0; by_type--) {
        s->head = cursor_heads(s->p, s->parenthesis + 1, by_type);
        if (s->head.n > 0 && front_declaration(f, &s->within, s->head.at, s->head.n, d))
            return true;
    }
    return false;
}

void analysis_signature(const Analysis *a, Text *answer)
{
    Cursor p = cursor_open(a);
    Signature s = {.p = &p, .parenthesis = parenthesis_around(&p)};
    Declaration d = {0};
    bool is_function = false, found = s.parenthesis != UINT32_MAX &&
                                      !(p.phrases.flags[s.parenthesis] & PHRASE_ANNOTATION);
    if (found) {
        s.within = cursor_class(&p, p.at);
        s.is_call = !cursor_is_modification(&p, s.parenthesis);
        found = find_signature(&s, &d) && (!s.is_call || is_callable(&d, &is_function));
    }
    if (!found) {
        text_put(answer, "null");
        return;
    }
    NamedDeclarations all = {0};
    front_members(p.c->front, &s.within, s.head.at, s.head.n, &all);
    for (uint32_t k = 0; k < all.n; k++)
        if (s.is_call ? is_argument_of_call(all.at[k].declaration.element, is_function)
                      : is_modifier(all.at[k].declaration.element))
            vec_push(a->mem, s.argument, all.at[k]);
    Json j = json_new(answer);
    put_signature(&s, &d, &j);
}
