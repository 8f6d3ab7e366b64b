/* rung flatten, rung -d PASS, rung passes: what the passes leave behind. */
#include "base/json.h"
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
    Text t = text_new(o->mem);
    Json j = json_new(&t);
    bool json = options_want_json(o);
    json_array(&j, NULL);
    for (uint32_t k = 0; k < driver_n_passes(); k++) {
        const Pass *p = driver_pass(k);
        if (!json)
            printf("%-8s %s\n", p->name, p->what);
        json_line(&j, 2);
        json_object(&j, NULL);
        json_text(&j, "name", p->name);
        json_text(&j, "what", p->what);
        json_close(&j);
    }
    json_line(&j, 0);
    json_close(&j);
    if (json)
        puts(t.at);
    return EXIT_GOOD;
}
