/* Classes and their elements: MLS 3.6 appendix A.2.1 to A.2.4. */
#include "format/phrases.h"

/* ---- Class heads ----------------------------------------------------------------------- */

bool at_class_word(const Phrases *p)
{
    return token_begins_class(token_at(p, 0));
}

static bool at_type_prefix(const Phrases *p)
{
    switch (token_at(p, 0)) {
    case TOK_FLOW:
    case TOK_STREAM:
    case TOK_DISCRETE:
    case TOK_PARAMETER:
    case TOK_CONSTANT:
    case TOK_INPUT:
    case TOK_OUTPUT:
        return true;
    default:
        return false;
    }
}

static void put_type(Phrases *p)
{
    while (at_type_prefix(p)) {
        put_token(p);
        put_space(p);
    }
    put_path(p);
    put_subscripts(p);
}

static void put_literal(Phrases *p)
{
    open_group(p, GROUP_FILL, false);
    put_token(p); /* a name, or the colon of enumeration(:) */
    put_description(p);
    put_annotation(p);
    close_group(p);
}

/* Literals with descriptions have a line each. */
static void put_enumeration(Phrases *p)
{
    put_token(p);
    bool is_described = token_at(p, 2) == TOK_STRING;
    put_list(p, is_described ? GROUP_EACH : GROUP_FILL, put_literal);
}

/* Behind the name of a short class */
static void put_short_class(Phrases *p)
{
    put_space(p);
    put_token(p);
    put_break(p, BREAK_WORD, 1);
    if (at(p, TOK_ENUMERATION)) {
        put_enumeration(p);
    } else if (at(p, TOK_DER)) {
        put_reference(p);
    } else {
        put_type(p);
        if (at(p, TOK_LPAREN))
            put_class_modification(p);
    }
    put_description(p);
    put_annotation(p);
}

static void put_body(Phrases *p, uint32_t indent);

void put_class(Phrases *p, uint32_t indent)
{
    while (at_class_word(p) || at(p, TOK_EXTENDS)) {
        put_token(p);
        put_space(p);
    }
    put_token(p);
    if (at(p, TOK_EQUALS)) {
        put_short_class(p);
        return;
    }
    if (at(p, TOK_LPAREN)) /* of a class that extends */
        put_class_modification(p);
    put_description(p);
    close_group(p);
    uint32_t annotations = p->annotations;
    p->annotations = 0;
    put_body(p, indent);
    p->annotations = annotations;
    begin_phrase(p, indent);
    put_token_if(p, TOK_END);
    put_space(p);
    put_token_if(p, TOK_IDENT);
}

/* ---- Elements -------------------------------------------------------------------------- */

/* A.B, A.*, A.{B, C} or C = A.B */
static void put_import(Phrases *p)
{
    put_token(p);
    put_space(p);
    while (!at(p, TOK_SEMICOLON) && !at(p, TOK_STRING) && !at(p, TOK_ANNOTATION) &&
           !at(p, TOK_EOF)) {
        if (at(p, TOK_LBRACE)) {
            put_list(p, GROUP_FILL, put_path);
            continue;
        }
        bool is_equals = at(p, TOK_EQUALS);
        if (is_equals)
            put_space(p);
        put_token(p);
        if (is_equals)
            put_space(p);
    }
}

static void put_extends(Phrases *p)
{
    put_token(p);
    put_space(p);
    put_path(p);
    if (at(p, TOK_LPAREN))
        put_class_modification(p);
}

static void put_external(Phrases *p)
{
    put_token(p);
    put_space(p);
    if (put_token_if(p, TOK_STRING))
        put_space(p);
    if (!at(p, TOK_ANNOTATION) && !at(p, TOK_SEMICOLON)) {
        put_reference(p);
        if (at(p, TOK_EQUALS)) {
            put_space(p);
            put_token(p);
            put_space(p);
            put_reference(p);
        }
    }
}

static bool put_declaration(Phrases *p)
{
    open_group(p, GROUP_FILL, false);
    put_token(p);
    put_subscripts(p);
    put_modification(p);
    if (at(p, TOK_IF)) {
        put_break(p, BREAK_ITEM, 1);
        put_token(p);
        put_space(p);
        put_expression(p);
    }
    bool is_described = at(p, TOK_STRING);
    put_description(p);
    put_annotation(p);
    close_group(p);
    return is_described;
}

/* Names with descriptions have a line each if there is not one for all. */
static void put_components(Phrases *p)
{
    put_type(p);
    put_break(p, BREAK_WORD, 1);
    uint32_t group = open_group(p, GROUP_FILL, false);
    uint32_t described = put_declaration(p);
    while (put_token_if(p, TOK_COMMA)) {
        put_break(p, BREAK_ITEM, 1);
        described += put_declaration(p);
    }
    if (described > 1)
        p->layout.item.at[group].group = GROUP_EACH;
    close_group(p);
}

static void put_element(Phrases *p, uint32_t indent)
{
    begin_phrase(p, indent);
    uint32_t from = p->at;
    while (at(p, TOK_REDECLARE) || at(p, TOK_FINAL) || at(p, TOK_INNER) || at(p, TOK_OUTER) ||
           at(p, TOK_REPLACEABLE)) {
        put_token(p);
        put_space(p);
    }
    if (at(p, TOK_IMPORT))
        put_import(p);
    else if (at(p, TOK_EXTENDS))
        put_extends(p);
    else if (at(p, TOK_EXTERNAL))
        put_external(p);
    else if (at_class_word(p))
        put_class(p, indent);
    else if (at(p, TOK_ANNOTATION))
        put_annotation_clause(p);
    else
        put_components(p);
    put_constraining(p);
    put_description(p);
    put_annotation(p);
    if (p->at == from)
        put_token(p); /* a token that begins no element: the loop has to advance */
    end_phrase(p);
}

/* ---- Bodies ---------------------------------------------------------------------------- */

static bool at_section(const Phrases *p)
{
    TokenKind k = token_at(p, at(p, TOK_INITIAL));
    return k == TOK_EQUATION || k == TOK_ALGORITHM;
}

/* public, protected, equation, initial algorithm, ... on a line */
static void put_section_head(Phrases *p, uint32_t indent)
{
    begin_phrase(p, indent);
    if (put_token_if(p, TOK_INITIAL))
        put_space(p);
    put_token(p);
    close_group(p);
}

static void put_body(Phrases *p, uint32_t indent)
{
    bool in_section = false;
    while (!at(p, TOK_END) && !at(p, TOK_EOF)) {
        if (at_section(p) || at(p, TOK_PUBLIC) || at(p, TOK_PROTECTED)) {
            in_section = at_section(p);
            put_section_head(p, indent);
        } else if (in_section && !at(p, TOK_ANNOTATION) && !at(p, TOK_EXTERNAL)) {
            put_equation(p, indent + LAYOUT_INDENT);
        } else {
            put_element(p, indent + LAYOUT_INDENT);
        }
    }
}

void put_file(Phrases *p)
{
    if (at(p, TOK_WITHIN)) {
        begin_phrase(p, 0);
        put_token(p);
        if (!at(p, TOK_SEMICOLON)) {
            put_space(p);
            put_path(p);
        }
        end_phrase(p);
    }
    while (!at(p, TOK_EOF))
        put_element(p, 0);
    put_line(p, 0);
    put_gap(p);
}
