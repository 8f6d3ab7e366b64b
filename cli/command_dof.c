/* rung dof: how a mechanism can move, and which of its constraints are redundant. */
#include "base/json.h"
#include "cli/ask_command.h"
#include "cli/requests.h"
#include "study/mechanism/freedom_page.h"
#include "study/mechanism/mobility.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LINES = 20, NAMES = 12 }; /* of a text, then it says how many more there are */

typedef struct Study {
    const Options *o;
    Arena *mem;
    Mechanism m;
    Mobility at; /* at the start of a run */
    Beyond beyond;
    uint32_t reach;
    Along along; /* n_rows 0: not asked for */
    bool is_run; /* the start is that of a run; else the nearest to the start values */
    const char *model;
} Study;

static const char *plural(uint32_t n)
{
    return n == 1 ? "" : "s";
}

/* ---- positions ---- */

/* The first row of a run, as simulate finds it; the position nearest to the start values of a model
 * that cannot be simulated. False if there is none of either. */
static bool find_start(Study *s)
{
    Asking asking;
    if (!asking_open(&asking, "dof", s->mem))
        return false;
    const char *result = asking_path(&asking, "R.mat");
    Options run = asking_options(s->o);
    const Experiment *e = &s->m.s->experiment;
    run.command = "simulate";
    run.output = result;
    run.format = NULL;
    run.tolerance = NAN;
    run.quiet = true;
    run.stop = e->has_start ? e->start : 0;
    mechanism_start(&s->m);
    s->m.t = run.stop;
    Said said = ask_command(&asking, command_simulate, &run);
    ResultTable table;
    s->is_run =
        said.status == EXIT_GOOD && result_table_read(&table, result, s->mem) && table.n_rows > 0;
    if (s->is_run)
        mechanism_set_row(&s->m, &table, 0);
    asking_close(&asking);
    if (s->is_run || mechanism_close_position(&s->m))
        return true;
    fputs(said.err.at, stderr);
    fputs("rung: there is no run to start from, and no position near the start values that closes "
          "all constraints\n",
          stderr);
    return false;
}

/* ---- text ---- */

static void print_directions(const Study *s)
{
    for (uint32_t d = 0; d < s->at.n_free && d < LINES; d++) {
        const Direction *it = &s->at.direction[d];
        printf("    %u:", d + 1);
        for (uint32_t k = 0; k < it->n && k < NAMES; k++)
            printf("%s %s %+.6g", k ? "," : "", mobility_name(&s->m, it->move[k].coordinate),
                   it->move[k].by);
        if (it->n > NAMES)
            printf(", and %u more", it->n - NAMES);
        puts("");
    }
    if (s->at.n_free > LINES)
        printf("    and %u more; --format json has them all\n", s->at.n_free - LINES);
}

static void print_names(const Study *s, uint32_t n, const uint32_t *coordinate)
{
    for (uint32_t k = 0; k < n && k < NAMES; k++)
        printf("%s%s", k ? ", " : "", mobility_name(&s->m, coordinate[k]));
    if (n > NAMES)
        printf(" and %u more", n - NAMES);
}

static const char *force_of(const Study *s, const Constraint *c, const CutJoint *cut)
{
    uint32_t k = s->m.k.row.at[c->row].eq.i - cut->first_eq;
    return k < cut->flow.n ? s->m.s->var.at[cut->flow.at[k].of.i].name.s : "";
}

/* Why constraints of a loop are redundant; "" where that is seen in no part of it. */
static const char *reason_of(const Study *s, const Loop *l)
{
    if (l->n_redundant == 0)
        return "";
    if (l->is_parallel)
        return "the axes of its joints are parallel";
    if (l->n_span < l->n)
        return arena_printf(s->mem, "its joints move the cut in %u of %u directions only",
                            l->n_span, l->n);
    return "they follow from those of other loops";
}

static void print_loops(const Study *s)
{
    for (uint32_t k = 0; k < s->at.n_loops && k < LINES; k++) {
        const Loop *l = &s->at.loop[k];
        const CutJoint *cut = &s->m.s->cut.at[l->cut];
        printf("  loop %u: ", k + 1);
        print_names(s, l->n_joints, l->joint);
        printf("\n    cut at %s - %s (%s)\n", loop_owner_of(cut->a, s->mem),
               loop_owner_of(cut->b, s->mem), diags_where(s->m.s->diags, cut->span));
        printf("    %u constraint%s, %u redundant", l->n, plural(l->n), l->n_redundant);
        const char *why = reason_of(s, l);
        printf("%s%s\n", *why ? ": " : "", why);
        for (uint32_t i = l->first; i < l->first + l->n; i++)
            if (s->at.constraint[i].is_redundant)
                printf("      %s is that of a redundant constraint\n",
                       force_of(s, &s->at.constraint[i], cut));
    }
    if (s->at.n_loops > LINES)
        printf("  and %u more loops; --format json has them all\n", s->at.n_loops - LINES);
}

static void print_others(const Study *s)
{
    uint32_t first = 0, shown = 0;
    for (uint32_t k = 0; k < s->at.n_loops; k++)
        first += s->at.loop[k].n;
    for (uint32_t i = first; i < s->at.n_constraints; i++) {
        const Constraint *c = &s->at.constraint[i];
        if (++shown > LINES && !c->is_redundant)
            continue;
        printf("  constraint %u, of %s", i + 1, mobility_where(&s->m, c, s->mem));
        printf(", on ");
        print_names(s, c->n_moved, c->moved);
        if (c->is_redundant)
            printf(": redundant%s", c->n_follows ? ", follows from constraint" : "");
        if (c->n_follows > 1)
            putchar('s');
        for (uint32_t k = 0; k < c->n_follows && k < LINES; k++)
            printf("%s %u", k ? "," : "", c->follows[k] + 1);
        if (c->n_follows > LINES)
            printf(" and %u more", c->n_follows - LINES);
        puts("");
    }
    if (shown > LINES)
        printf("  and others that are not redundant, %u in all; --format json has them all\n",
               shown);
}

static void print_beyond(const Study *s)
{
    const Mobility *a = &s->at;
    if (s->beyond.is_known && s->beyond.stays)
        puts("  to first order only: no finite step along these directions stays on the "
             "constraints");
    else if (s->beyond.is_known && s->beyond.n_free != a->n_free)
        printf("  singular: a step along these directions leads to positions of %u degree%s of "
               "freedom\n",
               s->beyond.n_free, plural(s->beyond.n_free));
}

static void print_along(const Study *s)
{
    const Along *a = &s->along;
    if (a->n_rows == 0)
        return;
    printf("  along %s: %u row%s from t = %.6g to %.6g, %u degree%s of freedom\n", s->o->along,
           a->n_rows, plural(a->n_rows), a->first, a->last, a->n_free, plural(a->n_free));
    for (uint32_t k = 0; k < a->change.n && k < LINES; k++)
        printf("    t = %.9g: %u degree%s of freedom%s\n", a->change.at[k].t,
               a->change.at[k].n_free, plural(a->change.at[k].n_free),
               a->change.at[k].n_free > a->n_free ? ", a singular position" : "");
    if (a->change.n > LINES)
        printf("    and %u more changes\n", a->change.n - LINES);
    if (a->change.n == 0 && a->nearest.above < 1)
        printf("    nearest to a singular position at t = %.6g, where the smallest singular value "
               "is %.2g\n",
               a->nearest.t, a->nearest.above);
}

static void print(const Study *s)
{
    const Mobility *a = &s->at;
    printf("%s\n", s->model);
    if (s->m.k.n_coordinates == 0) {
        puts("  no mechanism: no position whose derivative is a velocity that is differentiated");
        return;
    }
    printf("  %u degree%s of freedom", a->n_free, plural(a->n_free));
    printf(": %u coordinate%s, %u constraint%s on them, %u redundant\n", a->n_coordinates,
           plural(a->n_coordinates), a->n_constraints, plural(a->n_constraints), a->n_redundant);
    print_directions(s);
    if (s->reach != a->n_free && s->reach != UINT32_MAX)
        printf("  nonholonomic: %u degree%s of freedom of velocities, %u of positions, which "
               "motions one after the other reach\n",
               a->n_free, plural(a->n_free), s->reach);
    print_beyond(s);
    print_loops(s);
    print_others(s);
    if (a->n_constraints)
        printf("  singular values: the smallest that is not zero %.2g, the largest that is %.2g, "
               "of the largest; tolerance %.2g\n",
               a->above, a->below, s->m.tolerance);
    print_along(s);
    if (!s->is_run)
        puts("  at the position nearest to the start values, since no run can be started");
    if (s->m.k.n_open)
        printf("  %u equation%s left out, since a function in it has no derivative, the first at "
               "%s\n",
               s->m.k.n_open, s->m.k.n_open == 1 ? " is" : "s are",
               diags_where(s->m.s->diags, s->m.s->eq.at[s->m.k.open.i].span));
}

/* ---- JSON ---- */

static void json_names(const Study *s, Json *j, const char *name, uint32_t n, const uint32_t *c)
{
    json_array(j, name);
    for (uint32_t k = 0; k < n; k++)
        json_text(j, NULL, mobility_name(&s->m, c[k]));
    json_close(j);
}

static void json_directions(const Study *s, Json *j)
{
    json_array(j, "directions");
    for (uint32_t d = 0; d < s->at.n_free; d++) {
        const Direction *it = &s->at.direction[d];
        json_line(j, 2);
        json_object(j, NULL);
        for (uint32_t k = 0; k < it->n; k++)
            json_number(j, mobility_name(&s->m, it->move[k].coordinate), it->move[k].by, 12);
        json_close(j);
    }
    json_close(j);
}

static void json_constraints(const Study *s, Json *j)
{
    json_array(j, "constraints");
    for (uint32_t i = 0; i < s->at.n_constraints; i++) {
        const Constraint *c = &s->at.constraint[i];
        json_line(j, 2);
        json_object(j, NULL);
        json_count(j, "number", i + 1);
        json_text(j, "of", mobility_where(&s->m, c, s->mem));
        json_text(j, "where",
                  diags_where(s->m.s->diags, s->m.s->eq.at[s->m.k.row.at[c->row].eq.i].span));
        json_names(s, j, "on", c->n_moved, c->moved);
        json_bool(j, "redundant", c->is_redundant);
        if (c->n_follows) {
            json_array(j, "follows_from");
            for (uint32_t k = 0; k < c->n_follows; k++)
                json_count(j, NULL, c->follows[k] + 1);
            json_close(j);
        }
        json_close(j);
    }
    json_close(j);
}

static void json_loops(const Study *s, Json *j)
{
    json_array(j, "loops");
    for (uint32_t k = 0; k < s->at.n_loops; k++) {
        const Loop *l = &s->at.loop[k];
        const CutJoint *cut = &s->m.s->cut.at[l->cut];
        json_line(j, 2);
        json_object(j, NULL);
        json_names(s, j, "coordinates", l->n_joints, l->joint);
        json_text(j, "cut",
                  arena_printf(s->mem, "%s - %s", loop_owner_of(cut->a, s->mem),
                               loop_owner_of(cut->b, s->mem)));
        json_text(j, "where", diags_where(s->m.s->diags, cut->span));
        json_array(j, "forces");
        for (uint32_t i = l->first; i < l->first + l->n; i++) {
            json_object(j, NULL);
            json_text(j, "name", force_of(s, &s->at.constraint[i], cut));
            json_count(j, "constraint", i + 1);
            json_bool(j, "redundant", s->at.constraint[i].is_redundant);
            json_close(j);
        }
        json_close(j);
        json_count(j, "redundant", l->n_redundant);
        json_text(j, "reason", reason_of(s, l));
        json_close(j);
    }
    json_close(j);
}

static void print_json(const Study *s)
{
    const Mobility *a = &s->at;
    Text t = text_new(s->mem);
    Json j = json_new(&t);
    json_object(&j, NULL);
    json_text(&j, "model", s->model);
    json_count(&j, "degrees_of_freedom", a->n_free);
    if (s->reach != UINT32_MAX)
        json_count(&j, "of_positions", s->reach);
    json_count(&j, "coordinates", a->n_coordinates);
    json_directions(s, &j);
    if (s->beyond.is_known && !s->beyond.stays)
        json_count(&j, "degrees_of_freedom_beyond", s->beyond.n_free);
    json_bool(&j, "to_first_order_only", s->beyond.is_known && s->beyond.stays);
    json_loops(s, &j);
    json_constraints(s, &j);
    json_count(&j, "redundant", a->n_redundant);
    if (s->along.n_rows) {
        json_object(&j, "along");
        json_count(&j, "rows", s->along.n_rows);
        json_count(&j, "degrees_of_freedom", s->along.n_free);
        json_array(&j, "changes");
        for (uint32_t k = 0; k < s->along.change.n; k++) {
            json_object(&j, NULL);
            json_number(&j, "t", s->along.change.at[k].t, 12);
            json_count(&j, "degrees_of_freedom", s->along.change.at[k].n_free);
            json_close(&j);
        }
        json_close(&j);
        json_number(&j, "nearest_t", s->along.nearest.t, 12);
        json_number(&j, "nearest_value", s->along.nearest.above, 3);
        json_close(&j);
    }
    json_number(&j, "smallest_not_zero", a->above, 3);
    json_number(&j, "largest_zero", a->below, 3);
    json_number(&j, "tolerance", s->m.tolerance, 3);
    json_bool(&j, "start_of_a_run", s->is_run);
    json_count(&j, "left_out", s->m.k.n_open);
    json_close(&j);
    puts(t.at);
}

/* ---- the command ---- */

static Exit study(Study *s)
{
    if (s->m.k.n_coordinates && !find_start(s))
        return EXIT_RUN;
    s->reach = UINT32_MAX;
    if (s->m.k.n_coordinates) {
        s->at = mobility_find(&s->m, s->mem);
        if (s->at.too_large) {
            fprintf(stderr,
                    "rung: constraints tie %u coordinates together, of which singular values are "
                    "found up to %d\n",
                    s->at.too_large, NULL_SPACE_MOST);
            return EXIT_RUN;
        }
        s->beyond = mobility_beyond(&s->m, &s->at);
        s->reach = mobility_reach(&s->m, &s->at);
    }
    if (s->m.k.n_coordinates && s->o->along) {
        s->along = mobility_along(&s->m, s->o->along, s->mem);
        if (s->along.error) {
            fprintf(stderr, "rung: %s\n", s->along.error);
            return EXIT_FILE;
        }
    }
    if (options_want_json(s->o))
        print_json(s);
    else
        print(s);
    return s->o->output ? freedom_page(s->o->output, &s->m, &s->at, s->mem) : EXIT_GOOD;
}

Exit command_dof(const Options *o)
{
    Arena *mem = arena_new();
    Study s = {.o = o, .mem = mem};
    Exit status = EXIT_USAGE;
    size_t length = o->output ? strlen(o->output) : 0;
    if (o->output && (length < 5 || strcmp(o->output + length - 5, ".html") != 0)) {
        fputs("rung: the page of dof is called .html\n", stderr);
        arena_free(mem);
        return EXIT_USAGE;
    }
    Request r = request_of(o);
    bool ok = mechanism_open(&s.m, &r, o->tolerance, mem);
    if (s.m.flat)
        status = compilation_report(s.m.flat, stderr);
    s.model = s.m.flat ? s.m.flat->request.model : NULL;
    if (ok && status == EXIT_GOOD)
        status = study(&s);
    mechanism_close(&s.m);
    arena_free(mem);
    return status;
}
