/* rung flatten, rung -d PASS, rung passes: what the passes leave behind. */
#include "cli/command.h"
#include "cli/driver.h"
#include "cli/output.h"

#include <stdio.h>

static Exit dump(const Options *o, const Pass *p)
{
    Arena *mem = arena_new();
    Compilation *c = compilation_open(o, mem);
    bool ok = c && driver_run(c, p);
    Exit status = c ? compilation_report(c, stderr) : EXIT_USAGE;
    if (ok && status == EXIT_GOOD) {
        Output out;
        if (output_open(&out, o->output)) {
            p->dump(&c->dae, out.file);
            status = output_close(&out) ? EXIT_GOOD : EXIT_FILE;
        } else {
            status = EXIT_FILE;
        }
    }
    compilation_free(c);
    arena_free(mem);
    return status;
}

Exit command_flatten(const Options *o)
{
    return dump(o, driver_find("flatten"));
}

Exit command_dump(const Options *o)
{
    const Pass *p = o->dump ? driver_find(o->dump) : NULL;
    if (p)
        return dump(o, p);
    fprintf(stderr, "rung: there is no pass '%s'; `rung passes` lists them\n",
            o->dump ? o->dump : "");
    return EXIT_USAGE;
}

Exit command_passes(const Options *o)
{
    (void)o;
    for (uint32_t k = 0; k < driver_n_passes(); k++)
        printf("%-8s %s\n", driver_pass(k)->name, driver_pass(k)->what);
    return EXIT_GOOD;
}
