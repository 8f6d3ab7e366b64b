/* When-clauses in a loop: which variables they make discrete is found in linear time (4,000 of them
 * once took a minute). */
#include "frontend/front.h"

#include <criterion/criterion.h>
#include <unistd.h>

Test(when, many_in_a_loop, .timeout = 30)
{
    enum { N = 4000 };
    char path[] = "/tmp/rung-when-XXXXXX";
    FILE *f = fdopen(mkstemp(path), "w");
    fprintf(f,
            "model M\n  Real x(start = 0, fixed = true), s = sum(a);\n"
            "  Real a[%d](each start = 0, each fixed = true);\nequation\n  der(x) = 1;\n"
            "  for k in 1:%d loop\n    when x > k then\n      a[k] = pre(a[k]) + k;\n"
            "    end when;\n  end for;\nend M;\n",
            N, N);
    fclose(f);
    Arena *mem = arena_new();
    Names *names = names_new(mem);
    Diags *diags = diags_new(mem);
    System *s = system_new(mem, names, diags, true);
    Library *library = library_new(mem, names, diags);
    library_add_file(library, path);
    Front *front = front_new(s, library);
    cr_assert(flatten(front, "M"));
    unlink(path);
    uint32_t n_discrete = 0;
    for (uint32_t k = 0; k < s->var.n; k++)
        n_discrete += s->var.at[k].kind == VAR_DISCRETE;
    cr_assert_eq(n_discrete, N);
    front_free(front);
    system_free(s);
    arena_free(mem);
}
