/* ask_command.h -- what another command prints, run by a copy of this process (study/asking.h). */
#ifndef RUNG_CLI_ASK_COMMAND_H
#define RUNG_CLI_ASK_COMMAND_H

#include "cli/command.h"
#include "study/asking.h"

Said ask_command(const Asking *a, CommandFn command, const Options *o);
/* Those of the command line, without what a command would write or show on the way. */
Options asking_options(const Options *o);

#endif
