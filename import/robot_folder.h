/* robot_folder.h -- where a robot's file lies, for the files that it names. */
#ifndef RUNG_IMPORT_ROBOT_FOLDER_H
#define RUNG_IMPORT_ROBOT_FOLDER_H

#include "import/xml_file.h"

typedef struct RobotFolder {
    const char *file; /* the robot's */
    const char *path; /* its folder, with a final '/' or empty */
    bool is_beside;   /* the model is written there: paths lead from there */
} RobotFolder;

/* `beside`: the folder of the model, or NULL. */
RobotFolder robot_folder(const char *file, const char *beside, Arena *mem);
bool robot_folder_has(const char *path);
/* A mesh as the model names it; NULL after a warning (I08) at e where there is none or where no
 * viewer of rung's could draw it. */
const char *robot_folder_mesh(const RobotFolder *r, const XmlFile *f, const xmlNode *e,
                              const char *path);

#endif
