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

static void add_columns(Columns *c, bool *has, VarId first, uint32_t n, Arena *mem)
{
    for (uint32_t k = 0; k < n; k++) {
        VarId v = {first.i + k};
        if (!has[v.i])
            vec_push(mem, *c, v);
        has[v.i] = true;
    }
}

/* The variables that the geometry refers to. */
static Columns columns_of(const System *s, Arena *mem)
{
    const Geometry *g = &s->geometry;
    bool *has = arena_array(mem, bool, s->var.n + 1);
    Columns c = {0};
    for (uint32_t k = 0; k < g->frame.n; k++) {
        add_columns(&c, has, g->frame.at[k].r, 3, mem);
        if (var_exists(g->frame.at[k].T))
            add_columns(&c, has, g->frame.at[k].T, 9, mem);
    }
    for (uint32_t k = 0; k < g->solid.n; k++)
        for (uint32_t i = 0; i < SOLID_MEMBERS; i++)
            add_columns(&c, has, g->solid.at[k].member[i], i >= 1 && i <= 4 ? 3 : 1, mem);
    for (uint32_t k = 0; k < g->argument.n; k++) {
        const LookArgument *a = &g->argument.at[k];
        uint32_t n = 1;
        for (uint32_t i = 0; i < a->n_dims; i++)
            n *= a->dims[i];
        if (var_exists(a->var))
            add_columns(&c, has, a->var, n, mem);
    }
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

static bool has_frames(const Mechanism *m, const char *path)
{
    if (m->s->geometry.frame.n > 0)
        return true;
    fprintf(stderr,
            "rung: no %s: the model has no connector with a position and a rotation "
            "matrix or a force\n",
            path);
    return false;
}

Exit freedom_page(const char *path, Mechanism *m, const Mobility *at, Arena *mem)
{
    Scratch files;
    if (!has_frames(m, path))
        return EXIT_MODEL;
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

/* ---- the picture ---- */

static void put_escaped(Text *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '<')
            text_put(out, "&lt;");
        else if (*text == '&')
            text_put(out, "&amp;");
        else
            text_printf(out, "%c", *text);
    }
}

enum { PANEL = 320, MARGIN = 50, TITLE = 24, ACROSS = 3 }; /* pixels; panels in a row */

/* From the world to a panel: a plane mechanism is seen from the front, others from a corner. */
typedef struct Projection {
    double right[3], up[3];
    double low[2], scale;
} Projection;

static double along(const double *axis, const double *r)
{
    return axis[0] * r[0] + axis[1] * r[1] + axis[2] * r[2];
}

static double point_x(const Projection *p, const double *r)
{
    return MARGIN + (along(p->right, r) - p->low[0]) * p->scale;
}

static double point_y(const Projection *p, const double *r)
{
    return TITLE + PANEL - MARGIN - (along(p->up, r) - p->low[1]) * p->scale;
}

static const double *position(const Mechanism *m, const GeometryFrame *f)
{
    return &m->value[f->r.i];
}

static Projection projection_of(const Mechanism *m)
{
    static const double FLAT = 1e-6;
    const Geometry *g = &m->s->geometry;
    Projection p = {.right = {1, 0, 0}, .up = {0, 1, 0}};
    double z_low = INFINITY, z_high = -INFINITY, most = FLAT;
    for (uint32_t k = 0; k < g->frame.n; k++) {
        z_low = fmin(z_low, position(m, &g->frame.at[k])[2]);
        z_high = fmax(z_high, position(m, &g->frame.at[k])[2]);
    }
    if (z_high - z_low > FLAT * extent_of(m))
        p = (Projection){.right = {0.8, 0, -0.6}, .up = {-0.3, 0.866, -0.4}};
    for (int i = 0; i < 2; i++) {
        double low = INFINITY, high = -INFINITY;
        for (uint32_t k = 0; k < g->frame.n; k++) {
            double x = along(i ? p.up : p.right, position(m, &g->frame.at[k]));
            low = fmin(low, x);
            high = fmax(high, x);
        }
        p.low[i] = low;
        most = fmax(most, high - low);
    }
    p.scale = (PANEL - 2 * MARGIN) / most;
    return p;
}

static void put_line(const Projection *p, const char *class, const double *from, const double *to,
                     Text *out)
{
    text_printf(out, "<path class='%s' d='M%.1f %.1fL%.1f %.1f'/>\n", class, point_x(p, from),
                point_y(p, from), point_x(p, to), point_y(p, to));
}

/* Each solid by its line of length, each part by lines between its frames, frames by points. */
static void put_mechanism(const Mechanism *m, const Projection *p, Text *out)
{
    enum { X = 1, R = 3, SIZE = 4 }; /* of its members */
    const Geometry *g = &m->s->geometry;
    for (uint32_t k = 0; k < g->solid.n; k++) {
        const VarId *v = g->solid.at[k].member;
        const double *r = &m->value[v[R].i], *x = &m->value[v[X].i];
        double length = m->value[v[SIZE].i];
        double end[3] = {r[0] + length * x[0], r[1] + length * x[1], r[2] + length * x[2]};
        if (!isfinite(end[0] + end[1] + end[2]))
            continue;
        put_line(p, "solid", r, end, out);
    }
    for (uint32_t k = 0; k < g->part.n; k++)
        for (uint32_t i = 1; i < g->part.at[k].n_frames; i++) {
            uint32_t first = g->part.at[k].first_frame;
            put_line(p, "part", position(m, &g->frame.at[first]),
                     position(m, &g->frame.at[first + i]), out);
        }
    for (uint32_t k = 0; k < g->frame.n; k++) {
        const double *r = position(m, &g->frame.at[k]);
        text_printf(out, "<circle cx='%.1f' cy='%.1f' r='2'/>\n", point_x(p, r), point_y(p, r));
    }
}

static void put_arrows(const Freedom *f, const Projection *p, Text *out)
{
    static const double LONGEST = 0.2; /* of the extent of all frames */
    double most = LONGEST * extent_of(f->m);
    for (uint32_t k = 0; k < f->arrow.n; k++) {
        const Arrow *a = &f->arrow.at[k];
        double end[3];
        for (int i = 0; i < 3; i++)
            end[i] = a->r[i] + most * a->size * a->way[i];
        put_line(p, "way", a->r, end, out);
    }
}

Exit freedom_picture(const char *path, Mechanism *m, const Mobility *at, Arena *mem)
{
    if (!has_frames(m, path))
        return EXIT_MODEL;
    uint32_t n = at->n_free < FREEDOMS_SHOWN ? at->n_free : FREEDOMS_SHOWN;
    const double *const *motion = mobility_motions(m, at, n, mem);
    uint32_t n_panels = n ? n : 1, across = n_panels < ACROSS ? n_panels : ACROSS;
    uint32_t width = across * PANEL, height = (n_panels + ACROSS - 1) / ACROSS * (PANEL + TITLE);
    Projection p = projection_of(m);
    Text out = text_new(mem);
    text_printf(
        &out,
        "<svg xmlns='http://www.w3.org/2000/svg' width='%u' height='%u' viewBox='0 0 %u %u'>"
        "\n<style>text{font:13px sans-serif}.solid{stroke:#8a96a8;stroke-width:4;"
        "stroke-linecap:round}.part{stroke:#263a5c}"
        ".way{stroke:#c02020;stroke-width:1.5;marker-end:url(#head)}</style>\n"
        "<defs><marker id='head' viewBox='0 0 8 8' refX='7' refY='4' markerWidth='7' "
        "markerHeight='7' orient='auto'><path d='M0 0L8 4L0 8z' fill='#c02020'/></marker>"
        "</defs>\n<rect width='%u' height='%u' fill='#fff'/>\n",
        width, height, width, height, width, height);
    for (uint32_t d = 0; d < n_panels; d++) {
        Freedom f = {.m = m, .dx = n ? motion[d] : NULL, .mem = mem};
        find_amplitude(&f);
        text_printf(&out, "<g transform='translate(%u %u)'>\n<text x='%d' y='16'>",
                    d % ACROSS * PANEL, d / ACROSS * (PANEL + TITLE), 15);
        put_escaped(&out, n ? title_of(m, at, d, mem) : "no degree of freedom");
        text_put(&out, "</text>\n");
        put_mechanism(m, &p, &out);
        put_arrows(&f, &p, &out);
        text_put(&out, "</g>\n");
    }
    text_put(&out, "</svg>\n");
    return output_write(path, out.at, out.n) ? EXIT_GOOD : EXIT_FILE;
}
