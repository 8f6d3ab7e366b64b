/* rung: reads the options, hands over to a subcommand. */
#include "base/text.h"
#include "cli/command.h"
#include "cli/requests.h"
#include "eliminate/block/ordering.h"

#include <ctype.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

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

/* A word that names no file, and does not look as if it should, is the class, as --model. */
static bool is_class(const char *word)
{
    static const char *const ends[] = {".mo", ".fmu", ".urdf", ".xml", ".mat", ".csv"};
    for (size_t k = 0; k < sizeof ends / sizeof *ends; k++)
        if (text_ends_with(word, ends[k]))
            return false;
    bool is_name = isalpha((unsigned char)*word) || *word == '_' || *word == '\'';
    size_t path = strcspn(word, "(");
    return is_name && !memchr(word, '/', path) && access(word, F_OK) != 0;
}

/* Takes the class out of the words behind the command. False, after a message, for a file without
 * its suffix. */
static bool find_class(Options *o, const Command *c)
{
    bool takes_class = strstr(c->usage, "--model M") != NULL; // the synopsis that help prints
    if (o->model || !takes_class)
        return true;
    for (uint32_t k = 0; k < o->files.n; k++) {
        const char *word = o->files.at[k];
        if (!is_class(word))
            continue;
        if (access(arena_printf(o->mem, "%s.mo", word), F_OK) == 0) {
            fprintf(stderr, "rung: there is no file '%s'; did you mean '%s.mo'?\n", word, word);
            return false;
        }
        o->model = word;
        memmove(o->files.at + k, o->files.at + k + 1, sizeof *o->files.at * (o->files.n - k - 1));
        o->files.n--;
        return true;
    }
    return true;
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
    if (!find_class(o, c) || !modifiers_apply(o, o->mem))
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
