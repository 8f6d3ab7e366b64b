/* rung compile: the generated C in a directory, with what builds it elsewhere. */
#include "cli/command.h"
#include "cli/driver.h"
#include "cli/emission.h"
#include "cli/method.h"
#include "eliminate/forms/sparse_jacobian.h"
#include "eliminate/solution.h"
#include "emit/emit.h"

#include <stdio.h>
#include <string.h>

Exit command_compile(const Options *o)
{
    if (!o->output) {
        fputs("rung: compile needs -o DIR\n", stderr);
        return EXIT_USAGE;
    }
    if (o->method && !method_known(o->method))
        return EXIT_USAGE;
    Arena *mem = arena_new();
    Compilation *c = compilation_open(o, mem);
    EmitFiles files = {0};
    bool ok = c && driver_run(c, NULL);
    const char *method = o->method;
    if (ok && !method && c->dae.loops.n_loops == 0) {
        /* without a library of integrators a program that stands alone takes its own */
        method = method_of(c);
        method = strcmp(method, "ida") == 0 ? "esdirk" : method;
    }
    if (ok && method)
        method_prepare(c, method);
    else if (ok)
        jacobian_of_inputs(&c->dae.solution.program, JACOBIAN_NODES, c->scratch);
    /* a compiler may not be at hand where it runs */
    if (ok && !o->no_fallback && solution_has_pivots(&c->dae))
        ok = emission_with_fallback(c, mem, &files);
    else if (ok)
        ok = emit_program(&c->dae.solution.program, options_emission(o), mem, &files);
    Exit status = c ? compilation_report(c, stderr) : EXIT_USAGE;
    if (ok && status == EXIT_GOOD) {
        const char *error = NULL;
        emit_standalone(&files);
        if (emit_write(&files, o->output, mem, &error)) {
            if (!o->quiet)
                printf("%s: %u files in %s; `make -C %s` builds the simulator\n", c->options->model,
                       files.file.n, o->output, o->output);
        } else {
            fprintf(stderr, "rung: %s\n", error);
            status = EXIT_FILE;
        }
    }
    compilation_free(c);
    arena_free(mem);
    return status;
}
