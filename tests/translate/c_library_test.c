#include "translate/c_library.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

typedef struct Made {
    Arena *mem;
    Compilation *c;
    EmitFiles files;
    bool ok;
} Made;

static Made begin(const char *text, const Request *r)
{
    Made it = {.mem = arena_new()};
    it.c = compilation_new(r, it.mem);
    library_add_text(it.c->library, "test.mo", text);
    return it;
}

static Made make(const char *text, Request r, LibraryRequest how)
{
    r.model = "M";
    r.loops = LOOPS_INDEX_REDUCTION;
    Made it = begin(text, &r);
    it.ok = driver_run(it.c, NULL) && c_library_make(it.c, &how, it.mem, &it.files);
    return it;
}

static void end(Made *it)
{
    compilation_free(it->c);
    arena_free(it->mem);
}

static bool has(const Made *it, const char *word)
{
    for (uint32_t k = 0; k < it->files.file.n; k++)
        if (strstr(it->files.file.at[k].text, word))
            return true;
    return false;
}

static const char *const tank =
    "model M input Real u; Real x(start = 1, fixed = true); output Real y;\n"
    "equation der(x) = u - sqrt(x); y = 2*x; end M;";

/* A small target has no derivatives unless they are asked for; the others do unless differences
 * are. */
Test(c_library, derivatives)
{
    const struct {
        LibraryKind kind;
        JacobianChoice jacobian;
        bool has;
    } row[] = {
        {LIBRARY_FOLDER, DERIVATIVES_DEFAULT, true},
        {LIBRARY_SINGLE, DERIVATIVES_DENSE, false},
        {LIBRARY_EMBEDDED, DERIVATIVES_DEFAULT, false},
        {LIBRARY_EMBEDDED, DERIVATIVES_ANALYTIC, true},
    };
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        Made it = make(tank, (Request){.jacobian = row[k].jacobian},
                       (LibraryRequest){.kind = row[k].kind});
        cr_assert(it.ok, "%zu", k);
        cr_assert_eq(it.c->dae.solution.program.linearisation != NULL, row[k].has, "%zu", k);
        end(&it);
    }
}

Test(c_library, single_precision)
{
    Made it = make(tank, (Request){0},
                   (LibraryRequest){.kind = LIBRARY_SINGLE, .single_precision = true});
    cr_assert(it.ok);
    cr_assert(has(&it, "float"));
    end(&it);
}

Test(c_library, unknown_input_is_an_error)
{
    Made it = make(tank, (Request){.inputs = "nothing"}, (LibraryRequest){.kind = LIBRARY_FOLDER});
    cr_assert(!it.ok);
    cr_assert_str_eq(diags_at(it.c->diags, 0)->code, "G04");
    end(&it);
}

/* A mass on a spring turned around: the force that moves it as it is said. */
Test(c_library, inverse_dynamics)
{
    static const char *const mass =
        "model M Real x(start = 0), v(start = 0); input Real f; equation\n"
        "  der(x) = v; 2*der(v) = f - 3*x; end M;";
    const struct {
        const char *motion, *effort;
        bool ok;
    } row[] = {{"x", "f", true}, {"x", "g", false}, {"x,v", "f", false}};
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        Request r = {.model = "M", .loops = LOOPS_INDEX_REDUCTION};
        Made it = begin(mass, &r);
        const InverseRequest how = {row[k].motion, row[k].effort, false};
        cr_assert_eq(c_library_inverse(it.c, &how, it.mem, &it.files), row[k].ok, "%zu", k);
        if (row[k].ok)
            cr_assert_eq(it.c->dae.solution.program.n_states, 0u);
        end(&it);
    }
}

/* A step is written in functions of the runtime, not in members of its structs, which a customer's
 * compiler alone would miss. */
Test(c_library, members_of_the_runtime_are_not_written)
{
    static const char *const model = "model M Real x(start = 1, fixed = true), d; output Real "
                                     "y(start = 1); Integer n(start = 0);\n"
                                     "equation der(x) = -d; d = delay(x, 0.25); y^3 + y = x;\n"
                                     "  when x < 0.5 then n = pre(n) + 1; end when; end M;";
    Made it = make(model, (Request){0}, (LibraryRequest){.kind = LIBRARY_FOLDER});
    cr_assert(it.ok);
    uint32_t n_found = 0;
    for (uint32_t k = 0; k < it.files.file.n; k++)
        if (strcmp(it.files.file.at[k].name, "M.c") == 0) {
            const char *text = it.files.file.at[k].text;
            static const char *const room[] = {"events", "history", "step"};
            for (int i = 0; i < 3; i++)
                for (int arrow = 0; arrow < 4; arrow++) {
                    char word[40];
                    snprintf(word, sizeof word, "o%s%s%s", arrow & 1 ? "->" : ".", room[i],
                             arrow & 2 ? "->" : ".");
                    cr_assert_null(strstr(text, word), "%s", word);
                }
            n_found += strstr(text, "rung_withdraw(") && strstr(text, "rung_had_event(");
        }
    cr_assert_eq(n_found, 1);
    end(&it);
}
