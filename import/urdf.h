/* urdf.h -- robots in the Unified Robot Description Format of ROS (wiki.ros.org/urdf/XML).
 *
 * Read: links with <inertial> and the <visual> of a box, a cylinder, a sphere or a mesh, materials;
 * joints of all six types with <origin>, <axis>, <limit>, <dynamics> and <mimic>. Not read:
 * <collision>, <transmission>, <gazebo>, <safety_controller>, <calibration>, the limit of a
 * velocity.
 */
#ifndef RUNG_IMPORT_URDF_H
#define RUNG_IMPORT_URDF_H

#include "import/robot.h"
#include "import/robot_folder.h"

/* Of a file whose root element is <robot>. False after errors. */
bool urdf_read(Robot *r, const XmlFile *f, const RobotFolder *folder);

#endif
