#include "base/bug.h"
#include "ir/program.h"

/* An operand: a leaf as text, anything else by its number in the listing. */
static const char *operand(const System *s, const uint32_t *number, ExprId x, Arena *mem)
{
    if (expr_n_args(s->pool, x) == 0)
        return expr_text(s, x, mem);
    return arena_printf(mem, "t%u", number[x.i]);
}

/* An operation that is written as a call. */
static const char *name_of_operation(const System *s, ExprId x, Arena *mem)
{
    static const char *const name[OP_COUNT] = {
        [OP_NEG] = "-",      [OP_LT] = "less",         [OP_LE] = "lessEqual",   [OP_EQ] = "equal",
        [OP_NE] = "unequal", [OP_AND] = "and",         [OP_OR] = "or",          [OP_NOT] = "not",
        [OP_SELECT] = "if",  [OP_NOEVENT] = "noEvent", [OP_SMOOTH] = "noEvent", [OP_DER] = "der",
        [OP_PRE] = "pre"};
    Op op = expr_op(s->pool, x);
    const char *it =
        op == OP_FN    ? fn_name(expr_fn_of(s->pool, x))
        : op == OP_FN2 ? fn2_name(expr_fn2_of(s->pool, x))
        : op == OP_CALL
            ? arena_printf(mem, "'%s'", s->function->at[expr_func_of(s->pool, x).i].key.s)
            : name[op];
    if (!it)
        bug("program_print: operation %d", (int)op);
    return it;
}

/* Prints straight-line code, one operation a line: written out in full, shared expressions would
 * grow beyond all bounds. */
void program_print(const Program *g, FILE *f)
{
    const System *s = g->sys;
    Arena *mem = arena_new();
    bool *reached = arena_array(mem, bool, pool_size(s->pool));
    program_reach(s->pool, g->n_states, g->derivative, reached);
    uint32_t *number = arena_array(mem, uint32_t, pool_size(s->pool));
    uint32_t n_temporaries = 0;
    for (uint32_t k = 0; k < pool_size(s->pool); k++) {
        if (reached[k] && expr_n_args(s->pool, (ExprId){k}) > 0)
            number[k] = ++n_temporaries;
    }
    for (uint32_t k = 0; k < pool_size(s->pool); k++) {
        static const char *const infix[OP_COUNT] = {
            [OP_ADD] = "+", [OP_SUB] = "-", [OP_MUL] = "*", [OP_DIV] = "/", [OP_POW] = "^"};
        ExprId x = {k};
        uint32_t n = expr_n_args(s->pool, x);
        if (!reached[k] || n == 0)
            continue;
        ArenaMark m = arena_mark(mem);
        Op op = expr_op(s->pool, x);
        if (infix[op]) {
            fprintf(f, "t%u := %s %s %s;\n", number[k],
                    operand(s, number, expr_arg(s->pool, x, 0), mem), infix[op],
                    operand(s, number, expr_arg(s->pool, x, 1), mem));
        } else if (op == OP_PROJ) {
            fprintf(f, "t%u := %s[%u];\n", number[k],
                    operand(s, number, expr_arg(s->pool, x, 0), mem), expr_proj_of(s->pool, x) + 1);
        } else {
            const char *name = name_of_operation(s, x, mem);
            fprintf(f, "t%u := %s(", number[k], name);
            for (uint32_t i = 0; i < n; i++)
                fprintf(f, "%s%s", i ? ", " : "", operand(s, number, expr_arg(s->pool, x, i), mem));
            fputs(");\n", f);
        }
        arena_rollback(mem, m);
    }
    for (uint32_t k = 0; k < g->n_states; k++)
        fprintf(f, "der('%s') := %s;\n", s->var.at[g->state[k].i].name.s,
                operand(s, number, g->derivative[k], mem));
    arena_free(mem);
}
