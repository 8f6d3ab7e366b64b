/* fixture.h -- models as text for studies: a file in a directory of its own, and requests for it.
 */
#ifndef RUNG_TESTS_STUDY_FIXTURE_H
#define RUNG_TESTS_STUDY_FIXTURE_H

#include "study/run_request.h"
#include "study/scratch.h"

#include <criterion/criterion.h>
#include <stdio.h>

typedef struct Fixture {
    Arena *mem;
    Scratch files;
    RunRequest run; /* of the model, no cache, with R.csv as its result */
} Fixture;

static inline Fixture fixture_of(const char *model)
{
    Fixture f = {.mem = arena_new(), .run = run_request_defaults()};
    cr_assert(scratch_open(&f.files, "test", f.mem));
    const char *path = scratch_path(&f.files, "M.mo");
    FILE *to = fopen(path, "w");
    fputs(model, to);
    fclose(to);
    vec_push(f.mem, f.run.translation.files, path);
    f.run.keeps_nothing = true;
    f.run.quiet = true;
    f.run.result = scratch_path(&f.files, "R.csv");
    return f;
}

static inline void fixture_end(Fixture *f)
{
    scratch_close(&f->files);
    arena_free(f->mem);
}

#endif
