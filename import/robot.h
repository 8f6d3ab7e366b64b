/* robot.h -- a robot as a tree of links and joints, between readers of robot files (urdf.h, mjcf.h)
 * and the writer of Modelica (robot_model.h).
 *
 * SI units, angles in radians. A joint's frame lies at `place` in its parent link, and is the frame
 * of its child link where the joint's coordinates are zero.
 */
#ifndef RUNG_IMPORT_ROBOT_H
#define RUNG_IMPORT_ROBOT_H

#include "base/diag.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

/* Where a frame lies in another one: p = r + R p', with the axes of the frame as columns of R. */
typedef struct Pose {
    double r[3];
    double R[3][3];
} Pose;

/* Mass in kg, centre of mass in m, inertia about it in kg m2; resolved in the link's axes. */
typedef struct Inertial {
    double m, c[3], I[3][3];
} Inertial;

typedef enum RobotForm { FORM_BOX, FORM_SPHERE, FORM_CYLINDER, FORM_FILE } RobotForm;

/* Seen in the viewer; the centre of a box, a sphere, a cylinder lies in the origin of `place`. */
typedef struct RobotShape {
    RobotForm form;
    Pose place;
    double size[3];   /* box: along x, y, z; sphere: diameter; cylinder: length along x, diameters;
                         file: factors of its coordinates, in m */
    const char *file; /* of FORM_FILE */
    double color[3];  /* 0 to 255; negative: none is given */
} RobotShape;

#define LINK_NONE UINT32_MAX
#define JOINT_NONE UINT32_MAX

typedef struct RobotLink {
    const char *name;
    Span span;
    Inertial inertial; /* m = 0: none */
    VEC(RobotShape) shape;
    uint32_t joint; /* that carries it, or JOINT_NONE: the root */
    Texts carries;  /* names of links that are fixed to it and were merged into it */
    bool is_merged; /* into the link that carries it */
} RobotLink;

typedef enum RobotJointKind {
    JOINT_FIXED,
    JOINT_REVOLUTE,
    JOINT_PRISMATIC,
    JOINT_PLANAR, /* axis: the plane's normal */
    JOINT_BALL,
    JOINT_FREE
} RobotJointKind;

typedef struct RobotJoint {
    const char *name;
    Span span;
    RobotJointKind kind;
    uint32_t parent, child;
    Pose place;
    double axis[3]; /* of length one */
    bool has_limits;
    double lower, upper;      /* rad or m */
    double effort;            /* N m or N; 0: not given */
    double damping, friction; /* N m s/rad or N s/m; N m or N */
    double spring, rest;      /* N m/rad or N/m; where the spring is without force */
    double armature;        /* inertia of the drive, kg m2 or kg, in the joint's coordinate only */
    double start;           /* rad or m, within the limits */
    const Pose *free_start; /* of JOINT_FREE; NULL: the joint's frames coincide */
    uint32_t leader;        /* JOINT_NONE, or: coordinate = ratio*(that of leader) + offset */
    double ratio, offset;
} RobotJoint;

typedef struct Robot {
    const char *name;
    double gravity[3]; /* m/s2 */
    bool is_grounded;  /* the root is the world, and cannot move */
    VEC(RobotLink) link;
    VEC(RobotJoint) joint;
    uint32_t root;       /* link */
    VEC(uint32_t) order; /* all links, root first, each behind the one that carries it */
} Robot;

extern const Pose pose_identity;
/* The axes of a cylinder of ours, whose length lies along x, where its file has it along z. */
extern const Pose pose_z_along_x;
/* The pose in a frame that itself has the pose `a`. */
Pose pose_in(const Pose *a, const Pose *b);
/* Turned by roll about x, then pitch about y, then yaw about z, of the fixed axes. */
Pose pose_of(const double r[3], const double rpy[3]);

/* Adds an inertial that is resolved in a frame with the pose `at`. */
void inertial_add(Inertial *sum, const Inertial *more, const Pose *at);

/* Finds root and order. False after an error (I04) where links and joints are no tree. */
bool robot_arrange(Robot *r, Arena *mem, Diags *d);
/* Links on fixed joints become part of the links that carry them: masses, shapes, joints. */
void robot_merge_fixed(Robot *r, Arena *mem);
/* Masses of moving parts: an error (I05) where a joint moves no mass, a warning (I06) where an
 * inertia is none of a rigid body. */
bool robot_check_masses(const Robot *r, Arena *mem, Diags *d);

#endif
