#include "study/sweep/sweep_summary.h"

#include "base/json.h"
#include "study/output.h"

SweepTally sweep_tally(const SweepStore *s)
{
    SweepTally t = {0};
    for (uint32_t k = 0; k < s->vary->n_runs; k++)
        t.n[s->run[s->run[k].same_as].status]++;
    t.n_bad = t.n[RUN_FAILED] + t.n[RUN_INVALID] + t.n[RUN_LOST];
    return t;
}

const char *sweep_json(const Sweep *s, const SweepStore *store, Arena *mem)
{
    SweepTally t = sweep_tally(store);
    Text out = text_new(mem);
    Json j = json_new(&out);
    json_object(&j, NULL);
    json_line(&j, 2);
    json_text(&j, "model", s->model);
    json_line(&j, 2);
    json_text(&j, "generator", "rung " RUNG_VERSION);
    json_line(&j, 2);
    json_text(&j, "sampling", sampling_name(s->vary.sampling));
    json_line(&j, 2);
    json_count(&j, "seed", s->vary.seed);
    json_line(&j, 2);
    json_array(&j, "parameters");
    for (uint32_t k = 0; k < s->vary.name.n; k++) {
        json_object(&j, NULL);
        json_text(&j, "name", s->vary.name.at[k]);
        json_bool(&j, "structural", s->is_structural[k]);
        json_close(&j);
    }
    json_close(&j);
    json_line(&j, 2);
    json_count(&j, "runs", s->vary.n_runs);
    for (int k = RUN_OK; k <= RUN_LOST; k++)
        json_count(&j, run_status_name((RunStatus)k), t.n[k]);
    json_count(&j, "not_made", t.n[RUN_NONE]);
    json_count(&j, "finished_before", store->n_before);
    json_line(&j, 2);
    json_text(&j, "table", arena_printf(mem, "%s/table.csv", s->dir));
    json_line(&j, 2);
    json_array(&j, "not_ok");
    for (uint32_t k = 0; k < s->vary.n_runs; k++) {
        const SweepRun *r = &store->run[store->run[k].same_as];
        if (r->status == RUN_OK || r->status == RUN_NONE)
            continue;
        json_line(&j, 4);
        json_object(&j, NULL);
        json_count(&j, "run", k + 1);
        for (uint32_t i = 0; i < s->vary.name.n; i++)
            json_text(&j, s->vary.name.at[i], vary_value(&s->vary, k, i, mem));
        json_text(&j, "status", run_status_name(r->status));
        json_text(&j, "file", r->file ? r->file : "");
        json_text(&j, "message", r->message ? r->message : "");
        json_close(&j);
    }
    json_close(&j);
    json_line(&j, 0);
    json_close(&j);
    text_put(&out, "\n");
    return out.at;
}

bool sweep_write(SweepStore *store, const char *json)
{
    Output out;
    if (!sweep_store_table(store) ||
        !output_open(&out, arena_printf(store->mem, "%s/sweep.json", store->dir)))
        return false;
    fputs(json, out.file);
    return output_close(&out);
}
