/* rung: reads the options, hands over to a subcommand. */
#include "cli/command.h"
#include "cli/requests.h"
#include "eliminate/block/ordering.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

static bool order_is_known(const char *order)
{
    if (!order || ordering_is_known(order))
        return true;
    fputs("rung: --order takes all or a list of", stderr);
    for (uint32_t k = 0; k < ORDER_NAMES; k++)
        fprintf(stderr, "%s %s", k ? "," : "", ordering_name(k));
    fputc('\n', stderr);
    if (strstr(order, "sweep"))
        fputs("rung: the order 'sweep' is called 'frontal'\n", stderr);
    return false;
}

static Exit run(Options *o)
{
    if (o->version || (o->command && strcmp(o->command, "version") == 0)) {
        puts("rung " RUNG_VERSION);
        return EXIT_GOOD;
    }
    if (!o->command || strcmp(o->command, "help") == 0)
        return command_help(o->files.n ? o->files.at[0] : NULL);
    if (o->help)
        return command_help(o->command);
    const Command *c = command_find(o->command);
    if (!c) {
        return command_unknown(o->command);
    }
    if (!order_is_known(o->order))
        return EXIT_USAGE;
    if (!modifiers_apply(o, o->mem))
        return EXIT_USAGE;
    return o->dump ? command_dump(o) : c->run(o);
}

int main(int argc, char **argv)
{
    // a file that may not grow is an error of write() like others, also for the C compiler
    signal(SIGXFSZ, SIG_IGN);
    Arena *mem = arena_new();
    Options o;
    Exit status = options_read(&o, mem, argc, argv) ? run(&o) : EXIT_USAGE;
    arena_free(mem);
    /* results that did not reach the disk are no results */
    if (fflush(stdout) != 0 && status == EXIT_GOOD) {
        perror("rung: standard output");
        status = EXIT_FILE;
    }
    return (int)status;
}
