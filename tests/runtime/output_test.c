/* Results as CSV, the line of progress, calls of external functions. */
#include "runtime/problem/external.h"
#include "runtime/result/csv.h"
#include "runtime/run/progress.h"
#include "tests/runtime/fixture.h"

#include <criterion/redirect.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

_Noreturn void ModelicaError(const char *string);
char *ModelicaAllocateString(size_t length);

Test(csv, holds_what_was_written_when_it_is_closed)
{
    char path[] = "/tmp/csv_test_XXXXXX", line[200];
    int fd = mkstemp(path);
    cr_assert_geq(fd, 0);
    close(fd);
    RungModel m = fixture_model();
    RungContext *ctx = context_new(&m);
    const double x[] = {0.1, 1e300}, v[] = {-3};
    uint32_t *rows = calloc(3, sizeof *rows);
    rows[0] = 2;
    rows[1] = 3;
    rows[2] = 7;
    Csv *f = csv_open(path, rows, 3, NULL, 0, ctx);
    cr_assert(f);
    cr_assert_eq(csv_row(f, ctx, 0.5, x, v), 0);
    cr_assert_eq(csv_close(f), 0);
    FILE *in = fopen(path, "r");
    cr_assert(fgets(line, sizeof line, in));
    cr_assert(strstr(line, "x0") && strstr(line, "x1") && strstr(line, "v"), "%s", line);
    cr_assert(fgets(line, sizeof line, in));
    cr_assert_eq(strncmp(line, "0.5,0.1,1e+300,-3", 17) && strncmp(line, "0.5,0.1,1e300,-3", 16), 0,
                 "%s", line);
    cr_assert_null(fgets(line, sizeof line, in));
    fclose(in);
    unlink(path);
    context_free(ctx);
}

Test(progress, tells_where_a_run_is, .init = cr_redirect_stderr)
{
    SimulateSummary s = {.start = 0, .stop = 2, .t = 1, .counts.steps = 17};
    double before = seconds_now();
    Progress none = progress_begin(PROGRESS_NONE), json = progress_begin(PROGRESS_JSON);
    cr_assert_geq(seconds_now(), before);
    none.last = json.last = -1e9; // it is time to show
    progress_step(&none, &s, 0.1);
    progress_step(&json, &s, 0.1);
    progress_end(&none);
    progress_end(&json);
    fflush(stderr);
    FILE *err = cr_get_redirected_stderr();
    char text[400] = "";
    cr_assert(fgets(text, sizeof text, err));
    cr_assert_eq(text[0], '{', "%s", text);
    cr_assert(strstr(text, "\"share\":0.5,\"t\":1,"), "%s", text);
}

static int destroyed;

static void destroy(void *at)
{
    destroyed += *(int *)at;
}

Test(external, errors_end_the_call_and_objects_are_destroyed_once)
{
    static int one = 1, ten = 10;
    RungModel m = fixture_model();
    m.n_objects = 1;
    RungContext *ctx = context_new(&m);
    RungCall call;
    volatile int reached = 0;
    rung_call_enter(&call, ctx, "tiny.mo:6:1");
    if (setjmp(call.jump)) {
        cr_assert_gt(rung_call_failed(&call), 0);
        char text[300];
        context_failed_call(ctx, text, sizeof text);
        cr_assert(strstr(text, "out of paper") && strstr(text, "tiny.mo:6:1"), "%s", text);
        reached = 1;
    } else {
        strcpy(ModelicaAllocateString(3), "abc");
        ModelicaError("out of paper");
    }
    cr_assert(reached);
    const double first[] = {0, 1.5}, second[] = {0, 2.5};
    rung_object_keep(&call, 2, first, &one, destroy);
    cr_assert_eq(rung_object(ctx, 0), &one);
    cr_assert(rung_object_stays(ctx, 2, first));
    cr_assert_not(rung_object_stays(ctx, 2, second));
    rung_object_keep(&call, 2, second, &ten, destroy);
    cr_assert_eq(destroyed, 1);
    cr_assert(rung_object_stays(ctx, 2, second));
    context_free(ctx);
    cr_assert_eq(destroyed, 11);
}
