/* ask_command.h -- runs another command in a forked process and captures its output
 * (study/asking.h). */
#ifndef RUNG_CLI_ASK_COMMAND_H
#define RUNG_CLI_ASK_COMMAND_H

#include "cli/command.h"
#include "study/asking.h"

Said ask_command(const Asking *a, CommandFn command, const Options *o);
/* The options of the command line, without output file, progress and colours. */
Options asking_options(const Options *o);

#endif
