/* The pictures of rung count. */
#include "study/measure/count.h"
#include "study/output.h"

#include "emit/picture/chart.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The name of a curve: the order, and the values of all parameters but the first. */
static const char *curve_name(const Study *s, uint32_t point, uint32_t which)
{
    const char *name = s->point[point].measure[which].order;
    for (uint32_t k = 1; k < s->grid.n_axes; k++)
        name = arena_printf(s->mem, "%s, %s=%s", name, s->grid.axis[k].name,
                            grid_value(&s->grid, point, k));
    return name;
}

static double operations(const OpCount *c)
{
    return (double)(c->add + c->mul + c->div);
}

typedef struct Points {
    const char *name;
    VEC(double) x;
    VEC(double) accelerations;
    VEC(double) total;
} Points;

typedef VEC(Points) Curves;

static Points *find_curve(Curves *c, const char *name, Arena *mem)
{
    for (uint32_t k = 0; k < c->n; k++) {
        if (strcmp(c->at[k].name, name) == 0)
            return &c->at[k];
    }
    vec_push(mem, *c, (Points){.name = name});
    return &vec_last(*c);
}

static Curves collect(const Study *s)
{
    Curves curves = {0};
    for (uint32_t k = 0; k < s->grid.n_points; k++) {
        const Counted *c = &s->point[k];
        for (uint32_t i = 0; i < c->n; i++) {
            Points *p = find_curve(&curves, curve_name(s, k, i), s->mem);
            const Measure *m = &c->measure[i];
            vec_push(s->mem, p->x, atof(grid_value(&s->grid, k, 0)));
            vec_push(s->mem, p->accelerations, m->ok ? operations(&m->accelerations) : NAN);
            vec_push(s->mem, p->total, m->ok ? operations(&m->total) : NAN);
        }
    }
    return curves;
}

bool study_plot(const Study *s, const char *path)
{
    Curves curves = collect(s);
    ChartCurve *acceleration = arena_array(s->mem, ChartCurve, curves.n);
    ChartCurve *total = arena_array(s->mem, ChartCurve, curves.n);
    for (uint32_t k = 0; k < curves.n; k++) {
        const Points *p = &curves.at[k];
        acceleration[k] = (ChartCurve){p->name, p->x.n, p->x.at, p->accelerations.at, 0, 0};
        total[k] = (ChartCurve){p->name, p->x.n, p->x.at, p->total.at, 0, 0};
    }
    Chart panel[2] = {{.title = arena_printf(s->mem, "%s: accelerations", s->model),
                       .y_label = "additions, multiplications, divisions",
                       .curve = acceleration},
                      {.title = "whole model", .curve = total}};
    for (uint32_t k = 0; k < 2; k++) {
        panel[k].x_label = s->grid.axis[0].name;
        panel[k].log_x = panel[k].log_y = panel[k].marks = true;
        panel[k].n = curves.n;
    }
    Text t = chart_svg(panel, 2, 1000, 460, s->mem);
    return output_write(path, t.at, t.n);
}
