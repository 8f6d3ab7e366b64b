#include "cli/forked_command.h"

typedef struct CommandLine {
    CommandFn command;
    const Options *options;
} CommandLine;

static Exit run(const void *of)
{
    const CommandLine *it = of;
    return it->command(it->options);
}

ScratchOutput forked_command(const Scratch *a, CommandFn command, const Options *o)
{
    const CommandLine it = {command, o};
    return scratch_run(a, run, &it);
}

Options forked_options(const Options *o)
{
    Options to = *o;
    to.output = NULL;
    to.progress = "none";
    to.color = "never";
    return to;
}
