/* Results as text for programs: those of a run (study/run_report.h) and of counting
 * (study/measure/count.h), parsed and compared with the numbers that they were made of. */
#include "runtime/problem/context.h"
#include "study/measure/count.h"
#include "study/run.h"
#include "study/run_report.h"
#include "tests/study/fixture.h"

#include <cjson/cJSON.h>
#include <string.h>
#include <unistd.h>

/* The standard output of a function. */
static char *output(Fixture *f, void (*print)(const void *), const void *of)
{
    FILE *to = tmpfile();
    fflush(stdout);
    int was = dup(STDOUT_FILENO);
    cr_assert(to && was >= 0 && dup2(fileno(to), STDOUT_FILENO) >= 0);
    print(of);
    fflush(stdout);
    dup2(was, STDOUT_FILENO);
    close(was);
    long n = lseek(fileno(to), 0, SEEK_CUR);
    rewind(to);
    char *text = arena_array(f->mem, char, (size_t)n + 1);
    cr_assert_eq(fread(text, 1, (size_t)n, to), (size_t)n);
    fclose(to);
    return text;
}

typedef struct Said {
    const Simulation *simulation;
    RunReport report;
} Said;

static void print_report(const void *of)
{
    const Said *it = of;
    run_report_print(it->simulation, &it->report);
}

static double number(const cJSON *json, const char *name)
{
    const cJSON *it = cJSON_GetObjectItemCaseSensitive(json, name);
    cr_assert(cJSON_IsNumber(it), "%s", name);
    return it->valuedouble;
}

typedef struct Parsed {
    Fixture *f;
    cJSON *json;
    SimulateSummary summary;
} Parsed;

static Exit read_report(Run *run, void *user)
{
    Parsed *p = user;
    Said said = {&run->simulation, {.status = run->status, .summary = &run->summary}};
    said.report.result = run->result;
    p->json = cJSON_Parse(output(p->f, print_report, &said));
    p->summary = run->summary;
    return run->status;
}

Test(run_report, has_the_numbers_of_the_run)
{
    Fixture f = fixture_of("model M Real x(start = 1, fixed = true); equation der(x) = -x; end M;");
    f.run.stop = 2.5;
    Parsed p = {.f = &f};
    cr_assert_eq(run_model(&f.run, read_report, &p), EXIT_GOOD);
    cr_assert_not_null(p.json);
    cr_assert_str_eq(cJSON_GetObjectItem(p.json, "model")->valuestring, "M");
    cr_assert_eq(number(p.json, "status"), 0);
    cr_assert_eq(number(p.json, "reached"), 2.5);
    cr_assert_gt(number(p.json, "steps"), 0);
    cr_assert_eq(number(p.json, "steps"), (double)p.summary.counts.steps);
    cr_assert_eq(number(p.json, "evaluations"), (double)p.summary.counts.evaluations);
    cr_assert_eq(number(p.json, "rows"), (double)p.summary.rows);
    cr_assert_str_eq(cJSON_GetObjectItem(p.json, "method")->valuestring, p.summary.method);
    const cJSON *files = cJSON_GetObjectItem(p.json, "files");
    cr_assert_str_eq(cJSON_GetObjectItem(files, "result")->valuestring, f.run.result);
    cr_assert_null(cJSON_GetObjectItem(files, "plot"));
    const cJSON *residuals = cJSON_GetObjectItem(p.json, "residuals");
    cr_assert(cJSON_IsNull(cJSON_GetObjectItem(residuals, "worst")), "none was measured");
    cJSON_Delete(p.json);
    fixture_end(&f);
}

/* ---- count.h ---- */

static void print_csv(const void *of)
{
    study_print_csv(of);
}

static void print_json(const void *of)
{
    study_print_json(of);
}

static void print_table(const void *of)
{
    study_print_table(of);
}

/* A study of two sizes of a chain, with two orders each. */
static Study study_of(Fixture *f)
{
    Study s = {.mem = f->mem, .model = "M"};
    Texts axes = {0};
    vec_push(f->mem, axes, "n=4,8");
    cr_assert(grid_read(&s.grid, &axes, f->mem));
    Counted *point = arena_array(f->mem, Counted, s.grid.n_points);
    for (uint32_t k = 0; k < s.grid.n_points; k++) {
        Measures m = {.n = 2, .order = {"mindegree", "frontal"}, .ask_residual = true};
        point[k].model = grid_model(&s.grid, k, "M", f->mem);
        cr_assert_eq(measures_find(&f->run.translation, point[k].model, &m, f->mem), EXIT_GOOD);
        point[k].choice = m.choice;
        point[k].residual = m.residual;
        point[k].n = m.n;
        for (uint32_t i = 0; i < m.n; i++)
            point[k].measure[i] = m.forced[i];
        point[k].taken = k;
    }
    s.point = point;
    return s;
}

Test(count, tables_have_the_counts)
{
    Fixture f = fixture_of(
        "model M parameter Integer n = 4; Real x[n](each start = 0), v[n](each start = 0), f[n + "
        "1];\n"
        "equation der(x) = v; f[1] = 10; f[n + 1] = -x[n];\n"
        "  for i in 1:n loop der(v[i]) = f[i] - f[i + 1]; end for;\n"
        "  for i in 2:n loop f[i] = 3*(der(v[i - 1]) - der(v[i])); end for; end M;");
    Study s = study_of(&f);
    char *csv = output(&f, print_csv, &s);
    cJSON *json = cJSON_Parse(output(&f, print_json, &s));
    const char *table = output(&f, print_table, &s);
    cr_assert_not_null(json);
    const cJSON *points = cJSON_GetObjectItem(json, "points");
    cr_assert_eq(cJSON_GetArraySize(points), 2);
    char *line = strtok(csv, "\n");
    cr_assert_eq(strncmp(line, "model,n,order,add,mul,div,call,", 31), 0, "%s", line);
    for (int k = 0; k < 2; k++) {
        const cJSON *point = cJSON_GetArrayItem(points, k);
        cr_assert_eq(number(cJSON_GetObjectItem(point, "residual"), "torn"), s.point[k].residual.n);
        for (uint32_t i = 0; i < s.point[k].n; i++) {
            const Measure *m = &s.point[k].measure[i];
            char order[40], model[8];
            unsigned n, add, mul, div, call, taken;
            line = strtok(NULL, "\n");
            cr_assert_eq(sscanf(line, "\"%7[^\"]\",%u,%39[^,],%u,%u,%u,%u,%*u,%*u,%*u,%*u,%u",
                                model, &n, order, &add, &mul, &div, &call, &taken),
                         8, "%s", line);
            cr_assert_eq(n, k ? 8 : 4);
            cr_assert_str_eq(order, m->order);
            cr_assert_eq(add, m->accelerations.add);
            cr_assert_eq(mul, m->accelerations.mul);
            cr_assert_eq(div, m->accelerations.div);
            cr_assert_eq(call, m->accelerations.call);
            cr_assert_eq(taken, i == s.point[k].taken);
            const cJSON *row = cJSON_GetArrayItem(cJSON_GetObjectItem(point, "orders"), (int)i);
            cr_assert_eq(number(row, "add"), add);
            cr_assert_eq(number(row, "total_mul"), (double)m->total.mul);
            cr_assert_eq(cJSON_IsTrue(cJSON_GetObjectItem(row, "taken")), i == s.point[k].taken);
            cr_assert(strstr(table, m->order), "%s", table);
        }
    }
    cr_assert_null(strtok(NULL, "\n"));
    cJSON_Delete(json);
    const char *svg = scratch_path(&f.files, "count.svg");
    cr_assert(study_plot(&s, svg));
    FILE *file = fopen(svg, "r");
    cr_assert_not_null(file);
    fclose(file);
    fixture_end(&f);
}
