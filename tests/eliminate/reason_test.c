/* What reports say of an order that is not taken. */
#include "eliminate/block/reason.h"

#include <criterion/criterion.h>
#include <string.h>

Test(reason, each_kind_says_its_numbers)
{
    static const struct {
        Reason reason;
        const char *text;
    } of[] = {
        {{.kind = REASON_NONE}, ""},
        {{.kind = REASON_NO_ORDER, .text = "the block is not square"}, "the block is not square"},
        {{.kind = REASON_ZERO_PIVOT, .step = 3, .of = 40, .text = "joint.a"},
         "zero pivot at step 3 of 40, for joint.a"},
        {{.kind = REASON_ZERO}, "a pivot is zero"},
        {{.kind = REASON_GROWTH, .amount = 2e9}, "loses 9 digits"},
        {{.kind = REASON_VANISHING, .n = 1}, "1 pivot vanishes at sample points"},
        {{.kind = REASON_VANISHING, .n = 5, .fewest = 2},
         "5 pivots vanish at sample points, more than in other orders"},
        {{.kind = REASON_LONG_CODE, .amount = 1.25e7}, "about 1.2e+07 operations of straight code"},
        {{.kind = REASON_LIMIT, .amount = 4e6},
         "not carried out, it would take about 4.0e+06 operations"},
    };
    Arena *mem = arena_new();
    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        Failure named = {"ladder", of[k].reason}, alone = {NULL, of[k].reason};
        cr_assert_str_eq(reason_text(&of[k].reason, mem), of[k].text);
        cr_assert_str_eq(failure_text(&alone, mem), of[k].text);
        const char *text = failure_text(&named, mem);
        cr_assert(strncmp(text, "ladder: ", 8) == 0 && strcmp(text + 8, of[k].text) == 0, "%s",
                  text);
    }
    arena_free(mem);
}
