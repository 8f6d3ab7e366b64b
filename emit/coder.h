/* coder.h -- inside of code.h: what its stages share. A section goes through them in this order:
 *
 *   schedule.c   which nodes are computed, in which order, nested into their user or not
 *   place.c      what is local, what is in w or another array
 *   write.c      the text of one expression
 *   section.c    statements, chunks, functions, the section as a whole
 *
 * coder.c holds what outlives a section, and what a node is.
 */
#ifndef RUNG_EMIT_CODER_H
#define RUNG_EMIT_CODER_H

#include "emit/code.h"

typedef enum ItemKind { ITEM_EVAL, ITEM_ROOT, ITEM_SOLVE } ItemKind;
typedef struct Item {
    ItemKind kind;
    uint32_t i; /* node, root, block */
} Item;

typedef enum FrameKind { FRAME_NODE, FRAME_BLOCK, FRAME_PARAMETER } FrameKind;
typedef struct Frame {
    FrameKind kind;
    uint32_t i, next;
} Frame;

enum { WHITE, GREY, BLACK };

/* What a nonlinear block needs from outside: nodes without its unknowns, as large as possible. */
typedef struct Needs {
    VEC(ExprId) value;
    uint8_t colour;
    bool emitted;
} Needs;

struct Coder {
    const Program *g;
    const ExprPool *pool;
    Arena *mem;
    EmitOptions o;
    const char *id;
    const uint8_t *leaf;
    const uint32_t *leaf_index;
    const ExprId *binding;
    const uint32_t *block_first;
    uint32_t *block_of; /* per unknown of a block, its block */

    /* Per node. */
    uint32_t *uses;     /* in this section                                        */
    uint8_t *colour;    /* of the search                                          */
    uint8_t *weight;    /* operations in its statement or nested piece            */
    uint8_t *nested;    /* printed inside its only user                           */
    uint8_t *keep;      /* a block's functions need it in w                       */
    uint32_t *chunk;    /* whose statement computes it, + 1                       */
    uint32_t *slot;     /* place in w, + 1                                        */
    uint32_t *home;     /* place in out of section outputs, + 1                   */
    uint32_t *constant; /* place in c, + 1                                        */
    uint32_t *loads;    /* uses in this chunk, of what was computed before it     */
    uint32_t *local;    /* number of its local variable in chunk local_in[]       */
    uint32_t *local_in;
    uint32_t *stage;      /* 1 + the last block whose unknowns it depends on; NULL without blocks */
    uint32_t *name;       /* variable with this value, + 1 */
    uint32_t *pivot;      /* pivot with this value, + 1    */
    uint32_t *partner[2]; /* of an angle: its sine and its cosine, + 1, in this section */

    uint8_t *parameter_colour; /* per variable */
    uint32_t *parameter_root;  /* per variable: its root in section update */
    Needs *needs;              /* per block    */
    VEC(ExprId) constants;
    VEC(uint32_t) slotted;
    uint32_t n_work;
    bool failed;

    /* The section at hand. */
    SectionKind kind;
    const char *section;
    uint32_t block;
    const Root *root;
    VEC(Item) item;
    VEC(uint32_t) computed;
    VEC(Frame) stack;
    VEC(uint32_t) loaded;
    const char *what;     /* whose value, for messages */
    VEC(uint32_t) solved; /* blocks, not by residual and Jacobian of another */

    /* The chunk at hand. */
    uint32_t chunk_number; /* over all sections */
    uint32_t locals;
    Text body;
    bool has_t, has_x, has_z, has_out, has_w, has_p, has_c, has_u, has_y, has_ctx;

    Text prototypes, entries;
    VEC(Text) file;
    VEC(bool) cold; /* per file */
    uint32_t in_file;
    uint64_t statements;
    uint32_t functions;
};

/* ---- coder.c: what a node is ---- */

ExprId code_bare(const Coder *c, ExprId x); /* without negation and what changes no value */
bool code_literal(const Coder *c, ExprId x, double *value);
bool code_is_leaf(const Coder *c, ExprId x);
bool code_is_hoisted(const Coder *c, ExprId x);           /* found in the constant block */
bool code_is_computed(const Coder *c, ExprId x);          /* by this section             */
bool code_small_power(const Coder *c, ExprId x, long *n); /* computed by multiplication */
void code_unsupported(Coder *c, const char *construct);

/* ---- schedule.c ---- */

/* Items of the n roots, operands before users. */
void code_schedule(Coder *c, uint32_t n, const Root *root);
/* Nested pieces hold few operations, so walks over a statement may recurse. */
void code_choose_nested(Coder *c);
bool code_is_statement(const Coder *c, Item it);
/* The operands of a statement: what is not nested in it. */
typedef void (*OnAtom)(Coder *c, ExprId x);
void code_walk(Coder *c, Item it, OnAtom on);

/* ---- place.c ---- */

void code_find_homes(Coder *c, uint32_t n);
void code_need_slot(Coder *c, ExprId x);
bool code_is_local(const Coder *c, ExprId x);
void code_new_local(Coder *c, ExprId x);
/* Text of what was computed before the chunk, or is a leaf. */
void code_put_place(Coder *c, Text *t, ExprId x);
/* For code_walk. */
void code_on_crossing(Coder *c, ExprId x); /* w for what another chunk computes */
void code_on_count(Coder *c, ExprId x);
void code_on_load(Coder *c, ExprId x);

/* ---- write.c: into the body of the chunk ---- */

/* C's precedences, as far as used. */
enum {
    PREC_ANY,
    PREC_SELECT,
    PREC_OR,
    PREC_AND,
    PREC_EQUAL,
    PREC_ORDER,
    PREC_SUM,
    PREC_PRODUCT,
    PREC_UNARY,
    PREC_ATOM
};

void code_put(Coder *c, ExprId x, int prec);
void code_put_condition(Coder *c, ExprId x, int prec); /* a Boolean, as C's condition */
/* The operation that computes x, sign included. */
void code_put_value(Coder *c, ExprId x);

#endif
