#include "emit/picture/shape_file.h"

#include "base/hash.h"
#include "base/map.h"
#include "base/text.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* State of a reader of a file. */
typedef struct Reader {
    ShapeFile *s;
    const char *at, *end; /* the rest of the text; *end is 0 */
    uint32_t line;        /* of the last line read, from 1 */
    Map known;            /* hash of coordinates -> point */
    Arena *mem;
} Reader;

static bool fail(Reader *r, const char *error)
{
    r->s->error = r->line ? arena_printf(r->mem, "line %u: %s", r->line, error) : error;
    return false;
}

/* ---- points and triangles ---- */

static uint32_t add_point(Reader *r, const double *x)
{
    float p[3];
    for (int k = 0; k < 3; k++)
        p[k] = (float)x[k] + 0.0F; // -0 is 0
    uint64_t key = hash_bytes(p, sizeof p);
    for (uint32_t at; (at = map_get(&r->known, key)) != MAP_NONE; key++)
        if (memcmp(r->s->point.at + (size_t)3 * at, p, sizeof p) == 0)
            return at;
    uint32_t new = r->s->point.n / 3;
    map_put(&r->known, key, new);
    for (int k = 0; k < 3; k++)
        vec_push(r->mem, r->s->point, p[k]);
    return new;
}

static bool add_triangle(Reader *r, uint32_t a, uint32_t b, uint32_t c, uint32_t color)
{
    if (a == b || b == c || c == a)
        return true;
    if (r->s->color.n == SHAPE_TRIANGLES_MOST)
        return fail(r, arena_printf(r->mem, "more than %d triangles", SHAPE_TRIANGLES_MOST));
    vec_push(r->mem, r->s->corner, a);
    vec_push(r->mem, r->s->corner, b);
    vec_push(r->mem, r->s->corner, c);
    vec_push(r->mem, r->s->color, color);
    return true;
}

/* ---- text ---- */

/* The next line without blanks around it, in mem; NULL at the end. */
static char *next_line(Reader *r)
{
    if (r->at >= r->end)
        return NULL;
    const char *stop = memchr(r->at, '\n', (size_t)(r->end - r->at));
    const char *from = r->at, *to = stop ? stop : r->end;
    r->at = stop ? stop + 1 : r->end;
    r->line++;
    while (from < to && strchr(" \t\r", *from))
        from++;
    while (to > from && strchr(" \t\r", to[-1]))
        to--;
    return arena_copy(r->mem, from, (size_t)(to - from));
}

/* The next word of a line, which loses it; "" at its end. */
static const char *next_word(char **line)
{
    char *from = *line + strspn(*line, " \t"), *to = from + strcspn(from, " \t");
    *line = *to ? to + 1 : to;
    *to = 0;
    return from;
}

/* Coordinates are floats on the page: a number too large for a float is an error. */
static bool number(Reader *r, const char *text, double *x)
{
    char *rest;
    *x = strtod(text, &rest);
    if (rest == text || *rest || !(fabs(*x) < 1e30))
        return fail(r, arena_printf(r->mem, "'%.40s' is no coordinate", text));
    return true;
}

/* ---- DXF ---- */

/* Pairs of lines: a group code, and the value of that group. */
static bool next_pair(Reader *r, long *code, const char **value)
{
    const char *first = next_line(r), *second = first ? next_line(r) : NULL;
    if (!second)
        return first && *first ? fail(r, "the value of a group code is missing") : false;
    char *rest;
    *code = strtol(first, &rest, 10);
    *value = second;
    return rest != first && !*rest
               ? true
               : fail(r, arena_printf(r->mem, "'%.40s' is no group code", first));
}

/* AutoCAD's colour index: 1 to 9 are named; then 24 hues, each with five values, full and at a
 * third of the saturation; then six greys. */
static uint32_t indexed_color(long index)
{
    static const uint32_t named[] = {0,        0xff0000, 0xffff00, 0x00ff00, 0x00ffff,
                                     0x0000ff, 0xff00ff, 0xffffff, 0x808080, 0xc0c0c0},
                          grey[] = {0x333333, 0x505050, 0x696969, 0x828282, 0xbebebe, 0xffffff};
    static const double value[] = {255, 189, 129, 104, 79};
    index = labs(index); // a layer that is switched off
    if (index < 1 || index > 255)
        return SHAPE_COLOR_NONE;
    if (index < 10 || index >= 250)
        return index < 10 ? named[index] : grey[index - 250];
    double hue = (double)(index / 10 - 1) / 4, v = value[index % 10 / 2];
    uint32_t color = 0;
    for (int k = 0; k < 3; k++) {
        // red, green and blue are a third of the circle of six apart
        double away = fabs(fmod(hue - 2 * k + 9, 6) - 3);
        double share = away <= 1 ? 1 : away >= 2 ? 0 : 2 - away;
        if (index % 2)
            share = (2 + share) / 3;
        color = color * 256 + (uint32_t)(v * share);
    }
    return color;
}

typedef struct Layer {
    const char *name;
    long color;
} Layer;

typedef struct Dxf {
    Reader *r;
    const char *section, *entity; /* the current ones */
    VEC(Layer) layer;
    const char *layer_name; /* of the entity */
    long color;
    uint32_t true_color; /* group 420, more precise than the index */
    double x[4][3];
    uint32_t given; /* 12 bits */
} Dxf;

/* The groups of an entity are complete. */
static bool end_entity(Dxf *d)
{
    Reader *r = d->r;
    bool is_layer = strcmp(d->entity, "LAYER") == 0 && strcmp(d->section, "TABLES") == 0;
    bool is_face = strcmp(d->entity, "3DFACE") == 0 && strcmp(d->section, "ENTITIES") == 0;
    if (is_layer && d->layer_name)
        vec_push(r->mem, d->layer, ((Layer){d->layer_name, d->color}));
    if (!is_face)
        return true;
    if ((d->given & 0777) != 0777)
        return fail(r, "a 3DFACE ends before it has three corners");
    if ((d->given & 07000) != 07000) // three corners: the fourth is the third
        memcpy(d->x[3], d->x[2], sizeof d->x[3]);
    long index = d->color;
    for (uint32_t k = 0; k < d->layer.n && (index == 0 || index == 256); k++)
        if (d->layer_name && strcmp(d->layer.at[k].name, d->layer_name) == 0)
            index = d->layer.at[k].color;
    uint32_t color = d->true_color != SHAPE_COLOR_NONE ? d->true_color : indexed_color(index);
    uint32_t p[4];
    for (int k = 0; k < 4; k++)
        p[k] = add_point(r, d->x[k]);
    return add_triangle(r, p[0], p[1], p[2], color) && add_triangle(r, p[0], p[2], p[3], color);
}

/* Group 10 + k is x of corner k, 20 + k its y, 30 + k its z. */
static bool take_group(Dxf *d, long code, const char *value)
{
    bool is_layer = strcmp(d->entity, "LAYER") == 0;
    if (strcmp(d->entity, "SECTION") == 0 && code == 2)
        d->section = value;
    if (code == (is_layer ? 2 : 8))
        d->layer_name = value;
    if (code == 62)
        d->color = strtol(value, NULL, 10);
    if (code == 420)
        d->true_color = (uint32_t)strtoul(value, NULL, 10) & 0xffffff;
    if (code < 10 || code >= 40 || code % 10 > 3 || strcmp(d->entity, "3DFACE") != 0)
        return true;
    d->given |= 1U << (3 * (code % 10) + code / 10 - 1);
    return number(d->r, value, &d->x[code % 10][code / 10 - 1]);
}

static bool read_dxf(Reader *r)
{
    static const char binary[] = "AutoCAD Binary DXF";
    if ((size_t)(r->end - r->at) > sizeof binary && memcmp(r->at, binary, sizeof binary - 1) == 0)
        return fail(r, "binary DXF, of which only the text form is read");
    Dxf d = {.r = r, .section = "", .entity = "", .color = 256, .true_color = SHAPE_COLOR_NONE};
    long code;
    const char *value;
    while (next_pair(r, &code, &value)) {
        if (code != 0) {
            if (!take_group(&d, code, value))
                return false;
            continue;
        }
        if (!end_entity(&d))
            return false;
        d.entity = value;
        d.layer_name = NULL;
        d.color = 256; // that of the layer
        d.true_color = SHAPE_COLOR_NONE;
        d.given = 0;
        if (strcmp(value, "EOF") == 0)
            break;
    }
    if (r->s->error)
        return false;
    if (strcmp(d.entity, "EOF") != 0)
        return fail(r, "the file ends before its EOF");
    r->line = 0;
    return r->s->corner.n ? true : fail(r, "no 3DFACE among its ENTITIES");
}

/* ---- STL ---- */

enum { STL_HEADER = 80, STL_FACET = 50 }; /* bytes */

static uint32_t little_endian(const char *at)
{
    const unsigned char *b = (const unsigned char *)at;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

/* A normal, three corners of three floats, two bytes of attributes. */
static bool read_binary_stl(Reader *r, uint32_t n)
{
    const char *at = r->at + STL_HEADER + 4;
    for (uint32_t k = 0; k < n; k++, at += STL_FACET) {
        uint32_t p[3];
        for (int i = 0; i < 3; i++) {
            double x[3];
            for (int j = 0; j < 3; j++) {
                uint32_t bits = little_endian(at + 12 + 12 * i + 4 * j);
                float value;
                memcpy(&value, &bits, sizeof value);
                if (!(fabsf(value) < 1e30F))
                    return fail(r, arena_printf(r->mem, "triangle %u: no coordinate", k + 1));
                x[j] = (double)value;
            }
            p[i] = add_point(r, x);
        }
        if (!add_triangle(r, p[0], p[1], p[2], SHAPE_COLOR_NONE))
            return false;
    }
    return true;
}

static bool read_text_stl(Reader *r)
{
    uint32_t p[3], n = 0;
    bool is_open = false;
    for (char *line; (line = next_line(r));) {
        const char *word = next_word(&line);
        if (strcasecmp(word, "vertex") == 0) {
            double x[3];
            for (int k = 0; k < 3; k++)
                if (!number(r, next_word(&line), &x[k]))
                    return false;
            if (!is_open || n == 3)
                return fail(r, "a vertex that is none of the three of a loop");
            p[n++] = add_point(r, x);
        } else if (strcasecmp(word, "outer") == 0) {
            is_open = true;
            n = 0;
        } else if (strcasecmp(word, "endloop") == 0) {
            if (!is_open || n != 3)
                return fail(r, "a loop without three vertices");
            if (!add_triangle(r, p[0], p[1], p[2], SHAPE_COLOR_NONE))
                return false;
            is_open = false;
        } else if (*word && strcasecmp(word, "solid") != 0 && strcasecmp(word, "facet") != 0 &&
                   strcasecmp(word, "endfacet") != 0 && strcasecmp(word, "endsolid") != 0) {
            return fail(r, arena_printf(r->mem, "'%.40s' is no word of STL", word));
        }
    }
    return is_open ? fail(r, "the file ends within a loop") : true;
}

/* Binary files begin with any 80 bytes, maybe "solid": their size identifies them. */
static bool read_stl(Reader *r)
{
    size_t n = (size_t)(r->end - r->at);
    uint32_t facets = n >= STL_HEADER + 4 ? little_endian(r->at + STL_HEADER) : 0;
    if (n == STL_HEADER + 4 + (size_t)STL_FACET * facets && facets)
        return read_binary_stl(r, facets);
    if (n >= 5 && strncasecmp(r->at, "solid", 5) == 0 && !memchr(r->at, 0, n))
        return read_text_stl(r);
    return fail(r, "neither STL as text nor of the size that its binary STL header gives");
}

/* ---- OBJ ---- */

/* v, v/vt, v//vn or v/vt/vn: v from 1, or negative, from the last point backwards. */
static bool corner(Reader *r, const char *word, uint32_t n_points, uint32_t *out)
{
    char *rest;
    long v = strtol(word, &rest, 10);
    v = v < 0 ? v + (long)n_points : v - 1;
    if (rest == word || (*rest && *rest != '/') || v < 0 || v >= (long)n_points)
        return fail(
            r, arena_printf(r->mem, "'%.40s' is no corner: there are %u points", word, n_points));
    *out = (uint32_t)v;
    return true;
}

static bool read_obj(Reader *r)
{
    VEC(uint32_t) point = {0}; // as numbered by the file
    for (char *line; (line = next_line(r));) {
        const char *word = next_word(&line);
        if (strcmp(word, "v") == 0) {
            double x[3];
            for (int k = 0; k < 3; k++)
                if (!number(r, next_word(&line), &x[k]))
                    return false;
            vec_push(r->mem, point, add_point(r, x));
        } else if (strcmp(word, "f") == 0) {
            uint32_t n = 0, p[3] = {0};
            for (const char *at; *(at = next_word(&line)) && *at != '#'; n++) {
                p[1] = p[2];
                if (!corner(r, at, point.n, &p[n ? 2 : 0]))
                    return false;
                if (n >= 2 && !add_triangle(r, point.at[p[0]], point.at[p[1]], point.at[p[2]],
                                            SHAPE_COLOR_NONE))
                    return false;
            }
            if (n < 3)
                return fail(r, "a face without three corners");
        }
    }
    return true;
}

/* ---- the door ---- */

bool shape_file_parse(ShapeFile *s, const char *ending, const char *bytes, size_t n, Arena *mem)
{
    *s = (ShapeFile){0};
    Reader r = {.s = s, .at = bytes, .end = bytes + n, .known = map_new(mem), .mem = mem};
    bool ok = strcasecmp(ending, ".dxf") == 0   ? read_dxf(&r)
              : strcasecmp(ending, ".stl") == 0 ? read_stl(&r)
              : strcasecmp(ending, ".obj") == 0
                  ? read_obj(&r)
                  : fail(&r, "of shapes in files DXF, STL and OBJ are read, by the ending");
    r.line = 0;
    return ok && s->corner.n == 0 ? fail(&r, "there is no triangle in it") : ok;
}

bool shape_file_read(ShapeFile *s, const char *path, Arena *mem)
{
    FILE *f = fopen(path, "rb");
    Text t = text_new(mem);
    char buffer[4096];
    for (size_t n; f && (n = fread(buffer, 1, sizeof buffer, f)) > 0;)
        text_put_n(&t, buffer, n);
    if (!f || ferror(f)) {
        *s = (ShapeFile){.error = arena_printf(mem, "%s", strerror(errno))};
        if (f)
            fclose(f);
        return false;
    }
    fclose(f);
    const char *dot = strrchr(path, '.');
    return shape_file_parse(s, dot ? dot : "", t.at ? t.at : "", t.n, mem);
}
