/* mjcf_file.h -- elements of MJCF: the files they come from, the classes that give the attributes
 * they leave out, and how they are turned. mjcf.h reads robots by it.
 *
 * Sources: mujoco.readthedocs.io, XML reference and Modeling (default settings, frame
 * orientations).
 */
#ifndef RUNG_IMPORT_MJCF_FILE_H
#define RUNG_IMPORT_MJCF_FILE_H

#include "base/map.h"
#include "base/name.h"
#include "import/robot.h"
#include "import/robot_folder.h"

typedef VEC(const xmlNode *) MjcfNodes;

/* A class of defaults; number 0 is that of elements without one. */
typedef struct MjcfClass {
    uint32_t base;     /* that it is nested in; of number 0: CLASS_NONE */
    MjcfNodes element; /* <joint>, <geom>, ...: their attributes are the defaults */
} MjcfClass;

#define CLASS_NONE UINT32_MAX

typedef struct MjcfFile {
    XmlFile *f; /* the main file's */
    const RobotFolder *folder;
    Arena *mem;
    Diags *d;
    Names *names;
    VEC(XmlFile *) included;
    Map include, path; /* its number, by <include>; paths that were read */
    VEC(MjcfClass) class;
    Map class_of;
    double angle;         /* rad in a unit of the file's angles */
    const char *eulerseq; /* three of xyzXYZ */
    bool ok;              /* no error yet */
} MjcfFile;

void mjcf_open(MjcfFile *m, XmlFile *f, const RobotFolder *folder);
void mjcf_close(MjcfFile *m); /* the included files */

Span mjcf_span(const xmlNode *e);
void mjcf_refuse(MjcfFile *m, const xmlNode *e, const char *code, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* Appends the child elements of e, those of included files in the place of <include>. A file is
 * included once (I07). */
void mjcf_children(MjcfFile *m, const xmlNode *e, MjcfNodes *out);

/* Adds the elements of a <default> to its class, and nested ones. */
void mjcf_add_defaults(MjcfFile *m, const xmlNode *e, uint32_t base);
/* The class that `attribute` of e names; `none` where it is missing. */
uint32_t mjcf_class(MjcfFile *m, const xmlNode *e, const char *attribute, uint32_t none);

/* An element with the class that completes it, or CLASS_NONE. `kind`: its name in a class. */
typedef struct MjcfItem {
    const xmlNode *e;
    const char *kind;
    uint32_t class;
} MjcfItem;

/* With the class that its attribute `class` names, else this one. */
MjcfItem mjcf_item(MjcfFile *m, const xmlNode *e, const char *kind, uint32_t class);
MjcfItem mjcf_bare(const xmlNode *e); /* without classes */

/* An error (I12) for each attribute that is none of these, apart by blanks: one that rung does not
 * know may change the motion. */
void mjcf_expect(MjcfFile *m, const xmlNode *e, const char *known);

/* Attributes, the element's own or those of its class. NULL: missing. */
const char *mjcf_text(const MjcfFile *m, const MjcfItem *i, const char *name);
/* True where the attribute is there and is n finite numbers; else v is unchanged. */
bool mjcf_numbers(MjcfFile *m, const MjcfItem *i, const char *name, int n, double *v);
/* The same of one number and at most `most`: how many. */
int mjcf_some_numbers(MjcfFile *m, const MjcfItem *i, const char *name, int most, double *v);
/* The number of the word among `words` (apart by blanks) that the attribute is; `none` where it is
 * missing or an error. */
int mjcf_word(MjcfFile *m, const MjcfItem *i, const char *name, const char *words, int none);

/* pos and the orientation: quat, axisangle, xyaxes, zaxis or euler. */
Pose mjcf_pose(MjcfFile *m, const MjcfItem *i);
/* The rotation about an axis, and the shortest one that turns z into v; false where it is zero. */
bool mjcf_about(const double axis[3], double angle, double R[3][3]);
bool mjcf_z_to(const double v[3], double R[3][3]);

#endif
