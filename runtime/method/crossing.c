/* SPDX-License-Identifier: BSD-3-Clause */
#include "crossing.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

/* An error of the tolerance in g moves the event by error / rate. In that time dg/dt must not
 * change by as much as itself; its derivative comes from its mean over the step before. */
static bool is_grazing(const Crossing *c)
{
    static const double OF_SIZE = 8 * DBL_EPSILON, OF_TIME = 1e3 * DBL_EPSILON;
    if (!(c->h > 0) || !isfinite(c->h))
        return false;
    const double rate = fabs(c->rate), mean = fabs(c->g - c->g_begin) / c->h;
    const double rounding = (OF_SIZE * c->size + OF_TIME * fabs(c->t) * mean) / c->h;
    const double second = 2 * fmax(fabs(mean - rate) - rounding, 0) / c->h;
    return !(c->tolerance * c->size * second < rate * rate);
}

const char *crossing_fault(const Crossing *c)
{
    if (!(c->falls ? c->rate < 0 : c->rate > 0))
        return "changes without crossing zero at a rate: the time of the event has no derivative "
               "by parameters";
    if (is_grazing(c))
        return "is zero together with its rate, within the tolerance: the time of the event has no "
               "derivative by parameters";
    return NULL;
}

void crossing_note(CrossingFault *f, const RungMemory *m, double ratio, const char *why)
{
    const bool has_text = m->text && *m->text, has_place = m->where && *m->where;
    const char *quote = has_text ? "'" : "";
    if (*f->text)
        return;
    f->ratio = ratio;
    snprintf(f->text, sizeof f->text, "%s%s%s%s%s%s %s", quote, has_text ? m->text : "a relation",
             quote, has_place ? " (" : "", has_place ? m->where : "", has_place ? ")" : "", why);
}

bool crossing_is_continuous(const CrossingFault *f, uint32_t n, CrossingRates at_event,
                            CrossingRates at_begin)
{
    static const double SMALL = 1e-9, ORDERS = 10;
    const bool is_nearer = f->ratio < 1;
    const double share = ORDERS * fmin(f->ratio, 1 / f->ratio);
    for (uint32_t k = 0; k < n; k++) {
        const double here = fabs(at_event.behind[k] - at_event.before[k]);
        const double there = fabs(at_begin.behind[k] - at_begin.before[k]);
        const double near = is_nearer ? here : there, far = is_nearer ? there : here;
        const double small = SMALL * (fabs(at_event.before[k]) + fabs(at_event.behind[k]));
        if (!(near <= small + (share < 1 ? share * far : 0)))
            return false;
    }
    return true;
}
