#include "study/mechanism/mobility_study.h"

#include "study/run.h"
#include "study/scratch.h"
#include "translate/setting_values.h"
#include "translate/structural_set.h"

#include <math.h>
#include <stdio.h>

static Exit run_in_a_copy(const void *request)
{
    return run_model(request, run_say_errors, NULL);
}

/* The first row of a run, as simulate finds it; the position nearest to the start values of a model
 * that cannot be simulated. False if there is none of either. */
static bool find_start(MobilityStudy *s, const MobilityRequest *r, Arena *mem)
{
    Scratch scratch;
    if (!scratch_open(&scratch, "dof", mem))
        return false;
    const char *result = scratch_path(&scratch, "R.mat");
    const Experiment *e = &s->m.s->experiment;
    RunRequest run = r->run;
    run.translation.ranges = RULE_OFF; // the run looks at them
    run.translation.messages_in_colour = false;
    run.result = result;
    run.tolerance = NAN;
    run.quiet = true;
    run.is_audited = false; // only positions are needed, not the motion
    run.progress = PROGRESS_NONE;
    run.stop = e->has_start ? e->start : 0;
    mechanism_start(&s->m);
    s->m.t = run.stop;
    RunRequest light = run; // a start needs no elimination, and no code for implicit steps
    if (!light.translation.order)
        light.translation.order = "numeric";
    if (!light.translation.method)
        light.translation.method = "dopri5";
    ScratchOutput output = scratch_run(&scratch, run_in_a_copy, &light);
    if (output.status != EXIT_GOOD)
        output = scratch_run(&scratch, run_in_a_copy, &run);
    ResultTable table;
    s->is_run =
        output.status == EXIT_GOOD && result_table_read(&table, result, mem) && table.n_rows > 0;
    if (s->is_run)
        mechanism_set_row(&s->m, &table, 0);
    scratch_close(&scratch);
    if (s->is_run || mechanism_close_position(&s->m))
        return true;
    fputs(output.err.at, stderr);
    fputs("rung: there is no run to start from, and no position near the start values that closes "
          "all constraints\n",
          stderr);
    return false;
}

/* The flat model; values of parameters that decide about it are modifiers of the model in *r. */
static bool open_flat(MobilityStudy *s, MobilityRequest *r, Arena *mem)
{
    Texts left;
    if (!mechanism_open(&s->m, &r->run.translation, r->tolerance, mem))
        return false;
    const char *wrong = setting_values_read_flat(s->m.s, &r->run.set, &r->run.set, mem);
    if (wrong) {
        diag_error(s->m.flat->diags, SPAN_NONE, "N32", "%s", wrong);
        return false;
    }
    const char *model =
        structural_model_flat(s->m.s, s->m.flat->request.model, &r->run.set, &left, mem);
    if (!model)
        return true;
    mechanism_close(&s->m);
    r->run.translation.model = model;
    r->run.set = left;
    return mechanism_open(&s->m, &r->run.translation, r->tolerance, mem);
}

Exit mobility_study(const MobilityRequest *asked, MobilityStudy *s, Arena *mem)
{
    *s = (MobilityStudy){.reach = UINT32_MAX};
    MobilityRequest own = *asked, *r = &own;
    bool ok = open_flat(s, r, mem);
    Exit status = s->m.flat ? compilation_report(s->m.flat, stderr) : EXIT_USAGE;
    if (!ok || status != EXIT_GOOD || s->m.k.n_coordinates == 0)
        return status;
    if (!find_start(s, r, mem))
        return EXIT_RUN;
    s->at = mobility_find(&s->m, mem);
    if (s->at.too_large) {
        fprintf(stderr,
                "rung: constraints tie %u coordinates together, of which singular values are "
                "found up to %d\n",
                s->at.too_large, NULL_SPACE_MOST);
        return EXIT_RUN;
    }
    s->beyond = mobility_beyond(&s->m, &s->at);
    s->reach = mobility_reach(&s->m, &s->at);
    if (!r->along)
        return EXIT_GOOD;
    s->along = mobility_along(&s->m, r->along, mem);
    if (!s->along.error)
        return EXIT_GOOD;
    fprintf(stderr, "rung: %s\n", s->along.error);
    return EXIT_FILE;
}
