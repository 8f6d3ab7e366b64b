/* Coroutines: each goes on where it paused, with its own locals, however they take turns. */
#include "base/coroutine.h"

#include <criterion/criterion.h>
#include <stdint.h>

enum { N = 12 };

typedef struct Walker {
    Coroutine *self;
    uint32_t step, at;
    double sum;
} Walker;

/* The pauses are at several depths of the stack. */
static double walk(Walker *w, uint32_t depth, double x)
{
    double before = x + depth;
    if (depth > 0)
        before += walk(w, depth - 1, x / 2);
    w->at++;
    coroutine_pause(w->self);
    return before * 1.25 + x;
}

static void body(void *user)
{
    Walker *w = user;
    for (uint32_t k = 0; k < w->step; k++)
        w->sum += walk(w, k % 5, k);
}

static double without_pauses(uint32_t depth, double x)
{
    double before = x + depth;
    if (depth > 0)
        before += without_pauses(depth - 1, x / 2);
    return before * 1.25 + x;
}

Test(coroutine, goes_on_where_it_paused)
{
    Walker w[N];
    uint32_t n_alive = N;
    for (uint32_t k = 0; k < N; k++) {
        w[k] = (Walker){.step = k};
        w[k].self = coroutine_new(body, &w[k]);
        cr_assert_not_null(w[k].self);
    }
    for (uint32_t turn = 0; n_alive > 0; turn++) {
        uint32_t k = (turn * 7 + turn / N) % N;
        if (!w[k].self || coroutine_resume(w[k].self))
            continue;
        cr_assert_not(coroutine_resume(w[k].self), "it has returned");
        coroutine_free(w[k].self);
        w[k].self = NULL;
        n_alive--;
    }
    for (uint32_t k = 0; k < N; k++) {
        double sum = 0;
        for (uint32_t i = 0; i < k; i++)
            sum += without_pauses(i % 5, i);
        cr_assert_eq(w[k].sum, sum, "coroutine %u", k);
    }
}

/* One that is given up in the middle. */
Test(coroutine, can_be_freed_before_its_end)
{
    Walker w = {.step = 3};
    w.self = coroutine_new(body, &w);
    cr_assert(coroutine_resume(w.self));
    cr_assert_eq(w.at, 1);
    coroutine_free(w.self);
}
