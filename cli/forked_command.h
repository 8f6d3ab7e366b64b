/* forked_command.h -- runs another command in a forked process and captures its output
 * (study/scratch.h). */
#ifndef RUNG_CLI_FORKED_COMMAND_H
#define RUNG_CLI_FORKED_COMMAND_H

#include "cli/command.h"
#include "study/scratch.h"

ScratchOutput forked_command(const Scratch *a, CommandFn command, const Options *o);
/* The options of the command line, without output file, progress and colours. */
Options forked_options(const Options *o);

#endif
