/* rung dof: how a mechanism can move, and which of its constraints are redundant. */
#include "base/json.h"
#include "cli/command.h"
#include "cli/requests.h"
#include "study/mechanism/freedom_page.h"
#include "study/mechanism/mobility_study.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LINES = 20, NAMES = 12 }; /* of a text, then it says how many more there are */

typedef struct Report {
    const Options *o;
    Arena *mem;
    MobilityStudy it;
} Report;

static const char *plural(uint32_t n)
{
    return n == 1 ? "" : "s";
}

/* ---- text ---- */

static void print_directions(const Report *s)
{
    for (uint32_t d = 0; d < s->it.at.n_free && d < LINES; d++) {
        const Direction *it = &s->it.at.direction[d];
        printf("    %u:", d + 1);
        for (uint32_t k = 0; k < it->n && k < NAMES; k++)
            printf("%s %s %+.6g", k ? "," : "", mobility_name(&s->it.m, it->move[k].coordinate),
                   it->move[k].by);
        if (it->n > NAMES)
            printf(", and %u more", it->n - NAMES);
        puts("");
    }
    if (s->it.at.n_free > LINES)
        printf("    and %u more; --format json has them all\n", s->it.at.n_free - LINES);
}

static void print_names(const Report *s, uint32_t n, const uint32_t *coordinate)
{
    for (uint32_t k = 0; k < n && k < NAMES; k++)
        printf("%s%s", k ? ", " : "", mobility_name(&s->it.m, coordinate[k]));
    if (n > NAMES)
        printf(" and %u more", n - NAMES);
}

static const char *force_of(const Report *s, const Constraint *c, const CutJoint *cut)
{
    uint32_t k = cut_joint_find(cut, s->it.m.k.row.at[c->row].eq);
    return k < cut->flow.n
               ? cut_joint_force(cut, s->it.m.s->var.at[cut->flow.at[k].of.i].name, s->mem)
               : "";
}

/* Why constraints of a loop are redundant; "" where that is seen in no part of it. */
static const char *reason_of(const Report *s, const Loop *l)
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

static void print_loops(const Report *s)
{
    for (uint32_t k = 0; k < s->it.at.n_loops && k < LINES; k++) {
        const Loop *l = &s->it.at.loop[k];
        const CutJoint *cut = &s->it.m.s->cut.at[l->cut];
        printf("  loop %u: ", k + 1);
        print_names(s, l->n_joints, l->joint);
        printf("\n    cut %s %s (%s)\n", *cut->inside.s ? "inside" : "at",
               cut_joint_text(cut, s->mem), diags_where(s->it.m.s->diags, cut->span));
        printf("    %u constraint%s, %u redundant", l->n, plural(l->n), l->n_redundant);
        const char *why = reason_of(s, l);
        printf("%s%s\n", *why ? ": " : "", why);
        for (uint32_t i = l->first; i < l->first + l->n; i++)
            if (s->it.at.constraint[i].is_redundant)
                printf("      %s is that of a redundant constraint\n",
                       force_of(s, &s->it.at.constraint[i], cut));
    }
    if (s->it.at.n_loops > LINES)
        printf("  and %u more loops; --format json has them all\n", s->it.at.n_loops - LINES);
}

static void print_others(const Report *s)
{
    uint32_t first = 0, shown = 0;
    for (uint32_t k = 0; k < s->it.at.n_loops; k++)
        first += s->it.at.loop[k].n;
    for (uint32_t i = first; i < s->it.at.n_constraints; i++) {
        const Constraint *c = &s->it.at.constraint[i];
        if (++shown > LINES && !c->is_redundant)
            continue;
        printf("  constraint %u, of %s", i + 1, mobility_where(&s->it.m, c, s->mem));
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

static void print_beyond(const Report *s)
{
    const Mobility *a = &s->it.at;
    if (s->it.beyond.is_known && s->it.beyond.stays)
        puts("  to first order only: no finite step along these directions stays on the "
             "constraints");
    else if (s->it.beyond.is_known && s->it.beyond.n_free != a->n_free)
        printf("  singular: a step along these directions leads to positions of %u degree%s of "
               "freedom\n",
               s->it.beyond.n_free, plural(s->it.beyond.n_free));
}

static void print_along(const Report *s)
{
    const Along *a = &s->it.along;
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

static void print(const Report *s)
{
    const Mobility *a = &s->it.at;
    printf("%s\n", s->it.m.flat->request.model);
    if (s->it.m.k.n_coordinates == 0) {
        puts("  no mechanism found: no variable with a second derivative");
        return;
    }
    printf("  %u degree%s of freedom", a->n_free, plural(a->n_free));
    printf(": %u coordinate%s, %u constraint%s on them, %u redundant\n", a->n_coordinates,
           plural(a->n_coordinates), a->n_constraints, plural(a->n_constraints), a->n_redundant);
    print_directions(s);
    if (s->it.reach != a->n_free && s->it.reach != UINT32_MAX)
        printf("  nonholonomic: %u degree%s of freedom of velocities, %u of positions, which "
               "motions one after the other reach\n",
               a->n_free, plural(a->n_free), s->it.reach);
    print_beyond(s);
    print_loops(s);
    print_others(s);
    if (a->n_constraints)
        printf("  singular values: the smallest that is not zero %.2g, the largest that is %.2g, "
               "of the largest; tolerance %.2g\n",
               a->above, a->below, s->it.m.tolerance);
    print_along(s);
    if (!s->it.is_run)
        puts("  at the position nearest to the start values, since no run can be started");
    if (s->it.m.k.n_open)
        printf("  %u equation%s left out, since a function in it has no derivative, the first at "
               "%s\n",
               s->it.m.k.n_open, s->it.m.k.n_open == 1 ? " is" : "s are",
               diags_where(s->it.m.s->diags, s->it.m.s->eq.at[s->it.m.k.open.i].span));
}

/* ---- JSON ---- */

static void json_names(const Report *s, Json *j, const char *name, uint32_t n, const uint32_t *c)
{
    json_array(j, name);
    for (uint32_t k = 0; k < n; k++)
        json_text(j, NULL, mobility_name(&s->it.m, c[k]));
    json_close(j);
}

static void json_directions(const Report *s, Json *j)
{
    json_array(j, "directions");
    for (uint32_t d = 0; d < s->it.at.n_free; d++) {
        const Direction *it = &s->it.at.direction[d];
        json_line(j, 2);
        json_object(j, NULL);
        for (uint32_t k = 0; k < it->n; k++)
            json_number(j, mobility_name(&s->it.m, it->move[k].coordinate), it->move[k].by, 12);
        json_close(j);
    }
    json_close(j);
}

static void json_constraints(const Report *s, Json *j)
{
    json_array(j, "constraints");
    for (uint32_t i = 0; i < s->it.at.n_constraints; i++) {
        const Constraint *c = &s->it.at.constraint[i];
        json_line(j, 2);
        json_object(j, NULL);
        json_count(j, "number", i + 1);
        json_text(j, "of", mobility_where(&s->it.m, c, s->mem));
        json_text(
            j, "where",
            diags_where(s->it.m.s->diags, s->it.m.s->eq.at[s->it.m.k.row.at[c->row].eq.i].span));
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

static void json_loops(const Report *s, Json *j)
{
    json_array(j, "loops");
    for (uint32_t k = 0; k < s->it.at.n_loops; k++) {
        const Loop *l = &s->it.at.loop[k];
        const CutJoint *cut = &s->it.m.s->cut.at[l->cut];
        json_line(j, 2);
        json_object(j, NULL);
        json_names(s, j, "coordinates", l->n_joints, l->joint);
        json_text(j, "cut", cut_joint_text(cut, s->mem));
        json_text(j, "where", diags_where(s->it.m.s->diags, cut->span));
        json_array(j, "forces");
        for (uint32_t i = l->first; i < l->first + l->n; i++) {
            json_object(j, NULL);
            json_text(j, "name", force_of(s, &s->it.at.constraint[i], cut));
            json_count(j, "constraint", i + 1);
            json_bool(j, "redundant", s->it.at.constraint[i].is_redundant);
            json_close(j);
        }
        json_close(j);
        json_count(j, "redundant", l->n_redundant);
        json_text(j, "reason", reason_of(s, l));
        json_close(j);
    }
    json_close(j);
}

static void print_json(const Report *s)
{
    const Mobility *a = &s->it.at;
    Text t = text_new(s->mem);
    Json j = json_new(&t);
    json_object(&j, NULL);
    json_text(&j, "model", s->it.m.flat->request.model);
    json_count(&j, "degrees_of_freedom", a->n_free);
    if (s->it.reach != UINT32_MAX)
        json_count(&j, "of_positions", s->it.reach);
    json_count(&j, "coordinates", a->n_coordinates);
    json_directions(s, &j);
    if (s->it.beyond.is_known && !s->it.beyond.stays)
        json_count(&j, "degrees_of_freedom_beyond", s->it.beyond.n_free);
    json_bool(&j, "to_first_order_only", s->it.beyond.is_known && s->it.beyond.stays);
    json_loops(s, &j);
    json_constraints(s, &j);
    json_count(&j, "redundant", a->n_redundant);
    if (s->it.along.n_rows) {
        json_object(&j, "along");
        json_count(&j, "rows", s->it.along.n_rows);
        json_count(&j, "degrees_of_freedom", s->it.along.n_free);
        json_array(&j, "changes");
        for (uint32_t k = 0; k < s->it.along.change.n; k++) {
            json_object(&j, NULL);
            json_number(&j, "t", s->it.along.change.at[k].t, 12);
            json_count(&j, "degrees_of_freedom", s->it.along.change.at[k].n_free);
            json_close(&j);
        }
        json_close(&j);
        json_number(&j, "nearest_t", s->it.along.nearest.t, 12);
        json_number(&j, "nearest_value", s->it.along.nearest.above, 3);
        json_close(&j);
    }
    json_number(&j, "smallest_not_zero", a->above, 3);
    json_number(&j, "largest_zero", a->below, 3);
    json_number(&j, "tolerance", s->it.m.tolerance, 3);
    json_bool(&j, "start_of_a_run", s->it.is_run);
    json_count(&j, "left_out", s->it.m.k.n_open);
    json_close(&j);
    puts(t.at);
}

/* ---- the command ---- */

Exit command_dof(const Options *o)
{
    Arena *mem = arena_new();
    Report r = {.o = o, .mem = mem};
    const char *ending = o->output ? strrchr(o->output, '.') : NULL;
    bool is_page = ending && strcmp(ending, ".html") == 0;
    bool is_picture = ending && strcmp(ending, ".svg") == 0;
    if (o->output && !is_page && !is_picture) {
        fputs("rung: the page of dof is called .html, its picture .svg\n", stderr);
        arena_free(mem);
        return EXIT_USAGE;
    }
    RunRequest run = run_request_of(o);
    MobilityRequest asked = {.run = run, .tolerance = o->tolerance, .along = o->along};
    Exit status = mobility_study(&asked, &r.it, mem);
    if (status == EXIT_GOOD && options_want_json(o))
        print_json(&r);
    else if (status == EXIT_GOOD)
        print(&r);
    if (status == EXIT_GOOD && is_page)
        status = freedom_page(o->output, &r.it.m, &r.it.at, mem);
    if (status == EXIT_GOOD && is_picture)
        status = freedom_picture(o->output, &r.it.m, &r.it.at, mem);
    mechanism_close(&r.it.m);
    arena_free(mem);
    return status;
}
