/* Elements of MJCF: orientations, classes, inertias of geoms. */
#include "import/mjcf.h"
#include "import/mjcf_file.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

static Robot read_text(const char *text, Arena *mem, Diags *d, bool *ok)
{
    XmlFile f;
    Robot r = {0};
    RobotFolder folder = robot_folder("m.xml", NULL, mem);
    cr_assert(xml_open_text(&f, "m.xml", text, strlen(text), mem, d));
    *ok = mjcf_read(&r, &f, &folder) && robot_arrange(&r, mem, d);
    xml_close(&f);
    return r;
}

static Robot good(const char *text, Arena *mem)
{
    bool ok;
    Diags *d = diags_new(mem);
    Robot r = read_text(text, mem, d, &ok);
    cr_assert(ok, "%s", diags_count(d) ? diags_at(d, 0)->text : "");
    return r;
}

/* The same rotation in each way that the format has. */
Test(mjcf, orientations_agree)
{
    static const char *const ways[] = {
        "quat='0.8 0 0.6 0'",
        "axisangle='0 2 0 73.739795291688042'",
        "euler='0 73.739795291688042 0'",
        "xyaxes='0.28 0 -0.96 0.5 3 0'",
        "zaxis='1.92 0 0.56'",
    };
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        Arena *mem = arena_new();
        Robot r = good(arena_printf(mem,
                                    "<mujoco><worldbody><body %s><joint/><geom size='1'/>"
                                    "</body></worldbody></mujoco>",
                                    ways[k]),
                       mem);
        const double(*R)[3] = r.joint.at[0].place.R;
        if (k == 3) { // y is made perpendicular to x
            cr_assert_float_eq(R[0][0], 0.28, 1e-15);
            cr_assert_float_eq(R[2][0], -0.96, 1e-15);
        } else {
            cr_assert_float_eq(R[0][0], 0.28, 1e-14, "%s", ways[k]);
            cr_assert_float_eq(R[0][2], 0.96, 1e-14, "%s", ways[k]);
            cr_assert_float_eq(R[1][1], 1, 1e-14, "%s", ways[k]);
        }
        arena_free(mem);
    }
}

/* Turns about the body's own axes are those about fixed axes in the opposite order. */
Test(mjcf, euler_sequences_of_own_and_fixed_axes)
{
    Arena *mem = arena_new();
    static const char *const text =
        "<mujoco><compiler angle='radian' eulerseq='%s'/><worldbody><body euler='%s'><joint/>"
        "<geom size='1'/></body></worldbody></mujoco>";
    Robot own = good(arena_printf(mem, "<mujoco><compiler angle='radian' eulerseq='xyz'/>"
                                       "<worldbody><body euler='0.1 0.2 0.3'><joint/>"
                                       "<geom size='1'/></body></worldbody></mujoco>"),
                     mem);
    Robot fixed = good(arena_printf(mem, text, "ZYX", "0.3 0.2 0.1"), mem);
    for (int k = 0; k < 9; k++)
        cr_assert_float_eq(own.joint.at[0].place.R[k / 3][k % 3],
                           fixed.joint.at[0].place.R[k / 3][k % 3], 1e-15);
    arena_free(mem);
}

/* A capsule is a cylinder and two half balls, whose masses and moments add up. */
Test(mjcf, a_capsule_has_the_inertia_of_its_parts)
{
    Arena *mem = arena_new();
    Robot r = good("<mujoco><worldbody><body><joint/><geom type='capsule' size='0.2 0.5'/>"
                   "</body></worldbody></mujoco>",
                   mem);
    const double pi = acos(-1), a = 0.2, h = 0.5;
    // slices across z of a disc of radius b: dm = rho pi b^2 dz, dI = dm (b^2/4 + z^2)
    double m = 0, I = 0;
    enum { N = 20000 };
    for (int k = 0; k < N; k++) {
        double z = (k + 0.5) * (a + h) / N;
        double b2 = z < h ? a * a : a * a - (z - h) * (z - h);
        double dm = 2 * 1000 * pi * b2 * (a + h) / N;
        m += dm;
        I += dm * (b2 / 4 + z * z);
    }
    const Inertial *b = &r.link.at[1].inertial;
    cr_assert_float_eq(b->m, m, 1e-6 * m);
    cr_assert_float_eq(b->I[0][0], I, 1e-6 * I);
    arena_free(mem);
}

Test(mjcf, classes_give_what_elements_leave_out)
{
    Arena *mem = arena_new();
    Robot r = good("<mujoco><default><joint damping='1'/><default class='a'><joint armature='2'/>"
                   "<default class='b'><joint damping='3'/></default></default></default>"
                   "<worldbody><body childclass='a'><joint/><geom size='1'/>"
                   "<body><joint class='b'/><geom size='1'/><body><joint damping='5'/>"
                   "<geom size='1'/></body></body></body></worldbody></mujoco>",
                   mem);
    const double damping[] = {1, 3, 5};
    for (uint32_t k = 0; k < 3; k++) {
        cr_assert_eq(r.joint.at[k].damping, damping[k]);
        cr_assert_eq(r.joint.at[k].armature, 2);
    }
    arena_free(mem);
}

/* A <frame> is the pose of its children, as a body without joints would be. */
Test(mjcf, a_frame_places_its_children)
{
    Arena *mem = arena_new();
    Robot r = good("<mujoco><worldbody><frame pos='0 0 1' euler='0 0 90'><frame pos='1 0 0'>"
                   "<body pos='0 1 0'><joint/><geom size='1'/></body></frame></frame>"
                   "</worldbody></mujoco>",
                   mem);
    const double want[] = {-1, 1, 1};
    for (int k = 0; k < 3; k++)
        cr_assert_float_eq(r.joint.at[0].place.r[k], want[k], 1e-15);
    arena_free(mem);
}

/* settotalmass is the mass of all bodies, those that do not move among them. */
Test(mjcf, masses_are_scaled_to_the_total)
{
    Arena *mem = arena_new();
    Robot r = good("<mujoco><compiler settotalmass='6'/><worldbody><geom size='9'/>"
                   "<body><geom size='1' mass='1'/><body><joint/><geom size='1' mass='2'/></body>"
                   "</body></worldbody></mujoco>",
                   mem);
    cr_assert_float_eq(r.link.at[2].inertial.m, 4, 1e-15);
    cr_assert_float_eq(r.link.at[2].inertial.I[0][0], 4 * 0.4, 1e-15);
    arena_free(mem);
}

Test(mjcf, hidden_groups_weigh_but_are_not_seen)
{
    Arena *mem = arena_new();
    Robot r = good("<mujoco><compiler inertiagrouprange='0 3'/><worldbody><body><joint/>"
                   "<geom size='1' mass='1' group='2'/><geom size='1' mass='2' group='3'/>"
                   "<geom size='1' mass='4' group='4'/></body></worldbody></mujoco>",
                   mem);
    cr_assert_eq(r.link.at[1].inertial.m, 3);
    cr_assert_eq(r.link.at[1].shape.n, 1);
    arena_free(mem);
}

Test(mjcf, unknown_attributes_are_errors_and_sites_warnings)
{
    Arena *mem = arena_new();
    Diags *d = diags_new(mem);
    bool ok;
    read_text("<mujoco><worldbody><body><joint gain='1'/><site/><geom size='1'/></body>"
              "</worldbody></mujoco>",
              mem, d, &ok);
    cr_assert_not(ok);
    cr_assert_eq(diags_errors(d), 1);
    cr_assert_eq(diags_count(d), 2);
    cr_assert_str_eq(diags_at(d, 0)->code, "I12");
    arena_free(mem);
}
