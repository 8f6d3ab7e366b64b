/* code.h -- straight-line C for the values that a section of the model needs.
 *
 * A section is one function of the interface (xdot, outputs, ...): roots, each an expression and
 * the place it goes to. Its nodes are ordered depth-first from the roots, operands before users; a
 * node used once is nested into its user; the rest are statements, cut into C functions of a few
 * hundred. A value that another function reads is stored in the work array w. Expressions of
 * parameters and constants alone are hoisted into the constant block c, which section `update`
 * computes.
 *
 * Of  der(x) = -k^2 x + sin(x) z,  z = cos(x) + time x,  with the parameter k, section xdot is
 *
 *     const double t1 = x[0];
 *     const double t2 = sin(t1);
 *     const double t3 = cos(t1);
 *     out[0] = (t1 * t + t3) * t2 - t1 * c[0];      and update has  c[0] = p[0] * p[0]
 *
 * Inside a section nonlinear blocks are solved when the first of their unknowns is needed.
 */
#ifndef RUNG_EMIT_CODE_CODE_H
#define RUNG_EMIT_CODE_CODE_H

#include "emit/code/function_code.h"
#include "emit/code/quote.h"
#include "emit/emit.h"

typedef enum SectionKind {
    SECTION_XDOT,
    SECTION_OUTPUTS,
    SECTION_ASSERTIONS,
    SECTION_SIDES, /* increments for several right-hand sides at once */
    SECTION_START,
    SECTION_UPDATE,
    SECTION_PARAMETER, /* values of parameters alone */
    SECTION_RESIDUAL,  /* of a nonlinear block */
    SECTION_JACOBIAN,  /* of a nonlinear block */
    SECTION_TORN,      /* of the residual form */
} SectionKind;

/* The place of a variable that is a leaf of the Program. */
typedef enum LeafKind {
    LEAF_NONE,
    LEAF_STATE,
    LEAF_PARAMETER,
    LEAF_INPUT,
    LEAF_UNKNOWN, /* of a nonlinear block */
    LEAF_TORN,    /* of the residual form */
} LeafKind;

typedef enum RootKind {
    ROOT_OUT,      /* out[index]                                      */
    ROOT_CONSTANT, /* c[index], section update                        */
    ROOT_UNKNOWN,  /* y[index]: first guess of an unknown, section start */
    ROOT_PARAMETER /* p[index] unless it is set, section update       */
} RootKind;

typedef struct Root {
    ExprId x;
    RootKind kind;
    uint32_t index;
    uint32_t was; /* the index before it was numbered anew */
    Name name;    /* for the comment and for messages; may be NULL */
    VarId var;    /* ROOT_PARAMETER */
} Root;

typedef struct Coder Coder;

/* leaf, leaf_index: per variable. binding: per variable, the expression of a dependent parameter
 * or EXPR_NONE. block_first: per block, the place of its first unknown among all. */
Coder *coder_new(const Program *g, EmitOptions o, Arena *mem, const char *id, const uint8_t *leaf,
                 const uint32_t *leaf_index, const ExprId *binding, const uint32_t *block_first,
                 FunctionUse *callees);

/* For lanes, before their sections: blocks are solved by the functions of `of_one`, lane by lane.
 */
void coder_take_blocks(Coder *lanes, const Coder *of_one);

/* Emits the function `<id>_<name>`, its chunks, and the functions of the blocks that it solves.
 * `first` is put at the beginning of its body (may be NULL). */
void coder_section(Coder *c, SectionKind kind, const char *name, uint32_t block, uint32_t n,
                   const Root *root, const char *first);
/* n expressions, each to its place in `out`; later sections do not use the values that it stores in
 * w. */
void coder_section_of(Coder *c, SectionKind kind, const char *name, uint32_t n, const ExprId *x);
/* The same with an order of evaluation: the first n_first expressions, and each of the others as
 * soon as its operands are evaluated, so that common subexpressions need not be stored. */
void coder_section_led(Coder *c, SectionKind kind, const char *name, uint32_t n_first, uint32_t n,
                       const ExprId *x);
/* As coder_section_of for the entries of a matrix that persists between calls, in two sections:
 * entries of parameters only, and all others. The second writes its entries in the order in which
 * the code computes them, so that stores are sequential: out[k] is x[place[k]]. It returns their
 * number. */
void coder_section_of_parameters(Coder *c, const char *name, uint32_t n, const ExprId *x);
uint32_t coder_section_varying(Coder *c, const char *name, uint32_t n, const ExprId *x,
                               uint32_t *place);
/* n expressions that are linear in n_sides inputs, of which `first` is the first one in u: for up
 * to RUNG_SIDES of these right-hand sides at once, side by side in vectors (rung_sides.h). All else
 * that they are made of is one number for all sides. */
void coder_section_of_sides(Coder *c, const char *name, VarId first, uint32_t n_sides, uint32_t n,
                            const ExprId *x);
/* A section reuses the values that earlier sections stored in w. coder_forget drops those stored
 * since the mark. */
uint32_t coder_mark(const Coder *c);
void coder_forget(Coder *c, uint32_t mark);
/* n places of w for the caller's use; the value of x is there after `first` was run. */
uint32_t coder_work(Coder *c, uint32_t n);
void coder_found_in_work(Coder *c, ExprId x, uint32_t slot);

/* Place in c of an expression over parameters and constants. */
uint32_t coder_constant(Coder *c, ExprId x);
uint32_t coder_n_constants(const Coder *c);
ExprId coder_constant_at(const Coder *c, uint32_t k);

bool coder_solves(const Coder *c, uint32_t block); /* its functions have been emitted */
/* Writes the functions of the blocks down, after all sections. */
void coder_blocks_done(Coder *c);
/* The block after which the functions of this one are called: <id>_residual_<k>, <id>_jacobian_<k>.
 */
uint32_t coder_block_head(const Coder *c, uint32_t block);
uint32_t coder_n_work(const Coder *c);
bool coder_failed(const Coder *c);
uint64_t coder_statements(const Coder *c);
uint32_t coder_functions(const Coder *c);

/* The arrays <id>_index_<k> that the code reads. */
uint32_t coder_n_indices(const Coder *c);
const uint32_t *coder_indices(const Coder *c, uint32_t k, uint32_t *n);
uint32_t coder_index_room(uint32_t n); /* how long one of n entries is made */

Text *coder_prototypes(Coder *c);
Text *coder_entries(Coder *c); /* the functions of the interface */
uint32_t coder_n_files(const Coder *c);
/* repeats: how often one of its statements is executed in one run. */
Text *coder_file(Coder *c, uint32_t k, bool *is_cold, uint32_t *repeats);
bool coder_file_has_sides(const Coder *c, uint32_t k); /* of vectors, as rung_sides.h has them */

/* x without negation and without operators that keep the value (noEvent, smooth); *negated is
 * flipped. */
ExprId code_strip(const ExprPool *p, ExprId x, bool *negated);

#endif
