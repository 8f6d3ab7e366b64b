#include "cli/grid.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_POINTS = 10000 };

static bool whole(const char *text, long *out)
{
    char *end;
    *out = strtol(text, &end, 10);
    return end != text && *end == 0 && *out > -1000000000 && *out < 1000000000;
}

/* What stands for "..." between b, the second last value before it, and the value after it. */
static bool go_on(GridAxis *a, Arena *mem, const char *last)
{
    long x;
    long y;
    long z;
    uint32_t n = a->value.n;
    if (n < 2 || !whole(a->value.at[n - 2], &x) || !whole(a->value.at[n - 1], &y) ||
        !whole(last, &z) || x >= y || y > z)
        return false;
    long factor = x > 0 && y % x == 0 ? y / x : 0;
    long reached = y;
    while (factor > 1 && reached < z)
        reached *= factor;
    bool geometric = factor > 1 && reached == z;
    for (long v = geometric ? y * factor : y + (y - x); v < z;
         v = geometric ? v * factor : v + (y - x)) {
        vec_push(mem, a->value, (const char *)arena_printf(mem, "%ld", v));
        if (a->value.n > MAX_POINTS)
            return false;
    }
    return true;
}

static bool is_name(const char *s, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        bool letter = (s[k] >= 'a' && s[k] <= 'z') || (s[k] >= 'A' && s[k] <= 'Z') || s[k] == '_';
        bool digit = s[k] >= '0' && s[k] <= '9';
        if (!letter && !(k > 0 && (digit || s[k] == '.')))
            return false;
    }
    return n > 0;
}

static bool read_axis(GridAxis *a, const char *text, Arena *mem)
{
    const char *equals = strchr(text, '=');
    if (!equals || !is_name(text, (size_t)(equals - text)))
        return false;
    a->name = arena_copy(mem, text, (size_t)(equals - text));
    bool dots = false;
    for (const char *at = equals + 1;; at++) {
        size_t n = strcspn(at, ",");
        const char *value = arena_copy(mem, at, n);
        at += n;
        if (n == 0)
            return false;
        if (strcmp(value, "...") == 0) {
            if (dots || !*at)
                return false;
            dots = true;
            continue;
        }
        if (dots && !go_on(a, mem, value))
            return false;
        dots = false;
        vec_push(mem, a->value, value);
        if (!*at)
            return true;
    }
}

bool grid_read(Grid *g, const Options *o)
{
    *g = (Grid){.n_axes = o->sweep.n, .n_points = 1};
    g->axis = arena_array(o->mem, GridAxis, g->n_axes);
    for (uint32_t k = 0; k < g->n_axes; k++) {
        if (!read_axis(&g->axis[k], o->sweep.at[k], o->mem)) {
            fprintf(stderr,
                    "rung: --sweep wants values of a parameter, like n=1,2,4 or n=1,2,4,...,64,"
                    " not '%s'\n",
                    o->sweep.at[k]);
            return false;
        }
        if (g->axis[k].value.n > MAX_POINTS / g->n_points) {
            fprintf(stderr, "rung: --sweep has more than %d points\n", MAX_POINTS);
            return false;
        }
        g->n_points *= g->axis[k].value.n;
    }
    return true;
}

const char *grid_value(const Grid *g, uint32_t point, uint32_t axis)
{
    for (uint32_t k = g->n_axes; k-- > axis + 1;)
        point /= g->axis[k].value.n;
    return g->axis[axis].value.at[point % g->axis[axis].value.n];
}

const char *grid_model(const Grid *g, uint32_t point, const char *model, Arena *mem)
{
    if (g->n_axes == 0)
        return model;
    size_t n = strlen(model);
    while (n > 0 && model[n - 1] == ' ')
        n--;
    bool modified = n > 0 && model[n - 1] == ')';
    size_t kept = modified ? n - 1 : n;
    bool first = !modified || (kept > 0 && model[kept - 1] == '(');
    const char *text = arena_printf(mem, "%.*s%s", (int)kept, model, modified ? "" : "(");
    for (uint32_t k = 0; k < g->n_axes; k++)
        text = arena_printf(mem, "%s%s%s=%s", text, k > 0 || !first ? ", " : "", g->axis[k].name,
                            grid_value(g, point, k));
    return arena_printf(mem, "%s)", text);
}
