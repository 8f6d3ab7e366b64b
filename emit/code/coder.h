/* coder.h -- for the files behind code.h: data that the stages share, by lifetime.
 *
 *     Coder                     the model: leaves, places in w and c, blocks, files
 *       Section                 one function of the interface: its computations in order
 *         Chunk                 one C function of it
 *           Tree                the current statement
 *
 * A function that takes the Section reads and changes nothing of the model, and so on down: most
 * need the Coder for the pool, or to write text, which differs between models, lanes and sides.
 *
 * A section goes through the stages in this order:
 *
 *     schedule.c    which nodes are computed, in which order, nested into their user or not
 *     statement.c   one statement as a tree over its operands; equal shape, equal token
 *     repeat.c      recurring stretches of the tokens
 *     side.c        another order, where stretches recur side by side
 *     place.c       straight pieces and loops; which values must be in w, places of the others
 *     slot.c        the places in w
 *     write.c       the text of one expression
 *     size.c        how large the terms of sums are that pivots consist of
 *     kernel.c      a recurring stretch as the body of a loop
 *     section.c     chunks and their functions, the section as a whole
 *     block_code.c  shared functions of similar blocks
 *
 * The bodies of a chain, v[k] = v[k-1] cos(q[k]) + m[k] sin(q[k]) and der(q[k]) = v[k], are
 * statements with equal tokens, a repeat of period 1, and a kernel that carries v from one to the
 * next:
 *
 *     for (size_t k = 0; k < 39; k++) {
 *         double *out_1 = out + (0 + 1 * k), *w_2 = w + (41 + 1 * k);    sines and cosines
 *         const double *p_3 = p + (2 + 1 * k);
 *         out_1[0] = v1;
 *         const double t2 = v1 * w_2[40] + p_3[0] * w_2[0];
 *         v1 = t2;
 *     }
 *
 * coder.c holds the data that outlives a section, and the classification of nodes.
 */
#ifndef RUNG_EMIT_CODE_CODER_H
#define RUNG_EMIT_CODE_CODER_H

#include "emit/code/code.h"

typedef enum ItemKind {
    ITEM_EVAL,     /* a node                                              */
    ITEM_ROOT,     /* a result of the section                             */
    ITEM_ANGLE,    /* an angle is put where the batch finds it            */
    ITEM_BATCH,    /* sines and cosines of all these angles               */
    ITEM_SOLVE,    /* a nonlinear block                                   */
    ITEM_ARGUMENT, /* of a call, put where the function finds it       */
    ITEM_CALL,     /* of a function: its results are in w then         */
    ITEM_RESULT,   /* one of them; no statement                        */
} ItemKind;
typedef struct Item {
    ItemKind kind;
    uint32_t i;       /* node, root, angle, -, block, argument, call, node */
    uint32_t reading; /* of a statement                                   */
} Item;

/* The operands of a statement, and its token: equal tokens can share a loop body. */
typedef struct Reading {
    uint32_t first, n; /* of its operands */
    uint64_t token;    /* equal where the same is computed from other operands */
} Reading;

typedef enum FrameKind { FRAME_NODE, FRAME_BLOCK, FRAME_PARAMETER } FrameKind;
typedef struct Frame {
    FrameKind kind;
    uint32_t i, next;
} Frame;

enum { WHITE, GREY, BLACK };

/* A piece of a statement. Signs stand in front of pieces where that changes no value: sums begin
 * with a positive term, products have positive factors. */
typedef struct Term {
    uint8_t op; /* Op; OP_VAR: an operand, OP_NUM: a number not negative, OP_TIME */
    uint8_t fn;
    bool negated;
    uint32_t arg[3]; /* terms; of an operand: its number */
    double value;    /* of a number; the exponent of a power by multiplication */
    uint64_t shape;  /* equal for terms that differ in their operands only */
} Term;

/* Arrays of the interface, and the work array. */
typedef enum ArrayKind {
    ARRAY_X,
    ARRAY_P,
    ARRAY_C,
    ARRAY_U,
    ARRAY_Y, /* all unknowns of blocks */
    ARRAY_Z, /* those of the current block */
    ARRAY_OUT,
    ARRAY_W,
    ARRAY_V, /* the locals of a function */
    ARRAY_R, /* right-hand sides */
    ARRAY_COUNT
} ArrayKind;

typedef struct Spot {
    ArrayKind array;
    uint32_t index;
} Spot;

/* How the current text names an operand. */
typedef enum RefKind {
    REF_LOCAL,     /* t3: computed or loaded in the chunk or iteration */
    REF_CARRIED,   /* v3: from the iteration before                    */
    REF_INVARIANT, /* g3: loaded before the loop                       */
    REF_FIXED,     /* w[3]                                             */
    REF_STRIDE,    /* w_2[3]: w_2 advances with the iterations           */
    REF_TABLE,     /* w[i2[k]]                                         */
} RefKind;
typedef struct Ref {
    RefKind kind;
    ArrayKind array;
    uint32_t n, index;
} Ref;

/* A piece of the sequence of statements. */
typedef enum SegmentKind {
    SEGMENT_STRAIGHT,
    SEGMENT_KERNEL,
    SEGMENT_BATCH,
    SEGMENT_SOLVE
} SegmentKind;
typedef struct Segment {
    SegmentKind kind;
    uint32_t begin, end;
    uint32_t period;       /* of a kernel                    */
    uint32_t block;        /* to solve                       */
    struct Kernel *kernel; /* how its operands are found     */
} Segment;

/* A call of a function: its arguments, then its results, are side by side in w. */
typedef struct CallPlace {
    ExprId x;
    uint32_t arguments, results; /* in w */
} CallPlace;

typedef struct ArgumentPlace {
    uint32_t call, k; /* the k-th of a call */
} ArgumentPlace;

typedef struct Angle {
    ExprId x;
    uint32_t function[2]; /* sine and cosine, + 1 */
} Angle;

/* Indices of an operand in the iterations of a loop. */
typedef struct IndexTable {
    const uint32_t *at;
    uint32_t n;
} IndexTable;

/* The use of a file of code. */
typedef struct FileUse {
    bool is_cold, has_sides;
    uint64_t statements, executed; /* in its text; when each function runs once */
} FileUse;

/* ---- the current statement, as a tree over its operands ---- */

typedef struct Tree {
    VEC(Term) term; /* the last one is the whole */
    VEC(ExprId) operand;
    uint32_t n_read; /* operands that the value needs; behind them those for the size of a pivot */
    VEC(Ref) ref;    /* per operand: its name in the text */
} Tree;

/* ---- data of nodes ---- */

/* A node that a section computes has a place in the tables of nodes, from 1 on; all others share
 * place 0, whose data stay zero. The tables have room for all nodes: memory pages that are never
 * written take no memory. */
typedef struct NodePlaces {
    uint32_t *of; /* per node of the pool */
    uint32_t n;
} NodePlaces;

static inline uint32_t node_place_new(NodePlaces *p, uint32_t id)
{
    if (!p->of[id])
        p->of[id] = ++p->n;
    return p->of[id];
}

/* ---- the current chunk: one C function ---- */

typedef struct ChunkNode {
    uint32_t loads; /* uses in the chunk of a value computed before it */
    uint32_t local; /* number of its local variable in chunk local_in    */
    uint32_t local_in;
} ChunkNode;

typedef struct Chunk {
    uint32_t number; /* over all sections */
    uint32_t locals; /* so far            */
    Text body;
    bool has[ARRAY_COUNT], has_t, has_ctx; /* the body reads it */
    bool has_bad;                          /* lanes in which a pivot has vanished */
    NodePlaces *place;
    ChunkNode *node;      /* per place            */
    VEC(uint32_t) loaded; /* nodes with loads     */
} Chunk;

/* ---- the current section: one function of the interface ---- */

/* Data of a node that the section computes; all zero for the others, and between sections. */
typedef struct SectionNode {
    uint32_t uses;
    uint32_t position;   /* of its statement in the sequence, + 1                            */
    uint32_t home;       /* place in out of section outputs, + 1                             */
    uint32_t level;      /* barriers (blocks, batch) that come before it                     */
    uint32_t partner[2]; /* of an angle, during the search: its sine and its cosine, + 1 */
    uint8_t colour;      /* of the search                                                    */
    uint8_t weight;      /* operations in its statement or nested piece                      */
    bool nested;         /* printed inside its only user                                     */
    bool repeated;       /* of an angle: another node is the same function of it
                            (pool_set_apart) */
    bool keep;           /* must be in w: another piece needs it, or a block                 */
    bool hard;           /* its value takes more than sums and products of leaves            */
    bool divides;        /* something in the section is divided by it, or by a product with it */
} SectionNode;

typedef struct SectionVariable {
    uint8_t colour; /* of a parameter, in the search              */
    uint32_t root;  /* of a parameter, in section update          */
    uint32_t level; /* barriers before its value is there         */
} SectionVariable;

typedef struct Section {
    SectionKind kind;
    const char *name;
    uint32_t block; /* whose residual or Jacobian it is */
    const Root *root;
    Root *as_found;   /* NULL, or the same: indices are those of the order in which they stand */
    const char *what; /* whose value, for messages */
    uint32_t first_side, n_sides; /* of SECTION_SIDES: the inputs that are right-hand sides */
    NodePlaces *place;
    SectionNode *node;         /* per place            */
    SectionVariable *variable; /* per variable         */

    /* The search and its results. */
    VEC(Frame) stack;
    VEC(uint32_t) computed; /* nodes */
    VEC(uint32_t) solved;   /* blocks; those of its residuals and Jacobians stay */
    VEC(Angle) angle;
    uint32_t angles_at; /* in w: the angles of the batch, then sines, then cosines */
    VEC(CallPlace) call;
    VEC(ArgumentPlace) argument;

    /* The statements: as the search found them, later in their order. */
    VEC(Item) item;
    VEC(Reading) reading;
    VEC(ExprId) operands; /* of all statements                           */
    VEC(uint32_t) rank;   /* per statement: when the search was done with it */
    VEC(uint32_t) after;  /* per statement: its level                    */

    VEC(Segment) segment;
    uint32_t *segment_of; /* per statement */
} Section;

/* ---- data that lives as long as the model ---- */

typedef struct Node {
    uint32_t slot;     /* place in w, + 1                                                 */
    uint32_t constant; /* place in c, + 1                                                 */
    uint32_t stage;    /* 1 + the last block whose unknowns it depends on                 */
    uint32_t name;     /* variable with this value, + 1                                   */
    uint32_t pivot;    /* pivot with this value, + 1                                      */
} Node;

/* A block that the runtime solves, and its two functions (block_code.c). */
typedef struct BlockCode {
    VEC(ExprId) needs; /* from outside: nodes without its unknowns, as large as possible */
    uint32_t *slots;   /* once emitted: the place in w of each of them, + 1 */
    uint8_t colour;    /* of the search of a section                                     */
    bool emitted;
    Text text[2]; /* of its residuals, of its entries */
    uint32_t statements[2];
    uint32_t head; /* the first block of the same functions */
} BlockCode;

/* The text written so far. */
typedef struct Files {
    Text prototypes, entries; /* entries: the functions of the interface */
    VEC(Text) file;
    VEC(FileUse) use; /* per file */
    uint64_t statements;
    uint32_t functions;
} Files;

struct Coder {
    const Program *g;
    const Coder *of_one; /* of lanes: the model for one instance, which has the blocks' functions */
    const ExprPool *pool;
    Arena *mem;
    EmitOptions o;
    const char *id;
    FunctionUse *callees;
    const uint8_t *leaf;         /* per variable: LeafKind        */
    const uint32_t *leaf_index;  /* ... its place in that array   */
    const ExprId *binding;       /* ... of a dependent parameter  */
    const uint32_t *block_first; /* per block: its first unknown  */
    uint32_t *block_of;          /* per unknown of a block: which */

    NodePlaces *place;
    Node *node;           /* per place            */
    const uint32_t *size; /* per node: by parameters alone, + 1; 0: not known (size.c) */
    uint32_t n_sizes;     /* nodes that were there when these were found */
    BlockCode *block;     /* per block            */
    VEC(ExprId) constants;
    VEC(uint32_t) slotted; /* nodes with a place in w, in the order in which they got it */
    uint32_t n_work;
    VEC(IndexTable) index;
    Map index_known; /* by content */
    Files files;
    bool failed;

    Section section;
    Chunk chunk;
    Tree tree;
};

/* Data of a node, for reading; its own entry, for writing. */
static inline const Node *code_node(const Coder *c, uint32_t id)
{
    return &c->node[c->place->of[id]];
}
static inline Node *code_own_node(Coder *c, uint32_t id)
{
    return &c->node[node_place_new(c->place, id)];
}
static inline const SectionNode *code_section_node(const Section *section, uint32_t id)
{
    return &section->node[section->place->of[id]];
}
static inline SectionNode *code_own_section_node(Section *section, uint32_t id)
{
    return &section->node[node_place_new(section->place, id)];
}
static inline const ChunkNode *code_chunk_node(const Chunk *chunk, uint32_t id)
{
    return &chunk->node[chunk->place->of[id]];
}
static inline ChunkNode *code_own_chunk_node(Chunk *chunk, uint32_t id)
{
    return &chunk->node[node_place_new(chunk->place, id)];
}

/* ---- coder.c: classes of nodes ---- */

/* Whether the leaf is one of the right-hand sides of SECTION_SIDES. */
bool code_is_side(const Coder *c, VarId v);
ExprId code_bare(const Coder *c, ExprId x); /* without negation, noEvent and smooth */
bool code_literal(const Coder *c, ExprId x, double *value);
bool code_is_leaf(const Coder *c, ExprId x);
bool code_is_hoisted(const Coder *c, ExprId x);           /* found in the constant block */
bool code_is_computed(const Coder *c, ExprId x);          /* by this section             */
bool code_small_power(const Coder *c, ExprId x, long *n); /* computed by multiplication */
/* 1 + the pivot to check at a node that the section computes; 0 if there is none. A node by which a
 * section only multiplies (the constraints of a loop by the cosine of an angle) may be zero. */
uint32_t code_pivot(const Coder *c, uint32_t node);
void code_unsupported(Coder *c, const char *construct);
void code_need_slot(Coder *c, ExprId x);

/* ---- schedule.c ---- */

/* The statements that the n roots need, operands before users. */
void code_schedule(Coder *c, uint32_t n, const Root *root);

/* ---- statement.c: nested pieces hold few operations, so walks over them may recurse ---- */

/* Term and operand become those of the statement. */
void code_read(Coder *c, Item it);
/* Reads a statement for code_operands and code_token, once nesting is decided. */
void code_remember(Coder *c, Item *it);

static inline const ExprId *code_operands(const Section *section, Item it, uint32_t *n)
{
    const Reading *r = &section->reading.at[it.reading];
    *n = r->n;
    return r->n ? section->operands.at + r->first : NULL;
}

static inline uint64_t code_token(const Section *section, Item it)
{
    return section->reading.at[it.reading].token;
}

/* ---- place.c ---- */

/* Cuts the statements into segments and gives values their places in w. */
void code_place(Coder *c);
/* The place of x outside of the chunk that computes it. */
Spot code_place_of(const Coder *c, ExprId x, bool prefer_w);
/* The text of a place, or of the operand called so. */
void code_put_place(Coder *c, Text *t, Spot p);
void code_put_ref(Coder *c, Text *t, Ref r);
const char *code_array_name(ArrayKind array);
/* This section does not write to it. */
bool code_array_is_const(const Section *section, ArrayKind array);
ArrayKind code_root_array(const Root *r);

/* ---- side.c ---- */

/* Reorders the statements so that similar structures follow each other. */
void code_line_up(Section *section);

/* ---- slot.c ---- */

/* Assigns places in w to all values that must be there. */
void code_give_slots(Coder *c);

/* ---- kernel.c ---- */

typedef enum UseKind { USE_START, USE_LOCAL, USE_CARRIED, USE_MEMORY } UseKind;
typedef struct Use {
    UseKind kind;
    bool from_w;   /* also for values that are in out, too           */
    bool is_own;   /* computed inside the loop, in some iteration    */
    uint32_t from; /* the statement of the body that computes it     */
} Use;

typedef enum Stored { STORED_NEVER, STORED_LAST, STORED_ALWAYS } Stored;

typedef struct Edge {
    uint32_t from, to;
} Edge;

typedef struct Kernel {
    uint32_t count; /* iterations, the last of which may do only `rest` statements (0: all) */
    uint32_t rest;
    uint32_t *first; /* per statement of the body, its first operand; one more at the end */
    Use *use;        /* per operand */
    uint8_t *stored; /* Stored, per statement: in which iterations w gets its value        */
    VEC(Edge) edge;  /* statements of the body that must stay in order, besides local uses */
} Kernel;

/* Iterations that do statement j of the body. */
static inline uint32_t kernel_count(const Kernel *k, uint32_t j)
{
    return k->rest && j >= k->rest ? k->count - 1 : k->count;
}

/* Decides how each iteration finds its operands; marks the values that must be in w. */
Kernel *code_kernel_new(Coder *c, const Segment *s);
void code_put_kernel(Coder *c, const Segment *s); /* into the body of the chunk */

/* The number of a table of indices; those of equal content are one. */
uint32_t code_index_table(Coder *c, uint32_t n, const uint32_t *value);

bool code_is_wave(const Coder *c, ExprId x);   /* a sine or cosine */
ExprId code_size_of(const Coder *c, ExprId x); /* of the terms of a sum (size.c), or EXPR_NONE */
uint32_t code_argument_place(const Section *section, uint32_t argument); /* in w */

/* ---- lane.c: text that differs for several instances at once ---- */

/* Whether the current section computes lanes; sections that depend on parameters alone never do. */
bool code_in_lanes(const Coder *c);
/* ... of instances or of right-hand sides: these have the parameters, the states and the factors of
 * one instance, which are numbers. */
bool code_in_sides(const Section *section);
/* The type of a value: double, or a vector of them; of one that is read from an array. */
const char *code_real(const Coder *c);
const char *code_real_of(const Coder *c, ArrayKind array);
/* The type of an array's elements, and the text after its subscript: code of lanes runs once for
 * each part h of the lanes, and w holds one part only. */
const char *code_element(const Coder *c, ArrayKind array);
const char *code_part(const Coder *c, ArrayKind array);
/* A function of C by its name for numbers. */
void code_put_function(Coder *c, const char *name);
/* Text between these two is converted to a vector, if it is a scalar. */
void code_open_lane(Coder *c);
void code_close_lane(Coder *c);

/* ---- write.c: into the body of the chunk ---- */

/* Writes the current statement; as a condition of C if it is a Boolean to be stored as such. */
void code_put_value(Coder *c, bool as_condition);
/* Whether the statement has terms that can cancel; code_put_terms writes their size, to compare the
 * value with. */
bool code_cancels(const Coder *c);
void code_put_terms(Coder *c);

/* ---- size.c ---- */

/* Per node of the pool as it was, of sums and products in pivots: how large their terms are, an
 * expression of parameters, which is new in the pool; EXPR_NONE where it is not known. */
const uint32_t *code_sizes(const Program *g, Arena *mem);

/* ---- block_code.c ---- */

/* Keeps the body of the section's only function, from behind its opening brace on. It is written
 * when all blocks are known. */
void code_keep_block(Coder *c, Text body, uint32_t statements);

/* ---- section.c ---- */

/* The file for a function of so many statements, which execute so many. */
Text *code_current_file(Coder *c, uint32_t statements, uint64_t executed);

/* Destinations of a statement's value besides its local variable. */
typedef struct Target {
    bool has_root, has_w;
    Ref root, w;       /* out, c, y or p; the work array           */
    const char *index; /* of a parameter or pivot, as text         */
    const char *indent;
} Target;

/* Writes the current statement, as local variable `local` if it computes a node. */
void code_put_statement(Coder *c, Item it, uint32_t local, Target to);

#endif
