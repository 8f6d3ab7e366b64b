/* Messages with values in them. */
#include "runtime/rung_text.h"
#include "tests/runtime/fixture.h"

Test(rung_text, puts_texts_and_numbers_in_their_formats)
{
    RungModel m = fixture_model();
    RungContext *ctx = context_new(&m);
    rung_text_begin(ctx);
    rung_text_put(ctx, "p = ");
    rung_text_number(ctx, "%.3g", 1234.5);
    rung_text_put(ctx, " Pa, 100 %s, ");
    rung_text_number(ctx, "%5.1f|", -0.25);
    rung_text_number(ctx, "%-6.0f|", 12);
    cr_assert_str_eq(ctx->text, "p = 1.23e+03 Pa, 100 %s,  -0.2|12    |");
    rung_text_begin(ctx);
    static const char lines[] = "\nsolid\nliquid\ngas"; // of an enumeration
    rung_text_number(ctx, lines, 2);
    rung_text_put(ctx, ",");
    rung_text_number(ctx, lines, 1);
    rung_text_put(ctx, ",");
    rung_text_number(ctx, lines, 3);
    rung_text_number(ctx, lines, 4); // out of range: nothing
    cr_assert_str_eq(ctx->text, "liquid,solid,gas");
    context_free(ctx);
}

Test(rung_text, too_long_is_cut_at_its_room)
{
    RungModel m = fixture_model();
    RungContext *ctx = context_new(&m);
    uint32_t behind = ctx->contradictions;
    rung_text_begin(ctx);
    for (int k = 0; k < 100; k++) {
        rung_text_put(ctx, "seven7,");
        rung_text_number(ctx, "%.0f", 123456789);
        rung_text_number(ctx, "\none\ntwo", 2);
    }
    cr_assert_eq(strlen(ctx->text), sizeof ctx->text - 1);
    cr_assert_eq(strncmp(ctx->text, "seven7,123456789twoseven7,", 26), 0);
    cr_assert_eq(ctx->contradictions, behind);
    context_free(ctx);
}

/* Arguments of functions are numbers for texts; the last eight are good. */
Test(rung_text, keeps_the_last_eight)
{
    RungModel m = fixture_model();
    RungContext *ctx = context_new(&m);
    ctx->n_kept = UINT32_MAX - 3; // it may wrap round
    double number[8];
    for (int k = 0; k < 8; k++) {
        rung_text_begin(ctx);
        rung_text_number(ctx, "text %.0f", k);
        number[k] = rung_text_keep(ctx);
    }
    for (int k = 0; k < 8; k++) {
        char text[20];
        snprintf(text, sizeof text, "text %d", k);
        cr_assert_str_eq(rung_text_kept(ctx, number[k]), text);
    }
    context_free(ctx);
}
