#include "cli/residual.h"

#include "cli/candidates.h"
#include "eliminate/residual.h"

void residual_make(Compilation *c, uint32_t limit)
{
    Candidates torn = {.is_torn = true};
    Program *p = arena_make(c->mem, Program);
    if (pipeline_again(c, &torn, p))
        residual_pieces(&c->solution.program, p, limit, c->scratch);
}
