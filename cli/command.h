/* command.h -- the subcommands, one file each. */
#ifndef RUNG_CLI_COMMAND_H
#define RUNG_CLI_COMMAND_H

#include "cli/options.h"

typedef Exit (*CommandFn)(const Options *o);

typedef struct Command {
    const char *name;
    const char *usage; /* arguments behind the name, without options */
    const char *what;
    const char *detail;  /* for `rung help NAME`; may be NULL */
    const char *example; /* lines to type, which end by themselves wherever they are typed */
    CommandFn run;
} Command;

const Command *command_find(const char *name); /* NULL: there is none */
const Command *command_at(int k);              /* in the order of the help; NULL behind the last */
extern const char command_statuses[];          /* meaning of the exit statuses */
/* Says that there is no such command, and which one may be meant. */
Exit command_unknown(const char *name);
/* Prints the help of one command, or (NULL) of all. */
Exit command_help(const char *of);

Exit command_check(const Options *o);
Exit command_completion(const Options *o);
Exit command_manual(const Options *o);
Exit command_compare(const Options *o);
Exit command_plot(const Options *o);
Exit command_flatten(const Options *o);
Exit command_gradient(const Options *o);
Exit command_optimize(const Options *o);
Exit command_linearize(const Options *o);
Exit command_doc(const Options *o);
Exit command_dof(const Options *o);
Exit command_parameters(const Options *o);
Exit command_simulate(const Options *o);
Exit command_view(const Options *o);
Exit command_report(const Options *o);
Exit command_sweep(const Options *o);
Exit command_count(const Options *o);
Exit command_bench(const Options *o);
Exit command_compile(const Options *o);
Exit command_fmu(const Options *o);
Exit command_graph(const Options *o);
Exit command_format(const Options *o);
Exit command_import(const Options *o);
Exit command_lsp(const Options *o);
Exit command_parse(const Options *o);
Exit command_passes(const Options *o);
Exit command_verify(const Options *o);
Exit command_dump(const Options *o);

#endif
