#include "cli/residual.h"

#include "eliminate/block/ordering.h"
#include "eliminate/forms/residual_form.h"

void residual_make(Compilation *c, uint32_t limit)
{
    OrderPolicy torn = {.is_torn = true};
    Program *p = arena_make(c->mem, Program);
    if (pipeline_again(c, &torn, p))
        residual_form_find(&c->solution.program, p, limit, c->scratch);
}
