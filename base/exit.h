/* exit.h -- exit statuses of the program. */
#ifndef RUNG_BASE_EXIT_H
#define RUNG_BASE_EXIT_H

typedef enum Exit {
    EXIT_GOOD = 0,
    EXIT_MODEL = 1, /* an error in the model or its translation     */
    EXIT_USAGE = 2,
    EXIT_RUN = 3,  /* the solver failed at run time                */
    EXIT_FILE = 4, /* a file or a tool is missing                  */
    EXIT_INTERRUPTED = 130,
} Exit;

#endif
