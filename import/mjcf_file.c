/* mjcf_file.c -- files, classes, attributes, orientations. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "import/mjcf_file.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const XmlFile *file_of(const xmlNode *e)
{
    return e->doc->_private;
}

Span mjcf_span(const xmlNode *e)
{
    return xml_span(file_of(e), e);
}

void mjcf_refuse(MjcfFile *m, const xmlNode *e, const char *code, const char *fmt, ...)
{
    char text[1000];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    diag_error(m->d, mjcf_span(e), code, "%s", text);
    m->ok = false;
}

static uint64_t key_of(const MjcfFile *m, const char *text)
{
    return map_key_ptr(name_of(m->names, text).s);
}

/* ---- files ----------------------------------------------------------------------------------- */

/* False where the file was read before, under any name. */
static bool is_first(MjcfFile *m, const char *path)
{
    char *real = realpath(path, NULL);
    bool is_new = map_add(&m->path, key_of(m, real ? real : path));
    free(real);
    return is_new;
}

void mjcf_open(MjcfFile *m, XmlFile *f, const RobotFolder *folder)
{
    *m = (MjcfFile){.f = f,
                    .folder = folder,
                    .mem = f->mem,
                    .d = f->d,
                    .names = names_new(f->mem),
                    .include = map_new(f->mem),
                    .path = map_new(f->mem),
                    .class_of = map_new(f->mem),
                    .angle = acos(-1) / 180,
                    .eulerseq = "xyz",
                    .ok = true};
    f->doc->_private = f;
    is_first(m, folder->file);
    vec_push(m->mem, m->class, (MjcfClass){.base = CLASS_NONE});
    map_put(&m->class_of, key_of(m, "main"), 0);
}

void mjcf_close(MjcfFile *m)
{
    for (uint32_t k = 0; k < m->included.n; k++)
        if (m->included.at[k])
            xml_close(m->included.at[k]);
}

/* The file of <include file="...">, which lies by the main file or by the one that includes it. */
static XmlFile *open_included(MjcfFile *m, const xmlNode *e)
{
    const XmlFile *by = file_of(e);
    mjcf_expect(m, e, "file");
    const char *name = xml_need(by, e, "file");
    if (!name) {
        m->ok = false;
        return NULL;
    }
    const char *path = *name == '/' ? name : arena_printf(m->mem, "%s%s", m->folder->path, name);
    if (!robot_folder_has(path)) {
        RobotFolder here = robot_folder(diags_source(m->d, by->file)->path, NULL, m->mem);
        const char *other = arena_printf(m->mem, "%s%s", here.path, name);
        if (!robot_folder_has(other)) {
            mjcf_refuse(m, e, "I07", "there is no file '%s' to include", path);
            return NULL;
        }
        path = other;
    }
    if (!is_first(m, path)) {
        mjcf_refuse(m, e, "I07", "'%s' is included a second time", path);
        return NULL;
    }
    XmlFile *f = arena_array(m->mem, XmlFile, 1);
    if (!xml_open(f, path, m->mem, m->d)) {
        m->ok = false;
        return NULL;
    }
    f->doc->_private = f;
    return f;
}

static const XmlFile *included(MjcfFile *m, const xmlNode *e)
{
    uint32_t k = map_get(&m->include, map_key_ptr(e));
    if (k != MAP_NONE)
        return m->included.at[k];
    XmlFile *f = open_included(m, e);
    map_put(&m->include, map_key_ptr(e), m->included.n);
    vec_push(m->mem, m->included, f);
    return f;
}

void mjcf_children(MjcfFile *m, const xmlNode *e, MjcfNodes *out)
{
    for (const xmlNode *c = xml_child(e, NULL); c; c = xml_next(c, NULL)) {
        const XmlFile *f = xml_is(c, "include") ? included(m, c) : NULL;
        if (f)
            mjcf_children(m, xmlDocGetRootElement(f->doc), out);
        else if (!xml_is(c, "include"))
            vec_push(m->mem, *out, c);
    }
}

/* ---- classes --------------------------------------------------------------------------------- */

void mjcf_add_defaults(MjcfFile *m, const xmlNode *e, uint32_t base)
{
    mjcf_expect(m, e, "class");
    const char *name = xml_text(file_of(e), e, "class");
    uint32_t class = 0;
    if (base == CLASS_NONE) {
        // the outermost ones are one class
        if (name)
            map_put(&m->class_of, key_of(m, name), 0);
    } else if (!name || !*name) {
        mjcf_refuse(m, e, "I02", "<default> in another one without class");
        return;
    } else if (map_get(&m->class_of, key_of(m, name)) != MAP_NONE) {
        mjcf_refuse(m, e, "I07", "a second class '%s'", name);
        return;
    } else {
        class = m->class.n;
        map_put(&m->class_of, key_of(m, name), class);
        vec_push(m->mem, m->class, (MjcfClass){.base = base});
    }
    MjcfNodes child = {0};
    mjcf_children(m, e, &child);
    for (uint32_t k = 0; k < child.n; k++)
        if (xml_is(child.at[k], "default"))
            mjcf_add_defaults(m, child.at[k], class);
        else
            vec_push(m->mem, m->class.at[class].element, child.at[k]);
}

uint32_t mjcf_class(MjcfFile *m, const xmlNode *e, const char *attribute, uint32_t none)
{
    const char *name = xml_text(file_of(e), e, attribute);
    if (!name)
        return none;
    uint32_t class = map_get(&m->class_of, key_of(m, name));
    if (class != MAP_NONE)
        return class;
    mjcf_refuse(m, e, "I07", "there is no default class '%s'", name);
    return none;
}

MjcfItem mjcf_item(MjcfFile *m, const xmlNode *e, const char *kind, uint32_t class)
{
    return (MjcfItem){e, kind, mjcf_class(m, e, "class", class)};
}

MjcfItem mjcf_bare(const xmlNode *e)
{
    return (MjcfItem){e, "", CLASS_NONE};
}

/* ---- attributes ------------------------------------------------------------------------------ */

/* The number of a word of n characters among others apart by blanks; -1: it is none. */
static int word_number(const char *words, const char *word, size_t n)
{
    int k = 0;
    for (const char *at = words; *at; k++) {
        size_t length = strcspn(at, " ");
        if (length == n && memcmp(at, word, n) == 0)
            return k;
        at += length + (at[length] != 0);
    }
    return -1;
}

void mjcf_expect(MjcfFile *m, const xmlNode *e, const char *known)
{
    for (const xmlAttr *a = e->properties; a; a = a->next)
        if (word_number(known, (const char *)a->name, strlen((const char *)a->name)) < 0)
            mjcf_refuse(m, e, "I12", "%s of <%s> is not read", (const char *)a->name,
                        (const char *)e->name);
}

static bool has_any(const xmlNode *e, const char *const *names)
{
    for (; *names; names++)
        if (xmlHasProp(e, (const xmlChar *)*names))
            return true;
    return false;
}

/* The element itself or one of its classes, innermost first, that has an attribute of these names,
 * which NULL ends. */
static const xmlNode *owner_of_any(const MjcfFile *m, const MjcfItem *i, const char *const *names)
{
    if (has_any(i->e, names))
        return i->e;
    for (uint32_t c = i->class; c != CLASS_NONE; c = m->class.at[c].base) {
        const MjcfNodes *element = &m->class.at[c].element;
        for (uint32_t k = element->n; k-- > 0;)
            if (xml_is(element->at[k], i->kind) && has_any(element->at[k], names))
                return element->at[k];
    }
    return NULL;
}

static const xmlNode *owner(const MjcfFile *m, const MjcfItem *i, const char *name)
{
    return owner_of_any(m, i, (const char *const[]){name, NULL});
}

const char *mjcf_text(const MjcfFile *m, const MjcfItem *i, const char *name)
{
    const xmlNode *e = owner(m, i, name);
    return e ? xml_text(file_of(e), e, name) : NULL;
}

bool mjcf_numbers(MjcfFile *m, const MjcfItem *i, const char *name, int n, double *v)
{
    const xmlNode *e = owner(m, i, name);
    bool ok = !e || xml_numbers(file_of(e), e, name, n, v);
    m->ok &= ok;
    return e && ok;
}

int mjcf_some_numbers(MjcfFile *m, const MjcfItem *i, const char *name, int most, double *v)
{
    const char *text = mjcf_text(m, i, name);
    int n = 0;
    for (const char *at = text; at && *(at += strspn(at, " ")); at += strcspn(at, " "))
        n++;
    if (text && (n == 0 || n > most)) {
        mjcf_refuse(m, i->e, "I03", "%s of <%s> should be 1 to %d numbers, not '%s'", name,
                    (const char *)i->e->name, most, text);
        return 0;
    }
    return mjcf_numbers(m, i, name, n, v) ? n : 0;
}

int mjcf_word(MjcfFile *m, const MjcfItem *i, const char *name, const char *words, int none)
{
    const char *text = mjcf_text(m, i, name);
    int k = text ? word_number(words, text, strlen(text)) : none;
    if (k >= 0 || !text)
        return k;
    mjcf_refuse(m, i->e, "I03", "%s of <%s> is one of %s, not '%s'", name, (const char *)i->e->name,
                words, text);
    return none;
}

/* ---- orientations ---------------------------------------------------------------------------- */

/* Its length before. */
static double normalize(double v[3])
{
    double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int k = 0; k < 3 && length > 0; k++)
        v[k] /= length;
    return length;
}

static void cross(const double a[3], const double b[3], double c[3])
{
    for (int k = 0; k < 3; k++)
        c[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

bool mjcf_about(const double axis[3], double angle, double R[3][3])
{
    double n[3] = {axis[0], axis[1], axis[2]}, c = cos(angle), s = sin(angle);
    if (normalize(n) == 0)
        return false;
    // right angles are exact
    c = fabs(c) < 1e-15 ? 0 : c;
    s = fabs(s) < 1e-15 ? 0 : s;
    // Rodrigues
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++)
            R[i][k] = (i == k ? c : 0) + (1 - c) * n[i] * n[k];
        R[i][(i + 1) % 3] -= s * n[(i + 2) % 3];
        R[i][(i + 2) % 3] += s * n[(i + 1) % 3];
    }
    return true;
}

bool mjcf_z_to(const double v[3], double R[3][3])
{
    double to[3] = {v[0], v[1], v[2]}, axis[3];
    if (normalize(to) == 0)
        return false;
    cross((const double[3]){0, 0, 1}, to, axis);
    double sine = normalize(axis);
    return mjcf_about(sine > 1e-10 ? axis : (const double[3]){1, 0, 0}, atan2(sine, to[2]), R);
}

static bool from_quaternion(const double q[4], double R[3][3])
{
    double s = sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (s == 0)
        return q[0] != 0;
    return mjcf_about(q + 1, 2 * atan2(s, q[0]), R);
}

static bool from_axes(const double xy[6], double R[3][3])
{
    double x[3] = {xy[0], xy[1], xy[2]}, y[3] = {xy[3], xy[4], xy[5]}, z[3];
    if (normalize(x) == 0)
        return false;
    double along = x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
    for (int k = 0; k < 3; k++)
        y[k] -= along * x[k];
    if (normalize(y) < 1e-12)
        return false;
    cross(x, y, z);
    for (int k = 0; k < 3; k++) {
        R[k][0] = x[k];
        R[k][1] = y[k];
        R[k][2] = z[k];
    }
    return true;
}

/* Small letters: axes that turn with the body; capitals: fixed ones. */
static void from_euler(const MjcfFile *m, const double angle[3], double R[3][3])
{
    Pose p = pose_identity;
    for (int k = 0; k < 3; k++) {
        Pose turn = pose_identity;
        bool is_fixed = m->eulerseq[k] < 'a';
        mjcf_about(pose_identity.R[m->eulerseq[k] - (is_fixed ? 'X' : 'x')], angle[k] * m->angle,
                   turn.R);
        p = is_fixed ? pose_in(&turn, &p) : pose_in(&p, &turn);
    }
    memcpy(R, p.R, sizeof p.R);
}

Pose mjcf_pose(MjcfFile *m, const MjcfItem *i)
{
    static const char *const ways[] = {"quat", "axisangle", "xyaxes", "zaxis", "euler", NULL};
    Pose p = pose_identity;
    double v[6];
    mjcf_numbers(m, i, "pos", 3, p.r);
    const xmlNode *e = owner_of_any(m, i, ways);
    if (!e)
        return p;
    MjcfItem by = mjcf_bare(e);
    bool ok = true;
    int n = 0;
    for (const char *const *way = ways; *way; way++)
        n += xmlHasProp(e, (const xmlChar *)*way) != NULL;
    if (n > 1)
        mjcf_refuse(m, e, "I03", "<%s> with more than one orientation", (const char *)e->name);
    else if (mjcf_numbers(m, &by, "quat", 4, v))
        ok = from_quaternion(v, p.R);
    else if (mjcf_numbers(m, &by, "axisangle", 4, v))
        ok = mjcf_about(v, v[3] * m->angle, p.R);
    else if (mjcf_numbers(m, &by, "xyaxes", 6, v))
        ok = from_axes(v, p.R);
    else if (mjcf_numbers(m, &by, "zaxis", 3, v))
        ok = mjcf_z_to(v, p.R);
    else if (mjcf_numbers(m, &by, "euler", 3, v))
        from_euler(m, v, p.R);
    if (!ok)
        mjcf_refuse(m, e, "I03", "the orientation of <%s> has no direction", (const char *)e->name);
    return p;
}
