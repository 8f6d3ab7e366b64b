#include "eliminate/block/reason.h"

#include <math.h>

const char *reason_text(const Reason *r, Arena *mem)
{
    switch (r->kind) {
    case REASON_NONE:
        break;
    case REASON_NO_ORDER:
        return r->text;
    case REASON_ZERO_PIVOT:
        return arena_printf(mem, "zero pivot at step %u of %u, for %s", r->step, r->of, r->text);
    case REASON_ZERO:
        return "a pivot is zero";
    case REASON_GROWTH:
        return arena_printf(mem, "loses %.0f digits", log10(r->amount));
    case REASON_VANISHING:
        return arena_printf(mem, "%u pivot%s at sample points%s", r->n,
                            r->n == 1 ? " vanishes" : "s vanish",
                            r->fewest ? ", more than in other orders" : "");
    case REASON_LONG_CODE:
        return arena_printf(mem, "about %.1e operations of straight code", r->amount);
    case REASON_LIMIT:
        return arena_printf(mem, "not carried out, it would take about %.1e operations", r->amount);
    }
    return "";
}

const char *failure_text(const Failure *f, Arena *mem)
{
    const char *text = reason_text(&f->reason, mem);
    return f->order ? arena_printf(mem, "%s: %s", f->order, text) : text;
}
