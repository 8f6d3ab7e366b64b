/* mjcf.c -- MJCF, section by section. */
#include "import/mjcf.h"

#include "import/mjcf_file.h"

#include <math.h>
#include <string.h>

#define PLACE "pos quat axisangle xyaxes zaxis euler"

typedef enum FromGeoms { GEOMS_NEVER, GEOMS_ALWAYS, GEOMS_AUTO } FromGeoms;

/* An element, or a type of it, that is left out. */
typedef struct LeftOut {
    const char *text;
    Span first;
    uint32_t n;
} LeftOut;

typedef struct Reader {
    MjcfFile m;
    Robot *r;
    MjcfNodes section; /* of the root */
    Map bodies, joints, meshes, materials;
    MjcfNodes mesh, material;
    const xmlNode *ground; /* the first geom that bodies could stand on, or NULL */
    VEC(LeftOut) left_out;
    Map left;
    // <compiler>
    FromGeoms from_geoms;
    bool auto_limits, strip_path;
    double group[2], bound_mass, bound_inertia, total_mass;
    const char *mesh_folder;
} Reader;

static void leave(Reader *u, const xmlNode *e, const char *text)
{
    uint64_t key = map_key_ptr(name_of(u->m.names, text).s);
    uint32_t k = map_number(&u->left, key, u->left_out.n);
    if (k == u->left_out.n)
        vec_push(u->m.mem, u->left_out, ((LeftOut){text, mjcf_span(e), 0}));
    u->left_out.at[k].n++;
}

static void warn_of_left_out(Reader *u)
{
    bool is_free = false;
    for (uint32_t k = 0; k < u->r->joint.n; k++)
        is_free |= u->r->joint.at[k].kind == JOINT_FREE;
    if (is_free && u->ground)
        leave(u, u->ground, "contact with this <geom>, through which bodies fall,");
    for (uint32_t k = 0; k < u->left_out.n; k++) {
        const LeftOut *l = &u->left_out.at[k];
        if (l->n > 1)
            diag_warning(u->m.d, l->first, "I08", "%s: %u of these are left out", l->text, l->n);
        else
            diag_warning(u->m.d, l->first, "I08", "%s is left out", l->text);
    }
}

static const char *tag(const Reader *u, const xmlNode *e)
{
    return arena_printf(u->m.mem, "<%s>", (const char *)e->name);
}

static void not_read(Reader *u, const xmlNode *e, const char *why)
{
    mjcf_refuse(&u->m, e, "I12", "<%s> is not read: %s", (const char *)e->name, why);
}

/* Registers the name of e, where it has one, for `number`; an error where another one has it. */
static const char *name_it(Reader *u, Map *map, const xmlNode *e, uint32_t number)
{
    MjcfItem i = mjcf_bare(e);
    const char *name = mjcf_text(&u->m, &i, "name");
    if (!name || !*name)
        return NULL;
    uint64_t key = map_key_ptr(name_of(u->m.names, name).s);
    if (map_get(map, key) != MAP_NONE)
        mjcf_refuse(&u->m, e, "I07", "a second <%s> '%s'", (const char *)e->name, name);
    else
        map_put(map, key, number);
    return name;
}

static uint32_t named(const Reader *u, const Map *map, const char *name)
{
    return map_get(map, map_key_ptr(name_of(u->m.names, name).s));
}

/* ---- settings -------------------------------------------------------------------------------- */

static double one_number(Reader *u, const MjcfItem *i, const char *name, double none)
{
    mjcf_numbers(&u->m, i, name, 1, &none);
    return none;
}

static bool is_true(Reader *u, const MjcfItem *i, const char *name, bool none)
{
    return mjcf_word(&u->m, i, name, "false true", none) == 1;
}

static const char *folder_name(const Reader *u, const char *name)
{
    size_t n = strlen(name);
    return n == 0 || name[n - 1] == '/' ? name : arena_printf(u->m.mem, "%s/", name);
}

static void read_compiler(Reader *u, const xmlNode *e)
{
    MjcfFile *m = &u->m;
    MjcfItem i = mjcf_bare(e);
    mjcf_expect(
        m, e,
        "angle eulerseq autolimits inertiafromgeom inertiagrouprange boundmass boundinertia "
        "settotalmass balanceinertia coordinate meshdir assetdir texturedir strippath "
        "discardvisual convexhull exactmeshinertia usethread fusestatic fitaabb alignfree "
        "saveinertial");
    int angle = mjcf_word(m, &i, "angle", "radian degree", -1);
    if (angle >= 0)
        m->angle = angle == 0 ? 1 : acos(-1) / 180;
    const char *seq = mjcf_text(m, &i, "eulerseq");
    if (seq && (strlen(seq) != 3 || strspn(seq, "xyzXYZ") != 3))
        mjcf_refuse(m, e, "I03", "eulerseq is three of xyzXYZ, not '%s'", seq);
    else if (seq)
        m->eulerseq = seq;
    u->auto_limits = is_true(u, &i, "autolimits", u->auto_limits);
    u->strip_path = is_true(u, &i, "strippath", u->strip_path);
    u->from_geoms =
        (FromGeoms)mjcf_word(m, &i, "inertiafromgeom", "false true auto", (int)u->from_geoms);
    mjcf_numbers(m, &i, "inertiagrouprange", 2, u->group);
    mjcf_numbers(m, &i, "boundmass", 1, &u->bound_mass);
    mjcf_numbers(m, &i, "boundinertia", 1, &u->bound_inertia);
    mjcf_numbers(m, &i, "settotalmass", 1, &u->total_mass);
    if (is_true(u, &i, "balanceinertia", false))
        mjcf_refuse(m, e, "I12", "balanceinertia is not read");
    if (mjcf_word(m, &i, "coordinate", "local global", 0) == 1)
        mjcf_refuse(m, e, "I12",
                    "coordinate=\"global\" is not read: MuJoCo 2.3.3 reads no more of it");
    const char *meshes = mjcf_text(m, &i, "meshdir"), *assets = mjcf_text(m, &i, "assetdir");
    if (meshes || assets)
        u->mesh_folder = folder_name(u, meshes ? meshes : assets);
}

static void read_flags(Reader *u, const xmlNode *e)
{
    static const char *const needed[] = {"constraint", "frictionloss", "limit",     "passive",
                                         "spring",     "damper",       "actuation", NULL};
    MjcfItem i = mjcf_bare(e);
    for (const char *const *name = needed; *name; name++)
        if (mjcf_word(&u->m, &i, *name, "enable disable", 0) == 1)
            mjcf_refuse(&u->m, e, "I12", "%s=\"disable\" is not read", *name);
    if (mjcf_word(&u->m, &i, "gravity", "enable disable", 0) == 1)
        memset(u->r->gravity, 0, sizeof u->r->gravity);
}

static void read_option(Reader *u, const xmlNode *e)
{
    MjcfItem i = mjcf_bare(e);
    double density = 0, viscosity = 0;
    mjcf_numbers(&u->m, &i, "gravity", 3, u->r->gravity);
    mjcf_numbers(&u->m, &i, "density", 1, &density);
    mjcf_numbers(&u->m, &i, "viscosity", 1, &viscosity);
    if (density > 0 || viscosity > 0)
        not_read(u, e, "forces of a fluid (density, viscosity)");
    MjcfNodes child = {0};
    mjcf_children(&u->m, e, &child);
    for (uint32_t k = 0; k < child.n; k++)
        if (xml_is(child.at[k], "flag"))
            read_flags(u, child.at[k]);
}

static void read_asset(Reader *u, const xmlNode *e)
{
    MjcfFile *m = &u->m;
    if (xml_is(e, "material")) {
        name_it(u, &u->materials, e, u->material.n);
        vec_push(m->mem, u->material, e);
    }
    if (!xml_is(e, "mesh"))
        return;
    MjcfItem i = mjcf_bare(e);
    if (mjcf_text(m, &i, "name"))
        name_it(u, &u->meshes, e, u->mesh.n);
    else if (mjcf_text(m, &i, "file")) {
        // named as its file is, without folders and ending
        const char *file = mjcf_text(m, &i, "file"), *slash = strrchr(file, '/');
        file = slash ? slash + 1 : file;
        const char *dot = strrchr(file, '.');
        const char *name = arena_copy(m->mem, file, dot ? (size_t)(dot - file) : strlen(file));
        uint64_t key = map_key_ptr(name_of(m->names, name).s);
        if (map_get(&u->meshes, key) != MAP_NONE)
            mjcf_refuse(m, e, "I07", "a second <mesh> '%s'", name);
        map_put(&u->meshes, key, u->mesh.n);
    }
    vec_push(m->mem, u->mesh, e);
}

/* ---- geoms ----------------------------------------------------------------------------------- */

typedef enum GeomType {
    GEOM_PLANE,
    GEOM_FIELD,
    GEOM_SPHERE,
    GEOM_CAPSULE,
    GEOM_ELLIPSOID,
    GEOM_CYLINDER,
    GEOM_BOX,
    GEOM_MESH,
    GEOM_SDF
} GeomType;

#define GEOM_TYPES "plane hfield sphere capsule ellipsoid cylinder box mesh sdf"

/* As MuJoCo has it: half lengths along x, y, z; of a sphere, a capsule, a cylinder the radius, then
 * half the length along z, of a capsule without its ends. */
typedef struct Geom {
    MjcfItem item;
    GeomType type;
    Pose place; /* in the body */
    double size[3];
} Geom;

static bool is_round(GeomType t)
{
    return t == GEOM_CAPSULE || t == GEOM_CYLINDER;
}

static bool is_solid(GeomType t)
{
    return t >= GEOM_SPHERE && t <= GEOM_BOX;
}

static void read_from_to(Reader *u, Geom *g, int *n)
{
    double ends[6], z[3];
    if (!mjcf_numbers(&u->m, &g->item, "fromto", 6, ends))
        return;
    for (int k = 0; k < 3; k++) {
        z[k] = ends[k] - ends[3 + k];
        g->place.r[k] = (ends[k] + ends[3 + k]) / 2;
    }
    if (g->type == GEOM_SPHERE || !is_solid(g->type) || !mjcf_z_to(z, g->place.R)) {
        mjcf_refuse(&u->m, g->item.e, "I03",
                    "fromto is for two points of a capsule, a box, a cylinder or an ellipsoid");
        return;
    }
    // a box, an ellipsoid is as wide as it is deep
    g->size[1] = g->size[0];
    g->size[is_round(g->type) ? 1 : 2] = sqrt(z[0] * z[0] + z[1] * z[1] + z[2] * z[2]) / 2;
    *n = *n >= 1 ? 3 : 0;
}

/* False after an error. */
static bool read_geom(Reader *u, const xmlNode *e, uint32_t class, const Pose *at, Geom *g)
{
    MjcfFile *m = &u->m;
    mjcf_expect(m, e,
                "name class type contype conaffinity condim group priority size material friction "
                "mass density solmix solref solimp margin gap fromto hfield mesh fitscale rgba "
                "shellinertia fluidshape fluidcoef user " PLACE);
    *g = (Geom){.item = mjcf_item(m, e, "geom", class)};
    g->type = (GeomType)mjcf_word(m, &g->item, "type", GEOM_TYPES, GEOM_SPHERE);
    bool is_fitted = is_solid(g->type) && mjcf_text(m, &g->item, "mesh");
    g->place = mjcf_pose(m, &g->item);
    int n = mjcf_some_numbers(m, &g->item, "size", 3, g->size);
    read_from_to(u, g, &n);
    g->place = pose_in(at, &g->place);
    if (!m->ok || !is_solid(g->type))
        return m->ok;
    int needed = g->type == GEOM_SPHERE ? 1 : is_round(g->type) ? 2 : 3;
    bool is_positive = true;
    for (int k = 0; k < needed; k++)
        is_positive &= g->size[k] > 0;
    if (is_fitted)
        mjcf_refuse(m, e, "I12", "a form that is fitted to a mesh is not read");
    else if (n < needed || !is_positive)
        mjcf_refuse(m, e, "I03", "size of this <geom> should be %d positive numbers", needed);
    return m->ok;
}

/* Volume, and the moments of inertia of a mass of 1 kg about the geom's axes. */
static double solid_moments(const Geom *g, double I[3])
{
    const double pi = acos(-1);
    double r = g->size[0], h = 2 * g->size[1];
    const double *s = g->size;
    switch (g->type) {
    case GEOM_BOX:
        for (int k = 0; k < 3; k++)
            I[k] = (s[(k + 1) % 3] * s[(k + 1) % 3] + s[(k + 2) % 3] * s[(k + 2) % 3]) / 3;
        return 8 * s[0] * s[1] * s[2];
    case GEOM_ELLIPSOID:
        for (int k = 0; k < 3; k++)
            I[k] = (s[(k + 1) % 3] * s[(k + 1) % 3] + s[(k + 2) % 3] * s[(k + 2) % 3]) / 5;
        return 4 * pi / 3 * s[0] * s[1] * s[2];
    case GEOM_CYLINDER:
        I[0] = I[1] = (3 * r * r + h * h) / 12;
        I[2] = r * r / 2;
        return pi * r * r * h;
    case GEOM_CAPSULE: {
        // two half balls, whose centres of mass lie 3/8 r beyond the ends of the cylinder
        double ball = 4 * r / (4 * r + 3 * h), rest = 1 - ball;
        I[0] = I[1] =
            rest * (3 * r * r + h * h) / 12 + ball * 2 * r * r / 5 + ball * h * (3 * r + 2 * h) / 8;
        I[2] = rest * r * r / 2 + ball * 2 * r * r / 5;
        return pi * r * r * h + 4 * pi / 3 * r * r * r;
    }
    default:
        I[0] = I[1] = I[2] = 2 * r * r / 5;
        return 4 * pi / 3 * r * r * r;
    }
}

static void add_mass(Reader *u, const Geom *g, Inertial *sum)
{
    MjcfFile *m = &u->m;
    const xmlNode *e = g->item.e;
    double group = one_number(u, &g->item, "group", 0), mass = 0, density = 1000, I[3] = {0};
    bool has_mass = mjcf_numbers(m, &g->item, "mass", 1, &mass);
    mjcf_numbers(m, &g->item, "density", 1, &density);
    if (mass < 0 || density < 0)
        mjcf_refuse(m, e, "I03", "mass and density are not negative");
    bool has_none = has_mass ? mass == 0 : density == 0;
    if (group < u->group[0] || group > u->group[1] || has_none || !m->ok)
        return;
    if (!is_solid(g->type)) {
        mjcf_refuse(m, e, "I12",
                    g->type == GEOM_PLANE || g->type == GEOM_FIELD
                        ? "<geom> in a body that moves: a plane or a field has no mass"
                        : "the inertia of this <geom> needs its mesh, which is not read: give the "
                          "body an <inertial>, or the geom mass=\"0\"");
        return;
    }
    if (is_true(u, &g->item, "shellinertia", false))
        mjcf_refuse(m, e, "I12", "shellinertia is not read");
    double volume = solid_moments(g, I);
    Inertial own = {.m = has_mass ? mass : density * volume};
    for (int k = 0; k < 3; k++)
        own.I[k][k] = own.m * I[k];
    inertial_add(sum, &own, &g->place);
}

/* ---- shapes ---------------------------------------------------------------------------------- */

/* Of the geom, else of its material; false: nothing is to be seen. */
static bool find_color(Reader *u, const Geom *g, double color[3])
{
    MjcfFile *m = &u->m;
    double rgba[4];
    const char *name = mjcf_text(m, &g->item, "material");
    bool has = mjcf_numbers(m, &g->item, "rgba", 4, rgba);
    color[0] = color[1] = color[2] = -1;
    if (!has && name) {
        uint32_t k = named(u, &u->materials, name);
        if (k == MAP_NONE) {
            mjcf_refuse(m, g->item.e, "I07", "there is no material '%s'", name);
            return false;
        }
        MjcfItem material = mjcf_item(m, u->material.at[k], "material", 0);
        has = mjcf_numbers(m, &material, "rgba", 4, rgba);
    }
    if (!has)
        return true;
    for (int k = 0; k < 3; k++)
        color[k] = round(255 * fmin(1, fmax(0, rgba[k])));
    return rgba[3] > 0;
}

static bool mesh_shape(Reader *u, const Geom *g, RobotShape *s)
{
    MjcfFile *m = &u->m;
    const xmlNode *e = g->item.e;
    const char *name = mjcf_text(m, &g->item, "mesh");
    uint32_t k = name ? named(u, &u->meshes, name) : MAP_NONE;
    if (k == MAP_NONE) {
        mjcf_refuse(m, e, "I07", name ? "there is no mesh '%s'" : "a <geom> of a mesh without mesh",
                    name);
        return false;
    }
    MjcfItem mesh = mjcf_item(m, u->mesh.at[k], "mesh", 0);
    const char *file = mjcf_text(m, &mesh, "file");
    if (!file || mjcf_text(m, &mesh, "refpos") || mjcf_text(m, &mesh, "refquat")) {
        leave(u, mesh.e, "<mesh> without file, or with refpos or refquat");
        return false;
    }
    s->form = FORM_FILE;
    s->size[0] = s->size[1] = s->size[2] = 1;
    mjcf_numbers(m, &mesh, "scale", 3, s->size);
    const char *slash = strrchr(file, '/');
    if (u->strip_path && slash)
        file = slash + 1;
    const char *path = *file == '/' || *u->mesh_folder == '/'
                           ? file
                           : arena_printf(m->mem, "%s%s%s", m->folder->path, u->mesh_folder, file);
    if (*file != '/' && *u->mesh_folder == '/')
        path = arena_printf(m->mem, "%s%s", u->mesh_folder, file);
    s->file = robot_folder_mesh(m->folder, mesh.e->doc->_private, mesh.e, path);
    return s->file != NULL;
}

static void make_cylinder(const Geom *g, RobotShape *s)
{
    s->form = FORM_CYLINDER;
    s->place = pose_in(&g->place, &pose_z_along_x);
    s->size[0] = 2 * g->size[1];
    s->size[1] = s->size[2] = 2 * g->size[0];
}

/* The balls at the ends of a capsule, of the color of s. */
static void add_ends(Reader *u, const Geom *g, const RobotShape *s, RobotLink *link)
{
    for (int end = -1; end <= 1; end += 2) {
        RobotShape ball = {.form = FORM_SPHERE, .place = pose_identity};
        ball.place.r[2] = end * g->size[1];
        ball.place = pose_in(&g->place, &ball.place);
        for (int k = 0; k < 3; k++) {
            ball.size[k] = 2 * g->size[0];
            ball.color[k] = s->color[k];
        }
        vec_push(u->m.mem, link->shape, ball);
    }
}

static void add_shape(Reader *u, const Geom *g, RobotLink *link)
{
    RobotShape s = {.place = g->place};
    const double *size = g->size;
    // the viewers of MuJoCo hide the groups from 3 on: geoms for contacts
    if (!find_color(u, g, s.color) || one_number(u, &g->item, "group", 0) > 2)
        return;
    switch (g->type) {
    case GEOM_BOX:
    case GEOM_ELLIPSOID:
        s.form = g->type == GEOM_BOX ? FORM_BOX : FORM_SPHERE;
        for (int k = 0; k < 3; k++)
            s.size[k] = 2 * size[k];
        break;
    case GEOM_SPHERE:
        s.form = FORM_SPHERE;
        s.size[0] = s.size[1] = s.size[2] = 2 * size[0];
        break;
    case GEOM_CAPSULE:
        add_ends(u, g, &s, link);
        make_cylinder(g, &s);
        break;
    case GEOM_CYLINDER:
        make_cylinder(g, &s);
        break;
    case GEOM_MESH:
        if (!mesh_shape(u, g, &s))
            return;
        break;
    default:
        leave(u, g->item.e,
              g->type == GEOM_PLANE ? "<geom type=\"plane\">, which nothing touches,"
                                    : "<geom> of a height field or a signed distance");
        return;
    }
    vec_push(u->m.mem, link->shape, s);
}

/* ---- joints ---------------------------------------------------------------------------------- */

static bool is_limited(Reader *u, const MjcfItem *i, const char *limited, const char *range)
{
    int k = mjcf_word(&u->m, i, limited, "false true auto", 2);
    return k == 2 ? u->auto_limits && mjcf_text(&u->m, i, range) : k == 1;
}

/* Damping and stiffness may be followed by the coefficients of higher powers. */
static double first_of(Reader *u, const MjcfItem *i, const char *name)
{
    double v[3] = {0};
    mjcf_some_numbers(&u->m, i, name, 3, v);
    if (v[1] != 0 || v[2] != 0)
        mjcf_refuse(&u->m, i->e, "I12", "%s by more than one number is not read", name);
    if (v[0] < 0)
        mjcf_refuse(&u->m, i->e, "I03", "%s is not negative", name);
    return v[0];
}

static void read_loads(Reader *u, const MjcfItem *i, RobotJoint *j)
{
    MjcfFile *m = &u->m;
    bool is_hinge = j->kind == JOINT_REVOLUTE;
    double unit = is_hinge ? m->angle : 1, range[2] = {0}, force[2] = {0};
    j->damping = first_of(u, i, "damping");
    j->friction = first_of(u, i, "frictionloss");
    j->spring = first_of(u, i, "stiffness");
    j->armature = first_of(u, i, "armature");
    j->rest = unit * one_number(u, i, "springref", 0);
    j->start = unit * one_number(u, i, "ref", 0);
    j->has_limits = is_limited(u, i, "limited", "range");
    mjcf_numbers(m, i, "range", 2, range);
    j->lower = unit * range[0];
    j->upper = unit * range[1];
    if (j->has_limits && j->lower >= j->upper)
        mjcf_refuse(m, i->e, "I03", "the lower end of range is not below the upper one");
    if (is_limited(u, i, "actuatorfrclimited", "actuatorfrcrange") &&
        mjcf_numbers(m, i, "actuatorfrcrange", 2, force))
        j->effort = fmax(fabs(force[0]), fabs(force[1]));
    if (mjcf_text(m, i, "springdamper"))
        mjcf_refuse(m, i->e, "I12", "springdamper is not read: give stiffness and damping");
}

/* A ball or a free joint has nothing of this. */
static void refuse_loads(Reader *u, const MjcfItem *i)
{
    static const char *const names[] = {"damping",  "frictionloss", "stiffness",
                                        "armature", "springdamper", NULL};
    for (const char *const *name = names; *name; name++) {
        double v[3] = {0};
        mjcf_some_numbers(&u->m, i, *name, 3, v);
        if (v[0] != 0 || v[1] != 0 || v[2] != 0)
            mjcf_refuse(&u->m, i->e, "I12", "%s of a ball or a free joint is not read", *name);
    }
    if (is_limited(u, i, "limited", "range") && !xml_is(i->e, "freejoint"))
        leave(u, i->e, "a limit of a ball joint");
}

/* Kind, axis, springs, damping and friction of a joint; `anchor` in the frame of the body. */
static void read_joint(Reader *u, const xmlNode *e, uint32_t class, RobotJoint *j, double anchor[3])
{
    MjcfFile *m = &u->m;
    static const RobotJointKind kinds[] = {JOINT_FREE, JOINT_BALL, JOINT_PRISMATIC, JOINT_REVOLUTE};
    if (xml_is(e, "freejoint")) {
        mjcf_expect(m, e, "name group align");
        j->kind = JOINT_FREE;
        return;
    }
    mjcf_expect(m, e,
                "name class type group pos axis springdamper limited actuatorfrclimited "
                "solreflimit solimplimit solreffriction solimpfriction stiffness range "
                "actuatorfrcrange ref springref armature damping frictionloss margin user");
    MjcfItem i = mjcf_item(m, e, "joint", class);
    j->kind = kinds[mjcf_word(m, &i, "type", "free ball slide hinge", 3)];
    if (j->kind == JOINT_FREE || j->kind == JOINT_BALL)
        refuse_loads(u, &i);
    else
        read_loads(u, &i, j);
    if (j->kind == JOINT_FREE)
        return;
    mjcf_numbers(m, &i, "pos", 3, anchor);
    j->axis[2] = 1;
    mjcf_numbers(m, &i, "axis", 3, j->axis);
    double length =
        sqrt(j->axis[0] * j->axis[0] + j->axis[1] * j->axis[1] + j->axis[2] * j->axis[2]);
    if (length == 0)
        mjcf_refuse(m, e, "I03", "an axis has a direction, not 0 0 0");
    for (int k = 0; k < 3 && length > 0; k++)
        j->axis[k] /= length;
}

/* The joint's coordinate is `start` where the bodies are as the file places them. */
static Pose turned_back(const RobotJoint *j)
{
    Pose p = pose_identity;
    if (j->start != 0 && j->kind == JOINT_REVOLUTE)
        mjcf_about(j->axis, -j->start, p.R);
    for (int k = 0; k < 3 && j->kind == JOINT_PRISMATIC; k++)
        p.r[k] = -j->start * j->axis[k];
    return p;
}

/* ---- bodies ---------------------------------------------------------------------------------- */

/* A child of a body, in a <frame> or not. */
typedef struct Part {
    const xmlNode *e;
    Pose frame;
    uint32_t class;
    bool is_framed;
} Part;

typedef VEC(Part) Parts;

static void gather(Reader *u, const xmlNode *e, const Part *in, Parts *out)
{
    MjcfNodes child = {0};
    mjcf_children(&u->m, e, &child);
    for (uint32_t k = 0; k < child.n; k++) {
        Part p = {child.at[k], in->frame, in->class, in->is_framed};
        if (!xml_is(p.e, "frame")) {
            vec_push(u->m.mem, *out, p);
            continue;
        }
        mjcf_expect(&u->m, p.e, "name childclass " PLACE);
        MjcfItem i = mjcf_bare(p.e);
        Pose own = mjcf_pose(&u->m, &i);
        p.frame = pose_in(&in->frame, &own);
        p.class = mjcf_class(&u->m, p.e, "childclass", in->class);
        p.is_framed = true;
        gather(u, p.e, &p, out);
    }
}

static void read_inertial(Reader *u, const xmlNode *e, Inertial *sum)
{
    MjcfFile *m = &u->m;
    MjcfItem i = mjcf_bare(e);
    Inertial own = {0};
    double v[6];
    mjcf_expect(m, e, "mass diaginertia fullinertia " PLACE);
    Pose place = mjcf_pose(m, &i);
    if (!mjcf_text(m, &i, "mass") || !mjcf_text(m, &i, "pos"))
        mjcf_refuse(m, e, "I02", "<inertial> without mass or without pos");
    if (mjcf_numbers(m, &i, "mass", 1, &own.m) && own.m < 0)
        mjcf_refuse(m, e, "I03", "a mass is not negative");
    if (mjcf_text(m, &i, "diaginertia") && mjcf_text(m, &i, "fullinertia"))
        mjcf_refuse(m, e, "I03", "<inertial> with both diaginertia and fullinertia");
    else if (mjcf_numbers(m, &i, "diaginertia", 3, v))
        for (int k = 0; k < 3; k++)
            own.I[k][k] = v[k];
    else if (mjcf_numbers(m, &i, "fullinertia", 6, v)) {
        static const int at[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
        for (int k = 0; k < 6; k++)
            own.I[at[k][0]][at[k][1]] = own.I[at[k][1]][at[k][0]] = v[k];
    }
    inertial_add(sum, &own, &place);
}

/* boundmass and boundinertia: least values of each body. */
static void bound(Reader *u, const xmlNode *e, Inertial *b)
{
    bool is_diagonal = true, is_above = true;
    b->m = fmax(b->m, u->bound_mass);
    if (u->bound_inertia <= 0)
        return;
    for (int i = 0; i < 3; i++) {
        double others = fabs(b->I[i][(i + 1) % 3]) + fabs(b->I[i][(i + 2) % 3]);
        is_diagonal &= others == 0;
        // Gershgorin: no principal moment is less
        is_above &= b->I[i][i] - others >= u->bound_inertia;
    }
    for (int k = 0; k < 3 && is_diagonal; k++)
        b->I[k][k] = fmax(b->I[k][k], u->bound_inertia);
    if (!is_diagonal && !is_above)
        mjcf_refuse(&u->m, e, "I12", "boundinertia may change the inertia of this <%s>: not read",
                    (const char *)e->name);
}

/* The world's geoms touch bodies unless their bits are zero. */
static void note_contact(Reader *u, const Geom *g)
{
    double type = one_number(u, &g->item, "contype", 1),
           affinity = one_number(u, &g->item, "conaffinity", 1);
    if ((type != 0 || affinity != 0) && !u->ground && g->type != GEOM_PLANE)
        u->ground = g->item.e;
}

/* Inertia and shapes, in the frame of the body, that lies in its link at `shift`. `weighs`: its
 * mass counts. */
static void read_contents(Reader *u, const xmlNode *body, const Parts *part, uint32_t l,
                          const Pose *shift, bool weighs)
{
    const xmlNode *inertial = NULL;
    Inertial of_geoms = {0}, given = {0};
    RobotLink shown = {0};
    for (uint32_t k = 0; k < part->n; k++)
        if (xml_is(part->at[k].e, "inertial")) {
            if (inertial)
                mjcf_refuse(&u->m, part->at[k].e, "I07", "a second <inertial> of this body");
            inertial = part->at[k].e;
            read_inertial(u, inertial, &given);
        }
    bool by_geoms = u->from_geoms == GEOMS_ALWAYS || (u->from_geoms == GEOMS_AUTO && !inertial);
    for (uint32_t k = 0; k < part->n; k++) {
        const Part *p = &part->at[k];
        Geom g;
        if (!xml_is(p->e, "geom"))
            continue;
        if (!read_geom(u, p->e, p->class, &p->frame, &g))
            continue;
        g.place = pose_in(shift, &g.place);
        if (weighs && by_geoms)
            add_mass(u, &g, &of_geoms);
        add_shape(u, &g, &shown);
        if (l == u->r->root)
            note_contact(u, &g);
    }
    RobotLink *link = &u->r->link.at[l];
    for (uint32_t k = 0; k < shown.shape.n; k++)
        vec_push(u->m.mem, link->shape, shown.shape.at[k]);
    if (!weighs)
        return;
    if (by_geoms)
        link->inertial = of_geoms;
    else
        inertial_add(&link->inertial, &given, shift);
    bound(u, body, &link->inertial);
}

static uint32_t add_link(Reader *u, const xmlNode *e, const char *name)
{
    RobotLink link = {.name = name, .span = mjcf_span(e), .joint = JOINT_NONE};
    vec_push(u->m.mem, u->r->link, link);
    return u->r->link.n - 1;
}

/* A link on a joint of that kind: its number. */
static uint32_t hang(Reader *u, const RobotJoint *j, const xmlNode *body, const char *name)
{
    uint32_t l = add_link(u, body, name);
    RobotJoint joint = *j;
    joint.child = l;
    vec_push(u->m.mem, u->r->joint, joint);
    return l;
}

/* The joints of a body: links without mass between them. The link of the body; `at`: the body in
 * its parent, then in that link. */
static uint32_t read_joints(Reader *u, const xmlNode *body, const char *name, const Parts *part,
                            uint32_t parent, Pose *at)
{
    bool is_any = false, is_free = false;
    for (uint32_t k = 0; k < part->n; k++) {
        const Part *p = &part->at[k];
        bool is_joint = xml_is(p->e, "joint") || xml_is(p->e, "freejoint");
        if (!is_joint)
            continue;
        if (p->is_framed || is_free)
            not_read(u, p->e,
                     is_free ? "a body with a free joint has no other one"
                             : "it belongs into the body, not into a <frame>");
        const char *own = name_it(u, &u->joints, p->e, u->r->joint.n);
        RobotJoint j = {.name = own ? own : arena_printf(u->m.mem, "%s_joint", name),
                        .span = mjcf_span(p->e),
                        .parent = parent,
                        .leader = JOINT_NONE,
                        .place = *at};
        double anchor[3] = {0};
        read_joint(u, p->e, p->class, &j, anchor);
        if (j.kind == JOINT_FREE) {
            if (parent != u->r->root || is_any)
                not_read(u, p->e, "a free joint is the only one of a body in the world");
            // its coordinates are those of the body in the world
            Pose *start = arena_array(u->m.mem, Pose, 1);
            *start = *at;
            j.free_start = start;
            j.place = pose_identity;
            is_free = true;
        }
        Pose to = pose_identity, back = turned_back(&j);
        memcpy(to.r, anchor, sizeof anchor);
        if (j.kind != JOINT_FREE) {
            j.place = pose_in(at, &to);
            j.place = pose_in(&j.place, &back);
        }
        parent = hang(u, &j, body, name);
        is_any = true;
        *at = pose_identity;
        for (int i = 0; i < 3; i++)
            at->r[i] = -anchor[i];
    }
    if (is_any)
        return parent;
    RobotJoint fixed = {.name = name,
                        .span = mjcf_span(body),
                        .kind = JOINT_FIXED,
                        .parent = parent,
                        .place = *at,
                        .leader = JOINT_NONE};
    *at = pose_identity;
    return hang(u, &fixed, body, name);
}

static bool has_joint(const Parts *part)
{
    for (uint32_t k = 0; k < part->n; k++)
        if (xml_is(part->at[k].e, "joint") || xml_is(part->at[k].e, "freejoint"))
            return true;
    return false;
}

static void check_part(Reader *u, const xmlNode *e)
{
    static const char *const seen[] = {"body",  "geom",   "joint", "freejoint",
                                       "light", "camera", NULL};
    for (const char *const *name = seen; *name; name++)
        if (xml_is(e, *name))
            return;
    if (xml_is(e, "site"))
        leave(u, e, tag(u, e));
    else if (!xml_is(e, "inertial"))
        not_read(u, e, "an element of bodies that rung does not know");
}

static void read_bodies(Reader *u, const Parts *part, uint32_t parent, const Pose *at, bool moves);

static void read_body(Reader *u, const Part *p, uint32_t parent, const Pose *at, bool moves)
{
    MjcfFile *m = &u->m;
    const xmlNode *e = p->e;
    MjcfItem i = mjcf_bare(e);
    mjcf_expect(m, e, "name childclass mocap gravcomp user sleep " PLACE);
    const char *name = name_it(u, &u->bodies, e, u->r->link.n);
    double gravcomp = 0;
    mjcf_numbers(m, &i, "gravcomp", 1, &gravcomp);
    if (gravcomp != 0)
        mjcf_refuse(m, e, "I12", "gravcomp is not read");
    if (is_true(u, &i, "mocap", false))
        leave(u, e, "mocap of a <body>, which is fixed to the world,");
    Part own = {e, pose_identity, mjcf_class(m, e, "childclass", p->class), false};
    Parts part = {0};
    gather(u, e, &own, &part);
    Pose place = mjcf_pose(m, &i);
    place = pose_in(&p->frame, &place);
    place = pose_in(at, &place);
    moves |= has_joint(&part);
    uint32_t l = read_joints(u, e, name ? name : "body", &part, parent, &place);
    read_contents(u, e, &part, l, &place, moves || u->total_mass > 0);
    read_bodies(u, &part, l, &place, moves);
}

static void read_bodies(Reader *u, const Parts *part, uint32_t parent, const Pose *at, bool moves)
{
    for (uint32_t k = 0; k < part->n; k++) {
        check_part(u, part->at[k].e);
        if (xml_is(part->at[k].e, "body"))
            read_body(u, &part->at[k], parent, at, moves);
    }
}

static void read_world(Reader *u, const xmlNode *e)
{
    Part own = {e, pose_identity, mjcf_class(&u->m, e, "childclass", 0), false};
    Parts part = {0};
    gather(u, e, &own, &part);
    for (uint32_t k = 0; k < part.n; k++)
        if (xml_is(part.at[k].e, "joint") || xml_is(part.at[k].e, "freejoint") ||
            xml_is(part.at[k].e, "inertial"))
            not_read(u, part.at[k].e, "the world does not move");
    read_contents(u, e, &part, u->r->root, &pose_identity, false);
    read_bodies(u, &part, u->r->root, &pose_identity, false);
}

/* settotalmass */
static void scale_masses(Reader *u)
{
    Robot *r = u->r;
    double sum = 0;
    for (uint32_t l = 0; l < r->link.n; l++)
        sum += r->link.at[l].inertial.m;
    if (u->total_mass <= 0 || sum == 0)
        return;
    for (uint32_t l = 0; l < r->link.n; l++) {
        Inertial *b = &r->link.at[l].inertial;
        b->m *= u->total_mass / sum;
        for (int k = 0; k < 9; k++)
            b->I[k / 3][k % 3] *= u->total_mass / sum;
    }
}

/* ---- other sections -------------------------------------------------------------------------- */

/* A motor's force is gear times a control within its ranges. Defaults of <general> are its own,
 * too.
 */
static void read_motor(Reader *u, const MjcfItem *i, RobotJoint *j)
{
    static const char *const limit[][2] = {{"ctrllimited", "ctrlrange"},
                                           {"forcelimited", "forcerange"}};
    MjcfItem general = {i->e, "general", i->class};
    double gear[6] = {1}, most = INFINITY;
    mjcf_some_numbers(&u->m, mjcf_text(&u->m, i, "gear") ? i : &general, "gear", 6, gear);
    for (int k = 0; k < 2; k++) {
        double range[2];
        const MjcfItem *by = mjcf_text(&u->m, i, limit[k][1]) ? i : &general;
        if (is_limited(u, by, limit[k][0], limit[k][1]) &&
            mjcf_numbers(&u->m, by, limit[k][1], 2, range))
            most = fmin(most, fmax(fabs(range[0]), fabs(range[1])));
    }
    if (isfinite(most) && j->effort == 0)
        j->effort = most * fabs(gear[0]);
}

static void read_actuator(Reader *u, const xmlNode *e)
{
    MjcfItem i = mjcf_item(&u->m, e, (const char *)e->name, 0);
    const char *joint = mjcf_text(&u->m, &i, "joint");
    uint32_t k = joint ? named(u, &u->joints, joint) : MAP_NONE;
    if (joint && k == MAP_NONE)
        mjcf_refuse(&u->m, e, "I07", "there is no joint '%s'", joint);
    else if (xml_is(e, "motor") && joint &&
             (u->r->joint.at[k].kind == JOINT_REVOLUTE ||
              u->r->joint.at[k].kind == JOINT_PRISMATIC))
        read_motor(u, &i, &u->r->joint.at[k]);
    else
        leave(u, e,
              joint ? arena_printf(u->m.mem,
                                   "<%s>: the input of a joint is its force or torque, and this "
                                   "control",
                                   (const char *)e->name)
                    : tag(u, e));
}

/* A tendon without forces is seen only. */
static void read_tendon(Reader *u, const xmlNode *e)
{
    static const char *const names[] = {
        "stiffness", "damping", "frictionloss", "range", "armature", "springlength", NULL};
    MjcfItem i = mjcf_item(&u->m, e, "tendon", 0);
    for (const char *const *name = names; *name; name++) {
        double v[3] = {0};
        mjcf_some_numbers(&u->m, &i, *name, 3, v);
        if (v[0] != 0 || v[1] != 0 || v[2] != 0)
            mjcf_refuse(&u->m, e, "I12", "%s of a tendon is not read", *name);
    }
    leave(u, e, "<tendon>");
}

static void read_equality(Reader *u, const xmlNode *e)
{
    MjcfItem i = mjcf_item(&u->m, e, "equality", 0);
    if (is_true(u, &i, "active", true))
        not_read(u, e, "an equality constraint");
    else
        leave(u, e, "an equality constraint that is not active");
}

static void leave_section(Reader *u, const xmlNode *e)
{
    leave(u, e, tag(u, e->parent));
}

static void ignore(Reader *u, const xmlNode *e)
{
    (void)u;
    (void)e;
}

static void refuse_section(Reader *u, const xmlNode *e)
{
    not_read(u, e, "its section is not");
}

/* Each child of the sections of that name. */
static void for_each(Reader *u, const char *section, void (*read)(Reader *, const xmlNode *))
{
    for (uint32_t k = 0; k < u->section.n; k++) {
        MjcfNodes child = {0};
        if (!xml_is(u->section.at[k], section))
            continue;
        mjcf_children(&u->m, u->section.at[k], &child);
        for (uint32_t c = 0; c < child.n; c++)
            read(u, child.at[c]);
    }
}

/* The sections of that name. */
static void for_sections(Reader *u, const char *section, void (*read)(Reader *, const xmlNode *))
{
    for (uint32_t k = 0; k < u->section.n; k++)
        if (xml_is(u->section.at[k], section))
            read(u, u->section.at[k]);
}

static void read_default(Reader *u, const xmlNode *e)
{
    mjcf_add_defaults(&u->m, e, CLASS_NONE);
}

static void read_robot(Reader *u, const xmlNode *root)
{
    static const struct {
        const char *name;
        void (*read)(Reader *, const xmlNode *);
    } other[] = {{"actuator", read_actuator},
                 {"tendon", read_tendon},
                 {"equality", read_equality},
                 {"contact", leave_section},
                 {"sensor", leave_section},
                 {"keyframe", leave_section},
                 {"deformable", refuse_section},
                 {"extension", refuse_section},
                 {"skin", leave_section},
                 {"compiler", ignore},
                 {"option", ignore},
                 {"default", ignore},
                 {"asset", ignore},
                 {"worldbody", ignore},
                 {"size", ignore},
                 {"visual", ignore},
                 {"statistic", ignore},
                 {"custom", ignore}};
    mjcf_children(&u->m, root, &u->section);
    for_sections(u, "compiler", read_compiler);
    for_sections(u, "option", read_option);
    for_sections(u, "default", read_default);
    for_each(u, "asset", read_asset);
    u->r->root = add_link(u, root, "world");
    for_sections(u, "worldbody", read_world);
    scale_masses(u);
    for (uint32_t s = 0; s < u->section.n; s++) {
        bool is_known = false;
        for (size_t k = 0; k < sizeof other / sizeof *other; k++)
            is_known |= xml_is(u->section.at[s], other[k].name);
        if (!is_known)
            not_read(u, u->section.at[s], "a section that rung does not know");
    }
    for (size_t k = 0; k < sizeof other / sizeof *other; k++)
        for_each(u, other[k].name, other[k].read);
}

bool mjcf_read(Robot *r, XmlFile *f, const RobotFolder *folder)
{
    Arena *mem = f->mem;
    Reader u = {.r = r,
                .bodies = map_new(mem),
                .joints = map_new(mem),
                .meshes = map_new(mem),
                .materials = map_new(mem),
                .left = map_new(mem),
                .from_geoms = GEOMS_AUTO,
                .auto_limits = true,
                .group = {-INFINITY, INFINITY},
                .mesh_folder = ""};
    const xmlNode *root = xmlDocGetRootElement(f->doc);
    mjcf_open(&u.m, f, folder);
    r->name = xml_text(f, root, "model");
    if (!r->name || !*r->name)
        r->name = "robot";
    r->gravity[2] = -9.81;
    r->is_grounded = true;
    read_robot(&u, root);
    warn_of_left_out(&u);
    mjcf_close(&u.m);
    return u.m.ok;
}
