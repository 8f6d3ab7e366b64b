/* urdf.c -- URDF, element by element. */
#include "import/urdf.h"

#include "base/map.h"
#include "base/name.h"

#include <math.h>
#include <string.h>

typedef struct Reader {
    XmlFile f;
    Robot *r;
    const RobotFolder *folder;
    Names *names;
    Map links, joints; /* numbers, by names */
    bool ok;
} Reader;

static bool numbers(Reader *u, const xmlNode *e, const char *name, int n, double *v)
{
    bool ok = !e || xml_numbers(&u->f, e, name, n, v);
    u->ok &= ok;
    return ok;
}

static void refuse(Reader *u, const xmlNode *e, const char *code, const char *text)
{
    diag_error(u->f.d, xml_span(&u->f, e), code, "%s", text);
    u->ok = false;
}

static Pose read_origin(Reader *u, const xmlNode *e)
{
    double r[3] = {0}, rpy[3] = {0};
    const xmlNode *origin = xml_child(e, "origin");
    numbers(u, origin, "xyz", 3, r);
    numbers(u, origin, "rpy", 3, rpy);
    return pose_of(r, rpy);
}

static void read_inertial(Reader *u, const xmlNode *e, RobotLink *link)
{
    Inertial own = {0};
    static const struct {
        const char *name;
        int i, k;
    } element[] = {{"ixx", 0, 0}, {"iyy", 1, 1}, {"izz", 2, 2},
                   {"ixy", 0, 1}, {"ixz", 0, 2}, {"iyz", 1, 2}};
    const xmlNode *mass = xml_child(e, "mass"), *inertia = xml_child(e, "inertia");
    if (!mass || !xml_need(&u->f, mass, "value")) {
        if (!mass)
            refuse(u, e, "I02", "<inertial> without <mass value=\"...\">");
        u->ok = false;
        return;
    }
    if (numbers(u, mass, "value", 1, &own.m) && own.m < 0)
        refuse(u, mass, "I03", "a mass is not negative");
    for (size_t k = 0; k < sizeof element / sizeof *element; k++) {
        double *at = &own.I[element[k].i][element[k].k];
        numbers(u, inertia, element[k].name, 1, at);
        own.I[element[k].k][element[k].i] = *at;
    }
    Pose place = read_origin(u, e);
    inertial_add(&link->inertial, &own, &place);
}

/* ---- shapes ---------------------------------------------------------------------------------- */

/* package://NAME/REST: REST in the folder NAME that is, or lies beside, a folder above the file. */
static const char *in_package(Reader *u, const char *name)
{
    const char *rest = strchr(name, '/');
    if (!rest)
        return name;
    const char *up = *u->folder->path ? u->folder->path : "./";
    for (int k = 0; k < 16; k++) {
        const char *path = arena_printf(u->f.mem, "%s%s", up, name);
        if (robot_folder_has(path))
            return path;
        up = arena_printf(u->f.mem, "%s../", up);
    }
    return arena_printf(u->f.mem, "%s%s", u->folder->path, rest + 1);
}

static const char *mesh_path(Reader *u, const xmlNode *e)
{
    const char *name = xml_need(&u->f, e, "filename");
    if (!name) {
        u->ok = false;
        return NULL;
    }
    const char *path = strncmp(name, "package://", 10) == 0 ? in_package(u, name + 10)
                       : strncmp(name, "file://", 7) == 0   ? name + 7
                       : *name == '/'                       ? name
                                      : arena_printf(u->f.mem, "%s%s", u->folder->path, name);
    return robot_folder_mesh(u->folder, &u->f, e, path);
}

static bool read_color(Reader *u, const xmlNode *material, double color[3])
{
    double rgba[4];
    const xmlNode *c = xml_child(material, "color");
    if (!c || !xml_text(&u->f, c, "rgba") || !numbers(u, c, "rgba", 4, rgba))
        return false;
    for (int k = 0; k < 3; k++)
        color[k] = round(255 * fmin(1, fmax(0, rgba[k])));
    return true;
}

/* A material is defined where it is used, or once for all robot. */
static void find_color(Reader *u, const xmlNode *visual, double color[3])
{
    const xmlNode *material = xml_child(visual, "material");
    color[0] = color[1] = color[2] = -1;
    if (!material || read_color(u, material, color))
        return;
    const char *name = xml_text(&u->f, material, "name");
    const xmlNode *root = xmlDocGetRootElement(u->f.doc);
    for (const xmlNode *m = xml_child(root, "material"); name && m; m = xml_next(m, "material")) {
        const char *other = xml_text(&u->f, m, "name");
        if (other && strcmp(name, other) == 0 && read_color(u, m, color))
            return;
    }
}

static void read_visual(Reader *u, const xmlNode *e, RobotLink *link)
{
    RobotShape s = {.place = read_origin(u, e)};
    const xmlNode *geometry = xml_child(e, "geometry"), *of = xml_child(geometry, NULL);
    if (!of) {
        refuse(u, e, "I02", "<visual> without a <geometry> that has a form");
        return;
    }
    double radius = 0, length = 0;
    if (xml_is(of, "box")) {
        s.form = FORM_BOX;
        u->ok &= xml_need(&u->f, of, "size") != NULL;
        numbers(u, of, "size", 3, s.size);
    } else if (xml_is(of, "sphere")) {
        s.form = FORM_SPHERE;
        u->ok &= xml_need(&u->f, of, "radius") != NULL;
        numbers(u, of, "radius", 1, &radius);
        s.size[0] = s.size[1] = s.size[2] = 2 * radius;
    } else if (xml_is(of, "cylinder")) {
        s.form = FORM_CYLINDER;
        u->ok &= xml_need(&u->f, of, "radius") && xml_need(&u->f, of, "length");
        numbers(u, of, "radius", 1, &radius);
        numbers(u, of, "length", 1, &length);
        s.place = pose_in(&s.place, &pose_z_along_x);
        s.size[0] = length;
        s.size[1] = s.size[2] = 2 * radius;
    } else if (xml_is(of, "mesh")) {
        s.form = FORM_FILE;
        s.size[0] = s.size[1] = s.size[2] = 1;
        numbers(u, of, "scale", 3, s.size);
        s.file = mesh_path(u, of);
        if (!s.file)
            return;
    } else {
        diag_warning(u->f.d, xml_span(&u->f, of), "I08",
                     "a shape is box, cylinder, sphere or mesh: <%s> is left out",
                     (const char *)of->name);
        return;
    }
    find_color(u, e, s.color);
    vec_push(u->f.mem, link->shape, s);
}

/* ---- links and joints ------------------------------------------------------------------------ */

/* Gives the name of e the number; an error where another one has the name. */
static bool name_it(Reader *u, Map *map, const xmlNode *e, uint32_t number, const char **name)
{
    *name = xml_need(&u->f, e, "name");
    if (!*name) {
        u->ok = false;
        return false;
    }
    uint64_t key = map_key_ptr(name_of(u->names, *name).s);
    if (map_get(map, key) == MAP_NONE) {
        map_put(map, key, number);
        return true;
    }
    refuse(u, e, "I07", arena_printf(u->f.mem, "a second %s '%s'", (const char *)e->name, *name));
    return false;
}

/* The number of the element that attribute `attribute` of e names, UINT32_MAX after an error. */
static uint32_t named(Reader *u, const Map *map, const xmlNode *e, const char *attribute,
                      const char *kind)
{
    const char *name = xml_need(&u->f, e, attribute);
    uint32_t number = name ? map_get(map, map_key_ptr(name_of(u->names, name).s)) : MAP_NONE;
    u->ok &= number != MAP_NONE;
    if (name && number == MAP_NONE)
        refuse(u, e, "I07", arena_printf(u->f.mem, "there is no %s '%s'", kind, name));
    return number;
}

static uint32_t linked(Reader *u, const xmlNode *e, const char *name)
{
    const xmlNode *child = xml_child(e, name);
    if (child)
        return named(u, &u->links, child, "link", "link");
    refuse(u, e, "I02", arena_printf(u->f.mem, "<joint> without <%s link=\"...\">", name));
    return LINK_NONE;
}

static void read_axis(Reader *u, const xmlNode *e, RobotJoint *j)
{
    const xmlNode *axis = xml_child(e, "axis");
    j->axis[0] = 1;
    numbers(u, axis, "xyz", 3, j->axis);
    double length =
        sqrt(j->axis[0] * j->axis[0] + j->axis[1] * j->axis[1] + j->axis[2] * j->axis[2]);
    if (length == 0) {
        refuse(u, axis, "I03", "an axis has a direction, not 0 0 0");
        return;
    }
    for (int k = 0; k < 3; k++)
        j->axis[k] /= length;
}

static bool read_type(Reader *u, const xmlNode *e, RobotJoint *j)
{
    static const struct {
        const char *name;
        RobotJointKind kind;
    } known[] = {{"fixed", JOINT_FIXED},         {"revolute", JOINT_REVOLUTE},
                 {"continuous", JOINT_REVOLUTE}, {"prismatic", JOINT_PRISMATIC},
                 {"planar", JOINT_PLANAR},       {"floating", JOINT_FREE}};
    const char *type = xml_need(&u->f, e, "type");
    for (size_t k = 0; type && k < sizeof known / sizeof *known; k++) {
        if (strcmp(type, known[k].name) != 0)
            continue;
        j->kind = known[k].kind;
        j->has_limits = strcmp(type, "revolute") == 0 || strcmp(type, "prismatic") == 0;
        return true;
    }
    if (type)
        refuse(
            u, e, "I03",
            arena_printf(
                u->f.mem,
                "a joint is fixed, revolute, continuous, prismatic, planar or floating, not '%s'",
                type));
    u->ok = false;
    return false;
}

static void read_limit(Reader *u, const xmlNode *e, RobotJoint *j)
{
    const xmlNode *limit = xml_child(e, "limit");
    numbers(u, limit, "lower", 1, &j->lower);
    numbers(u, limit, "upper", 1, &j->upper);
    numbers(u, limit, "effort", 1, &j->effort);
    if (!j->has_limits)
        return;
    if (!limit) {
        diag_warning(u->f.d, xml_span(&u->f, e), "I09",
                     "joint '%s' should have a <limit>: it turns or slides without", j->name);
        j->has_limits = false;
    } else if (j->lower > j->upper)
        refuse(u, limit, "I03", "the lower limit is above the upper one");
    else
        // both left out are both 0, which holds the joint in place
        j->has_limits = xml_text(&u->f, limit, "lower") || xml_text(&u->f, limit, "upper");
}

static void read_joint(Reader *u, const xmlNode *e, RobotJoint *j)
{
    if (!read_type(u, e, j))
        return;
    j->parent = linked(u, e, "parent");
    j->child = linked(u, e, "child");
    j->place = read_origin(u, e);
    read_axis(u, e, j);
    read_limit(u, e, j);
    const xmlNode *dynamics = xml_child(e, "dynamics"), *mimic = xml_child(e, "mimic");
    if ((numbers(u, dynamics, "damping", 1, &j->damping) && j->damping < 0) ||
        (numbers(u, dynamics, "friction", 1, &j->friction) && j->friction < 0))
        refuse(u, dynamics, "I03", "damping and friction are not negative");
    if (!mimic)
        return;
    j->ratio = 1;
    numbers(u, mimic, "multiplier", 1, &j->ratio);
    numbers(u, mimic, "offset", 1, &j->offset);
    j->leader = named(u, &u->joints, mimic, "joint", "joint");
}

static bool has_one_coordinate(const RobotJoint *j)
{
    return j->kind == JOINT_REVOLUTE || j->kind == JOINT_PRISMATIC;
}

/* A joint that follows another one: both have one coordinate, and no joint follows itself. */
static void check_leaders(Reader *u)
{
    const Robot *r = u->r;
    for (uint32_t k = 0; k < r->joint.n; k++) {
        const RobotJoint *j = &r->joint.at[k];
        if (j->leader == JOINT_NONE)
            continue;
        uint32_t at = j->leader, n = 0;
        while (at != JOINT_NONE && at != k && n++ < r->joint.n)
            at = r->joint.at[at].leader;
        if (at == JOINT_NONE && has_one_coordinate(j) &&
            has_one_coordinate(&r->joint.at[j->leader]))
            continue;
        diag_error(
            u->f.d, j->span, "I07",
            at != JOINT_NONE
                ? "joint '%s' mimics a joint that mimics it in turn"
                : "joint '%s' mimics '%s', but both must be revolute, continuous or prismatic",
            j->name, r->joint.at[j->leader].name);
        u->ok = false;
    }
}

static void read_robot(Reader *u, const xmlNode *root)
{
    Robot *r = u->r;
    r->name = xml_text(&u->f, root, "name");
    for (const xmlNode *e = xml_child(root, "link"); e; e = xml_next(e, "link")) {
        RobotLink link = {.span = xml_span(&u->f, e), .joint = JOINT_NONE};
        if (!name_it(u, &u->links, e, r->link.n, &link.name))
            continue;
        const xmlNode *inertial = xml_child(e, "inertial");
        if (inertial)
            read_inertial(u, inertial, &link);
        for (const xmlNode *v = xml_child(e, "visual"); v; v = xml_next(v, "visual"))
            read_visual(u, v, &link);
        vec_push(u->f.mem, r->link, link);
    }
    VEC(const xmlNode *) element = {0};
    for (const xmlNode *e = xml_child(root, "joint"); e; e = xml_next(e, "joint")) {
        RobotJoint joint = {.span = xml_span(&u->f, e), .leader = JOINT_NONE};
        if (!name_it(u, &u->joints, e, r->joint.n, &joint.name))
            continue;
        vec_push(u->f.mem, r->joint, joint);
        vec_push(u->f.mem, element, e);
    }
    for (uint32_t k = 0; k < r->joint.n; k++)
        read_joint(u, element.at[k], &r->joint.at[k]);
    if (u->ok)
        check_leaders(u);
}

/* A file that is still to be expanded by xacro says so by elements in that namespace. */
static const xmlNode *unexpanded(const xmlNode *root)
{
    for (const xmlNode *e = xml_child(root, NULL); e; e = xml_next(e, NULL))
        if (e->ns && e->ns->href && strstr((const char *)e->ns->href, "xacro"))
            return e;
    return NULL;
}

bool urdf_read(Robot *r, const XmlFile *f, const RobotFolder *folder)
{
    Reader u = {.f = *f,
                .r = r,
                .folder = folder,
                .names = names_new(f->mem),
                .links = map_new(f->mem),
                .joints = map_new(f->mem),
                .ok = true};
    const xmlNode *root = xmlDocGetRootElement(f->doc), *macro = unexpanded(root);
    r->gravity[2] = -9.81;
    if (macro)
        refuse(&u, macro, "I01",
               "macros of xacro are still to be expanded: `xacro FILE > robot.urdf` does that");
    else
        read_robot(&u, root);
    return u.ok;
}
