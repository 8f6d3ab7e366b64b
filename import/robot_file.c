/* robot_file.c -- <robot> is URDF, <mujoco> MJCF. */
#include "import/robot_file.h"

#include "import/mjcf.h"
#include "import/urdf.h"

bool robot_read(Robot *r, const char *path, const char *beside, Arena *mem, Diags *d)
{
    XmlFile f;
    RobotFolder folder = robot_folder(path, beside, mem);
    *r = (Robot){0};
    if (!xml_open(&f, path, mem, d))
        return false;
    const xmlNode *root = xmlDocGetRootElement(f.doc);
    bool ok = false;
    if (xml_is(root, "robot"))
        ok = urdf_read(r, &f, &folder);
    else if (xml_is(root, "mujoco"))
        ok = mjcf_read(r, &f, &folder);
    else
        diag_error(d, xml_span(&f, root), "I01",
                   "no robot: the file begins with <%s>, not with <robot> or <mujoco>",
                   (const char *)root->name);
    xml_close(&f);
    return ok && robot_arrange(r, mem, d);
}
