#include "study/mechanism/freedom_page.h"

#include "emit/picture/geometry.h"
#include "emit/picture/view.h"
#include "study/output.h"
#include "study/scratch.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* One period of the motion takes a second, in so many rows. */
enum { ROWS = 49 };
static const double TURN = 0.2;   /* rad, the most that a frame turns                      */
static const double SHIFT = 0.08; /* of the extent of all frames, the most that one goes   */
static const double SHOWN = 0.02; /* of the fastest frame: slower ones have no arrow       */
static const double ARROW_COLOR = 0xc02020;

typedef struct Arrow {
    double r[3], way[3]; /* of length 1 */
    double size;
} Arrow;

typedef VEC(Arrow) Arrows;

/* One degree of freedom, for its files. */
typedef struct Freedom {
    const Mechanism *m;
    const double *dx; /* NULL: there is none, all stands still */
    double most;      /* times dx: how far it goes */
    Arrows arrow;
    Arena *mem;
} Freedom;

static double speed_of(const Freedom *f, VarId first, uint32_t n)
{
    double sum = 0;
    for (uint32_t k = 0; f->dx && k < n; k++)
        sum += f->dx[first.i + k] * f->dx[first.i + k];
    return sqrt(sum);
}

static double extent_of(const Mechanism *m)
{
    const Geometry *g = &m->s->geometry;
    double most = 0;
    for (uint32_t i = 0; i < 3; i++) {
        double low = INFINITY, high = -INFINITY;
        for (uint32_t k = 0; k < g->frame.n; k++) {
            low = fmin(low, m->value[g->frame.at[k].r.i + i]);
            high = fmax(high, m->value[g->frame.at[k].r.i + i]);
        }
        most = fmax(most, high - low);
    }
    return most > 0 ? most : 1;
}

/* The rows of T are unit vectors: that of an axis across moves as fast as it turns, and the squares
 * of all three sum up to twice the square of the angular velocity. */
static void find_amplitude(Freedom *f)
{
    const Geometry *g = &f->m->s->geometry;
    double fastest = 0, turn = 0;
    for (uint32_t k = 0; k < g->frame.n; k++) {
        fastest = fmax(fastest, speed_of(f, g->frame.at[k].r, 3));
        if (var_exists(g->frame.at[k].T))
            turn = fmax(turn, speed_of(f, g->frame.at[k].T, 9) / sqrt(2));
    }
    double shift = SHIFT * extent_of(f->m);
    f->most = fmin(fastest > 0 ? shift / fastest : INFINITY, turn > 0 ? TURN / turn : INFINITY);
    f->most = isfinite(f->most) ? f->most : 0;
    for (uint32_t k = 0; k < g->frame.n; k++) {
        Arrow a = {.size = speed_of(f, g->frame.at[k].r, 3) / fastest};
        bool again = false;
        if (!(a.size > SHOWN))
            continue;
        for (uint32_t i = 0; i < 3; i++) {
            uint32_t v = g->frame.at[k].r.i + i;
            a.r[i] = f->m->value[v];
            a.way[i] = f->dx[v] / (a.size * fastest);
        }
        // frames that are connected are in one place
        for (uint32_t j = 0; j < f->arrow.n && !again; j++)
            again = fabs(a.r[0] - f->arrow.at[j].r[0]) + fabs(a.r[1] - f->arrow.at[j].r[1]) +
                        fabs(a.r[2] - f->arrow.at[j].r[2]) <
                    1e-6 * shift;
        if (!again)
            vec_push(f->mem, f->arrow, a);
    }
}

/* ---- files ---- */

typedef VEC(VarId) Columns;

static void add_columns(Columns *c, VarId first, uint32_t n, Arena *mem)
{
    for (uint32_t k = 0; k < n; k++) {
        VarId v = {first.i + k};
        vec_push(mem, *c, v);
    }
}

/* The variables that the geometry refers to. */
static Columns columns_of(const System *s, Arena *mem)
{
    const Geometry *g = &s->geometry;
    Columns c = {0};
    for (uint32_t k = 0; k < g->frame.n; k++) {
        add_columns(&c, g->frame.at[k].r, 3, mem);
        if (var_exists(g->frame.at[k].T))
            add_columns(&c, g->frame.at[k].T, 9, mem);
    }
    for (uint32_t k = 0; k < g->solid.n; k++)
        for (uint32_t i = 0; i < SOLID_MEMBERS; i++)
            add_columns(&c, g->solid.at[k].member[i], i >= 1 && i <= 4 ? 3 : 1, mem);
    return c;
}

static bool write_result(const Freedom *f, const char *path)
{
    Output out;
    const System *s = f->m->s;
    Columns c = columns_of(s, f->mem);
    if (!output_open(&out, path))
        return false;
    fputs("time", out.file);
    for (uint32_t k = 0; k < c.n; k++)
        fprintf(out.file, ",\"%s\"", s->var.at[c.at[k].i].name.s);
    for (uint32_t k = 0; k < f->arrow.n; k++) {
        fprintf(out.file, ",arrow[%u].form,arrow[%u].material,arrow[%u].extra", k, k, k);
        for (int i = 1; i <= 3; i++)
            fprintf(out.file, ",arrow[%u].x[%d],arrow[%u].y[%d],arrow[%u].r[%d],arrow[%u].size[%d]",
                    k, i, k, i, k, i, k, i);
    }
    fputs("\n", out.file);
    for (uint32_t row = 0; row < ROWS; row++) {
        double t = (double)row / (ROWS - 1), by = f->most * sin(2 * 3.14159265358979323846 * t);
        fprintf(out.file, "%.17g", t);
        for (uint32_t k = 0; k < c.n; k++)
            fprintf(out.file, ",%.9g",
                    f->m->value[c.at[k].i] + (f->dx ? by * f->dx[c.at[k].i] : 0));
        for (uint32_t k = 0; k < f->arrow.n; k++) {
            const Arrow *a = &f->arrow.at[k];
            fprintf(out.file, ",11,%.9g,1", ARROW_COLOR);
            for (int i = 0; i < 3; i++)
                fprintf(out.file, ",%.9g,0,%.9g,%.9g", a->way[i], a->r[i], i ? 1 : a->size);
        }
        fputs("\n", out.file);
    }
    return output_close(&out);
}

static bool write_geometry(const Freedom *f, const char *path)
{
    static const char *const member[SOLID_MEMBERS] = {"form", "x",        "y",    "r",
                                                      "size", "material", "extra"};
    cJSON *g = cJSON_Parse(geometry_json(f->m->s, f->mem));
    cJSON *solids = cJSON_GetObjectItemCaseSensitive(g, "solids");
    for (uint32_t k = 0; k < f->arrow.n; k++) {
        cJSON *o = cJSON_CreateObject(), *names = cJSON_AddArrayToObject(o, "members");
        cJSON_AddStringToObject(o, "name", arena_printf(f->mem, "arrow[%u]", k));
        for (uint32_t i = 0; i < SOLID_MEMBERS; i++)
            cJSON_AddItemToArray(
                names, cJSON_CreateString(arena_printf(f->mem, "arrow[%u].%s", k, member[i])));
        cJSON_AddItemToArray(solids, o);
    }
    char *text = cJSON_Print(g);
    cJSON_Delete(g);
    bool ok = text && output_write(geometry_path(path, f->mem), text, strlen(text));
    cJSON_free(text);
    return ok;
}

/* ---- the page ---- */

static const char *title_of(const Mechanism *m, const Mobility *at, uint32_t d, Arena *mem)
{
    enum { NAMES = 3 };
    Text t = text_new(mem);
    const Direction *it = &at->direction[d];
    text_printf(&t, "%u:", d + 1);
    for (uint32_t k = 0; k < it->n && k < NAMES; k++)
        text_printf(&t, "%s %s %+.3g", k ? "," : "", mobility_name(m, it->move[k].coordinate),
                    it->move[k].by);
    text_put(&t, it->n > NAMES ? ", ..." : "");
    return t.at;
}

Exit freedom_page(const char *path, Mechanism *m, const Mobility *at, Arena *mem)
{
    Scratch files;
    if (m->s->geometry.frame.n == 0) {
        fprintf(stderr,
                "rung: no %s: the model has no connector with a position and a rotation "
                "matrix or a force\n",
                path);
        return EXIT_MODEL;
    }
    if (!scratch_open(&files, "dof", mem))
        return EXIT_FILE;
    uint32_t n = at->n_free < FREEDOMS_SHOWN ? at->n_free : FREEDOMS_SHOWN;
    const double *const *motion = mobility_motions(m, at, n, mem);
    uint32_t n_runs = n ? n : 1;
    const char **result = arena_array(mem, const char *, n_runs);
    const char **title = arena_array(mem, const char *, n_runs);
    bool ok = true;
    for (uint32_t d = 0; d < n_runs && ok; d++) {
        Freedom f = {.m = m, .dx = n ? motion[d] : NULL, .mem = mem};
        find_amplitude(&f);
        result[d] = scratch_path(&files, arena_printf(mem, "F%u.csv", d + 1));
        title[d] = n ? title_of(m, at, d, mem) : "no degree of freedom";
        ok = write_result(&f, result[d]) && write_geometry(&f, result[d]);
    }
    const ViewOptions how = {.play = true, .loops = true, .speed = 0.5, .title = title};
    ViewReport report = {0};
    Text page;
    ok = ok && view_page(result, n_runs, how, &page, &report, mem);
    scratch_close(&files);
    if (report.error)
        fprintf(stderr, "rung: %s\n", report.error);
    for (uint32_t k = 0; ok && k < report.warning.n; k++)
        fprintf(stderr, "rung: warning: %s\n", report.warning.at[k]);
    return ok && output_write(path, page.at, page.n) ? EXIT_GOOD : EXIT_FILE;
}
