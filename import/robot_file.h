/* robot_file.h -- a robot in any of the formats that are read; the root element tells which. */
#ifndef RUNG_IMPORT_ROBOT_FILE_H
#define RUNG_IMPORT_ROBOT_FILE_H

#include "import/robot.h"

/* Everything lives in mem. False after errors in d. `beside`: the folder that the model is written
 * into, from which paths of meshes lead where that is the robot's own; NULL: another one. */
bool robot_read(Robot *r, const char *path, const char *beside, Arena *mem, Diags *d);

#endif
