#include "emit/picture/view.h"

#include "base/digest.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/map.h"
#include "base/result_table.h"
#include "base/unit.h"
#include "emit/picture/geometry.h"
#include "emit/picture/plot.h"
#include "emit/picture/shape_file.h"
#include "emit/picture/viewer.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <math.h>
#include <string.h>

enum {
    ROWS_MOST = 2000,       /* of a run                                    */
    ROWS_LIVE = 60,         /* of one that a live page begins with         */
    NUMBERS_MOST = 12 << 20 /* of a run, 4 bytes each: 64 MiB of text      */
};

/* The shapes that are in CAD files, of all runs: each file once. */
typedef struct Shapes {
    VEC(const char *) path;
    VEC(uint32_t) place; /* of each path in the page; NOT_DRAWN */
    uint32_t n;          /* in the page */
    Text text;
} Shapes;

#define NOT_DRAWN UINT32_MAX

/* One run, for the page. */
typedef struct Scene {
    ResultTable table;
    Map named; /* hash of a name -> column, the first of that name */
    cJSON *geometry;
    const uint32_t *row; /* n_rows: the chosen rows of the table */
    uint32_t n_rows;
    VEC(uint32_t) column; /* of the table: those that move, each content once */
    Map known;            /* digest of a content -> place in `column`         */
    bool is_live;         /* each variable has a column of its own, which may begin to move */
    Shapes *shapes;
    ViewReport *report;
    Arena *mem;
} Scene;

static bool fail(Scene *s, const char *error)
{
    s->report->error = error;
    return false;
}

/* Column k at the chosen rows, as floats of this machine, which are little-endian on all that
 * browsers run on. */
static void put_column(Scene *s, Text *t, uint32_t k)
{
    float *value = arena_array(s->mem, float, s->n_rows + 1);
    for (uint32_t i = 0; i < s->n_rows; i++)
        value[i] = (float)result_table_at(&s->table, s->row[i], k);
    text_put(t, "\"");
    text_put_base64(t, value, s->n_rows * sizeof *value);
    text_put(t, "\"");
}

/* ---- rows ---- */

/* Evenly in time; of several rows of one time the last. */
static void choose_rows(Scene *s, uint32_t most)
{
    const ResultTable *t = &s->table;
    uint32_t *row = arena_array(s->mem, uint32_t, t->n_rows + 1), n = 0;
    for (uint32_t k = 0; k < t->n_rows; k++)
        if (k + 1 == t->n_rows || result_table_at(t, k + 1, 0) > result_table_at(t, k, 0))
            row[n++] = k;
    s->row = row;
    s->n_rows = n;
    if (n <= most)
        return;
    double begin = result_table_at(t, row[0], 0), end = result_table_at(t, row[n - 1], 0);
    uint32_t kept = 0, at = 0, last = UINT32_MAX;
    for (uint32_t k = 0; k < most; k++) {
        double wanted = begin + (end - begin) * k / (most - 1);
        while (at + 1 < n && result_table_at(t, row[at], 0) < wanted)
            at++;
        if (at != last)
            row[kept++] = row[at];
        last = at;
    }
    s->n_rows = kept;
}

/* ---- references to columns ---- */

static void index_names(Scene *s)
{
    s->named = map_with_room(s->table.n_cols, s->mem);
    for (uint32_t k = s->table.n_cols; k-- > 0;)
        map_put(&s->named, hash_bytes(s->table.column[k].name, strlen(s->table.column[k].name)), k);
}

/* As result_table_find, but without a search through all columns. */
static uint32_t column_of(const Scene *s, const char *name)
{
    uint32_t k = map_get(&s->named, hash_bytes(name, strlen(name)));
    bool is_it = k != MAP_NONE && strcmp(s->table.column[k].name, name) == 0;
    return is_it ? k : result_table_find(&s->table, name);
}

/* A hash of the column at the chosen rows; 0 if all values are equal. */
static uint64_t content(const Scene *s, uint32_t column)
{
    bool moves = false;
    double first = s->n_rows ? result_table_at(&s->table, s->row[0], column) : 0;
    Digester *d = digester_new();
    for (uint32_t k = 0; k < s->n_rows; k++) {
        float value = (float)result_table_at(&s->table, s->row[k], column);
        moves = moves || value != (float)first;
        digester_add(d, &value, sizeof value);
    }
    Digest all = digester_end(d);
    uint64_t key;
    memcpy(&key, &all, sizeof key);
    return moves ? key | 1 : 0;
}

/* A number, or {"c": k}, the k-th of the columns that move. */
static bool put_value(Scene *s, Text *t, const char *name)
{
    uint32_t column = column_of(s, name);
    if (column == s->table.n_cols)
        return fail(s, arena_printf(s->mem,
                                    "%s: the variable '%s' is not in it, so nothing can be placed; "
                                    "a run without --signals has it",
                                    s->table.path, name));
    uint64_t key = s->is_live ? hash_pair(column, HASH_GOLDEN) : content(s, column);
    if (key == 0) {
        double value = s->n_rows ? result_table_at(&s->table, s->row[0], column) : 0;
        text_printf(t, "%.9g", isfinite(value) ? value : 0);
        return true;
    }
    uint32_t at = map_number(&s->known, key, s->column.n);
    if (at == s->column.n)
        vec_push(s->mem, s->column, column);
    text_printf(t, "{\"c\":%u}", at);
    return true;
}

/* n1, or n1 * n2 elements of an array, as [value, ...]. */
static bool put_array(Scene *s, Text *t, const char *name, uint32_t n1, uint32_t n2)
{
    for (uint32_t k = 0; k < n1 * (n2 ? n2 : 1); k++) {
        text_put(t, k ? "," : "[");
        const char *element = n2 ? arena_printf(s->mem, "%s[%u,%u]", name, k / n2 + 1, k % n2 + 1)
                                 : arena_printf(s->mem, "%s[%u]", name, k + 1);
        if (!put_value(s, t, element))
            return false;
    }
    text_put(t, "]");
    return true;
}

/* ---- the geometry ---- */

static const char *text_in(const cJSON *object, const char *name)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, name));
    return text ? text : "";
}

/* The name as a member of a JSON object of one line, open. */
static void put_name(Text *t, const cJSON *object, bool is_first)
{
    Json j = json_new(t);
    text_put(t, is_first ? "\n" : ",\n");
    json_object(&j, NULL);
    json_text(&j, "name", text_in(object, "name"));
}

static bool put_frames(Scene *s, Text *t)
{
    const cJSON *f;
    uint32_t n = 0;
    text_put(t, "\"frames\": [");
    cJSON_ArrayForEach(f, cJSON_GetObjectItemCaseSensitive(s->geometry, "frames"))
    {
        put_name(t, f, n++ == 0);
        text_put(t, ", \"r\": ");
        if (!put_array(s, t, text_in(f, "r"), 3, 0))
            return false;
        text_put(t, ", \"T\": ");
        if (!*text_in(f, "T"))
            text_put(t, "[1,0,0,0,1,0,0,0,1]");
        else if (!put_array(s, t, text_in(f, "T"), 3, 3))
            return false;
        if (s->is_live && *text_in(f, "pull")) {
            text_put(t, ", \"pull\": ");
            Json j = json_new(t);
            json_text(&j, NULL, text_in(f, "pull"));
        }
        text_put(t, "}");
    }
    text_put(t, "],\n");
    s->report->frames += n;
    return true;
}

static void put_parts(Scene *s, Text *t)
{
    const cJSON *p;
    uint32_t n = 0;
    int n_frames = cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(s->geometry, "frames"));
    text_put(t, "\"parts\": [");
    cJSON_ArrayForEach(p, cJSON_GetObjectItemCaseSensitive(s->geometry, "parts"))
    {
        const cJSON *frame;
        uint32_t i = 0;
        put_name(t, p, n++ == 0);
        text_put(t, ", \"frames\": [");
        cJSON_ArrayForEach(
            frame, cJSON_GetObjectItemCaseSensitive(p, "frames")) if (frame->valueint >= 0 &&
                                                                      frame->valueint < n_frames)
            text_printf(t, "%s%d", i++ ? "," : "", frame->valueint);
        text_put(t, "]}");
    }
    text_put(t, "],\n");
    s->report->parts += n;
}

/* ---- CAD files ---- */

/* Points as floats, corners as whole numbers of 2 or 4 bytes, and colours with how many triangles
 * each is for. */
static void put_shape(Text *t, const char *path, const ShapeFile *f, Arena *mem)
{
    const char *slash = strrchr(path, '/');
    Json j = json_new(t);
    text_put(t, "\n");
    json_object(&j, NULL);
    json_text(&j, "name", slash ? slash + 1 : path);
    text_put(t, ", \"points\": \"");
    text_put_base64(t, f->point.at, f->point.n * sizeof *f->point.at);
    text_put(t, "\", \"corners\": \"");
    bool is_short = f->point.n / 3 <= UINT16_MAX;
    uint16_t *corner = arena_array(mem, uint16_t, f->corner.n + 1);
    for (uint32_t k = 0; is_short && k < f->corner.n; k++)
        corner[k] = (uint16_t)f->corner.at[k];
    if (is_short)
        text_put_base64(t, corner, f->corner.n * sizeof *corner);
    else
        text_put_base64(t, f->corner.at, f->corner.n * sizeof *f->corner.at);
    text_printf(t, "\", \"bytes\": %d, \"colors\": [", is_short ? 2 : 4);
    for (uint32_t k = 0, from = 0; k < f->color.n; k++) {
        uint32_t color = f->color.at[k];
        if (k + 1 < f->color.n && f->color.at[k + 1] == color)
            continue;
        text_printf(t, "%s[%u,%lld]", from ? "," : "", k + 1 - from,
                    color == SHAPE_COLOR_NONE ? -1LL : (long long)color);
        from = k + 1;
    }
    text_put(t, "]}");
}

/* The place of a file's shape in the page; NOT_DRAWN after a warning, once for a file. */
static uint32_t shape_of(Scene *s, const char *path)
{
    Shapes *all = s->shapes;
    for (uint32_t k = 0; k < all->path.n; k++)
        if (strcmp(all->path.at[k], path) == 0)
            return all->place.at[k];
    Arena *scratch = arena_new();
    ShapeFile f;
    uint32_t place = NOT_DRAWN;
    if (shape_file_read(&f, path, scratch)) {
        place = all->n++;
        text_put(&all->text, place ? "," : "");
        put_shape(&all->text, path, &f, scratch);
    } else {
        vec_push(
            s->mem, s->report->warning,
            arena_printf(s->mem, "%s: %s; parts with this shape are not drawn", path, f.error));
    }
    arena_free(scratch);
    vec_push(s->mem, all->path, arena_copy(s->mem, path, strlen(path)));
    vec_push(s->mem, all->place, place);
    return place;
}

static bool put_solids(Scene *s, Text *t)
{
    static const char *const member[] = {"form", "x", "y", "r", "size", "material", "extra"};
    enum { FORM_FILE = 10 };
    const cJSON *o;
    uint32_t n = 0;
    text_put(t, "\"solids\": [");
    cJSON_ArrayForEach(o, cJSON_GetObjectItemCaseSensitive(s->geometry, "solids"))
    {
        const cJSON *name = cJSON_GetObjectItemCaseSensitive(o, "members");
        name = name ? name->child : NULL;
        bool is_file = false;
        put_name(t, o, n++ == 0);
        for (uint32_t k = 0; k < sizeof member / sizeof *member; k++) {
            const char *of = cJSON_GetStringValue(name);
            text_printf(t, ", \"%s\": ", member[k]);
            if (!of)
                return fail(s, "the geometry beside the result is none");
            if (k >= 1 && k <= 4 ? !put_array(s, t, of, 3, 0) : !put_value(s, t, of))
                return false;
            uint32_t column = k == 0 ? column_of(s, of) : 0;
            is_file = is_file || (k == 0 && result_table_at(&s->table, 0, column) == FORM_FILE);
            name = name->next;
        }
        const char *path = text_in(o, "file");
        uint32_t shape = is_file && *path ? shape_of(s, path) : NOT_DRAWN;
        if (shape != NOT_DRAWN)
            text_printf(t, ", \"file\": %u", shape);
        if (is_file && !*path)
            vec_push(s->mem, s->report->warning,
                     arena_printf(s->mem,
                                  "%s: which file its shape is in is not known; it is not drawn",
                                  text_in(o, "name")));
        text_put(t, "}");
    }
    text_put(t, "],\n");
    s->report->solids += n;
    return true;
}

/* ---- looks ---- */

/* A number, a place among the frames, or the values of a variable, of a matrix by rows. */
static bool put_argument(Scene *s, Text *t, const cJSON *a)
{
    const char *name = text_in(a, "of");
    const cJSON *frame = cJSON_GetObjectItemCaseSensitive(a, "frame"),
                *dims = cJSON_GetObjectItemCaseSensitive(a, "dims");
    uint32_t n[2] = {0, 0};
    for (int k = 0; k < 2 && k < cJSON_GetArraySize(dims); k++)
        n[k] = (uint32_t)cJSON_GetArrayItem(dims, k)->valueint;
    if (*name)
        return n[0] ? put_array(s, t, name, n[0], n[1]) : put_value(s, t, name);
    char *as_is = cJSON_PrintUnformatted(frame ? frame : a);
    text_put(t, as_is);
    cJSON_free(as_is);
    return true;
}

static bool put_looks(Scene *s, Text *t)
{
    const cJSON *l, *a;
    uint32_t n = 0;
    text_put(t, "\"looks\": [");
    cJSON_ArrayForEach(l, cJSON_GetObjectItemCaseSensitive(s->geometry, "looks"))
    {
        put_name(t, l, n++ == 0);
        Json j = json_new(t);
        text_put(t, ", \"form\": ");
        json_text(&j, NULL, text_in(l, "form"));
        cJSON_ArrayForEach(a, l)
        {
            if (cJSON_IsString(a))
                continue;
            text_printf(t, ", \"%s\": ", a->string);
            if (!put_argument(s, t, a))
                return false;
        }
        text_put(t, "}");
    }
    text_put(t, "],\n");
    return true;
}

/* ---- signals ---- */

static bool put_signals(Scene *s, Text *t, const char *signals)
{
    text_put(t, "\"signals\": [");
    bool begun = false;
    for (const char *at = signals; at && *at;) {
        // a comma inside brackets belongs to the name
        size_t n = 0;
        for (int depth = 0; at[n] && (depth > 0 || !strchr(",;", at[n])); n++)
            depth += (at[n] == '[') - (at[n] == ']');
        const char *pattern = arena_copy(s->mem, at, n);
        bool found = false;
        for (uint32_t k = 1; k < s->table.n_cols; k++) {
            const ResultColumn *c = &s->table.column[k];
            if (!plot_name_matches(pattern, c->name))
                continue;
            Json j = json_new(t);
            text_put(t, begun ? ",\n" : "\n");
            json_object(&j, NULL);
            json_text(&j, "name", c->name);
            double factor, offset;
            json_text(&j, "unit", unit_shown(c->unit, c->display_unit, &factor, &offset));
            json_number(&j, "factor", factor, 17);
            json_number(&j, "offset", offset, 17);
            text_put(t, ", \"value\": ");
            put_value(s, t, c->name);
            text_put(t, "}");
            begun = found = true;
        }
        if (!found)
            return fail(s, arena_printf(s->mem, "%s: the result has no variable '%s'",
                                        s->table.path, pattern));
        at += n + (at[n] != 0);
    }
    text_put(t, "],\n");
    return true;
}

/* ---- one run ---- */

static bool read_geometry(Scene *s)
{
    const char *path = geometry_path(s->table.path, s->mem);
    FILE *f = fopen(path, "r");
    if (!f)
        return fail(s, arena_printf(s->mem,
                                    "%s: %s; `rung simulate` writes it beside the result of a "
                                    "model that has frames",
                                    path, strerror(errno)));
    Text t = text_new(s->mem);
    char buffer[4096];
    for (size_t n; (n = fread(buffer, 1, sizeof buffer, f)) > 0;)
        text_put_n(&t, buffer, n);
    bool bad = ferror(f) != 0;
    fclose(f);
    s->geometry = bad || !t.at ? NULL : cJSON_Parse(t.at);
    if (strcmp(text_in(s->geometry, "format"), "rung view 1") != 0)
        return fail(s, arena_printf(s->mem, "%s: not the geometry of a model", path));
    return true;
}

/* Whether a frame, or one of the part, is called so. */
static bool has_frame_of(const Scene *s, const char *name)
{
    const cJSON *f;
    size_t n = strlen(name);
    cJSON_ArrayForEach(f, cJSON_GetObjectItemCaseSensitive(s->geometry, "frames"))
    {
        const char *is = text_in(f, "name");
        if (strncmp(is, name, n) == 0 && (is[n] == '.' || is[n] == 0))
            return true;
    }
    return false;
}

/* title NULL: the path, without directories where it is alone. */
static bool put_run(Scene *s, Text *t, const char *path, const char *title, bool is_alone,
                    const ViewOptions *o)
{
    if (!result_table_read(&s->table, path, s->mem))
        return fail(s, s->table.error);
    if (s->table.n_rows == 0)
        return fail(s, arena_printf(s->mem, "%s: no rows", path));
    index_names(s);
    if (!read_geometry(s))
        return false;
    if (o->follow && !has_frame_of(s, o->follow))
        return fail(s,
                    arena_printf(s->mem, "--follow: no part or frame is called '%s'", o->follow));
    const cJSON *frames = cJSON_GetObjectItemCaseSensitive(s->geometry, "frames");
    const cJSON *solids = cJSON_GetObjectItemCaseSensitive(s->geometry, "solids");
    uint64_t numbers =
        12u * (uint64_t)cJSON_GetArraySize(frames) + 9u * (uint64_t)cJSON_GetArraySize(solids) + 1;
    uint64_t most = NUMBERS_MOST / numbers;
    uint32_t rows = s->is_live ? ROWS_LIVE : ROWS_MOST;
    choose_rows(s, most > rows ? rows : most < 2 ? 2 : (uint32_t)most);
    Json j = json_new(t);
    json_object(&j, NULL);
    const char *slash = strrchr(path, '/');
    json_text(&j, "file", title ? title : is_alone && slash ? slash + 1 : path);
    json_text(&j, "model", text_in(s->geometry, "model"));
    text_put(t, ",\n");
    if (!put_frames(s, t))
        return false;
    put_parts(s, t);
    if (!put_solids(s, t) || !put_looks(s, t) || !put_signals(s, t, o->signals))
        return false;
    text_put(t, "\"time\": ");
    put_column(s, t, 0);
    text_put(t, ",\n\"columns\": [");
    for (uint32_t k = 0; k < s->column.n; k++) {
        text_put(t, k ? ",\n" : "\n");
        put_column(s, t, s->column.at[k]);
    }
    text_put(t, "]");
    if (s->is_live) {
        Json names = json_new(t);
        text_put(t, ",\n\"names\": ");
        json_array(&names, NULL);
        for (uint32_t k = 0; k < s->column.n; k++)
            json_text(&names, NULL, s->table.column[s->column.at[k]].name);
        json_close(&names);
    }
    text_put(t, "}");
    return true;
}

/* ---- the page ---- */

static void put_file(Text *t, const BundleFile *table, const char *name)
{
    for (const BundleFile *f = table; f->name; f++)
        if (strcmp(f->name, name) == 0)
            text_put_n(t, f->text, f->size);
}

static void put_live(Text *t, const LiveModule *live, double tolerance)
{
    Json j = json_new(t);
    text_put(t, ",\n\"live\": {\"tolerance\": ");
    text_printf(t, isfinite(tolerance) ? "%.9g" : "null", tolerance);
    text_put(t, ", \"fixed\": ");
    json_array(&j, NULL);
    for (uint32_t k = 0; k < live->n_fixed; k++)
        json_text(&j, NULL, live->fixed[k]);
    json_close(&j);
    text_put(t, ",\n\"module\": \"");
    text_put_base64(t, live->bytes, live->size);
    text_put(t, "\"}");
}

/* A text inside a script cannot end it. */
static void put_in_script(Text *t, const Text *text)
{
    const char *at = text->at;
    for (const char *end; (end = strstr(at, "</")); at = end + 2) {
        text_put_n(t, at, (size_t)(end - at));
        text_put(t, "<\\/");
    }
    text_put(t, at);
}

bool view_page(const char *const *result, uint32_t n, ViewOptions o, Text *page, ViewReport *report,
               Arena *mem)
{
    *report = (ViewReport){0};
    *page = text_new(mem);
    Text data = text_new(mem);
    Shapes shapes = {.text = text_new(mem)};
    text_printf(&data, "{\"play\": %s, \"loops\": %s, \"speed\": %.9g, \"up\": \"%s\", ",
                o.play ? "true" : "false", o.loops ? "true" : "false", o.speed, o.up ? o.up : "y");
    if (o.follow) {
        Json j = json_new(&data);
        text_put(&data, "\"follow\": ");
        json_text(&j, NULL, o.follow);
        text_put(&data, ", ");
    }
    text_put(&data, "\"runs\": [\n");
    for (uint32_t k = 0; k < n; k++) {
        Scene s = {.known = map_new(mem),
                   .is_live = o.live,
                   .shapes = &shapes,
                   .report = report,
                   .mem = mem};
        text_put(&data, k ? ",\n" : "");
        bool ok = put_run(&s, &data, result[k], o.title ? o.title[k] : NULL, n == 1, &o);
        cJSON_Delete(s.geometry);
        if (!ok)
            return false;
    }
    text_put(&data, "],\n\"shapes\": [");
    text_put_n(&data, shapes.text.at ? shapes.text.at : "", shapes.text.n);
    text_put(&data, "]");
    if (o.live)
        put_live(&data, o.live, o.tolerance);
    text_put(&data, "}");
    text_put(page, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                   "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                   "<title>rung view</title>\n<style>\n");
    put_file(page, viewer, "viewer.css");
    text_put(page, "</style>\n</head>\n<body>\n<!--\nthree.js, which draws this, has this "
                   "licence:\n\n");
    put_file(page, three, "LICENSE");
    text_put(page, "-->\n<script>\n");
    put_file(page, three, "three.min.js");
    text_put(page, "</script>\n<script>\n");
    put_file(page, three, "OrbitControls.js");
    text_put(page, "</script>\n<script>\nconst RUNG =\n");
    put_in_script(page, &data);
    text_put(page, ";\n");
    put_file(page, viewer, "viewer.js");
    if (o.live) {
        text_put(page, "</script>\n<script>\n");
        put_file(page, viewer, "live.js");
    }
    text_put(page, "</script>\n</body>\n</html>\n");
    return true;
}
