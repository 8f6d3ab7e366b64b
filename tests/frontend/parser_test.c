/* The parser against its printer, against written structures, and against ugly texts. */
#include "frontend/syntax/lexer.h"
#include "frontend/syntax/parser.h"
#include "frontend/syntax/syntax_print.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

typedef struct Fixture {
    Arena *mem;
    Names *names;
    Diags *diags;
} Fixture;

static Fixture fixture_new(void)
{
    Arena *mem = arena_new();
    return (Fixture){mem, names_new(mem), diags_new(mem)};
}

static SynFile *parse_text(Fixture *f, const char *text, size_t n)
{
    uint32_t file = diags_add_source(f->diags, "test.mo", arena_copy(f->mem, text, n), (uint32_t)n);
    return parse_file(f->mem, f->names, f->diags, file);
}

static const char *printed(Fixture *f, const SynFile *file)
{
    char *text = NULL;
    size_t n = 0;
    FILE *out = open_memstream(&text, &n);
    print_file(file, out);
    fclose(out);
    const char *copy = arena_copy(f->mem, text, n);
    free(text);
    return copy;
}

static const char *first_error(const Fixture *f)
{
    return diags_count(f->diags) ? diags_at(f->diags, 0)->text : "none";
}

/* ---- Expressions ---------------------------------------------------------------------- */

static void show(const SynExpr *x, FILE *out);

static void show_list(const SynExprs *l, FILE *out)
{
    for (uint32_t k = 0; k < l->n; k++) {
        fputc(' ', out);
        show(l->at[k], out);
    }
}

/* The structure in prefix notation, written apart from the printer. */
static void show(const SynExpr *x, FILE *out)
{
    if (!x) {
        fputs("_", out);
        return;
    }
    switch (x->kind) {
    case SYN_INTEGER:
        fprintf(out, "%s", x->text);
        break;
    case SYN_REAL:
        fprintf(out, "r%s", x->text);
        break;
    case SYN_STRING:
        fprintf(out, "'%s'", x->text);
        break;
    case SYN_BOOLEAN:
        fputs(x->truth ? "T" : "F", out);
        break;
    case SYN_CREF:
        print_cref(x->cref, out);
        break;
    case SYN_UNARY:
        fprintf(out, "(%s", syn_op_text(x->op));
        show_list(&x->arg, out);
        fputc(')', out);
        break;
    case SYN_CHAIN:
        fputc('<', out);
        for (uint32_t k = 0; k < x->arg.n; k++) {
            fprintf(out, "%s%s%s", k ? " " : "", syn_op_text(x->ops[k]), k ? " " : "");
            show(x->arg.at[k], out);
        }
        fputc('>', out);
        break;
    case SYN_BINARY:
        fprintf(out, "(%s", syn_op_text(x->op));
        show_list(&x->arg, out);
        fputc(')', out);
        break;
    case SYN_IF:
        fputs("(if", out);
        show_list(&x->arg, out);
        fputc(')', out);
        break;
    case SYN_RANGE:
        fputs("(range", out);
        show_list(&x->arg, out);
        fputc(')', out);
        break;
    case SYN_CALL:
    case SYN_PARTIAL:
        fputs(x->kind == SYN_CALL ? "(call " : "(partial ", out);
        print_cref(x->cref, out);
        show_list(&x->arg, out);
        for (uint32_t k = 0; k < x->n_named; k++) {
            fprintf(out, " %s=", x->named[k].name.s);
            show(x->named[k].value, out);
        }
        for (uint32_t k = 0; k < x->n_iter; k++) {
            fprintf(out, " for %s ", x->iter[k].name.s);
            show(x->iter[k].range, out);
        }
        fputc(')', out);
        break;
    case SYN_ARRAY:
        fputs("(array", out);
        show_list(&x->arg, out);
        for (uint32_t k = 0; k < x->n_iter; k++) {
            fprintf(out, " for %s ", x->iter[k].name.s);
            show(x->iter[k].range, out);
        }
        fputc(')', out);
        break;
    case SYN_MATRIX:
        fputs("(matrix", out);
        for (uint32_t k = 0; k < x->n_rows; k++) {
            fputs(" |", out);
            show_list(&x->row[k], out);
        }
        fputc(')', out);
        break;
    case SYN_TUPLE:
        fputs("(tuple", out);
        show_list(&x->arg, out);
        fputc(')', out);
        break;
    case SYN_INDEX:
        fputs("(index ", out);
        show(x->base, out);
        if (x->field.s)
            fprintf(out, " .%s", x->field.s);
        show_list(&x->arg, out);
        fputc(')', out);
        break;
    case SYN_COLON:
        fputs(":", out);
        break;
    case SYN_END:
        fputs("end", out);
        break;
    }
}

Test(parser, expression_structure)
{
    static const struct {
        const char *text, *structure;
    } cases[] = {
        {"a + b*c - d", "<a + <b * c> - d>"},
        {"a - (b - c)", "<a - <b - c>>"},
        {"(a - b) - c", "<<a - b> - c>"},
        {"-a^2", "(- (^ a 2))"},
        {"-a*b + c", "<(- <a * b>) + c>"},
        {"(-a)*b", "<(- a) * b>"},
        {"-(-a)", "(- (- a))"},
        {"a*(-b)", "<a * (- b)>"},
        {"a .+ b .* c ./ d .^ e", "<a .+ <b .* c ./ (.^ d e)>>"},
        {"not a < b and c or d", "<<(not (< a b)) and c> or d>"},
        {"not (a and b)", "(not <a and b>)"},
        {"a or b and not c", "<a or <b and (not c)>>"},
        {"a <= b", "(<= a b)"},
        {"a + 1 <> -b", "(<> <a + 1> (- b))"},
        {"(a < b) == c", "(== (< a b) c)"},
        {"1:n", "(range 1 n)"},
        {"n:-1:a or b", "(range n (- 1) <a or b>)"},
        {"if a then b elseif c then d else e", "(if a b c d e)"},
        {"if a then b else if c then d else e", "(if a b (if c d e))"},
        {"(if a then 1 else 2) + 3", "<(if a 1 2) + 3>"},
        {"2.*x", "<r2. * x>"},
        {"2 .*x", "<2 .* x>"},
        {"2.^3", "(^ r2. 3)"},
        {"1.5e-3", "r1.5e-3"},
        {".5E+2", "r.5E+2"},
        {"13E0", "r13E0"},
        {"00017", "00017"},
        {"123456789012345678901234567890.5", "r123456789012345678901234567890.5"},
        {"1.else", NULL},
        {"if c then 1.else 2", "(if c r1. 2)"},
        {".a.b[1, :].c[end]", ".a.b[1, :].c[end]"},
        {"x[end - 1, 2:3]", "x[end - 1, 2:3]"},
        {"f()", "(call f)"},
        {"f(x, n = 3, g = function h(a = 1))", "(call f x n=3 g=(partial h a=1))"},
        {"f(function h(), 2)", "(call f (partial h) 2)"},
        {"f(x == 3)", "(call f (== x 3))"},
        {"f(x /*c*/ = 3)", "(call f x=3)"},
        {"sum(x[i] for i in 1:n, j)", "(call sum x[i] for i (range 1 n) for j _)"},
        {"{i for i in {1, 2}}", "(array i for i (array 1 2))"},
        {"{{1, 2}, {3, 4}}", "(array (array 1 2) (array 3 4))"},
        {"[1, 2; 3, 4]", "(matrix | 1 2 | 3 4)"},
        {"[x]", "(matrix | x)"},
        {"(a, , b)", "(tuple a _ b)"},
        {"(, a)", "(tuple _ a)"},
        {"(a, )", "(tuple a _)"},
        {"()", "(tuple)"},
        {"((a))", "a"},
        {"(f(x))[1].y", "(index (index (call f x) 1) .y)"},
        {"der(x) + der(y)", "<(call der x) + (call der y)>"},
        {"initial() and pure(f(1))", "<(call initial) and (call pure (call f 1))>"},
        {"\"a\\\"b\\\\c\\n\" + \"d\"", "<'a\"b\\c\n' + 'd'>"},
        {"'a b'.'x\\'y' + 'q'", "<'a b'.'x\\'y' + 'q'>"},
        {"'a\\?\\\"b'", "'a?\"b'"},
        {"true and false", "<T and F>"},
        {"a // comment\n + /* another\n // */ b", "<a + b>"},
        {"a^b^c", NULL},
        {"a < b < c", NULL},
        {"--a", NULL},
        {"a + -b", NULL},
        {"not not a", NULL},
        {"{}", NULL},
        {"f(a = 1, 2)", NULL},
        {"f(a for i in r, b)", "(call f a for i r for b _)"},
        {"f(a for i in r, b = 1)", NULL},
        {"der", NULL},
        {"a b", NULL},
        {"a[]", NULL},
        {"1e", NULL},
        {"\"\\q\"", NULL},
        {"if a then b", NULL},
        {"", NULL},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        Fixture f = fixture_new();
        const SynExpr *x = parse_expr(f.mem, f.names, f.diags, cases[k].text);
        if (!cases[k].structure) {
            cr_expect_null(x, "%s is no expression", cases[k].text);
            cr_expect(diags_errors(f.diags) > 0, "%s", cases[k].text);
            arena_free(f.mem);
            continue;
        }
        cr_assert_not_null(x, "%s: %s", cases[k].text, first_error(&f));
        char *text = NULL;
        size_t n = 0;
        FILE *out = open_memstream(&text, &n);
        show(x, out);
        fclose(out);
        cr_expect_str_eq(text, cases[k].structure, "%s gives %s", cases[k].text, text);
        free(text);
        const char *again = syn_expr_text(f.mem, x);
        const SynExpr *y = parse_expr(f.mem, f.names, f.diags, again);
        cr_expect(y && syntax_equal_expr(x, y), "%s is printed as %s", cases[k].text, again);
        arena_free(f.mem);
    }
}

/* Keyword ranges in the lexer are written by hand: each keyword is one, and its neighbours in
 * the alphabet are names. */
Test(parser, every_keyword)
{
#define WORD(id, text) text,
    static const char *const words[] = {KEYWORDS(WORD)};
#undef WORD
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
        Fixture f = fixture_new();
        const char *text = arena_printf(f.mem, "model M Real %s; end M;", words[k]);
        cr_expect(parse_text(&f, text, strlen(text))->errors > 0, "%s is a keyword", words[k]);
        text = arena_printf(f.mem, "model M Real %s_, %.*s; end M;", words[k],
                            (int)strlen(words[k]) - 1, words[k]);
        cr_expect(parse_text(&f, text, strlen(text))->errors == 0, "around %s: %s", words[k],
                  first_error(&f));
        arena_free(f.mem);
    }
}

/* ---- Files ---------------------------------------------------------------------------- */

static const char grammar[] =
    "\xEF\xBB\xBFwithin A.'b c';\n"
    "final encapsulated partial model M \"doc\" + \" more\"\n"
    "  import A.B;\n"
    "  import C = A.B \"why\";\n"
    "  import A.B.*;\n"
    "  import A. *;\n"
    "  import A.{B, C} annotation(x = 1);\n"
    "  extends .A.B(x = 3, redeclare each final model Q = R(z = 2), break y, break connect(a.b[1], "
    "c)) annotation(Documentation(info = \"<html>\"));\n"
    "  parameter Real[3] x, y[2](each start = 1, final unit = \"m\") = {1, 2} if c \"doc\" "
    "annotation(Dialog(group = \"g\"));\n"
    "  inner outer replaceable flow discrete input .T t(a.b(c = 2) = break) \"t\" constrainedby "
    "S(n = 1) \"cc\" annotation(choices(choice(redeclare T t(x = 1) \"one\")));\n"
    "  stream Real s := 2;\n"
    "protected\n"
    "  constant Integer k[:, size(x, 1)] = [1, 2; 3, 4];\n"
    "  replaceable function f = g(final a = 1) constrainedby h \"ch\";\n"
    "  redeclare final replaceable record extends Rec(a = 1) \"d\"\n"
    "    Real z;\n"
    "  end Rec;\n"
    "public\n"
    "  type E = enumeration(one \"1\", two annotation(x = 1)) \"enum\";\n"
    "  type E0 = enumeration();\n"
    "  type Any = enumeration(:);\n"
    "  connector RealInput = input Real[3](unit = \"m\") \"in\" annotation(x = 1);\n"
    "  connector Flow = flow Real;\n"
    "  function df = der(f, x, y) \"partial\";\n"
    "  expandable connector Bus end Bus;\n"
    "  operator record Complex\n"
    "    operator function '+' input Real a; end '+';\n"
    "    encapsulated operator 'constructor' function g end g; end 'constructor';\n"
    "  end Complex;\n"
    "  impure function i external; end i;\n"
    "  pure function e input Real u; output Real v;\n"
    "    external \"C\" v = c_e(u, size(u, 1), \"s\") annotation(Library = \"m\");\n"
    "    annotation(derivative(order = 1, noDerivative = u) = de);\n"
    "  end e;\n"
    "initial equation\n"
    "  x = 1;\n"
    "equation\n"
    "  der(x) = if a then 1 elseif b then 2 else 3 \"eq\" annotation(x = 1);\n"
    "  (a, , b) = f(x);\n"
    "  connect(a.b[1], c.d) annotation(Line(points = {{-1, 2}, {3, 4}}));\n"
    "  assert(x > 0, \"positive\");\n"
    "  initial();\n"
    "  Connections.root(a.R);\n"
    "  if a then x = 1; elseif b then y = 2; else end if \"end\";\n"
    "  for i in 1:3, j loop for k in r loop x[i] = j; end for; end for;\n"
    "  when {a, initial()} then reinit(x, 1); elsewhen b then y = 2; end when;\n"
    "initial algorithm\n"
    "  x := 1;\n"
    "algorithm\n"
    "  (a, , b[1]) := f(x, n = 2);\n"
    "  (a) := f(x);\n"
    "  .A.f(x);\n"
    "  if a then x := 1; elseif b then return; else break; end if;\n"
    "  while x > 0 loop x := x - 1; end while;\n"
    "  for i loop terminate(\"now\"); end for;\n"
    "  when a then x := 1; elsewhen b then y := 2; end when \"w\";\n"
    "  annotation(Icon(graphics = {Rectangle(extent = {{-100, 100}, {100, -100}})}));\n"
    "end M;\n"
    "package P end P;\n";

Test(parser, whole_grammar_round_trips)
{
    Fixture f = fixture_new();
    const SynFile *a = parse_text(&f, grammar, sizeof grammar - 1);
    cr_assert_eq(a->errors, 0, "%s", first_error(&f));
    const char *text = printed(&f, a);
    const SynFile *b = parse_text(&f, text, strlen(text));
    cr_assert_eq(b->errors, 0, "%s in\n%s", first_error(&f), text);
    cr_assert(syntax_equal(a, b), "%s", text);
    cr_assert_str_eq(text, printed(&f, b));

    /* Spot checks of what a round trip cannot see. */
    const SynClass *m = a->class_[0];
    cr_assert_eq(a->n_classes, 2);
    cr_assert_eq(a->within.n, 2);
    cr_assert_str_eq(a->within.name[1].s, "'b c'");
    cr_assert(m->partial && m->encapsulated && m->element->final);
    cr_assert_str_eq(m->comment, "doc more");
    cr_assert_eq(m->n_imports, 5);
    cr_assert_eq(m->n_extends, 1);
    cr_assert_eq(m->n_sections, 4);
    const SynElement *y = syn_class_find(m, name_of(f.names, "y"));
    cr_assert(y && y->kind == SYN_COMPONENT && !y->is_protected);
    cr_assert_eq(y->component->type_dims.n, 1);
    cr_assert_eq(y->component->own_dims.n, 1);
    cr_assert_eq(y->component->prefix.variability, SYN_PARAMETER);
    cr_assert_not_null(y->component->condition);
    const SynElement *k = syn_class_find(m, name_of(f.names, "k"));
    cr_assert(k && k->is_protected && k->in == m);
    const SynElement *rec = syn_class_find(m, name_of(f.names, "Rec"));
    cr_assert(rec && rec->class_->kind == SYN_CLASS_EXTENDS && rec->class_->parent == m);
    cr_assert_null(syn_class_find(m, name_of(f.names, "nobody")));
    arena_free(f.mem);
}

/* Every error text of a changed grammar is met with errors or a tree, never a crash; and what
 * is accepted round-trips. */
Test(parser, truncated_and_mangled)
{
    for (size_t n = 0; n < sizeof grammar - 1; n++) {
        Fixture f = fixture_new();
        const SynFile *a = parse_text(&f, grammar, n);
        if (a->errors == 0) {
            const char *text = printed(&f, a);
            const SynFile *b = parse_text(&f, text, strlen(text));
            cr_expect(b->errors == 0 && syntax_equal(a, b), "cut at %zu", n);
        }
        arena_free(f.mem);
    }
    for (unsigned seed = 1; seed <= 2000; seed++) {
        srand(seed);
        char text[sizeof grammar];
        memcpy(text, grammar, sizeof grammar);
        for (int k = rand() % 4; k >= 0; k--) {
            size_t to = (size_t)rand() % (sizeof grammar - 100);
            size_t from = (size_t)rand() % (sizeof grammar - 100);
            memmove(text + to, text + from, (size_t)rand() % 40);
        }
        Fixture f = fixture_new();
        const SynFile *a = parse_text(&f, text, sizeof grammar - 1);
        if (a->errors == 0) {
            const char *again = printed(&f, a);
            const SynFile *b = parse_text(&f, again, strlen(again));
            cr_expect(b->errors == 0 && syntax_equal(a, b), "seed %u", seed);
        }
        arena_free(f.mem);
    }
}

Test(parser, garbage)
{
    static const char *const words[] = {
        "model ",  "end ",      "M",          " M;",        "if ",        "then ",      "else ",
        "for ",    "loop ",     "(",          ")",          "[",          "]",          "{",
        "}",       ";",         ",",          "=",          ":=",         "x",          "1",
        "1.5",     "equation ", "algorithm ", "annotation", "extends ",   "'q'",        "\"s\"",
        "+",       "-",         ".",          "^",          ":",          "type ",      "function ",
        "import ", ".*",        "end if;",    "when ",      "protected ", "redeclare ", "Real ",
        "\n",      "é",
    };
    for (unsigned seed = 1; seed <= 3000; seed++) {
        srand(seed);
        char text[600];
        size_t n = 0;
        bool bytes = seed % 3 == 0;
        while (n < 500) {
            if (bytes) {
                text[n++] = (char)(rand() % (seed % 2 ? 128 : 256));
                continue;
            }
            const char *w = words[(size_t)rand() % (sizeof words / sizeof *words)];
            memcpy(text + n, w, strlen(w));
            n += strlen(w);
        }
        Fixture f = fixture_new();
        const SynFile *a = parse_text(&f, text, n);
        cr_expect(a->errors > 0 || a->n_classes == 0, "seed %u", seed);
        cr_expect_eq(a->errors > 0, diags_errors(f.diags) > 0, "seed %u", seed);
        arena_free(f.mem);
    }
}

static const char *repeated(Arena *mem, const char *open, const char *middle, const char *close,
                            size_t times)
{
    size_t a = strlen(open);
    size_t b = strlen(middle);
    size_t c = strlen(close);
    char *text = arena_alloc(mem, times * (a + c) + b + 1);
    for (size_t k = 0; k < times; k++)
        memcpy(text + k * a, open, a);
    memcpy(text + times * a, middle, b);
    for (size_t k = 0; k < times; k++)
        memcpy(text + times * a + b + k * c, close, c);
    return text;
}

Test(parser, nesting)
{
    static const struct {
        const char *open, *middle, *close;
    } cases[] = {
        {"(", "1", ")"},
        {"{", "1", "}"},
        {"[", "1", "]"},
        {"f(", "1", ")"},
        {"x[", "1", "]"},
        {"if a then ", "1", " else 2"},
        {"if a then 1 else ", "1", ""},
        {"(-(not(1+(2*(", "1", ")^2))))"},
        {"f(function g(x = ", "1", "))"},
        {"(", "1", ")[1]"},
        {"", "(1)", "[1]"},
        {"sum(i for i in ", "1", ")"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        Fixture f = fixture_new();
        const char *deep = repeated(f.mem, cases[k].open, cases[k].middle, cases[k].close, 20000);
        cr_expect_null(parse_expr(f.mem, f.names, f.diags, deep), "%s", cases[k].open);
        cr_expect_eq(diags_errors(f.diags), 1, "%s", cases[k].open);
        cr_expect_str_eq(diags_at(f.diags, 0)->code, "P08", "%s", cases[k].open);
        /* and what is accepted survives everything that recurses over it */
        const char *fine = repeated(f.mem, cases[k].open, cases[k].middle, cases[k].close, 80);
        const SynExpr *x = parse_expr(f.mem, f.names, f.diags, fine);
        cr_expect_not_null(x, "%s", cases[k].open);
        if (x) {
            const char *text = syn_expr_text(f.mem, x);
            cr_expect(syntax_equal_expr(x, parse_expr(f.mem, f.names, f.diags, text)));
        }
        arena_free(f.mem);
    }
    static const struct {
        const char *open, *middle, *close;
    } files[] = {
        {"model M ", "Real x;", " end M;"},
        {"model M equation ", "", ""},
        {"model M T x(", "y", ")); end M;"},
        {"model M equation if a then ", "x = 1;", " end if; end M;"},
    };
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        Fixture f = fixture_new();
        const char *deep = repeated(f.mem, files[k].open, files[k].middle, files[k].close, 20000);
        cr_expect(parse_text(&f, deep, strlen(deep))->errors > 0, "%s", files[k].open);
        arena_free(f.mem);
    }
    Fixture f = fixture_new();
    const char *mods =
        arena_printf(f.mem, "model M T %s; end M;", repeated(f.mem, "x(", "y", ")", 20000));
    cr_expect(parse_text(&f, mods, strlen(mods))->errors > 0);
    cr_expect_eq(diags_errors(f.diags), 1);
    const char *blocks = arena_printf(f.mem, "model M equation %s; end M;",
                                      repeated(f.mem, "for i loop ", "x = 1;", " end for;", 20000));
    cr_expect(parse_text(&f, blocks, strlen(blocks))->errors > 0);
    cr_expect_eq(diags_errors(f.diags), 2);
    arena_free(f.mem);
}

Test(parser, long_chains)
{
    static const char *const op[] = {" + a", " - a", " * a", " .* a", " and a", " or a", ", a"};
    for (size_t k = 0; k < sizeof op / sizeof *op; k++) {
        Fixture f = fixture_new();
        const char *text = arena_printf(f.mem, "{a%s}", repeated(f.mem, op[k], "", "", 100000));
        const SynExpr *x = parse_expr(f.mem, f.names, f.diags, text);
        cr_assert_not_null(x, "%s", first_error(&f));
        const SynExpr *list = op[k][0] == ',' ? x : x->arg.at[0];
        cr_expect_eq(list->arg.n, 100001);
        const SynExpr *y = parse_expr(f.mem, f.names, f.diags, syn_expr_text(f.mem, x));
        cr_expect(syntax_equal_expr(x, y));
        arena_free(f.mem);
    }
}

/* ---- Random trees --------------------------------------------------------------------- */

typedef struct Random {
    Fixture *f;
    uint64_t state;
} Random;

static uint32_t pick(Random *r, uint32_t n)
{
    r->state = r->state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(r->state >> 33) % n;
}

static Name random_name(Random *r)
{
    static const char *const names[] = {"a", "b", "x1", "_y", "'q r'", "'it\\'s'", "End", "der_x"};
    return name_of(r->f->names, names[pick(r, 8)]);
}

static SynExpr *random_expr(Random *r, int depth);

static SynExprs random_exprs(Random *r, int depth, uint32_t least, uint32_t most)
{
    SynExprs l = {.n = least + pick(r, most - least + 1)};
    l.at = arena_array(r->f->mem, SynExpr *, l.n);
    for (uint32_t k = 0; k < l.n; k++)
        l.at[k] = random_expr(r, depth - 1);
    return l;
}

static const SynCref *random_cref(Random *r, int depth)
{
    SynCref *c = arena_make(r->f->mem, SynCref);
    c->global = pick(r, 8) == 0;
    c->n = 1 + pick(r, 3);
    SynPart *part = arena_array(r->f->mem, SynPart, c->n);
    for (uint32_t k = 0; k < c->n; k++) {
        part[k].name = random_name(r);
        if (depth > 0 && pick(r, 4) == 0)
            part[k].sub = random_exprs(r, depth, 1, 2);
        for (uint32_t i = 0; i < part[k].sub.n; i++) {
            if (pick(r, 3) == 0) {
                *part[k].sub.at[i] = (SynExpr){.kind = SYN_COLON};
            }
        }
    }
    c->part = part;
    return c;
}

static SynExpr *random_expr(Random *r, int depth)
{
    static const char *const reals[] = {"1.5", ".5e3", "2.", "1e-9", "0.0"};
    static const char *const strings[] = {"", "a", "\"", "\\", "line\nline", "\t\r", "\xC3\xA9"};
    SynExpr *x = arena_make(r->f->mem, SynExpr);
    x->kind = pick(r, depth > 0 ? SYN_END + 1 : SYN_CREF + 1);
    switch (x->kind) {
    case SYN_INTEGER:
        x->text = pick(r, 2) ? "0" : "1234567890123";
        break;
    case SYN_REAL:
        x->text = reals[pick(r, 5)];
        break;
    case SYN_STRING:
        x->text = strings[pick(r, 7)];
        break;
    case SYN_BOOLEAN:
        x->truth = pick(r, 2);
        break;
    case SYN_CREF:
        x->cref = random_cref(r, depth);
        break;
    case SYN_UNARY: {
        static const SynOp ops[] = {SYN_ADD, SYN_SUB, SYN_EL_ADD, SYN_EL_SUB, SYN_NOT};
        x->op = ops[pick(r, 5)];
        x->arg = random_exprs(r, depth, 1, 1);
        break;
    }
    case SYN_CHAIN: {
        static const SynOp first[] = {SYN_ADD, SYN_MUL, SYN_OR, SYN_AND};
        uint32_t family = pick(r, 4);
        x->arg = random_exprs(r, depth, 2, 4);
        SynOp *ops = arena_array(r->f->mem, SynOp, x->arg.n);
        for (uint32_t k = 1; k < x->arg.n; k++)
            ops[k] = first[family] + (family < 2 ? pick(r, 4) : 0);
        x->ops = ops;
        break;
    }
    case SYN_BINARY:
        x->op = pick(r, 3) ? SYN_LT + pick(r, 6) : SYN_POW + pick(r, 2);
        x->arg = random_exprs(r, depth, 2, 2);
        break;
    case SYN_IF:
        x->arg = random_exprs(r, depth, 3, 3);
        if (pick(r, 2))
            x->arg = random_exprs(r, depth, 5, 5);
        break;
    case SYN_RANGE:
        x->arg = random_exprs(r, depth, 2, 3);
        break;
    case SYN_CALL:
    case SYN_PARTIAL:
        x->kind = SYN_CALL;
        x->cref = random_cref(r, depth);
        x->arg = random_exprs(r, depth, 0, 3);
        if (x->arg.n == 1 && pick(r, 2)) {
            SynIter *it = arena_array(r->f->mem, SynIter, 2);
            it[0] = (SynIter){.name = random_name(r), .range = random_expr(r, depth - 1)};
            it[1] = (SynIter){.name = random_name(r)};
            x->iter = it;
            x->n_iter = 1 + pick(r, 2);
        } else if (pick(r, 2)) {
            SynNamed *a = arena_array(r->f->mem, SynNamed, 2);
            a[0] = (SynNamed){.name = random_name(r), .value = random_expr(r, depth - 1)};
            SynExpr *h = arena_make(r->f->mem, SynExpr);
            *h = (SynExpr){.kind = SYN_PARTIAL, .cref = random_cref(r, 0)};
            a[1] = (SynNamed){.name = random_name(r), .value = h};
            h->named = a;
            h->n_named = pick(r, 2);
            x->named = a;
            x->n_named = 1 + pick(r, 2);
        }
        break;
    case SYN_ARRAY:
        x->arg = random_exprs(r, depth, 1, 3);
        if (x->arg.n == 1 && pick(r, 2)) {
            SynIter *it = arena_make(r->f->mem, SynIter);
            *it = (SynIter){.name = random_name(r), .range = random_expr(r, depth - 1)};
            x->iter = it;
            x->n_iter = 1;
        }
        break;
    case SYN_MATRIX: {
        SynExprs *row = arena_array(r->f->mem, SynExprs, 2);
        row[0] = random_exprs(r, depth, 1, 3);
        row[1] = random_exprs(r, depth, 1, 3);
        x->row = row;
        x->n_rows = 1 + pick(r, 2);
        break;
    }
    case SYN_TUPLE:
        x->arg = random_exprs(r, depth, 2, 3);
        if (pick(r, 2))
            x->arg.at[pick(r, 2)] = NULL;
        break;
    case SYN_INDEX:
        x->base = random_expr(r, depth - 1);
        if (pick(r, 2))
            x->field = random_name(r);
        else
            x->arg = random_exprs(r, depth, 1, 2);
        break;
    case SYN_COLON: /* only in subscripts */
    case SYN_END:
        x->kind = SYN_END;
        break;
    }
    return x;
}

Test(parser, random_expressions_round_trip)
{
    for (unsigned seed = 0; seed < 5000; seed++) {
        Fixture f = fixture_new();
        Random r = {&f, seed * 7919 + 1};
        const SynExpr *x = random_expr(&r, 1 + (int)(seed % 5));
        const char *text = syn_expr_text(f.mem, x);
        const SynExpr *y = parse_expr(f.mem, f.names, f.diags, text);
        cr_assert_not_null(y, "seed %u: %s in %s", seed, first_error(&f), text);
        cr_assert(syntax_equal_expr(x, y), "seed %u: %s", seed, text);
        arena_free(f.mem);
    }
}

/* ---- The command line ----------------------------------------------------------------- */

Test(parser, command_line)
{
    Fixture f = fixture_new();
    SynInstance i;
    cr_assert(parse_instance(f.mem, f.names, f.diags, "A.B(n = 32, redeclare model M = X)", &i));
    cr_assert_eq(i.path.n, 2);
    cr_assert_eq(i.mod->n, 2);
    cr_assert(parse_instance(f.mem, f.names, f.diags, "A", &i));
    cr_assert_null(i.mod);
    SynArg a;
    cr_assert(parse_argument(f.mem, f.names, f.diags, "arm.m = 3*2", &a));
    cr_assert_eq(a.path.n, 2);
    cr_assert_not_null(a.mod->value);
    cr_assert_eq(diags_count(f.diags), 0);

    cr_assert_not(parse_instance(f.mem, f.names, f.diags, "A(n = )", &i));
    const Diag *d = diags_at(f.diags, 0);
    cr_assert_str_eq(d->code, "P01");
    cr_assert_str_eq(diags_where(f.diags, d->span), "<command line>:1:7");
    cr_assert_not(parse_instance(f.mem, f.names, f.diags, "A) B", &i));
    cr_assert_not(parse_argument(f.mem, f.names, f.diags, "= 3", &a));
    cr_assert_not(parse_instance(f.mem, f.names, f.diags, "", &i));
    cr_assert_not(parse_instance(f.mem, f.names, f.diags, "\xFF", &i));
    arena_free(f.mem);
}
