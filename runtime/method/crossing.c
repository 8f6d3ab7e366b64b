/* SPDX-License-Identifier: BSD-3-Clause */
#include "crossing.h"

#include <stdbool.h>
#include <stdio.h>

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
