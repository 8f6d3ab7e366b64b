/* emit.h -- a Program becomes C behind runtime/kernel/rung_model.h.
 *
 *     EmitFiles files;
 *     if (emit_program(&program, emit_defaults(), mem, &files)) { // else see the System's diags
 *         emit_standalone(&files);
 *         emit_write(&files, dir, mem, &error);
 *     }
 *
 * The files are built in memory: `<id>.h`, `<id>.c` (tables and entry points), `<id>_1.c`, ...
 * (straight-line code), id being made of the class name. Same Program, same bytes. Time and
 * memory are linear in the expression pool and the text.
 */
#ifndef RUNG_EMIT_EMIT_H
#define RUNG_EMIT_EMIT_H

#include "ir/body.h"
#include "ir/program.h"

typedef struct EmitOptions {
    uint32_t function_statements; /* per C function: compilers are superlinear in its length  */
    uint32_t file_statements;     /* per C file                                               */
    uint32_t nesting;             /* operations in one statement; shared values always get own */
    uint32_t event_part;          /* roots evaluated together at an event; 0: all             */
    bool kernels;                 /* recurring stretches become loops                         */
    bool batch;                   /* sines and cosines of all angles by one call              */
    bool constant_tables;         /* of indices: nothing is filled when the model is loaded   */
    bool fallback_apart;          /* refers to a fallback that emit_fallback makes            */
    const uint32_t *lanes;        /* n_lanes: for how many instances at once it is there, too */
    uint32_t n_lanes;
    uint32_t width;        /* number of lanes; 0: code for one instance */
    const char *generator; /* "rung 0.1" */
    const char *method;    /* of a program that stands alone; NULL: the default */
} EmitOptions;

EmitOptions emit_defaults(void);

/* Which files may be compiled as one unit. */
typedef enum EmitUnit {
    UNIT_ALONE,
    UNIT_CODE,   /* no name at file scope is that of another file   */
    UNIT_TABLES, /* static names: at most one such file, at the end */
    UNIT_PART    /* compiled as part of a file that includes it     */
} EmitUnit;

typedef struct EmitFile {
    const char *name;
    const char *text;
    size_t size;
    EmitUnit unit;
    bool is_cold;     /* not run in every step: compiled without optimisation      */
    bool is_lanes;    /* vectors: as wide as the processor has them        */
    uint32_t repeats; /* how often a statement is executed in one evaluation: kernels */
} EmitFile;

/* Variables of one sort in a C library, as an enumeration M_SORT_... */
typedef struct EmitMembers {
    const char *sort, *what; /* STATE; "state" */
    uint32_t n;
    const VarId *var;
    const char **name;     /* identifiers, of the whole model unlike each other */
    const uint32_t *place; /* its number: in x, u, y, p                         */
} EmitMembers;

typedef struct EmitFiles {
    Arena *mem;
    const char *id; /* identifier of the model */
    VEC(EmitFile) file;
    uint64_t statements;
    uint32_t functions, work;
    uint32_t n_code;                 /* files <id>_1.c and so on */
    const External *const *external; /* functions that are called, to be found and linked */
    uint32_t n_externals;
    const EmitMembers *member; /* of a library: n_members sorts of variables with their places */
    uint32_t n_members;
} EmitFiles;

/* False when something in the Program has no C translation: an error G.. in the System's diags. */
bool emit_program(const Program *g, EmitOptions o, Arena *mem, EmitFiles *out);
/* The files of the fallback alone, of a System without functions (which both would have to define).
 */
bool emit_fallback(const Program *numeric, EmitOptions o, Arena *mem, EmitFiles *out);

/* Adds the files for a build without rung: the runtime's sources and a Makefile whose `make` needs
 * nothing but a C11 compiler and libm. Without this, the headers that generated code includes have
 * to be added (emit_headers). */
void emit_standalone(EmitFiles *f);
void emit_headers(EmitFiles *f);
/* Whether a header of ours with the utility functions (MLS 12.9.6) goes along: there are external
 * functions, and their libraries have none. */
bool emit_brings_utilities(const EmitFiles *f);
bool emit_is_runtime_name(const char *id); /* a file of the runtime is called id.c or id.h */

/* Writes the files into dir, which is created if need be: each under a temporary name, all
 * renamed when all are written. False with a message in mem. */
bool emit_write(const EmitFiles *f, const char *dir, Arena *mem, const char **error);

#endif
