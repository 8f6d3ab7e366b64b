/* Modifications and annotations: MLS 3.6 appendix A.2.5. */
#include "format/phrases.h"

void put_value(Phrases *p)
{
    if (!at(p, TOK_EQUALS) && !at(p, TOK_ASSIGN))
        return;
    put_space(p);
    put_token(p);
    put_break(p, at(p, TOK_IF) ? BREAK_FIRST : BREAK_WORD, 1);
    if (!put_token_if(p, TOK_BREAK))
        put_expression(p);
}

void put_modification(Phrases *p)
{
    if (at(p, TOK_LPAREN))
        put_class_modification(p);
    put_value(p);
}

void put_description(Phrases *p)
{
    if (!at(p, TOK_STRING))
        return;
    p->structures++;
    put_break(p, BREAK_ITEM, 1);
    open_group(p, GROUP_FILL, false);
    put_token(p);
    while (at(p, TOK_ADD)) {
        put_break(p, BREAK_ITEM, 1);
        put_token(p);
        put_space(p);
        put_token(p);
    }
    close_group(p);
}

void put_annotation(Phrases *p)
{
    if (!at(p, TOK_ANNOTATION))
        return;
    put_break(p, BREAK_OWN, 1);
    put_annotation_clause(p);
}

void put_annotation_clause(Phrases *p)
{
    put_token(p);
    p->annotations++;
    if (at(p, TOK_LPAREN))
        put_class_modification(p);
    p->annotations--;
}

void put_constraining(Phrases *p)
{
    if (!at(p, TOK_CONSTRAINEDBY))
        return;
    put_break(p, BREAK_ITEM, 1);
    put_token(p);
    put_space(p);
    put_path(p);
    if (at(p, TOK_LPAREN))
        put_class_modification(p);
    put_description(p);
    put_annotation(p);
}

/* break x, break connect(a, b) */
static void put_deselection(Phrases *p)
{
    put_token(p);
    put_space(p);
    put_token(p);
    if (at(p, TOK_LPAREN))
        put_arguments(p);
}

/* Behind the prefixes: a component or a short class */
static void put_redeclared(Phrases *p)
{
    if (at_class_word(p)) {
        put_class(p, 0);
        return;
    }
    while (!at(p, TOK_IDENT) && !at(p, TOK_DOT) && !at(p, TOK_EOF)) {
        put_token(p); /* flow, parameter, input, ... */
        put_space(p);
    }
    put_path(p);
    put_subscripts(p);
    put_break(p, BREAK_WORD, 1);
    put_token(p);
    put_subscripts(p);
    put_modification(p);
}

static void put_modification_argument(Phrases *p)
{
    open_group(p, GROUP_FILL, false);
    if (at(p, TOK_BREAK)) {
        put_deselection(p);
        close_group(p);
        return;
    }
    bool is_element = false;
    while (at(p, TOK_REDECLARE) || at(p, TOK_EACH) || at(p, TOK_FINAL) || at(p, TOK_REPLACEABLE)) {
        is_element = is_element || at(p, TOK_REDECLARE) || at(p, TOK_REPLACEABLE);
        put_token(p);
        put_space(p);
    }
    if (is_element) {
        put_redeclared(p);
    } else {
        put_path(p);
        put_modification(p);
    }
    put_description(p);
    put_annotation(p);
    put_constraining(p);
    close_group(p);
}

/* In an annotation arguments have a line each, unless all of them are plain values. */
void put_class_modification(Phrases *p)
{
    p->structures++;
    uint32_t structures = p->structures;
    uint32_t group = put_list(p, GROUP_FILL, put_modification_argument);
    if (p->annotations > 0 && p->n_parts > 1 && p->structures > structures)
        p->layout.item.at[group].group = GROUP_EACH;
}
