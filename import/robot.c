/* robot.c -- poses, inertias and the tree. */
#include "import/robot.h"

#include <math.h>

const Pose pose_identity = {.R = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
const Pose pose_z_along_x = {.R = {{0, 0, -1}, {0, 1, 0}, {1, 0, 0}}};

static void turn(const double R[3][3], const double v[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = R[i][0] * v[0] + R[i][1] * v[1] + R[i][2] * v[2];
}

Pose pose_in(const Pose *a, const Pose *b)
{
    Pose p;
    turn(a->R, b->r, p.r);
    for (int i = 0; i < 3; i++) {
        p.r[i] += a->r[i];
        for (int k = 0; k < 3; k++)
            p.R[i][k] = a->R[i][0] * b->R[0][k] + a->R[i][1] * b->R[1][k] + a->R[i][2] * b->R[2][k];
    }
    return p;
}

Pose pose_of(const double r[3], const double rpy[3])
{
    double cr = cos(rpy[0]), sr = sin(rpy[0]);
    double cp = cos(rpy[1]), sp = sin(rpy[1]);
    double cy = cos(rpy[2]), sy = sin(rpy[2]);
    return (Pose){.r = {r[0], r[1], r[2]},
                  .R = {{cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr},
                        {sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr},
                        {-sp, cp * sr, cp * cr}}};
}

/* I += the inertia about a point of a mass m at d from it (parallel axes). */
static void add_steiner(double I[3][3], double m, const double d[3])
{
    double square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            I[i][k] += m * ((i == k ? square : 0) - d[i] * d[k]);
}

void inertial_add(Inertial *sum, const Inertial *more, const Pose *at)
{
    if (more->m == 0)
        return;
    Inertial a = *sum, b = {.m = more->m};
    turn(at->R, more->c, b.c);
    double RI[3][3];
    for (int i = 0; i < 3; i++) {
        b.c[i] += at->r[i];
        for (int k = 0; k < 3; k++)
            RI[i][k] = at->R[i][0] * more->I[0][k] + at->R[i][1] * more->I[1][k] +
                       at->R[i][2] * more->I[2][k];
    }
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            b.I[i][k] = RI[i][0] * at->R[k][0] + RI[i][1] * at->R[k][1] + RI[i][2] * at->R[k][2];
    if (a.m == 0) {
        *sum = b;
        return;
    }
    sum->m = a.m + b.m;
    double from_a[3], from_b[3];
    for (int i = 0; i < 3; i++) {
        sum->c[i] = (a.m * a.c[i] + b.m * b.c[i]) / sum->m;
        from_a[i] = a.c[i] - sum->c[i];
        from_b[i] = b.c[i] - sum->c[i];
        for (int k = 0; k < 3; k++)
            sum->I[i][k] = a.I[i][k] + b.I[i][k];
    }
    add_steiner(sum->I, a.m, from_a);
    add_steiner(sum->I, b.m, from_b);
}

bool robot_arrange(Robot *r, Arena *mem, Diags *d)
{
    bool ok = true;
    for (uint32_t k = 0; k < r->link.n; k++)
        r->link.at[k].joint = JOINT_NONE;
    for (uint32_t j = 0; j < r->joint.n; j++) {
        const RobotJoint *joint = &r->joint.at[j];
        RobotLink *child = &r->link.at[joint->child];
        if (child->joint != JOINT_NONE) {
            diag_error(d, joint->span, "I04", "link '%s' has two joints that carry it",
                       child->name);
            diag_note(d, r->joint.at[child->joint].span,
                      "the other joint is '%s'; a robot file is a tree",
                      r->joint.at[child->joint].name);
            ok = false;
            continue;
        }
        child->joint = j;
    }
    if (!ok)
        return false;
    r->root = LINK_NONE;
    for (uint32_t k = 0; k < r->link.n; k++) {
        const RobotLink *link = &r->link.at[k];
        if (link->joint != JOINT_NONE)
            continue;
        if (r->root != LINK_NONE) {
            diag_error(d, link->span, "I04",
                       "links '%s' and '%s' are carried by no joint, so that there are two trees",
                       r->link.at[r->root].name, link->name);
            return false;
        }
        r->root = k;
    }
    if (r->root == LINK_NONE) {
        diag_error(d, r->link.n ? r->link.at[0].span : SPAN_NONE, "I04", "%s",
                   r->link.n ? "every link is carried by a joint: no link is the root of the tree"
                             : "there are no links");
        return false;
    }

    // joints by parents: the first of each, then the next with the same one
    uint32_t *first = arena_array(mem, uint32_t, r->link.n);
    uint32_t *next = arena_array(mem, uint32_t, r->joint.n + 1);
    for (uint32_t k = 0; k < r->link.n; k++)
        first[k] = JOINT_NONE;
    for (uint32_t j = r->joint.n; j-- > 0;) {
        next[j] = first[r->joint.at[j].parent];
        first[r->joint.at[j].parent] = j;
    }
    // depth first, in the order of the file
    VEC(uint32_t) open = {0};
    vec_push(mem, open, r->root);
    while (open.n > 0) {
        uint32_t link = open.at[--open.n];
        vec_push(mem, r->order, link);
        uint32_t from = open.n;
        for (uint32_t j = first[link]; j != JOINT_NONE; j = next[j])
            vec_push(mem, open, r->joint.at[j].child);
        for (uint32_t a = from, b = open.n; a + 1 < b; a++) {
            uint32_t other = open.at[--b];
            open.at[b] = open.at[a];
            open.at[a] = other;
        }
    }
    if (r->order.n == r->link.n)
        return true;
    // links that the root does not reach hang on themselves
    bool *seen = arena_array(mem, bool, r->link.n);
    for (uint32_t k = 0; k < r->order.n; k++)
        seen[r->order.at[k]] = true;
    for (uint32_t k = 0; k < r->link.n; k++) {
        if (seen[k])
            continue;
        diag_error(d, r->link.at[k].span, "I04", "link '%s' hangs on a loop of joints, not on '%s'",
                   r->link.at[k].name, r->link.at[r->root].name);
        break;
    }
    return false;
}

void robot_merge_fixed(Robot *r, Arena *mem)
{
    uint32_t *carrier = arena_array(mem, uint32_t, r->link.n);
    Pose *at = arena_array(mem, Pose, r->link.n);
    for (uint32_t k = 0; k < r->order.n; k++) {
        uint32_t l = r->order.at[k];
        RobotLink *link = &r->link.at[l];
        carrier[l] = l;
        at[l] = pose_identity;
        if (link->joint == JOINT_NONE)
            continue;
        RobotJoint *joint = &r->joint.at[link->joint];
        uint32_t parent = joint->parent;
        joint->parent = carrier[parent];
        joint->place = pose_in(&at[parent], &joint->place);
        if (joint->kind != JOINT_FIXED)
            continue;
        carrier[l] = joint->parent;
        at[l] = joint->place;
        RobotLink *to = &r->link.at[carrier[l]];
        inertial_add(&to->inertial, &link->inertial, &at[l]);
        for (uint32_t s = 0; s < link->shape.n; s++) {
            RobotShape shape = link->shape.at[s];
            shape.place = pose_in(&at[l], &shape.place);
            vec_push(mem, to->shape, shape);
        }
        vec_push(mem, to->carries, link->name);
        link->is_merged = true;
    }
}

/* The second moments of mass, trace(I)/2 - I, of a rigid body have no negative principal value: no
 * principal moment of inertia exceeds the sum of the others. */
static bool is_of_a_body(const double I[3][3])
{
    double trace = I[0][0] + I[1][1] + I[2][2], J[3][3], det = 0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            J[i][k] = (i == k ? trace / 2 : 0) - I[i][k];
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        if (J[i][i] < -1e-6 * trace ||
            J[i][i] * J[j][j] - J[i][j] * J[i][j] < -1e-6 * trace * trace)
            return false;
        det += J[0][i] * (J[1][j] * J[2][k] - J[1][k] * J[2][j]);
    }
    return trace >= 0 && det >= -1e-6 * trace * trace * trace;
}

bool robot_check_masses(const Robot *r, Arena *mem, Diags *d)
{
    double *mass = arena_array(mem, double, r->link.n);
    for (uint32_t k = r->order.n; k-- > 0;) {
        uint32_t l = r->order.at[k];
        const RobotLink *link = &r->link.at[l];
        if (!link->is_merged)
            mass[l] += link->inertial.m;
        if (link->joint != JOINT_NONE && !link->is_merged)
            mass[r->joint.at[link->joint].parent] += mass[l];
    }
    bool ok = true;
    for (uint32_t k = 0; k < r->order.n; k++) {
        const RobotLink *link = &r->link.at[r->order.at[k]];
        if (link->is_merged)
            continue;
        if (link->joint != JOINT_NONE && mass[r->order.at[k]] == 0) {
            const RobotJoint *joint = &r->joint.at[link->joint];
            diag_error(d, joint->span, "I05",
                       "joint '%s' moves link '%s', which has no mass, and nothing with a mass "
                       "hangs on it",
                       joint->name, link->name);
            ok = false;
        }
        if (link->inertial.m > 0 && !is_of_a_body(link->inertial.I))
            diag_warning(d, link->span, "I06",
                         "the inertia of link '%s' is none of a rigid body: a moment is negative, "
                         "or larger than the sum of the others",
                         link->name);
    }
    return ok;
}
