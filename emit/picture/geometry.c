#include "emit/picture/geometry.h"

#include "base/json.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

const char *geometry_array(const char *element, Arena *mem)
{
    const char *bracket = strrchr(element, '[');
    return bracket ? arena_copy(mem, element, (size_t)(bracket - element)) : element;
}

const char *geometry_path(const char *result, Arena *mem)
{
    const char *slash = strrchr(result, '/'), *dot = strrchr(result, '.');
    bool has_ending = dot && (!slash || dot > slash + 1);
    size_t n = has_ending ? (size_t)(dot - result) : strlen(result);
    return arena_printf(mem, "%.*s.view.json", (int)n, result);
}

static const char *variable(const System *s, VarId v)
{
    return s->var.at[v.i].name.s;
}

/* An absolute path, since the result may be viewed from another directory. */
static const char *from_anywhere(const char *path, Arena *mem)
{
    char here[PATH_MAX];
    if (*path == '/' || strstr(path, "://") || !getcwd(here, sizeof here))
        return path;
    return arena_printf(mem, "%s/%s", here, strncmp(path, "./", 2) == 0 ? path + 2 : path);
}

static void put_argument(Json *j, const System *s, const LookArgument *a, Arena *mem)
{
    if (a->frame == FRAME_NONE && !var_exists(a->var)) {
        if (a->n_dims)
            json_array(j, a->name.s);
        for (uint32_t k = 0; k < (a->n_dims ? a->dims[0] : 1); k++)
            json_number(j, a->n_dims ? NULL : a->name.s, a->number[k], 17);
        if (a->n_dims)
            json_close(j);
        return;
    }
    json_object(j, a->name.s);
    if (a->frame != FRAME_NONE) {
        json_count(j, "frame", a->frame);
    } else {
        const char *name = variable(s, a->var);
        json_text(j, "of", a->n_dims ? geometry_array(name, mem) : name);
        if (a->n_dims) {
            json_array(j, "dims");
            for (uint32_t k = 0; k < a->n_dims; k++)
                json_count(j, NULL, a->dims[k]);
            json_close(j);
        }
    }
    json_close(j);
}

static void put_looks(Json *j, const System *s, Arena *mem)
{
    const Geometry *g = &s->geometry;
    json_array(j, "looks");
    for (uint32_t k = 0; k < g->look.n; k++) {
        const GeometryLook *l = &g->look.at[k];
        json_line(j, 2);
        json_object(j, NULL);
        json_text(j, "name", l->name.s);
        json_text(j, "form", l->form.s);
        for (uint32_t i = 0; i < l->n_arguments; i++)
            put_argument(j, s, &g->argument.at[l->first_argument + i], mem);
        json_close(j);
    }
    json_close(j);
}

const char *geometry_json(const System *s, Arena *mem)
{
    const Geometry *g = &s->geometry;
    if (g->frame.n == 0 && g->solid.n == 0)
        return "";
    Text t = text_new(mem);
    Json j = json_new(&t);
    json_object(&j, NULL);
    json_text(&j, "format", "rung view 1");
    json_text(&j, "model", s->model);
    json_array(&j, "frames");
    for (uint32_t k = 0; k < g->frame.n; k++) {
        const GeometryFrame *f = &g->frame.at[k];
        json_line(&j, 2);
        json_object(&j, NULL);
        json_text(&j, "name", f->name.s);
        json_text(&j, "r", geometry_array(variable(s, f->r), mem));
        if (var_exists(f->T))
            json_text(&j, "T", geometry_array(variable(s, f->T), mem));
        if (var_exists(f->pull))
            json_text(&j, "pull", geometry_array(variable(s, f->pull), mem));
        json_close(&j);
    }
    json_close(&j);
    json_array(&j, "parts");
    for (uint32_t k = 0; k < g->part.n; k++) {
        const GeometryPart *p = &g->part.at[k];
        if (p->n_frames == 0)
            continue;
        json_line(&j, 2);
        json_object(&j, NULL);
        json_text(&j, "name", p->name.s);
        json_array(&j, "frames");
        for (uint32_t i = 0; i < p->n_frames; i++)
            json_count(&j, NULL, p->first_frame + i);
        json_close(&j);
        json_close(&j);
    }
    json_close(&j);
    json_array(&j, "solids");
    for (uint32_t k = 0; k < g->solid.n; k++) {
        const GeometrySolid *o = &g->solid.at[k];
        json_line(&j, 2);
        json_object(&j, NULL);
        json_text(&j, "name", o->name.s);
        json_array(&j, "members");
        for (uint32_t i = 0; i < SOLID_MEMBERS; i++) {
            const char *name = variable(s, o->member[i]);
            bool is_vector = i >= 1 && i <= 4;
            json_text(&j, NULL, is_vector ? geometry_array(name, mem) : name);
        }
        json_close(&j);
        if (o->file.s)
            json_text(&j, "file", from_anywhere(o->file.s, mem));
        json_close(&j);
    }
    json_close(&j);
    put_looks(&j, s, mem);
    json_close(&j);
    text_put(&t, "\n");
    return t.at;
}
