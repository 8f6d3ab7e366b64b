#include "cli/ask_command.h"

typedef struct CommandLine {
    CommandFn command;
    const Options *options;
} CommandLine;

static Exit run(const void *of)
{
    const CommandLine *it = of;
    return it->command(it->options);
}

Said ask_command(const Asking *a, CommandFn command, const Options *o)
{
    const CommandLine it = {command, o};
    return ask(a, run, &it);
}

Options asking_options(const Options *o)
{
    Options to = *o;
    to.output = NULL;
    to.progress = "none";
    to.color = "never";
    return to;
}
