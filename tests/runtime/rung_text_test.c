/* Messages with values in them. */
#include "runtime/kernel/rung_text.h"
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

/* Strings that a function makes are gone when it returns, but for its results. */
Test(rung_text, results_outlive_the_function)
{
    RungModel m = fixture_model();
    RungContext *ctx = context_new(&m);
    double own = rung_text_new(ctx, "caller's");
    uint32_t mark = rung_texts_mark(ctx);
    double out[3] = {rung_text_new(ctx, "b"), 7, 0};
    out[2] = rung_text_join(ctx, rung_text_new(ctx, "a"), out[0]);
    out[0] = rung_text_join(ctx, out[2], own);
    static const uint32_t text[] = {0, 2};
    rung_texts_return(ctx, mark, 2, text, out);
    cr_assert_eq(rung_texts_mark(ctx), mark + 2);
    cr_assert_str_eq(rung_text_of(ctx, out[0]), "abcaller's");
    cr_assert_str_eq(rung_text_of(ctx, out[2]), "ab");
    cr_assert_eq(out[1], 7);
    rung_texts_release(ctx, 0);
    cr_assert_eq(rung_texts_mark(ctx), 0);
    context_free(ctx);
}

/* Bytes are shared as long as one text goes on where another ends, and never changed. */
Test(rung_text, appends_to_one_text_twice)
{
    RungModel m = fixture_model();
    RungContext *ctx = context_new(&m);
    double head = rung_text_join(ctx, rung_text_new(ctx, "he"), rung_text_new(ctx, "ad"));
    double x = rung_text_join(ctx, head, rung_text_new(ctx, " x"));
    double y = rung_text_join(ctx, head, rung_text_new(ctx, " y"));
    double twice = rung_text_join(ctx, head, head);
    cr_assert_str_eq(rung_text_of(ctx, x), "head x");
    cr_assert_str_eq(rung_text_of(ctx, y), "head y");
    cr_assert_str_eq(rung_text_of(ctx, head), "head");
    cr_assert_str_eq(rung_text_of(ctx, twice), "headhead");
    cr_assert_eq(rung_text_compare(ctx, x, y), -1);
    cr_assert_eq(rung_text_compare(ctx, x, rung_text_new(ctx, "head x")), 0);
    cr_assert_str_eq(rung_text_of(ctx, 0), "");
    context_free(ctx);
}

/* 100,000 concatenations copy a byte a few times each. */
Test(rung_text, grows_by_small_pieces)
{
    enum { N = 100000 };
    RungModel m = fixture_model();
    RungContext *ctx = context_new(&m);
    double all = 0, piece = rung_text_new(ctx, "abc");
    size_t buffers = 0;
    const RungBytes *last = NULL;
    for (int k = 0; k < N; k++) {
        all = rung_text_join(ctx, all, piece);
        const RungBytes *now = rung_text_at(ctx, all)->bytes;
        buffers += now != last;
        last = now;
    }
    cr_assert_eq(rung_text_length(ctx, all), 3 * N);
    cr_assert_lt(buffers, 25); // each twice as large as the one before
    cr_assert_str_eq(rung_text_of(ctx, all) + 3 * N - 4, "cabc");
    context_free(ctx);
}

/* What the model keeps is compared by its number. */
Test(rung_text, keeps_each_text_once)
{
    enum { N = 300 };
    RungModel m = fixture_model();
    RungContext *ctx = context_new(&m);
    double number[N];
    for (int round = 0; round < 2; round++)
        for (int k = 0; k < N; k++) {
            double made = rung_text_value(ctx, "text %.0f", k);
            double kept = rung_text_keep(ctx, rung_text_of(ctx, made));
            if (round == 0)
                number[k] = kept;
            cr_assert_eq(kept, number[k]);
            cr_assert(k == 0 || kept != number[k - 1]);
            rung_texts_release(ctx, 0);
        }
    cr_assert_str_eq(rung_text_of(ctx, number[41]), "text 41");
    cr_assert_eq(rung_text_keep(ctx, ""), 0);
    context_free(ctx);
}

static RungContext *sharing(const RungModel *m, RungContext *with)
{
    RungContext *ctx = context_new(m);
    context_share_texts(ctx, with);
    return ctx;
}

/* Texts that memory does not hold are freed; numbers of the others stay theirs. */
Test(rung_text, collects_texts_that_nobody_holds)
{
    enum { EVENTS = 5000, HELD = 3 };
    RungModel m = fixture_model();
    RungContext *ctx = context_new(&m), *other = sharing(&m, ctx);
    rung_texts(ctx)->is_lasting = 1;
    double constant = rung_text_keep(ctx, "constant");
    ctx->texts->is_lasting = 0;
    double held[HELD + 2] = {0, 0, 0, 3.25, -1e9}; // numbers that are no texts, too
    uint32_t most = 0;
    for (int k = 0; k < EVENTS; k++) {
        double made = rung_text_value(ctx, "text %.0f", k);
        held[k % HELD] = rung_text_keep(k % 2 ? ctx : other, rung_text_of(ctx, made));
        rung_texts_release(ctx, 0);
        rung_texts_collect(ctx, 2, held, HELD, held + 2);
        most = ctx->texts->n_kept > most ? ctx->texts->n_kept : most;
        for (int i = 0; i < HELD && i <= k; i++) {
            char text[40];
            snprintf(text, sizeof text, "text %d", k - (k - i) % HELD);
            cr_assert_str_eq(rung_text_of(other, held[i]), text);
        }
    }
    cr_assert_lt(most, 1000);
    cr_assert_str_eq(rung_text_of(ctx, constant), "constant");
    cr_assert_eq(rung_text_keep(ctx, "constant"), constant);
    cr_assert_eq(rung_text_keep(ctx, rung_text_of(ctx, held[1])), held[1]);
    context_free(ctx);
    cr_assert_str_eq(context_text(other, constant), "constant");
    context_free(other);
}

/* Few long ones are freed as well. */
Test(rung_text, collects_long_texts)
{
    enum { LENGTH = 100000 };
    RungModel m = fixture_model();
    RungContext *ctx = context_new(&m);
    char *text = malloc(LENGTH + 1);
    memset(text, 'x', LENGTH);
    text[LENGTH] = 0;
    size_t most = 0;
    for (int k = 0; k < 1000; k++) {
        snprintf(text, LENGTH, "%d", k);
        text[strlen(text)] = 'x';
        double held = rung_text_keep(ctx, text);
        rung_texts_collect(ctx, 1, &held, 0, NULL);
        most = ctx->texts->size > most ? ctx->texts->size : most;
        cr_assert_eq(rung_text_length(ctx, held), LENGTH);
    }
    cr_assert_lt(most, 50 * LENGTH);
    free(text);
    context_free(ctx);
}
