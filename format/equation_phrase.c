/* Equations and statements: MLS 3.6 appendix A.2.6. */
#include "format/phrases.h"

void begin_phrase(Phrases *p, uint32_t indent)
{
    put_line(p, indent);
    open_group(p, GROUP_FILL, false);
}

/* The head of a block, whose lines differ from those inside. */
static void begin_head(Phrases *p, uint32_t indent)
{
    put_line(p, indent);
    open_group(p, GROUP_FILL, true);
}

void end_phrase(Phrases *p)
{
    p->separator = (Separator){0};
    put_token_if(p, TOK_SEMICOLON);
    close_group(p);
}

static bool ends_block(const Phrases *p)
{
    return at(p, TOK_END) || at(p, TOK_ELSE) || at(p, TOK_ELSEIF) || at(p, TOK_ELSEWHEN) ||
           at(p, TOK_EOF);
}

static void put_block(Phrases *p, uint32_t indent)
{
    while (!ends_block(p))
        put_equation(p, indent + LAYOUT_INDENT);
}

/* end if, with a description or an annotation */
static void put_end(Phrases *p, uint32_t indent)
{
    begin_phrase(p, indent);
    put_token(p);
    put_space(p);
    put_token(p);
    put_description(p);
    put_annotation(p);
    end_phrase(p);
}

/* if c then, elseif c then, else, when c then: the head of a block */
static void put_branch_head(Phrases *p, uint32_t indent)
{
    begin_head(p, indent);
    bool is_else = at(p, TOK_ELSE);
    put_token(p);
    if (!is_else) {
        put_space(p);
        put_expression(p);
        put_break(p, BREAK_WORD, 1);
        put_token_if(p, TOK_THEN);
    }
    close_group(p);
}

static void put_branches(Phrases *p, uint32_t indent)
{
    do {
        put_branch_head(p, indent);
        put_block(p, indent);
    } while (at(p, TOK_ELSEIF) || at(p, TOK_ELSEWHEN) || at(p, TOK_ELSE));
    put_end(p, indent);
}

/* for i in r loop, while c loop */
static void put_loop(Phrases *p, uint32_t indent)
{
    begin_head(p, indent);
    bool is_for = at(p, TOK_FOR);
    put_token(p);
    put_space(p);
    if (is_for)
        put_iterators(p);
    else
        put_expression(p);
    put_break(p, BREAK_WORD, 1);
    put_token_if(p, TOK_LOOP);
    close_group(p);
    put_block(p, indent);
    put_end(p, indent);
}

void put_equation(Phrases *p, uint32_t indent)
{
    switch (token_at(p, 0)) {
    case TOK_IF:
    case TOK_WHEN:
        put_branches(p, indent);
        return;
    case TOK_FOR:
    case TOK_WHILE:
        put_loop(p, indent);
        return;
    default:
        break;
    }
    begin_phrase(p, indent);
    uint32_t from = p->at;
    if (at(p, TOK_BREAK) || at(p, TOK_RETURN))
        put_token(p);
    else if (at(p, TOK_CONNECT))
        put_reference(p);
    else
        put_expression(p);
    put_value(p);
    put_description(p);
    put_annotation(p);
    if (p->at == from) /* a token that begins no equation: the loop has to advance */
        put_token(p);
    end_phrase(p);
}
