/* build.h -- generated C becomes a model in this process.
 *
 * The files are written into a directory of their own under TMPDIR, compiled by $CC (else cc)
 * without a shell, as many at a time as there are processors, linked into a shared object and
 * loaded; the directory is removed again. Flags: -O0 for straight code by default, since optimising
 * takes 0.3 ms more per statement and saves 1 ns per evaluation (gcc 12: -O0 is 1.6 times slower
 * than -O1 on such code, -O2 no faster than -O1), so it pays from some 300,000 evaluations on; -O1
 * for files of kernels, whose statements are evaluated once per body; -ffp-contract=off, so that
 * the digits do not depend on whether the machine fuses multiply and add; -fno-math-errno, so that
 * sqrt is one instruction; then $CFLAGS.
 *
 * With a cache the shared object is kept there, by a digest of all its ingredients: the C with its
 * headers, the flags, the compiler (its file's size and time), the environment variables that it
 * reads, the files beside external functions. Headers of the system are assumed to change only with
 * the compiler.
 */
#ifndef RUNG_EMIT_MODEL_BUILD_H
#define RUNG_EMIT_MODEL_BUILD_H

#include "base/cache.h"
#include "base/dependency.h"
#include "emit/emit.h"

#include "runtime/kernel/rung_model.h"
#include <signal.h>

/* The machine that code is compiled for. */
typedef enum BuildTarget {
    BUILD_HERE,        /* this one, by $CC, else cc                                         */
    BUILD_WEBASSEMBLY, /* pages: by $RUNG_WASM_CC, else clang, with the libc of WASI          */
} BuildTarget;

typedef struct BuildOptions {
    BuildTarget target;
    const char *optimise; /* flag for code of every step; NULL: -O1 for kernels, else -O0 */
    uint32_t jobs;        /* 0: number of processors              */
    bool keep;            /* the directory stays: build_remove    */
    bool sections;        /* each function in one of its own, so that build_shared can drop it */
    const volatile sig_atomic_t *interrupt; /* nonzero: the compiler is stopped; may be NULL */
    Cache *cache;                           /* may be NULL                                   */
} BuildOptions;

typedef struct Build {
    const RungModel *model;
    void *library;
    const char *dir;
    double seconds;
    int status; /* 0; 4: no compiler, or a file cannot be written; 1: the compiler refused */
    const char *error;
    const char *needs; /* by build_shared: external libraries that have to be there when it is
                          loaded, since one of them is no archive here; NULL: none */
    const char *kept;  /* the entry of the cache that it is; NULL: it is in none */
    bool from_cache;
} Build;

/* f as made by emit_program, without headers. On failure status and error are set. */
bool build_model(const EmitFiles *f, BuildOptions o, Arena *mem, Build *out);
/* The model of a cache's entry; false where it is gone, or cannot be loaded. */
bool build_load(Cache *cache, const char *entry, Arena *mem, Build *out);
/* Digest of the C compiler and its settings: its file, $CFLAGS, $CPATH and others. */
Digest build_compiler(Arena *mem);
/* Compiles more C files in the directory of a model that was built and kept, without compiling the
 * model's again, and links all into the shared object `name` in the same directory. It exports the
 * symbols listed in the linker's script `symbols`, one of the files; unused functions are left out,
 * and libm and libc must define all missing ones. `parts` are files of the runtime,
 * whose objects are kept in the cache. On failure status and error are set. */
bool build_shared(const EmitFiles *model, const EmitFiles *parts, const EmitFiles *more,
                  const char *name, const char *symbols, BuildOptions o, Arena *mem, Build *b);
/* Compiles a model, `parts` as above, and `more` into a WebAssembly module whose functions are
 * those that the sources export by name, and reads it. o.target is BUILD_WEBASSEMBLY. Where the
 * compiler is there, but makes no such module of anything, the error names the packages that are
 * missing. False with *out's status and error. */
bool build_module(const EmitFiles *model, const EmitFiles *parts, const EmitFiles *more,
                  BuildOptions o, Arena *mem, Build *out, const char **bytes, size_t *size);
/* A file that a build has made. */
bool build_read(const char *path, Arena *mem, const char **bytes, size_t *size);
void build_remove(Build *b); /* the directory that was kept */
void build_close(Build *b);  /* the model is gone */

#endif
