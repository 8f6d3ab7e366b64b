/* robot_model.h -- a robot as a Modelica model on the library Linkage.
 *
 * Each link is a Parts.Body in the frame of the joint that carries it, each joint one of Joints,
 * with an input for its torque or force, a damper, friction and stops at its limits; shapes are
 * Parts.Shape. Names are those of the file, with _ for characters that no Modelica name has
 * (MLS 2.3.1), and a number behind a name that is taken.
 */
#ifndef RUNG_IMPORT_ROBOT_MODEL_H
#define RUNG_IMPORT_ROBOT_MODEL_H

#include "base/text.h"
#include "import/robot.h"

typedef struct RobotModelOptions {
    const char *name; /* of the class; NULL: that of the robot */
    const char *from; /* the file, for the description         */
    bool is_free;     /* the root moves; else it is fixed to the world */
} RobotModelOptions;

/* After robot_merge_fixed. Appends the class, unformatted. */
void robot_model_write(const Robot *r, const RobotModelOptions *o, Arena *mem, Text *out);

#endif
