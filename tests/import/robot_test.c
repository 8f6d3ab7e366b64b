/* The tree of a robot: poses, links on fixed joints, inertias. */
#include "import/modelica_text.h"
#include "import/robot.h"
#include "import/robot_model.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

static const double quarter = 1.5707963267948966;

Test(robot, roll_pitch_and_yaw_turn_about_fixed_axes)
{
    double r[3] = {1, 2, 3}, rpy[3] = {quarter, 0, quarter};
    Pose p = pose_of(r, rpy);
    // y goes to z by the roll, and stays there in the yaw; x goes to y
    cr_assert_float_eq(p.R[2][1], 1, 1e-15);
    cr_assert_float_eq(p.R[1][0], 1, 1e-15);
    cr_assert_eq(p.r[2], 3);
}

/* Two halves of a rod are the rod: m l^2/12 about its middle. */
Test(robot, inertias_add_up)
{
    double half = 1.0 / 12 * 0.5 * 0.25; // of half the rod about its own middle: l = 1, m = 1
    Inertial part = {.m = 0.5, .c = {0.25, 0, 0}, .I = {{0, 0, 0}, {0, half, 0}, {0, 0, half}}};
    Inertial rod = {0};
    inertial_add(&rod, &part, &pose_identity);
    // the other half is turned about z by half a turn
    Pose turned = pose_of((double[3]){0, 0, 0}, (double[3]){0, 0, 2 * quarter});
    inertial_add(&rod, &part, &turned);
    cr_assert_float_eq(rod.m, 1, 1e-15);
    cr_assert_float_eq(rod.c[0], 0, 1e-15);
    cr_assert_float_eq(rod.I[1][1], 1.0 / 12, 1e-15);
    cr_assert_float_eq(rod.I[2][2], 1.0 / 12, 1e-15);
    cr_assert_float_eq(rod.I[0][1], 0, 1e-15);
}

/* A chain of links on joints of these kinds, each 1 kg, 1 m above the one before. */
static Robot chain(uint32_t n, const RobotJointKind *kind, Arena *mem)
{
    Robot r = {.name = "chain"};
    for (uint32_t k = 0; k <= n; k++) {
        RobotLink link = {.name = arena_printf(mem, "link%u", k),
                          .inertial = {.m = 1, .I = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};
        vec_push(mem, r.link, link);
    }
    for (uint32_t k = n; k-- > 0;) {
        RobotJoint joint = {.name = arena_printf(mem, "joint%u", k),
                            .kind = kind[k],
                            .parent = k,
                            .child = k + 1,
                            .place = pose_identity,
                            .axis = {0, 1, 0},
                            .leader = JOINT_NONE};
        joint.place.r[2] = 1;
        vec_push(mem, r.joint, joint);
    }
    return r;
}

Test(robot, links_on_fixed_joints_are_merged)
{
    Arena *mem = arena_new();
    Diags *d = diags_new(mem);
    Robot r =
        chain(4, (RobotJointKind[]){JOINT_REVOLUTE, JOINT_FIXED, JOINT_FIXED, JOINT_REVOLUTE}, mem);
    cr_assert(robot_arrange(&r, mem, d));
    cr_assert_eq(r.root, 0);
    robot_merge_fixed(&r, mem);
    const Inertial *b = &r.link.at[1].inertial;
    cr_assert_float_eq(b->m, 3, 1e-15);
    cr_assert_float_eq(b->c[2], 1, 1e-15);
    cr_assert_float_eq(b->I[0][0], 3 + 2, 1e-14, "the outer ones are 1 m from the centre");
    cr_assert_float_eq(b->I[2][2], 3, 1e-14);
    cr_assert(r.link.at[2].is_merged && r.link.at[3].is_merged && !r.link.at[4].is_merged);
    const RobotJoint *last = &r.joint.at[0];
    cr_assert_eq(last->parent, 1);
    cr_assert_float_eq(last->place.r[2], 3, 1e-15);
    cr_assert(robot_check_masses(&r, mem, d));
    Text text = text_new(mem);
    robot_model_write(&r, &(RobotModelOptions){.from = "test"}, mem, &text);
    cr_assert(strstr(text.at, "// link1 carries link2, link3"));
    cr_assert(!strstr(text.at, "Body link2"));
    arena_free(mem);
}

Test(robot, a_joint_that_moves_nothing_is_an_error)
{
    Arena *mem = arena_new();
    Diags *d = diags_new(mem);
    Robot r = chain(2, (RobotJointKind[]){JOINT_REVOLUTE, JOINT_REVOLUTE}, mem);
    r.link.at[2].inertial.m = 0;
    cr_assert(robot_arrange(&r, mem, d));
    robot_merge_fixed(&r, mem);
    cr_assert_not(robot_check_masses(&r, mem, d));
    cr_assert_str_eq(diags_at(d, 0)->code, "I05");
    arena_free(mem);
}

Test(robot, an_inertia_of_no_body_is_a_warning)
{
    Arena *mem = arena_new();
    Diags *d = diags_new(mem);
    Robot r = chain(1, (RobotJointKind[]){JOINT_REVOLUTE}, mem);
    cr_assert(robot_arrange(&r, mem, d));
    // principal moments 1, 1 and 2.1, turned out of the axes
    double t = 0.6, c = cos(t), s = sin(t);
    double I[3][3] = {{c * c + 2.1 * s * s, 0, (2.1 - 1) * s * c},
                      {0, 1, 0},
                      {(2.1 - 1) * s * c, 0, s * s + 2.1 * c * c}};
    memcpy(r.link.at[1].inertial.I, I, sizeof I);
    cr_assert(robot_check_masses(&r, mem, d));
    cr_assert_eq(diags_count(d), 1);
    cr_assert_str_eq(diags_at(d, 0)->code, "I06");
    arena_free(mem);
}

Test(robot, names_are_made_Modelica_names)
{
    Arena *mem = arena_new();
    cr_assert_str_eq(modelica_name("left-arm link", mem), "left_arm_link");
    cr_assert_str_eq(modelica_name("3rd", mem), "r_3rd");
    cr_assert_str_eq(modelica_name("connect", mem), "connect_");
    arena_free(mem);
}
