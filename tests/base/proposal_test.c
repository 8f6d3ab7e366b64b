#include "base/proposal.h"

#include <criterion/criterion.h>
#include <string.h>

/* The source after the edit; "" where nothing is proposed. */
static const char *edited(const char *message, const char *source, Arena *mem)
{
    Proposal p;
    if (!proposal_find(&p, message, source, 0, (uint32_t)strlen(source), mem))
        return "";
    return arena_printf(mem, "%.*s%s%s", (int)p.begin, source, p.text, source + p.end);
}

Test(proposal, edits)
{
    Arena *mem = arena_new();
    static const char *const it[][3] = {
        {"there is no function 'sn'; did you mean 'sin'?", "x = sns + sn(t);", "x = sns + sin(t);"},
        {"P has no type 'T.Resistr'; did you mean 'Resistor'?", "a.T.Resistr r;", "a.Resistor r;"},
        {"'&&' is no Modelica: 'and' is", "if a&&b then", "if a and b then"},
        {"'!=' is no Modelica: '<>' is", "if a!=b then", "if a<>b then"},
        {"there is no variable 'a' here", "x = a;", ""},
        {"there is no function 'pow'; did you mean a^b?", "x = pow(a, b);", ""},
        {"there is no 'b'; did you mean 'c'?", "x = a;", ""},
        {"; did you mean 'c'?", "x = a;", ""},
    };
    for (size_t k = 0; k < sizeof it / sizeof *it; k++)
        cr_assert_str_eq(edited(it[k][0], it[k][1], mem), it[k][2], "%zu", k);
    arena_free(mem);
}
