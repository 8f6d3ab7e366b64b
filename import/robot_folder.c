/* robot_folder.c -- paths of meshes. */
#include "import/robot_folder.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

RobotFolder robot_folder(const char *file, const char *beside, Arena *mem)
{
    const char *slash = strrchr(file, '/');
    RobotFolder r = {.file = file,
                     .path = slash ? arena_copy(mem, file, (size_t)(slash + 1 - file)) : ""};
    r.is_beside = beside && strcmp(beside, r.path) == 0;
    return r;
}

bool robot_folder_has(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0;
}

const char *robot_folder_mesh(const RobotFolder *r, const XmlFile *f, const xmlNode *e,
                              const char *path)
{
    static const char *const known[] = {".stl", ".STL", ".obj", ".OBJ", ".dxf", ".DXF"};
    const char *ending = strrchr(path, '.');
    bool is_known = false;
    for (size_t k = 0; ending && k < sizeof known / sizeof *known; k++)
        is_known |= strcmp(ending, known[k]) == 0;
    if (!is_known || !robot_folder_has(path)) {
        diag_warning(f->d, xml_span(f, e), "I08",
                     is_known ? "there is no mesh '%s': the shape is left out"
                              : "a mesh is .stl, .obj or .dxf, '%s' is left out",
                     path);
        return NULL;
    }
    size_t n = strlen(r->path);
    if (r->is_beside && strncmp(path, r->path, n) == 0 && !strstr(path, ".."))
        return path + n;
    char here[4096];
    if (*path == '/' || !getcwd(here, sizeof here))
        return path;
    return arena_printf(f->mem, "%s/%s", here, path);
}
