#include "frontend/syntax/syntax_print.h"

#include <stdlib.h>
#include <string.h>

/* How tightly an expression holds together; the grammar rule that yields it. */
typedef enum Level {
    ANY, /* expression: also an if-expression */
    RANGE,
    OR,
    AND,
    NOT,
    RELATION,
    ARITHMETIC, /* a sum, with a leading sign or without */
    TERM,
    FACTOR,
    PRIMARY,
} Level;

static Level level_of(const SynExpr *x)
{
    switch (x->kind) {
    case SYN_IF:
        return ANY;
    case SYN_RANGE:
        return RANGE;
    case SYN_CHAIN:
        return x->ops[1] == SYN_OR    ? OR
               : x->ops[1] == SYN_AND ? AND
               : x->ops[1] < SYN_MUL  ? ARITHMETIC
                                      : TERM;
    case SYN_UNARY:
        return x->op == SYN_NOT ? NOT : ARITHMETIC;
    case SYN_BINARY:
        return x->op >= SYN_POW ? FACTOR : RELATION;
    default:
        return PRIMARY;
    }
}

static void expr_at(const SynExpr *x, Level least, FILE *f);
static void print_expr(const SynExpr *x, FILE *f);

/* Quoted, escaped. */
static void print_string(const char *s, FILE *f)
{
    fputc('"', f);
    for (; *s; s++) {
        switch (*s) {
        case '"':
        case '\\':
            fprintf(f, "\\%c", *s);
            break;
        case '\r': /* as it is, a line end could be rewritten on its way */
            fputs("\\r", f);
            break;
        default:
            fputc(*s, f);
        }
    }
    fputc('"', f);
}

static void print_path(const SynPath *p, FILE *f)
{
    for (uint32_t k = 0; k < p->n; k++)
        fprintf(f, "%s%s", k > 0 || p->global ? "." : "", p->name[k].s);
}

static void exprs(const SynExprs *l, FILE *f)
{
    for (uint32_t k = 0; k < l->n; k++) {
        fputs(k ? ", " : "", f);
        if (l->at[k])
            print_expr(l->at[k], f);
    }
}

static void subscripts(const SynExprs *l, FILE *f)
{
    if (l->n == 0)
        return;
    fputc('[', f);
    exprs(l, f);
    fputc(']', f);
}

void print_cref(const SynCref *c, FILE *f)
{
    for (uint32_t k = 0; k < c->n; k++) {
        fprintf(f, "%s%s", k > 0 || c->global ? "." : "", c->part[k].name.s);
        subscripts(&c->part[k].sub, f);
    }
}

static void iterators(const SynIter *it, uint32_t n, FILE *f)
{
    for (uint32_t k = 0; k < n; k++) {
        fprintf(f, "%s%s", k ? ", " : "", it[k].name.s);
        if (it[k].range) {
            fputs(" in ", f);
            print_expr(it[k].range, f);
        }
    }
}

static void call(const SynExpr *x, FILE *f)
{
    if (x->kind == SYN_PARTIAL)
        fputs("function ", f);
    print_cref(x->cref, f);
    fputc('(', f);
    exprs(&x->arg, f);
    for (uint32_t k = 0; k < x->n_named; k++) {
        fprintf(f, "%s%s = ", k || x->arg.n ? ", " : "", x->named[k].name.s);
        print_expr(x->named[k].value, f);
    }
    if (x->n_iter) {
        fputs(" for ", f);
        iterators(x->iter, x->n_iter, f);
    }
    fputc(')', f);
}

static void chain(const SynExpr *x, FILE *f)
{
    Level own = level_of(x);
    for (uint32_t k = 0; k < x->arg.n; k++) {
        if (k)
            fprintf(f, " %s ", syn_op_text(x->ops[k]));
        /* A sign is part of the sum it begins; any other sum inside needs parentheses. */
        bool sign = k == 0 && own == ARITHMETIC && x->arg.at[0]->kind == SYN_UNARY &&
                    x->arg.at[0]->op != SYN_NOT;
        expr_at(x->arg.at[k], sign ? own : own + 1, f);
    }
}

static void if_expr(const SynExpr *x, FILE *f)
{
    for (uint32_t k = 0; k + 1 < x->arg.n; k += 2) {
        fputs(k ? " elseif " : "if ", f);
        print_expr(x->arg.at[k], f);
        fputs(" then ", f);
        print_expr(x->arg.at[k + 1], f);
    }
    fputs(" else ", f);
    print_expr(x->arg.at[x->arg.n - 1], f);
}

static void print_expr(const SynExpr *x, FILE *f)
{
    switch (x->kind) {
    case SYN_INTEGER:
    case SYN_REAL:
        fputs(x->text, f);
        break;
    case SYN_STRING:
        print_string(x->text, f);
        break;
    case SYN_BOOLEAN:
        fputs(x->truth ? "true" : "false", f);
        break;
    case SYN_CREF:
        print_cref(x->cref, f);
        break;
    case SYN_UNARY:
        fprintf(f, "%s%s", syn_op_text(x->op), x->op == SYN_NOT ? " " : "");
        expr_at(x->arg.at[0], x->op == SYN_NOT ? RELATION : TERM, f);
        break;
    case SYN_CHAIN:
        chain(x, f);
        break;
    case SYN_BINARY: {
        Level operand = x->op >= SYN_POW ? PRIMARY : ARITHMETIC;
        expr_at(x->arg.at[0], operand, f);
        /* 2.^3 would be the number 2. and then ^ */
        fprintf(f, x->op == SYN_POW ? "%s" : " %s ", syn_op_text(x->op));
        expr_at(x->arg.at[1], operand, f);
        break;
    }
    case SYN_IF:
        if_expr(x, f);
        break;
    case SYN_RANGE:
        for (uint32_t k = 0; k < x->arg.n; k++) {
            fputs(k ? ":" : "", f);
            expr_at(x->arg.at[k], OR, f);
        }
        break;
    case SYN_CALL:
    case SYN_PARTIAL:
        call(x, f);
        break;
    case SYN_ARRAY:
        fputc('{', f);
        exprs(&x->arg, f);
        if (x->n_iter) {
            fputs(" for ", f);
            iterators(x->iter, x->n_iter, f);
        }
        fputc('}', f);
        break;
    case SYN_MATRIX:
        fputc('[', f);
        for (uint32_t k = 0; k < x->n_rows; k++) {
            fputs(k ? "; " : "", f);
            exprs(&x->row[k], f);
        }
        fputc(']', f);
        break;
    case SYN_TUPLE:
        fputc('(', f);
        exprs(&x->arg, f);
        fputc(')', f);
        break;
    case SYN_INDEX:
        fputc('(', f);
        print_expr(x->base, f);
        fputc(')', f);
        if (x->field.s)
            fprintf(f, ".%s", x->field.s);
        subscripts(&x->arg, f);
        break;
    case SYN_COLON:
        fputc(':', f);
        break;
    case SYN_END:
        fputs("end", f);
        break;
    }
}

/* x where the grammar wants at least that level */
static void expr_at(const SynExpr *x, Level least, FILE *f)
{
    bool open = level_of(x) < least;
    fputs(open ? "(" : "", f);
    print_expr(x, f);
    fputs(open ? ")" : "", f);
}

/* ---- Modifications -------------------------------------------------------------------- */

static void element(const SynElement *e, int indent, FILE *f);
static void print_mod(const SynMod *m, FILE *f);

static void comment(const char *text, const SynMod *annotation, FILE *f)
{
    if (text) {
        fputc(' ', f);
        print_string(text, f);
    }
    if (annotation) {
        fputs(" annotation", f);
        print_mod(annotation, f);
    }
}

static void argument(const SynArg *a, FILE *f)
{
    switch (a->kind) {
    case SYN_ARG_MODIFY:
        fprintf(f, "%s%s", a->each ? "each " : "", a->final ? "final " : "");
        print_path(&a->path, f);
        print_mod(a->mod, f);
        comment(a->comment, NULL, f);
        break;
    case SYN_ARG_ELEMENT:
        element(a->element, 0, f);
        break;
    case SYN_ARG_BREAK_NAME:
        fputs("break ", f);
        print_path(&a->path, f);
        break;
    case SYN_ARG_BREAK_CONNECT:
        fputs("break connect(", f);
        print_cref(a->a, f);
        fputs(", ", f);
        print_cref(a->b, f);
        fputc(')', f);
        break;
    }
}

/* As in (a = 1) = 2. */
static void print_mod(const SynMod *m, FILE *f)
{
    if (!m)
        return;
    if (m->has_args) {
        fputc('(', f);
        for (uint32_t k = 0; k < m->n; k++) {
            fputs(k ? ", " : "", f);
            argument(&m->arg[k], f);
        }
        fputc(')', f);
    }
    if (m->value || m->is_break)
        fputs(m->assign ? " := " : " = ", f);
    if (m->value)
        print_expr(m->value, f);
    if (m->is_break)
        fputs("break", f);
}

/* ---- Equations and statements --------------------------------------------------------- */

static void margin(int indent, FILE *f)
{
    for (int k = 0; k < indent; k++)
        fputs("  ", f);
}

/* The line before branch k of an if or when; the margin of the first is already there. */
static void branch_head(uint32_t k, const char *word, const SynExpr *condition, int indent, FILE *f)
{
    if (k)
        margin(indent, f);
    if (!condition) {
        fputs("else\n", f);
        return;
    }
    fprintf(f, "%s%s ", k ? "else" : "", word);
    print_expr(condition, f);
    fputs(" then\n", f);
}

static void equations(const SynEquations *l, int indent, FILE *f);

static void equation(const SynEquation *e, int indent, FILE *f)
{
    margin(indent, f);
    switch (e->kind) {
    case SYN_EQ_EQUAL:
        expr_at(e->lhs, RANGE, f);
        fputs(" = ", f);
        print_expr(e->rhs, f);
        break;
    case SYN_EQ_CALL:
        print_expr(e->call, f);
        break;
    case SYN_EQ_CONNECT:
        fputs("connect(", f);
        print_cref(e->a, f);
        fputs(", ", f);
        print_cref(e->b, f);
        fputc(')', f);
        break;
    case SYN_EQ_IF:
    case SYN_EQ_WHEN: {
        const char *word = e->kind == SYN_EQ_IF ? "if" : "when";
        for (uint32_t k = 0; k < e->n_branches; k++) {
            const SynEqBranch *b = &e->branch[k];
            branch_head(k, word, b->condition, indent, f);
            equations(&b->body, indent + 1, f);
        }
        margin(indent, f);
        fprintf(f, "end %s", word);
        break;
    }
    case SYN_EQ_FOR:
        fputs("for ", f);
        iterators(e->iter, e->n_iter, f);
        fputs(" loop\n", f);
        equations(&e->body, indent + 1, f);
        margin(indent, f);
        fputs("end for", f);
        break;
    }
    comment(e->comment, e->annotation, f);
    fputs(";\n", f);
}

static void equations(const SynEquations *l, int indent, FILE *f)
{
    for (uint32_t k = 0; k < l->n; k++)
        equation(l->at[k], indent, f);
}

static void statements(const SynStatements *l, int indent, FILE *f);

static void statement(const SynStatement *s, int indent, FILE *f)
{
    margin(indent, f);
    switch (s->kind) {
    case SYN_ST_ASSIGN:
        print_cref(s->target, f);
        fputs(" := ", f);
        print_expr(s->value, f);
        break;
    case SYN_ST_TUPLE:
        fputc('(', f);
        exprs(&s->tuple, f);
        fputs(") := ", f);
        print_expr(s->value, f);
        break;
    case SYN_ST_CALL:
        print_expr(s->value, f);
        break;
    case SYN_ST_BREAK:
        fputs("break", f);
        break;
    case SYN_ST_RETURN:
        fputs("return", f);
        break;
    case SYN_ST_IF:
    case SYN_ST_WHEN: {
        const char *word = s->kind == SYN_ST_IF ? "if" : "when";
        for (uint32_t k = 0; k < s->n_branches; k++) {
            const SynStBranch *b = &s->branch[k];
            branch_head(k, word, b->condition, indent, f);
            statements(&b->body, indent + 1, f);
        }
        margin(indent, f);
        fprintf(f, "end %s", word);
        break;
    }
    case SYN_ST_FOR:
    case SYN_ST_WHILE: {
        const char *word = s->kind == SYN_ST_FOR ? "for" : "while";
        fprintf(f, "%s ", word);
        if (s->kind == SYN_ST_FOR)
            iterators(s->iter, s->n_iter, f);
        else
            print_expr(s->value, f);
        fputs(" loop\n", f);
        statements(&s->body, indent + 1, f);
        margin(indent, f);
        fprintf(f, "end %s", word);
        break;
    }
    }
    comment(s->comment, s->annotation, f);
    fputs(";\n", f);
}

static void statements(const SynStatements *l, int indent, FILE *f)
{
    for (uint32_t k = 0; k < l->n; k++)
        statement(l->at[k], indent, f);
}

/* ---- Classes -------------------------------------------------------------------------- */

static void type_prefix(SynTypePrefix x, FILE *f)
{
    static const char *const connector[] = {"", "flow ", "stream "};
    static const char *const variability[] = {"", "constant ", "parameter ", "discrete "};
    static const char *const causality[] = {"", "input ", "output "};
    fputs(connector[x.connector], f);
    fputs(variability[x.variability], f);
    fputs(causality[x.causality], f);
}

static void constrained(const SynConstrained *c, FILE *f)
{
    if (!c)
        return;
    fputs(" constrainedby ", f);
    print_path(&c->by, f);
    print_mod(c->mod, f);
    comment(c->comment, c->annotation, f);
}

static void import(const SynImport *i, FILE *f)
{
    fputs("import ", f);
    if (i->kind == SYN_IMPORT_AS)
        fprintf(f, "%s = ", i->name.s);
    print_path(&i->path, f);
    if (i->kind == SYN_IMPORT_ALL)
        fputs(".*", f);
    if (i->kind == SYN_IMPORT_LIST) {
        for (uint32_t k = 0; k < i->n_list; k++)
            fprintf(f, "%s%s", k ? ", " : ".{", i->list[k].s);
        fputc('}', f);
    }
    comment(i->comment, i->annotation, f);
}

static void component(const SynComponent *c, FILE *f)
{
    type_prefix(c->prefix, f);
    print_path(&c->type, f);
    subscripts(&c->type_dims, f);
    fprintf(f, " %s", c->name.s);
    subscripts(&c->own_dims, f);
    print_mod(c->mod, f);
    if (c->condition) {
        fputs(" if ", f);
        print_expr(c->condition, f);
    }
    comment(c->comment, c->annotation, f);
    constrained(c->constrained, f);
}

static void short_class(const SynClass *c, FILE *f)
{
    fprintf(f, "%s = ", c->name.s);
    switch (c->kind) {
    case SYN_ENUM:
        fputs("enumeration(", f);
        for (uint32_t k = 0; k < c->n_literals; k++) {
            fprintf(f, "%s%s", k ? ", " : "", c->literal[k].name.s);
            comment(c->literal[k].comment, c->literal[k].annotation, f);
        }
        fputc(')', f);
        break;
    case SYN_ENUM_OPEN:
        fputs("enumeration(:)", f);
        break;
    case SYN_DER:
        fputs("der(", f);
        print_path(&c->base, f);
        for (uint32_t k = 0; k < c->n_der_of; k++)
            fprintf(f, ", %s", c->der_of[k].s);
        fputc(')', f);
        break;
    default:
        type_prefix(c->prefix, f);
        print_path(&c->base, f);
        subscripts(&c->dims, f);
        print_mod(c->mod, f);
    }
    comment(c->comment, c->annotation, f);
}

static void section(const SynSection *s, int indent, FILE *f)
{
    margin(indent, f);
    fprintf(f, "%s%s\n", s->initial ? "initial " : "", s->algorithm ? "algorithm" : "equation");
    equations(&s->equations, indent + 1, f);
    statements(&s->statements, indent + 1, f);
}

static void external(const SynExternal *x, int indent, FILE *f)
{
    margin(indent, f);
    fputs("external", f);
    if (x->language) {
        fputc(' ', f);
        print_string(x->language, f);
    }
    if (x->function.s) {
        if (x->result) {
            fputc(' ', f);
            print_cref(x->result, f);
            fputs(" =", f);
        }
        fprintf(f, " %s(", x->function.s);
        exprs(&x->arg, f);
        fputc(')', f);
    }
    comment(NULL, x->annotation, f);
    fputs(";\n", f);
}

static void long_class(const SynClass *c, int indent, FILE *f)
{
    if (c->kind == SYN_CLASS_EXTENDS)
        fputs("extends ", f);
    fputs(c->name.s, f);
    print_mod(c->base_mod, f);
    comment(c->comment, NULL, f);
    fputc('\n', f);
    bool hidden = false;
    for (uint32_t k = 0; k < c->n_elements; k++) {
        const SynElement *e = c->elements[k];
        if (e->is_protected != hidden) {
            hidden = e->is_protected;
            margin(indent, f);
            fputs(hidden ? "protected\n" : "public\n", f);
        }
        margin(indent + 1, f);
        element(e, indent + 1, f);
        fputs(";\n", f);
    }
    for (uint32_t k = 0; k < c->n_sections; k++)
        section(&c->section[k], indent, f);
    if (c->external)
        external(c->external, indent, f);
    if (c->annotation) {
        margin(indent + 1, f);
        fputs("annotation", f);
        print_mod(c->annotation, f);
        fputs(";\n", f);
    }
    margin(indent, f);
    fprintf(f, "end %s", c->name.s);
}

static void class_text(const SynClass *c, int indent, FILE *f)
{
    static const char *const purity[] = {"", "pure ", "impure "};
    fprintf(f, "%s%s%s%s ", c->encapsulated ? "encapsulated " : "", c->partial ? "partial " : "",
            purity[c->purity], syn_restriction_text(c->restriction));
    if (c->kind == SYN_LONG || c->kind == SYN_CLASS_EXTENDS)
        long_class(c, indent, f);
    else
        short_class(c, f);
    constrained(c->constrained, f);
}

/* Without margin and semicolon. */
static void element(const SynElement *e, int indent, FILE *f)
{
    /* In a class: redeclare final inner outer replaceable; in a modification: redeclare each
     * final replaceable. No element has both each and inner. */
    fprintf(f, "%s%s%s%s%s%s", e->redeclare ? "redeclare " : "", e->each ? "each " : "",
            e->final ? "final " : "", e->inner ? "inner " : "", e->outer ? "outer " : "",
            e->replaceable ? "replaceable " : "");
    switch (e->kind) {
    case SYN_IMPORT:
        import(e->import, f);
        break;
    case SYN_EXTENDS:
        fputs("extends ", f);
        print_path(&e->extends->base, f);
        print_mod(e->extends->mod, f);
        comment(NULL, e->extends->annotation, f);
        break;
    case SYN_CLASS:
        class_text(e->class_, indent, f);
        break;
    case SYN_COMPONENT:
        component(e->component, f);
        break;
    }
}

/* Ends with `;` and a newline. */
static void print_class(const SynClass *c, int indent, FILE *f)
{
    margin(indent, f);
    fputs(c->element->final ? "final " : "", f);
    class_text(c, indent, f);
    fputs(";\n", f);
}

void print_file(const SynFile *file, FILE *f)
{
    if (file->has_within) {
        fputs(file->within.n ? "within " : "within", f);
        print_path(&file->within, f);
        fputs(";\n", f);
    }
    for (uint32_t k = 0; k < file->n_classes; k++)
        print_class(file->class_[k], 0, f);
}

/* ---- As text -------------------------------------------------------------------------- */

const char *syn_path_text(Arena *mem, const SynPath *p)
{
    char *text = NULL;
    size_t n = 0;
    FILE *f = open_memstream(&text, &n);
    print_path(p, f);
    fclose(f);
    const char *copy = arena_copy(mem, text, n);
    free(text);
    return copy;
}

const char *syn_expr_text(Arena *mem, const SynExpr *x)
{
    char *text = NULL;
    size_t n = 0;
    FILE *f = open_memstream(&text, &n);
    print_expr(x, f);
    fclose(f);
    const char *copy = arena_copy(mem, text, n);
    free(text);
    return copy;
}
