/* The System as text: expressions in Modelica with the parentheses they need, the whole as Base
 * Modelica (MCP-0031), which other tools and our own parser read back. */
#include "base/bug.h"
#include "base/text.h"
#include "ir/body.h"

#include <string.h>

/* Precedences (MLS 3.2), lowest first. */
typedef enum Level {
    LEVEL_IF,
    LEVEL_OR,
    LEVEL_AND,
    LEVEL_NOT,
    LEVEL_RELATION,
    LEVEL_SUM,
    LEVEL_TERM,
    LEVEL_FACTOR,
    LEVEL_PRIMARY,
} Level;

/* Work list of the printer, last first: a text, or an expression at a precedence level. */
typedef struct Todo {
    const char *text;
    ExprId x;
    Level level;
    bool is_boolean; /* a number there is false or true */
} Todo;

typedef struct Printer {
    const System *s;
    Arena *mem; /* scratch */
    VEC(Todo) todo;
    VEC(char) out;
} Printer;

static void put(Printer *p, const char *text)
{
    size_t n = strlen(text);
    vec_reserve(p->mem, p->out, p->out.n + (uint32_t)n + 1);
    memcpy(p->out.at + p->out.n, text, n);
    p->out.n += (uint32_t)n;
}

static void later(Printer *p, const char *text)
{
    Todo t = {.text = text, .x = EXPR_NONE};
    vec_push(p->mem, p->todo, t);
}

static void later_expr(Printer *p, ExprId x, Level level)
{
    Todo t = {.x = x, .level = level};
    vec_push(p->mem, p->todo, t);
}

/* The same for an operand whose type, Boolean or not, follows from its neighbours. */
static void later_typed(Printer *p, ExprId x, Level level, bool is_boolean)
{
    Todo t = {.x = x, .level = level, .is_boolean = is_boolean};
    vec_push(p->mem, p->todo, t);
}

/* By the first thing that has a type of its own. */
static bool is_boolean(const System *s, ExprId x)
{
    for (;;) {
        Op op = expr_op(s->pool, x);
        if (op == OP_SELECT) {
            ExprId then = expr_arg(s->pool, x, 1);
            x = expr_op(s->pool, then) == OP_NUM ? expr_arg(s->pool, x, 2) : then;
        } else if (op == OP_PRE || op == OP_NOEVENT || op == OP_SMOOTH) {
            x = expr_arg(s->pool, x, 0);
        } else if (op == OP_VAR) {
            const Var *v = &s->var.at[expr_var_of(s->pool, x).i];
            if (v->kind != VAR_MEMORY || s->memory.at[v->index].kind != MEMORY_PRE)
                return v->type == TYPE_BOOLEAN;
            x = s->memory.at[v->index].of;
        } else {
            return op_is_logical(op);
        }
    }
}

/* The name as a quoted identifier (MLS 2.3.1). */
static const char *quoted(Arena *mem, const char *name)
{
    char *out = arena_alloc(mem, 2 * strlen(name) + 3), *at = out;
    *at++ = '\'';
    for (; *name; name++) {
        if (*name == '\'' || *name == '\\')
            *at++ = '\\';
        *at++ = *name;
    }
    *at++ = '\'';
    *at = 0;
    return out;
}

/* Identifiers that are no plain IDENT are quoted (MLS 2.3.1); derivative variables read der('x').
 */
static const char *name_text(Arena *mem, const System *s, VarId v)
{
    const Var *x = &s->var.at[v.i];
    if (var_exists(x->der_of))
        return arena_printf(mem, "der(%s)", name_text(mem, s, x->der_of));
    return quoted(mem, x->name.s);
}

/* A number that is a finite decimal is written as one, any other as a quotient. */
static const char *number_text(Arena *mem, mpq_srcptr q, Level *level)
{
    mpz_t den;
    mpz_init_set(den, mpq_denref(q));
    unsigned long twos = mpz_scan1(den, 0);
    mpz_tdiv_q_2exp(den, den, twos);
    unsigned long fives = 0;
    while (mpz_divisible_ui_p(den, 5)) {
        mpz_divexact_ui(den, den, 5);
        fives++;
    }
    const char *text;
    *level = mpq_sgn(q) < 0 ? LEVEL_SUM : LEVEL_PRIMARY;
    if (mpz_cmp_ui(den, 1) == 0) {
        unsigned long shift = twos > fives ? twos : fives;
        mpz_t d;
        mpz_init(d);
        mpz_ui_pow_ui(d, 10, shift);
        mpz_divexact(den, d, mpq_denref(q));
        mpz_mul(d, mpq_numref(q), den);
        char *digits = arena_alloc(mem, mpz_sizeinbase(d, 10) + 2);
        mpz_get_str(digits, 10, d);
        mpz_clear(d);
        size_t sign = digits[0] == '-';
        size_t n = strlen(digits) - sign;
        if (shift == 0)
            text = digits;
        else if (n > shift)
            text = arena_printf(mem, "%.*s.%s", (int)(sign + n - shift), digits,
                                digits + sign + n - shift);
        else if (shift <= 20)
            text = arena_printf(mem, "%s0.%.*s%s", sign ? "-" : "", (int)(shift - n),
                                "00000000000000000000", digits + sign);
        else
            text = arena_printf(mem, "%se-%lu", digits, shift);
    } else {
        char *all = arena_alloc(mem, mpz_sizeinbase(mpq_numref(q), 10) +
                                         mpz_sizeinbase(mpq_denref(q), 10) + 3);
        text = mpq_get_str(all, 10, q);
        if (*level > LEVEL_TERM)
            *level = LEVEL_TERM;
    }
    mpz_clear(den);
    return text;
}

static const char *string_text(Arena *mem, const char *text)
{
    VEC(char) out = {0};
    vec_push(mem, out, '"');
    for (const char *c = text; *c; c++) {
        if (*c == '"' || *c == '\\')
            vec_push(mem, out, '\\');
        if (*c == '\n') {
            vec_push(mem, out, '\\');
            vec_push(mem, out, 'n');
        } else {
            vec_push(mem, out, *c);
        }
    }
    vec_push(mem, out, '"');
    vec_push(mem, out, 0);
    return out.at;
}

static void call_with(Printer *p, const char *name, ExprId x, uint32_t n)
{
    later(p, ")");
    for (uint32_t k = n; k-- > 0;) {
        later_expr(p, expr_arg(p->s->pool, x, k), LEVEL_IF);
        if (k > 0)
            later(p, ", ");
    }
    later(p, "(");
    later(p, name);
}

static void call(Printer *p, const char *name, ExprId x)
{
    call_with(p, name, x, expr_n_args(p->s->pool, x));
}

/* Infix operators: their text, their level, and the least levels of their operands without
 * parentheses. */
typedef struct Infix {
    const char *text;
    Level own, left, right;
} Infix;

static const Infix infix[OP_COUNT] = {
    [OP_OR] = {" or ", LEVEL_OR, LEVEL_OR, LEVEL_AND},
    [OP_AND] = {" and ", LEVEL_AND, LEVEL_AND, LEVEL_NOT},
    [OP_LT] = {" < ", LEVEL_RELATION, LEVEL_SUM, LEVEL_SUM},
    [OP_LE] = {" <= ", LEVEL_RELATION, LEVEL_SUM, LEVEL_SUM},
    [OP_EQ] = {" == ", LEVEL_RELATION, LEVEL_SUM, LEVEL_SUM},
    [OP_NE] = {" <> ", LEVEL_RELATION, LEVEL_SUM, LEVEL_SUM},
    [OP_ADD] = {" + ", LEVEL_SUM, LEVEL_SUM, LEVEL_TERM},
    [OP_SUB] = {" - ", LEVEL_SUM, LEVEL_SUM, LEVEL_TERM},
    [OP_MUL] = {" * ", LEVEL_TERM, LEVEL_TERM, LEVEL_FACTOR},
    [OP_DIV] = {" / ", LEVEL_TERM, LEVEL_TERM, LEVEL_FACTOR},
    [OP_POW] = {" ^ ", LEVEL_FACTOR, LEVEL_PRIMARY, LEVEL_PRIMARY},
};

static Level level_of(Op op)
{
    if (infix[op].text)
        return infix[op].own;
    return op == OP_SELECT ? LEVEL_IF
           : op == OP_NOT  ? LEVEL_NOT
           : op == OP_NEG  ? LEVEL_SUM
                           : LEVEL_PRIMARY;
}

/* Memory is printed as the modeller would write it: pre(x), a < b. */
/* The head, then a, b). */
static void put_pair(Printer *p, const char *head, ExprId a, ExprId b)
{
    put(p, head);
    later(p, ")");
    later_expr(p, b, LEVEL_IF);
    later(p, ", ");
    later_expr(p, a, LEVEL_IF);
}

static void put_variable(Printer *p, VarId v)
{
    const Var *it = &p->s->var.at[v.i];
    if (it->kind != VAR_MEMORY) {
        put(p, name_text(p->mem, p->s, v));
        return;
    }
    const Memory *m = &p->s->memory.at[it->index];
    switch (m->kind) {
    case MEMORY_RELATION:
        put(p, "(");
        later(p, m->is_strict ? " < 0)" : " <= 0)");
        later_expr(p, m->of, LEVEL_SUM);
        break;
    case MEMORY_PRE:
        put(p, "pre(");
        later(p, ")");
        later_expr(p, m->of, LEVEL_IF);
        break;
    case MEMORY_INITIAL:
        put(p, "initial()");
        break;
    case MEMORY_TERMINAL:
        put(p, "terminal()");
        break;
    case MEMORY_DELAY:
        put(p, "delay(");
        later(p, ")");
        if (expr_exists(m->interval)) {
            later_expr(p, m->start, LEVEL_IF);
            later(p, ", ");
            later_expr(p, m->interval, LEVEL_IF);
        } else {
            later_expr(p, m->start, LEVEL_IF);
        }
        later(p, ", ");
        later_expr(p, m->of, LEVEL_IF);
        break;
    case MEMORY_HOMOTOPY:
        put(p, "simplified()");
        break;
    case MEMORY_FLOOR:
        put(p, "floor(");
        later(p, ")");
        later_expr(p, m->of, LEVEL_IF);
        break;
    case MEMORY_SHIFT:
        put(p, "shift()");
        break;
    case MEMORY_SAMPLE:
        put_pair(p, "sample(", m->start, m->interval);
        break;
    case MEMORY_CLOCK:
        put(p, arena_printf(p->mem, "ticks(%.17g, %.17g, %.17g, ", m->shift, m->factor, m->per));
        later(p, ")");
        later_expr(p, m->interval, LEVEL_IF);
        break;
    case MEMORY_LEFT_LIMIT:
        put(p, "left(");
        later(p, ")");
        later_expr(p, m->of, LEVEL_IF);
        break;
    }
}

/* The texts of Booleans and literals, which are numbers: if x == 1 then "a" else if x == 2 ... */
static void print_lines(Printer *p, ExprId x, const char *line, Level level)
{
    uint32_t n = 1;
    for (const char *at = line; *at; at++)
        n += *at == '\n';
    const char **text = arena_array(p->mem, const char *, n);
    for (uint32_t k = 0; k < n; k++) {
        size_t length = strcspn(line, "\n");
        text[k] = string_text(p->mem, arena_copy(p->mem, line, length));
        line += length + (line[length] == '\n');
    }
    bool paren = level > LEVEL_IF && n > 1;
    put(p, paren ? "(" : "");
    later(p, paren ? ")" : "");
    later(p, text[n - 1]);
    for (uint32_t k = n - 1; k-- > 0;) {
        later(p, arena_printf(p->mem, " == %u then %s else ", k + 1, text[k]));
        later_expr(p, x, LEVEL_SUM);
        later(p, "if ");
    }
}

/* Whether x is an Integer by its looks. */
static bool is_whole(const System *s, ExprId x)
{
    long n;
    Op op = expr_op(s->pool, x);
    if (op == OP_VAR)
        return s->var.at[expr_var_of(s->pool, x).i].type != TYPE_REAL;
    bool any = op_is_sum(op) || op == OP_MUL || op == OP_NEG || op == OP_PRE || op == OP_NOEVENT ||
               (op == OP_FN && expr_fn_of(s->pool, x) == FN_FLOOR);
    for (uint32_t k = 0; any && op != OP_FN && k < expr_n_args(s->pool, x); k++)
        any = is_whole(s, expr_arg(s->pool, x, k));
    return any || expr_is_int(s->pool, x, &n);
}

/* Texts with values in them, as they were written. */
static bool print_text(Printer *p, ExprId x, Level level)
{
    const ExprPool *pool = p->s->pool;
    ExprId inner = expr_arg(pool, x, 0);
    const Function *f = &p->s->function->at[expr_func_of(pool, inner).i];
    if (f->intrinsic == INTRINSIC_JOIN) {
        bool paren = level > LEVEL_SUM;
        put(p, paren ? "(" : "");
        later(p, paren ? ")" : "");
        later_expr(p, expr_arg(pool, inner, 1), LEVEL_TERM);
        later(p, " + ");
        later_expr(p, expr_arg(pool, inner, 0), LEVEL_SUM);
        return true;
    }
    if (f->intrinsic == INTRINSIC_DELAY || f->intrinsic == INTRINSIC_HOMOTOPY) {
        call(p, f->name.s, inner);
        return true;
    }
    if (intrinsic_is_clocked(f->intrinsic)) {
        call_with(p, f->name.s, inner, expr_n_args(pool, inner) - 1);
        return true;
    }
    if (f->intrinsic != INTRINSIC_TEXT)
        return false;
    const char *format = expr_text_of(pool, expr_arg(pool, inner, 1)).s;
    ExprId number = expr_arg(pool, inner, 0);
    if (*format == '\n') {
        print_lines(p, number, format + 1, level);
        return true;
    }
    bool plain = !strcmp(format, "%.6g") || (!strcmp(format, "%.0f") && is_whole(p->s, number));
    put(p, "String(");
    later(p, ")");
    later(p, plain ? "" : arena_printf(p->mem, ", format = \"%s\"", format + 1));
    later_expr(p, number, LEVEL_IF);
    return true;
}

/* The call that compares two texts, of which x is the result; EXPR_NONE: it is none. */
static ExprId comparison_of(const System *s, ExprId x)
{
    ExprId call = expr_op(s->pool, x) == OP_PROJ ? expr_arg(s->pool, x, 0) : EXPR_NONE;
    bool is = expr_exists(call) &&
              s->function->at[expr_func_of(s->pool, call).i].intrinsic == INTRINSIC_COMPARE;
    return is ? call : EXPR_NONE;
}

/* a < b; a == b, where b may be true. Texts are compared with 0 < comparison of both. */
static void binary(Printer *p, ExprId x, Op op)
{
    ExprId a = expr_arg(p->s->pool, x, 0), b = expr_arg(p->s->pool, x, 1);
    bool is_first = expr_is(p->s->pool, b, 0), is_second = expr_is(p->s->pool, a, 0);
    ExprId texts = op < OP_LT || op > OP_NE || !(is_first || is_second)
                       ? EXPR_NONE
                       : comparison_of(p->s, is_first ? a : b);
    if (expr_exists(texts)) {
        a = expr_arg(p->s->pool, texts, is_first ? 0 : 1);
        b = expr_arg(p->s->pool, texts, is_first ? 1 : 0);
    }
    bool boolean = (op == OP_EQ || op == OP_NE) && (is_boolean(p->s, a) || is_boolean(p->s, b));
    later_typed(p, b, infix[op].right, boolean);
    later(p, infix[op].text);
    later_typed(p, a, infix[op].left, boolean);
}

static void print_one(Printer *p, ExprId x, Level level, bool boolean)
{
    const ExprPool *pool = p->s->pool;
    Op op = expr_op(pool, x);
    Level own = level_of(op);
    const char *number = NULL;
    if (op == OP_NUM && boolean) {
        number = expr_is(pool, x, 0) ? "false" : "true";
        own = LEVEL_PRIMARY;
    } else if (op == OP_NUM) {
        number = number_text(p->mem, expr_rational(pool, x), &own);
    }
    if (own < level) {
        put(p, "(");
        later(p, ")");
    }
    if (infix[op].text) {
        binary(p, x, op);
        return;
    }
    switch (op) {
    case OP_NUM:
        put(p, number);
        break;
    case OP_STRING:
        put(p, string_text(p->mem, expr_text_of(pool, x).s));
        break;
    case OP_VAR:
        put_variable(p, expr_var_of(pool, x));
        break;
    case OP_TIME:
        put(p, "time");
        break;
    case OP_LOCAL:
        put(p, arena_printf(p->mem, "v%u", expr_local_of(pool, x) + 1));
        break;
    case OP_INITIAL:
        put(p, "initial()");
        break;
    case OP_NEG:
        later_expr(p, expr_arg(pool, x, 0), LEVEL_TERM);
        later(p, "-");
        break;
    case OP_NOT:
        later_expr(p, expr_arg(pool, x, 0), LEVEL_RELATION);
        later(p, "not ");
        break;
    case OP_SELECT:
        boolean = boolean || is_boolean(p->s, x);
        later_typed(p, expr_arg(pool, x, 2), LEVEL_IF, boolean);
        later(p, " else ");
        later_typed(p, expr_arg(pool, x, 1), LEVEL_OR, boolean);
        later(p, " then ");
        later_expr(p, expr_arg(pool, x, 0), LEVEL_OR);
        later(p, "if ");
        break;
    case OP_FN:
        call(p, fn_name(expr_fn_of(pool, x)), x);
        break;
    case OP_FN2:
        call(p, fn2_name(expr_fn2_of(pool, x)), x);
        break;
    case OP_CALL:
        call(p, arena_printf(p->mem, "'%s'", p->s->function->at[expr_func_of(pool, x).i].key.s), x);
        break;
    case OP_PROJ:
        if (print_text(p, x, level))
            break;
        later(p, arena_printf(p->mem, "[%u]", expr_proj_of(pool, x) + 1));
        later_expr(p, expr_arg(pool, x, 0), LEVEL_PRIMARY);
        break;
    case OP_DER:
        call(p, "der", x);
        break;
    case OP_PRE:
        call(p, "pre", x);
        break;
    case OP_NOEVENT:
        call(p, "noEvent", x);
        break;
    case OP_SMOOTH:
        later(p, ")");
        later_expr(p, expr_arg(pool, x, 0), LEVEL_IF);
        later(p, expr_smooth_has_kinks(pool, x) ? "smooth(0, " : "smooth(1, ");
        break;
    default:
        bug("print: operator %d", (int)op);
    }
}

/* The pool knows 0 and 1 only; beside a Boolean they are false and true. */
static const char *text_up_to(const System *s, ExprId x, bool boolean, uint32_t most, Arena *mem)
{
    Printer p = {.s = s, .mem = mem};
    later_typed(&p, x, LEVEL_IF, boolean);
    while (p.todo.n && p.out.n <= most) {
        Todo t = p.todo.at[--p.todo.n];
        if (t.text)
            put(&p, t.text);
        else
            print_one(&p, t.x, t.level, t.is_boolean);
    }
    vec_push(mem, p.out, 0);
    return p.out.at;
}

static const char *typed_text(const System *s, ExprId x, bool boolean, Arena *mem)
{
    return text_up_to(s, x, boolean, UINT32_MAX, mem);
}

const char *expr_text(const System *s, ExprId x, Arena *mem)
{
    return typed_text(s, x, false, mem);
}

const char *expr_text_cut(const System *s, ExprId x, uint32_t most, Arena *mem)
{
    enum { DOTS = 3 };
    const char *text = text_up_to(s, x, false, most, mem);
    return strlen(text) > most ? arena_printf(mem, "%.*s...", (int)most - DOTS, text) : text;
}

/* ---- the whole System ---- */

static void attribute(FILE *f, bool *any, const char *name, const char *text)
{
    fprintf(f, "%s%s = %s", *any ? ", " : "(", name, text);
    *any = true;
}

static void print_attributes(const System *s, const Var *v, Arena *mem, FILE *f)
{
    static const char *const selects[] = {"never", "avoid", "default", "prefer", "always"};
    bool any = false;
    const Attributes *a = &v->attr;
    if (expr_exists(a->start))
        attribute(f, &any, "start", typed_text(s, a->start, v->type == TYPE_BOOLEAN, mem));
    if (a->fixed != UNKNOWN)
        attribute(f, &any, "fixed", a->fixed == YES ? "true" : "false");
    if (expr_exists(a->min))
        attribute(f, &any, "min", expr_text(s, a->min, mem));
    if (expr_exists(a->max))
        attribute(f, &any, "max", expr_text(s, a->max, mem));
    if (expr_exists(a->nominal))
        attribute(f, &any, "nominal", expr_text(s, a->nominal, mem));
    if (a->unit.s && a->unit.s[0])
        attribute(f, &any, "unit", string_text(mem, a->unit.s));
    if (a->quantity.s && a->quantity.s[0])
        attribute(f, &any, "quantity", string_text(mem, a->quantity.s));
    if (a->display_unit.s && a->display_unit.s[0])
        attribute(f, &any, "displayUnit", string_text(mem, a->display_unit.s));
    if (a->select != STATE_DEFAULT)
        attribute(f, &any, "stateSelect", arena_printf(mem, "StateSelect.%s", selects[a->select]));
    if (any)
        fputc(')', f);
}

const char *base_type_name(BaseType t)
{
    static const char *const names[] = {
        [TYPE_REAL] = "Real",
        [TYPE_INTEGER] = "Integer",
        [TYPE_BOOLEAN] = "Boolean",
        [TYPE_STRING] = "String",
        [TYPE_ENUMERATION] = "Integer",
        [TYPE_CLOCK] = "Clock",
        [TYPE_OBJECT] = "ExternalObject",
    };
    return names[t];
}

/* annotation(__rung(...)), MLS 18.1: facts of the System that Modelica cannot express. */
static void print_var_facts(const Var *v, bool is_first, FILE *f)
{
    const char *begin = is_first ? " annotation(__rung(" : ", __rung(";
    const struct {
        const char *name;
        bool holds;
    } fact[] = {{"protected", v->is_protected}, {"flow", v->is_flow}, {"hidden", v->is_hidden}};
    bool any = false;
    for (int k = 0; k < 3; k++) {
        if (fact[k].holds)
            fprintf(f, "%s'%s' = true", any ? ", " : begin, fact[k].name);
        any = any || fact[k].holds;
    }
    if (v->state)
        fprintf(f, "%sstate = %u", any ? ", " : begin, v->state);
    any = any || v->state;
    if (any)
        fputs(is_first ? "))" : ")", f);
}

static void print_var(const System *s, uint32_t k, bool with_facts, Arena *mem, FILE *f)
{
    static const char *const kinds[] = {
        [VAR_CONSTANT] = "constant ", [VAR_PARAMETER] = "parameter ",
        [VAR_INPUT] = "input ",       [VAR_MEMORY] = "",
        [VAR_DISCRETE] = "discrete ", [VAR_CONTINUOUS] = "",
    };
    const Var *v = &s->var.at[k];
    if (var_exists(v->der_of) || v->kind == VAR_MEMORY)
        return; /* der('x') and pre('x') need no declaration */
    bool plain_discrete = v->kind == VAR_DISCRETE && v->type != TYPE_REAL;
    fprintf(f, "    %s%s%s%s %s", v->is_final && v->kind == VAR_PARAMETER ? "final " : "",
            plain_discrete ? "" : kinds[v->kind], v->is_output ? "output " : "",
            base_type_name(v->type), name_text(mem, s, (VarId){k}));
    print_attributes(s, v, mem, f);
    if (expr_exists(v->binding)) {
        fprintf(f, " = %s", typed_text(s, v->binding, v->type == TYPE_BOOLEAN, mem));
    }
    if (v->description.s && v->description.s[0])
        fprintf(f, " %s", string_text(mem, v->description.s));
    if (v->hides_result)
        fputs(" annotation(HideResult = true", f);
    if (with_facts)
        print_var_facts(v, !v->hides_result, f);
    fputs(v->hides_result ? ");\n" : ";\n", f);
}

/* group: numbers of array equations as printed, by those of the System; NULL for no facts. */
static void print_equations(const System *s, const Eq *e, uint32_t n, Map *group,
                            const uint32_t *derivative_of, Arena *mem, FILE *f)
{
    uint32_t w = 0;
    for (uint32_t k = 0; k < n; k++) {
        if (group && e[k].group != GROUP_NONE && map_get(group, e[k].group) == MAP_NONE)
            map_put(group, e[k].group, group->n + 1);
        ArenaMark m = arena_mark(mem);
        while (e == s->eq.at && w < s->clocked.n && s->clocked.at[w].n == 0)
            w++;
        const ClockedWhen *when = e == s->eq.at && w < s->clocked.n ? &s->clocked.at[w] : NULL;
        if (when && k < when->first)
            when = NULL;
        if (when && k == when->first)
            fprintf(f, "    when %s then\n", expr_text(s, when->clock, mem));
        bool boolean = is_boolean(s, e[k].lhs) || is_boolean(s, e[k].rhs);
        fprintf(f, "    %s%s = %s", when ? "  " : "", typed_text(s, e[k].lhs, boolean, mem),
                typed_text(s, e[k].rhs, boolean, mem));
        bool is_element = group && e[k].group != GROUP_NONE;
        bool is_derivative = derivative_of && derivative_of[k] != UINT32_MAX;
        const char *begin = " annotation(__rung(";
        if (is_element)
            fprintf(f, "%selement = {%u, %u}", begin, map_get(group, e[k].group), e[k].index + 1);
        begin = is_element ? ", " : begin;
        if (is_derivative)
            fprintf(f, "%sderivative = %u", begin, derivative_of[k] + 1);
        begin = is_derivative ? ", " : begin;
        if (e[k].state)
            fprintf(f, "%sstate = %u", begin, e[k].state);
        fputs(is_element || is_derivative || e[k].state ? "));\n" : ";\n", f);
        if (when && k + 1 == when->first + when->n) {
            fputs("    end when;\n", f);
            w++;
        }
        arena_rollback(mem, m);
    }
}

/* MLS 18.4. Returns whether there is anything; it then stands in an open parenthesis. */
static bool print_experiment(const Experiment *e, FILE *f)
{
    const struct {
        const char *name;
        bool given;
        double value;
    } entry[] = {{"StartTime", e->has_start, e->start},
                 {"StopTime", e->has_stop, e->stop},
                 {"Tolerance", e->has_tolerance, e->tolerance},
                 {"Interval", e->has_interval, e->interval}};
    bool any = false;
    for (int k = 0; k < 4; k++) {
        if (entry[k].given)
            fprintf(f, "%s%s = %.*g", any ? ", " : "    annotation(experiment(", entry[k].name,
                    text_digits(entry[k].value), entry[k].value);
        any = any || entry[k].given;
    }
    if (any)
        fputc(')', f);
    return any;
}

/* The joints where kinematic loops can be cut, with their equations by number. */
static void print_cuts(const System *s, const char *begin, Arena *mem, FILE *f)
{
    for (uint32_t k = 0; k < s->cut.n; k++) {
        const CutJoint *c = &s->cut.at[k];
        fprintf(f, "%s\n      cut(a = %s, b = %s", k ? "," : begin, string_text(mem, c->a.s),
                string_text(mem, c->b.s));
        if (*c->inside.s)
            fprintf(f, ", inside = %s", string_text(mem, c->inside.s));
        for (uint32_t i = 0; i < c->eq.n; i++)
            fprintf(f, ", closed(by = %u)", c->eq.at[i].i + 1);
        for (uint32_t i = 0; i < c->n_common; i++)
            fprintf(f, ",\n        common(x = %s)", expr_text(s, c->common[i], mem));
        for (uint32_t i = 0; i < c->n_record; i++)
            fprintf(f, ",\n        side(x = %s)", expr_text(s, c->record[i], mem));
        for (uint32_t i = 0; i < c->flow.n; i++)
            fprintf(f, ",\n        through(sum = %u, a = %s, b = %s, of = %s)",
                    c->flow.at[i].eq.i + 1, expr_text(s, c->flow.at[i].a, mem),
                    expr_text(s, c->flow.at[i].b, mem), name_text(mem, s, c->flow.at[i].of));
        fputc(')', f);
    }
}

/* States of state machines, by whose numbers equations and variables know theirs. */
static void print_states(const System *s, const char *begin, Arena *mem, FILE *f)
{
    for (uint32_t k = 0; k < s->state.n; k++)
        fprintf(f, "%s\n      state(path = %s, active = %s, reset = %s)", k ? "," : begin,
                string_text(mem, s->state.at[k].path), expr_text(s, s->state.at[k].active, mem),
                expr_text(s, s->state.at[k].reset, mem));
}

static void print_model(const System *s, const SystemFacts *facts, FILE *f)
{
    Arena *mem = arena_new();
    Map groups = map_new(mem), *group = facts ? &groups : NULL;
    const char *name = quoted(mem, s->class_name.s ? s->class_name.s : "Model");
    fprintf(f, "//! base 0.1.0\npackage %s\n", name);
    for (uint32_t k = 0; k < s->function->n; k++)
        if (s->function->at[k].body)
            body_print(s, &s->function->at[k], f);
    fprintf(f, "  model %s", name);
    if (s->description.s && s->description.s[0])
        fprintf(f, " %s", string_text(mem, s->description.s));
    fputc('\n', f);
    for (uint32_t k = 0; k < s->var.n; k++) {
        ArenaMark m = arena_mark(mem);
        print_var(s, k, facts != NULL, mem, f);
        arena_rollback(mem, m);
    }
    if (s->initial_eq.n) {
        fputs("  initial equation\n", f);
        print_equations(s, s->initial_eq.at, s->initial_eq.n, group, NULL, mem, f);
    }
    fputs("  equation\n", f);
    print_equations(s, s->eq.at, s->eq.n, group, facts ? facts->derivative_of : NULL, mem, f);
    for (uint32_t k = 0; facts && k < facts->n_removed; k++) {
        VarId v = facts->removed[k];
        fprintf(f, "    %s = %s; // removed\n", name_text(mem, s, v),
                typed_text(s, facts->value[k], s->var.at[v.i].type == TYPE_BOOLEAN, mem));
    }
    for (uint32_t k = 0; k < s->assertion.n; k++) {
        const Assertion *a = &s->assertion.at[k];
        fprintf(f, "    assert(%s, %s%s);\n", expr_text(s, a->cond, mem),
                expr_text(s, a->message, mem), a->is_warning ? ", AssertionLevel.warning" : "");
    }
    for (uint32_t k = 0; k < s->action.n; k++) {
        const Action *a = &s->action.at[k];
        fprintf(f, "    when %s then\n", expr_text(s, a->fires, mem));
        if (a->kind == ACTION_REINIT)
            fprintf(f, "      reinit(%s, ", name_text(mem, s, a->var));
        else
            fputs("      terminate(", f);
        fprintf(f, "%s);\n    end when%s;\n", expr_text(s, a->value, mem),
                facts ? " annotation(__rung(is_edge = true))" : "");
    }
    bool any = print_experiment(&s->experiment, f);
    bool cuts = facts && facts->with_cuts && s->cut.n;
    if (cuts || s->state.n) {
        fputs(any ? ", __rung(" : "    annotation(__rung(", f);
        print_states(s, "", mem, f);
        if (cuts)
            print_cuts(s, s->state.n ? "," : "", mem, f);
        fputc(')', f);
        any = true;
    }
    fprintf(f, "%s  end %s;\nend %s;\n", any ? ");\n" : "", name, name);
    arena_free(mem);
}

void system_print(const System *s, FILE *f)
{
    print_model(s, NULL, f);
}

void system_dump(const System *s, const SystemFacts *facts, FILE *f)
{
    print_model(s, facts, f);
}
