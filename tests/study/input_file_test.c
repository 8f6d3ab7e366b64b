#include "study/input_file.h"
#include "tests/study/fixture.h"

#include "study/simulation.h"

typedef struct Read {
    Fixture f;
    Simulation s;
    const InputData *data; /* NULL: refused */
    Exit status;
} Read;

static Read read(const char *table)
{
    Read it = {
        .f = fixture_of("model M input Real v(unit = \"m/s\"); input Integer n; Real x(start = 0,\n"
                        "  fixed = true); equation der(x) = n*v; end M;")};
    it.f.run.input = scratch_path(&it.f.files, "u.csv");
    FILE *to = fopen(it.f.run.input, "w");
    fputs(table, to);
    fclose(to);
    cr_assert_eq(simulation_open(&it.s, &it.f.run, false, (BuildOptions){0}, it.f.mem), EXIT_GOOD);
    it.data = input_file_read(&it.f.run, it.s.build.model, it.f.mem, &it.status);
    return it;
}

static void end(Read *it)
{
    simulation_free(&it->s);
    fixture_end(&it->f);
}

static const InputSignal *signal_of(const Read *it, InputKind kind)
{
    for (uint32_t k = 0; k < it->data->n; k++)
        if (it->data->signal[k].kind == kind)
            return &it->data->signal[k];
    return NULL;
}

/* Another unit is converted, in the time too; an Integer holds its value from row to row. */
Test(input_file, units_and_kinds)
{
    Read it = read("time [min],v [km/h],n\n0,36,1\n1,72,2\n");
    cr_assert_eq(it.status, EXIT_GOOD);
    cr_assert_eq(it.data->n_rows, 2u);
    cr_assert_float_eq(it.data->t[it.data->stride], 60, 1e-12);
    const InputSignal *v = signal_of(&it, INPUT_LINEAR), *n = signal_of(&it, INPUT_HOLD);
    cr_assert(v && n);
    cr_assert_float_eq(v->value[0], 10, 1e-12);
    cr_assert_float_eq(v->value[v->stride], 20, 1e-12);
    cr_assert_eq(n->value[n->stride], 2);
    end(&it);
}

Test(input_file, what_cannot_be)
{
    static const char *const wrong[] = {
        "time,v\n0,1\n-1,2\n",      /* time goes back              */
        "time,n\n0,1\n1,1.5\n",     /* no whole number             */
        "time,v [kg]\n0,1\n1,2\n",  /* another quantity            */
        "time,other\n0,1\n1,2\n",   /* no input is called so       */
        "time,v,v\n0,1,1\n1,2,2\n", /* twice                       */
        "time,v\n",                 /* no rows                     */
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        Read it = read(wrong[k]);
        cr_assert_null(it.data, "%s", wrong[k]);
        cr_assert_eq(it.status, EXIT_MODEL, "%s", wrong[k]);
        end(&it);
    }
}
