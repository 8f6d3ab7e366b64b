/* mjcf.h -- robots in MJCF, the format of MuJoCo (mujoco.readthedocs.io, XML reference).
 *
 * Read: <compiler>, <option gravity>, <default> with nested classes and childclass, <include>,
 * bodies and frames, <inertial> or the inertia of geoms, hinges, slides, balls, free joints,
 * several joints of a body, springs, damping, dry friction, armature, limits; geoms as shapes;
 * motors as the limits of drives. The world is the root.
 *
 * Left out with a warning (I08): contacts, tendons without forces, sites, sensors, other actuators.
 * An error (I12) where the numbers would be others: equality constraints, an inertia that needs a
 * mesh, fluid forces, attributes that rung does not know.
 */
#ifndef RUNG_IMPORT_MJCF_H
#define RUNG_IMPORT_MJCF_H

#include "import/robot.h"
#include "import/robot_folder.h"

/* Of a file whose root element is <mujoco>. False after errors. */
bool mjcf_read(Robot *r, XmlFile *f, const RobotFolder *folder);

#endif
