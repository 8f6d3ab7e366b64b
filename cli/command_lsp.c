/* rung lsp: the language server, on standard input and output. */
#include "cli/command.h"
#include "language_server/server.h"

#include <stdio.h>
#include <unistd.h>

Exit command_lsp(const Options *o)
{
    if (o->files.n > 0) {
        fputs("rung: lsp takes no files: an editor sends them\n", stderr);
        return EXIT_USAGE;
    }
    return server_run(STDIN_FILENO, STDOUT_FILENO, &o->libraries) == 0 ? EXIT_GOOD : EXIT_MODEL;
}
