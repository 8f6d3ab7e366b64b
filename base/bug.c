#include "base/bug.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void bug(const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    fputs("rung: internal error: ", stderr);
    vfprintf(stderr, fmt, args);
    fputs("\nThis is a defect of rung, not of the model. Please report it with the model and the\n"
          "output of `rung -d PASS` for the pass named above.\n",
          stderr);
    va_end(args);
    abort();
}
