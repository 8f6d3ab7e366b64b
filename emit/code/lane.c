/* lane.c -- the differences of code for several instances at once from code for one: types,
 * functions (runtime/kernel/rung_lanes.h), masks as conditions.
 *
 * All else is the same text: vectors add and multiply as numbers do. An expression of numbers alone
 * (2, time) is a scalar; RUNG_LANE converts it where a vector is needed.
 */
#include "emit/code/coder.h"

#include <string.h>

bool code_in_lanes(const Coder *c)
{
    SectionKind kind = c->section.kind;
    return kind == SECTION_SIDES ||
           (c->o.width &&
            (kind == SECTION_XDOT || kind == SECTION_OUTPUTS || kind == SECTION_ASSERTIONS));
}

bool code_in_sides(const Section *section)
{
    return section->kind == SECTION_SIDES;
}

/* Whether the elements of an array are vectors. */
static bool is_wide(const Coder *c, ArrayKind array)
{
    bool of_sides = array == ARRAY_R || array == ARRAY_W || array == ARRAY_OUT;
    return code_in_lanes(c) && (of_sides || !code_in_sides(&c->section));
}

const char *code_real(const Coder *c)
{
    return code_in_lanes(c) ? "RungLane" : "double";
}

const char *code_real_of(const Coder *c, ArrayKind array)
{
    return is_wide(c, array) ? "RungLane" : "double";
}

const char *code_element(const Coder *c, ArrayKind array)
{
    return !is_wide(c, array) ? "double" : array == ARRAY_W ? "RungLane" : "RungRow";
}

const char *code_part(const Coder *c, ArrayKind array)
{
    return is_wide(c, array) && array != ARRAY_W ? "[h]" : "";
}

void code_put_function(Coder *c, const char *name)
{
    const char *own = strncmp(name, "rung_", 5) == 0 ? name + 5 : name;
    if (code_in_lanes(c))
        text_printf(&c->chunk.body, "rung_lane_%s(", own);
    else
        text_printf(&c->chunk.body, "%s(", name);
}

void code_open_lane(Coder *c)
{
    if (code_in_lanes(c))
        text_put(&c->chunk.body, "RUNG_LANE(");
}

void code_close_lane(Coder *c)
{
    if (code_in_lanes(c))
        text_put(&c->chunk.body, ")");
}
