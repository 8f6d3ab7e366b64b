/* bundle.h -- the runtime's sources inside the compiler, so that `rung compile` needs no
 * installed files. The table is made by bundle.cmake. */
#ifndef RUNG_EMIT_MODEL_BUNDLE_H
#define RUNG_EMIT_MODEL_BUNDLE_H

typedef struct BundleFile {
    const char *name;
    const char *text;
    unsigned long size;
} BundleFile;

extern const BundleFile bundle[]; /* sorted; ends with a NULL name */

#endif
