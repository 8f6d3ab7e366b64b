/* robot_model.c -- declarations and connections, link by link. */
#include "import/robot_model.h"

#include "base/map.h"
#include "base/name.h"
#include "import/modelica_text.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Writer {
    const Robot *r;
    Arena *mem;
    Names *names;
    Map taken;         /* names of components */
    const char **link; /* the frames of links; that of the world where they are fixed to it */
    const char **joint;
    Text declared, connected;
} Writer;

/* ---- names and numbers ----------------------------------------------------------------------- */

static const char *fresh(Writer *w, const char *text)
{
    const char *stem = modelica_name(text, w->mem), *name = stem;
    for (uint32_t k = 2; !map_add(&w->taken, map_key_ptr(name_of(w->names, name).s)); k++)
        name = arena_printf(w->mem, "%s_%u", stem, k);
    return name;
}

static const char *number(const Writer *w, double v)
{
    return modelica_number(v, w->mem);
}

static double largest(const double *v, int n)
{
    double most = 0;
    for (int k = 0; k < n; k++)
        most = fmax(most, fabs(v[k]));
    return most;
}

/* Rounding of a rotation by a right angle is no length. */
static double rounded(double v, double scale)
{
    return fabs(v) < 1e-15 * scale ? 0 : v;
}

static const char *vector(const Writer *w, const double v[3])
{
    double scale = largest(v, 3);
    return arena_printf(w->mem, "{%s, %s, %s}", number(w, rounded(v[0], scale)),
                        number(w, rounded(v[1], scale)), number(w, rounded(v[2], scale)));
}

static const char *quoted(const Writer *w, const char *text)
{
    Text t = text_new(w->mem);
    text_put(&t, "\"");
    for (const char *c = text; *c; c++) {
        if (*c == '"' || *c == '\\')
            text_put(&t, "\\");
        text_put_n(&t, c, 1);
    }
    text_put(&t, "\"");
    return t.at;
}

/* ---- parts ----------------------------------------------------------------------------------- */

static void connect(Writer *w, const char *a, const char *b)
{
    text_printf(&w->connected, "connect(%s, %s);\n", a, b);
}

/* Axis and angle in [0, pi] of a rotation matrix. */
static double axis_angle(const double R[3][3], double axis[3])
{
    // twice the sine times the axis; near pi the axis is the largest column of R + 1
    double v[3] = {R[2][1] - R[1][2], R[0][2] - R[2][0], R[1][0] - R[0][1]};
    double sine = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]),
           cosine = R[0][0] + R[1][1] + R[2][2] - 1;
    double angle = atan2(sine, cosine);
    if (cosine < -1.99) {
        int k = R[0][0] > R[1][1] ? (R[0][0] > R[2][2] ? 0 : 2) : (R[1][1] > R[2][2] ? 1 : 2);
        double sign = 1;
        for (int i = 0; i < 3; i++)
            axis[i] = R[i][k] + R[k][i] + (i == k ? -cosine : 0);
        for (int i = 0; i < 3; i++)
            sign = v[i] * axis[i] < 0 && fabs(v[i]) > 1e-12 ? -1 : sign;
        double length = sign * sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
        for (int i = 0; i < 3; i++)
            axis[i] /= length;
        return angle;
    }
    for (int i = 0; i < 3; i++)
        axis[i] = sine > 0 ? v[i] / sine : i == 0;
    return angle;
}

/* Parts from frame `from` to a frame with that pose in it; its name. */
static const char *write_place(Writer *w, const char *from, const char *stem, const Pose *p)
{
    if (largest(p->r, 3) > 0) {
        const char *name = fresh(w, arena_printf(w->mem, "%s_place", stem));
        text_printf(&w->declared, "Linkage.Parts.FixedTranslation %s(r = %s);\n", name,
                    vector(w, p->r));
        connect(w, from, arena_printf(w->mem, "%s.frame_a", name));
        from = arena_printf(w->mem, "%s.frame_b", name);
    }
    double axis[3], angle = axis_angle(p->R, axis);
    if (angle != 0) {
        const char *name = fresh(w, arena_printf(w->mem, "%s_turn", stem));
        text_printf(&w->declared, "Linkage.Parts.FixedRotation %s(n = %s, angle = %s);\n", name,
                    vector(w, axis), number(w, angle));
        connect(w, from, arena_printf(w->mem, "%s.frame_a", name));
        from = arena_printf(w->mem, "%s.frame_b", name);
    }
    return from;
}

static void write_body(Writer *w, const RobotLink *link, const char *name)
{
    const Inertial *b = &link->inertial;
    double scale = largest(&b->I[0][0], 9);
    static const struct {
        const char *name;
        int i, k;
    } element[] = {{"I_11", 0, 0}, {"I_22", 1, 1}, {"I_33", 2, 2},
                   {"I_21", 1, 0}, {"I_31", 2, 0}, {"I_32", 2, 1}};
    text_printf(&w->declared, "Linkage.Parts.Body %s(m = %s, r_CM = %s", name, number(w, b->m),
                vector(w, b->c));
    for (size_t k = 0; k < sizeof element / sizeof *element; k++)
        text_printf(&w->declared, ", %s = %s", element[k].name,
                    number(w, rounded(b->I[element[k].i][element[k].k], scale)));
    text_printf(&w->declared, ") %s;\n", quoted(w, arena_printf(w->mem, "Link %s", link->name)));
}

static void write_shapes(Writer *w, const RobotLink *link, const char *stem, const char *frame)
{
    static const char *const form[] = {"Box", "Sphere", "Cylinder", "File"};
    for (uint32_t k = 0; k < link->shape.n; k++) {
        const RobotShape *s = &link->shape.at[k];
        const char *name = fresh(w, arena_printf(w->mem, "%s_shape", stem));
        text_printf(&w->declared, "Linkage.Parts.Shape %s(form = Linkage.Parts.Form.%s, r = %s",
                    name, form[s->form], vector(w, s->place.r));
        double x[3], y[3];
        for (int i = 0; i < 3; i++) {
            x[i] = s->place.R[i][0];
            y[i] = s->place.R[i][1];
        }
        if ((s->form != FORM_SPHERE || s->size[0] != s->size[1] || s->size[0] != s->size[2]) &&
            (x[0] != 1 || y[1] != 1))
            text_printf(&w->declared, ", n_x = %s, n_y = %s", vector(w, x), vector(w, y));
        if (s->form == FORM_FILE)
            text_printf(&w->declared, ", file = %s", quoted(w, s->file));
        text_printf(&w->declared, ", size = %s", vector(w, s->size));
        if (s->color[0] >= 0)
            text_printf(&w->declared, ", color = %s", vector(w, s->color));
        text_put(&w->declared, ");\n");
        connect(w, frame, arena_printf(w->mem, "%s.frame_a", name));
    }
}

/* ---- joints ---------------------------------------------------------------------------------- */

/* The words in which rotations and translations differ. */
typedef struct Words {
    const char *joint, *q, *drive, *effort, *quantity, *prefix, *fixed, *ground, *damping,
        *friction, *stop, *inertia, *J;
} Words;

static const Words words[] = {
    [JOINT_REVOLUTE] = {"Revolute", "phi", "Torque", "tau", "Torque", "Rotational",
                        "RotationalFixed", "ground", "RotationalSpringDamper", "tau_C", "phi",
                        "Inertia", "J"},
    [JOINT_PRISMATIC] = {"Prismatic", "s", "Force", "f", "Force", "Translational",
                         "TranslationalFixed", "rail", "TranslationalSpringDamper", "f_C", "s",
                         "Mass", "m"},
};

static const char *flange(const Writer *w, uint32_t joint)
{
    return arena_printf(w->mem, "%s.flange", w->joint[joint]);
}

/* Between the ground and the joint's flange; `only`: the parameter that it depends on, or NULL. */
static void write_load(Writer *w, uint32_t joint, const char *kind, const char *of,
                       const char *values, const char *only)
{
    const Words *t = &words[w->r->joint.at[joint].kind];
    const char *name = fresh(w, arena_printf(w->mem, "%s_%s", w->joint[joint], of));
    text_printf(&w->declared, "Linkage.Drives.%s%s %s(%s)%s%s;\n", t->prefix, kind, name, values,
                only ? " if " : "", only ? only : "");
    connect(w, arena_printf(w->mem, "%s.flange", t->ground),
            arena_printf(w->mem, "%s.flange_a", name));
    connect(w, arena_printf(w->mem, "%s.flange_b", name), flange(w, joint));
}

/* A stop gives way by this much, rad or m, under the largest effort. */
#define GIVE 0.01

static void write_drive(Writer *w, uint32_t joint)
{
    const RobotJoint *j = &w->r->joint.at[joint];
    const Words *t = &words[j->kind];
    const char *input = fresh(w, arena_printf(w->mem, "%s_%s", t->effort, w->joint[joint]));
    const char *motor = fresh(w, arena_printf(w->mem, "%s_motor", w->joint[joint]));
    text_printf(&w->declared, "input Linkage.Units.%s %s", t->quantity, input);
    if (j->effort > 0)
        text_printf(&w->declared, "(min = %s, max = %s)", number(w, -j->effort),
                    number(w, j->effort));
    text_printf(
        &w->declared, " %s;\n",
        quoted(w, arena_printf(w->mem, "%s of the drive of joint %s", t->quantity, j->name)));
    text_printf(&w->declared, "Linkage.Drives.%s %s(%s = %s);\n", t->drive, motor, t->effort,
                input);
    connect(w, arena_printf(w->mem, "%s.flange", motor), flange(w, joint));
}

/* q = ratio*q of the leader + offset: one force acts on both, of the ratio's opposite size. */
static void write_follower(Writer *w, uint32_t joint)
{
    const RobotJoint *j = &w->r->joint.at[joint], *leader = &w->r->joint.at[j->leader];
    const Words *t = &words[j->kind], *of = &words[leader->kind];
    const char *force = fresh(w, arena_printf(w->mem, "%s_%s", t->effort, w->joint[joint]));
    const char *here = fresh(w, arena_printf(w->mem, "%s_follows", w->joint[joint]));
    const char *there =
        fresh(w, arena_printf(w->mem, "%s_leads_%s", w->joint[j->leader], w->joint[joint]));
    text_printf(
        &w->declared, "Linkage.Units.%s %s %s;\n", t->quantity, force,
        quoted(w, arena_printf(w->mem, "Holds joint %s to joint %s", j->name, leader->name)));
    text_printf(&w->declared, "Linkage.Drives.%s %s(%s = %s);\n", t->drive, here, t->effort, force);
    text_printf(&w->declared, "Linkage.Drives.%s %s(%s = -(%s)*%s);\n", of->drive, there,
                of->effort, number(w, j->ratio), force);
    connect(w, arena_printf(w->mem, "%s.flange", here), flange(w, joint));
    connect(w, arena_printf(w->mem, "%s.flange", there), flange(w, j->leader));
    text_printf(&w->connected, "%s.%s = (%s)*%s.%s + (%s);\n", w->joint[joint], t->q,
                number(w, j->ratio), w->joint[j->leader], of->q, number(w, j->offset));
}

static void write_free(Writer *w, const RobotJoint *j, const char *name, const char *about)
{
    text_printf(&w->declared, "Linkage.Joints.Free %s", name);
    if (j->free_start) {
        double axis[3], angle = axis_angle(j->free_start->R, axis), c = cos(angle / 2),
                        s = sin(angle / 2);
        text_printf(&w->declared, "(r_rel(start = %s), Q(start = {%s, %s, %s, %s}))",
                    vector(w, j->free_start->r), number(w, rounded(c, 1)),
                    number(w, rounded(s * axis[0], 1)), number(w, rounded(s * axis[1], 1)),
                    number(w, rounded(s * axis[2], 1)));
    }
    text_printf(&w->declared, " %s;\n", about);
}

static void write_joint(Writer *w, uint32_t joint, const char *from)
{
    const RobotJoint *j = &w->r->joint.at[joint];
    const char *name = w->joint[joint];
    const char *about = quoted(w, arena_printf(w->mem, "Joint %s", j->name));
    if (j->kind == JOINT_FREE)
        write_free(w, j, name, about);
    else if (j->kind == JOINT_BALL)
        text_printf(&w->declared, "Linkage.Joints.Spherical %s %s;\n", name, about);
    else if (j->kind == JOINT_PLANAR) {
        // a direction in the plane: across the axis that is least along the normal
        int k = fabs(j->axis[0]) <= fabs(j->axis[1])
                    ? (fabs(j->axis[0]) <= fabs(j->axis[2]) ? 0 : 2)
                    : (fabs(j->axis[1]) <= fabs(j->axis[2]) ? 1 : 2);
        text_printf(&w->declared, "Linkage.Joints.Planar %s(n = %s, n_x = %s) %s;\n", name,
                    vector(w, j->axis), vector(w, pose_identity.R[k]), about);
    } else {
        const Words *t = &words[j->kind];
        text_printf(&w->declared, "Linkage.Joints.%s %s(n = %s, useFlange = true", t->joint, name,
                    vector(w, j->axis));
        double start = j->has_limits ? fmin(j->upper, fmax(j->lower, j->start)) : j->start;
        if (start != 0 && j->leader == JOINT_NONE)
            text_printf(&w->declared, ", %s(start = %s)", t->q, number(w, start));
        text_printf(&w->declared, ") %s;\n", about);
    }
    connect(w, from, arena_printf(w->mem, "%s.frame_a", name));
    if (j->kind != JOINT_REVOLUTE && j->kind != JOINT_PRISMATIC)
        return;
    const Words *t = &words[j->kind];
    if (j->leader == JOINT_NONE)
        write_drive(w, joint);
    else
        write_follower(w, joint);
    if (j->armature > 0) {
        const char *rotor = fresh(w, arena_printf(w->mem, "%s_armature", name));
        text_printf(&w->declared, "Linkage.Drives.%s %s(%s = %s);\n", t->inertia, rotor, t->J,
                    number(w, j->armature));
        connect(w, flange(w, joint), arena_printf(w->mem, "%s.flange_a", rotor));
    }
    if (j->spring > 0)
        write_load(w, joint, "SpringDamper", "spring",
                   arena_printf(w->mem, "c = %s, d = 0, %s_rel_0 = %s", number(w, j->spring), t->q,
                                number(w, j->rest)),
                   NULL);
    if (j->damping > 0)
        write_load(w, joint, "SpringDamper", "damper",
                   arena_printf(w->mem, "c = 0, d = %s", number(w, j->damping)), "friction");
    if (j->friction > 0)
        write_load(w, joint, "Friction", "friction",
                   arena_printf(w->mem, "%s = %s", t->friction, number(w, j->friction)),
                   "friction");
    if (j->has_limits)
        write_load(w, joint, "Stop", "stop",
                   arena_printf(w->mem, "%s_min = %s, %s_max = %s, c = %s", t->stop,
                                number(w, j->lower), t->stop, number(w, j->upper),
                                number(w, fmax(j->effort, 1) / GIVE)),
                   "limits");
}

/* ---- the class ------------------------------------------------------------------------------- */

static void write_link(Writer *w, uint32_t l)
{
    const RobotLink *link = &w->r->link.at[l];
    const RobotJoint *joint = link->joint == JOINT_NONE ? NULL : &w->r->joint.at[link->joint];
    const char *frame = "world.frame_b", *stem = link->name;
    text_put(&w->declared, "\n");
    if (link->carries.n > 0) {
        text_printf(&w->declared, "// %s carries", link->name);
        for (uint32_t k = 0; k < link->carries.n; k++)
            text_printf(&w->declared, "%s %s", k ? "," : "", link->carries.at[k]);
        text_put(&w->declared, "\n");
    }
    if (joint) {
        const char *parent = w->link[joint->parent];
        write_joint(w, link->joint, write_place(w, parent, w->joint[link->joint], &joint->place));
        frame = arena_printf(w->mem, "%s.frame_b", w->joint[link->joint]);
    } else if (w->link[l]) { // free
        const char *name = fresh(w, "base");
        text_printf(&w->declared, "Linkage.Joints.Free %s \"All six ways of the robot\";\n", name);
        connect(w, "world.frame_b", arena_printf(w->mem, "%s.frame_a", name));
        frame = arena_printf(w->mem, "%s.frame_b", name);
    }
    if (link->inertial.m > 0 && strcmp(frame, "world.frame_b") != 0) {
        const char *name = fresh(w, link->name);
        write_body(w, link, name);
        connect(w, frame, arena_printf(w->mem, "%s.frame_a", name));
        stem = name;
    }
    w->link[l] = frame;
    write_shapes(w, link, stem, frame);
}

static void write_world(const Writer *w, Text *out)
{
    const double *v = w->r->gravity;
    double g = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    const double n[3] = {v[0] / g, v[1] / g, v[2] / g};
    text_put(out, "inner Linkage.World world(");
    if (g == 0)
        text_put(out, "g = 0");
    else
        text_printf(out, "n = %s", vector(w, n));
    if (g != 0 && g != 9.81)
        text_printf(out, ", g = %s", number(w, g));
    text_put(out, ");\n");
}

void robot_model_write(const Robot *r, const RobotModelOptions *o, Arena *mem, Text *out)
{
    Writer w = {.r = r,
                .mem = mem,
                .names = names_new(mem),
                .taken = map_new(mem),
                .link = arena_array(mem, const char *, r->link.n),
                .joint = arena_array(mem, const char *, r->joint.n + 1),
                .declared = text_new(mem),
                .connected = text_new(mem)};
    static const char *const own[] = {"world", "ground", "rail", "limits", "friction", "Linkage"};
    const char *name = o->name ? o->name : modelica_name(r->name, mem);
    for (size_t k = 0; k < sizeof own / sizeof *own; k++)
        fresh(&w, own[k]);
    fresh(&w, name);
    bool has[JOINT_FREE + 1] = {0}, any_friction = false, any_limits = false;
    for (uint32_t k = 0; k < r->joint.n; k++) {
        const RobotJoint *j = &r->joint.at[k];
        bool moves = j->kind == JOINT_REVOLUTE || j->kind == JOINT_PRISMATIC;
        if (j->kind != JOINT_FIXED)
            w.joint[k] = fresh(&w, j->name);
        has[j->kind] |=
            moves && (j->damping > 0 || j->friction > 0 || j->spring > 0 || j->has_limits);
        any_friction |= moves && (j->damping > 0 || j->friction > 0);
        any_limits |= moves && j->has_limits;
    }
    text_printf(out, "model %s %s\n", name,
                quoted(&w, arena_printf(mem, "Robot %s, imported from %s", r->name ? r->name : "",
                                        o->from)));
    write_world(&w, out);
    if (any_limits)
        text_put(out, "parameter Boolean limits = true \"Whether joints have stops at their "
                      "limits\" annotation(Evaluate = true);\n");
    if (any_friction)
        text_put(out, "parameter Boolean friction = true \"Whether joints have damping and "
                      "friction\" annotation(Evaluate = true);\n");
    for (int kind = JOINT_REVOLUTE; kind <= JOINT_PRISMATIC; kind++)
        if (has[kind])
            text_printf(out, "Linkage.Drives.%s %s;\n", words[kind].fixed, words[kind].ground);
    // the joints' names are those of the file wherever that can be: bodies come behind them
    for (uint32_t k = 0; k < r->order.n; k++) {
        uint32_t l = r->order.at[k];
        if (l == r->root && o->is_free)
            w.link[l] = "";
        if (!r->link.at[l].is_merged)
            write_link(&w, l);
    }
    text_put_n(out, w.declared.at ? w.declared.at : "", w.declared.n);
    text_put(out, "equation\n");
    text_put_n(out, w.connected.at ? w.connected.at : "", w.connected.n);
    text_printf(out, "end %s;\n", name);
}
