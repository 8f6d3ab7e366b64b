/* program.h -- the System, solved: the result of eliminate/ and the input of emit/.
 *
 * Every unknown is an expression over the states, time, parameters, inputs and the unknowns of
 * nonlinear blocks, all in the System's pool: a straight-line program is the set of nodes that its
 * results reach, operands before users. Blocks are in evaluation order: the residuals of block k
 * use unknowns of blocks 0..k only.
 */
#ifndef RUNG_IR_PROGRAM_H
#define RUNG_IR_PROGRAM_H

#include "ir/op_counter.h"
#include "ir/system.h"

/* Solved numerically at run time: residual(unknown) = 0. Its unknowns are OP_VAR leaves. A linear
 * block is one that is not to be eliminated. */
typedef struct NonlinearBlock {
    uint32_t n;
    const VarId *unknown;
    const EqId *eq; /* NULL: of no equation of the System */
    const ExprId *residual;
    /* Analytic Jacobian d residual / d unknown in compressed columns. */
    const uint32_t *col_start; /* n + 1 */
    const uint32_t *row;
    const ExprId *entry;
    bool is_linear; /* entries do not depend on the unknowns */
    /* n: the column that a sparse LU at run time takes k-th; NULL where dense LU is faster */
    const uint32_t *column_order;
    const VarId *named; /* n: the variables that messages name; NULL: the unknowns */
} NonlinearBlock;

/* A divisor that elimination chose and that may vanish at run time. */
typedef struct Pivot {
    ExprId value;
    EqId eq;
    VarId var;
    bool is_alone; /* of an equation by itself: no other pivot is possible */
} Pivot;

typedef struct InitialProgram InitialProgram;
/* A matrix of expressions in compressed columns, rows ascending. */
typedef struct ExprColumns {
    uint32_t n_rows, n_cols;
    const uint32_t *col_start; /* n_cols + 1 */
    const uint32_t *row;
    const ExprId *entry;
} ExprColumns;

/* A matrix of derivatives; columns of one colour share no row. Entries that are NULL: its pattern.
 */
typedef struct SparseJacobian {
    ExprColumns columns;
    const uint32_t *colour; /* per column */
    uint32_t n_colours;
} SparseJacobian;

/* Entry k, the derivative of row[k] by parameter by[k], states and inputs held. */
typedef struct ParameterEntries {
    uint32_t n;
    const uint32_t *by, *row;
    const ExprId *entry;
} ParameterEntries;

/* The model's own part of cut loops, and its derivatives by its own states and by parameters
 * (eliminate/forms/loop_products.h). Rows of the rates: derivatives of the states, balances, second
 * derivatives of the constraints, first ones; of the push: those of G y, n_states + n_massless,
 * with G at y = 0. The columns of the rates behind the states are inputs, with G in the rows of
 * states of which constraints know nothing.
 *
 * Or, along_rate not NULL: rows along each parameter, the states of its part moving along, of the
 * push, of the first derivatives of the constraints, of the other rates. Row k by parameter j is at
 * j + k * width; behind the parameters are zeros. Then the matrices have no entries in columns of
 * states. */
typedef struct LoopTangents {
    uint32_t n_states, n_constraints, n_massless;
    uint32_t n_by, width; /* parameters; of rows of their numbers (block_row.h) */
    const ExprId *along_push, *along_dot, *along_rate;
    ExprColumns phi_x, phi_v;
    SparseJacobian by_input;
    const ExprId *rate, *push;
    SparseJacobian rate_by_state, push_by_state;
    ParameterEntries rate_by, push_by;
} LoopTangents;

/* Kinematic loops cut open: the constraints that close them, over the states of the tree; the
 * tree's equations have the multipliers as inputs. Columns of the matrices are states. */
typedef struct LoopConstraints {
    uint32_t n_loops, n_constraints;
    uint32_t n_velocities;    /* states that forces move and that move others            */
    const Name *name;         /* per loop: the connection that was cut                   */
    const Name *joint;        /* per loop: the joint beside the cut                      */
    const Name *joints;       /* per loop: all whose coordinates its constraints hold    */
    const Name *given;        /* per loop: given motions that it follows                 */
    const Span *span;         /*                                                         */
    const uint32_t *first;    /* n_loops + 1: constraints of each loop                   */
    const VarId *multiplier;  /* per constraint: the force along it                      */
    uint32_t n_massless;      /* massless coordinates                                    */
    const VarId *massless;    /* per massless coordinate: its acceleration, an input     */
    const ExprId *balance;    /* likewise: zero, forces on it, over multipliers too      */
    const ExprId *phi;        /* per constraint: zero where the loop is closed           */
    const ExprId *phi_dot;    /* its time derivative                                     */
    const ExprId *phi_t;      /* the part of that by time alone, d phi / d t             */
    const ExprId *phi_rest;   /* second derivative without the states that forces move   */
    ExprColumns phi_x, phi_v; /* d phi / d x; d phi_dot / d v for states that forces move */
    VarId norm[4];            /* of phi, its derivatives and balances, among the results */
    uint32_t n_norm;          /* 3, or 4 where coordinates have no mass                  */
    const bool *held;         /* per state: its start value is fixed, or initially given  */
    const bool *moved;        /* per state: multipliers change its derivative            */
    /* Conditions of initial equations and start values with fixed = true on more than one state:
     * zero at the start of a run, with the loops closed. */
    uint32_t n_conditions;
    const ExprId *condition;
    const Span *condition_span;
    const char **condition_origin;   /* instance, or name of the variable that starts there */
    const bool *condition_by_forces; /* it depends on multipliers                          */
    uint32_t n_late;                 /* free parameters that these conditions determine    */
    const VarId *late;
    /* d (xdot, balance) / d (multipliers, massless) of the first part; NULL: too large to be
     * written down */
    const SparseJacobian *by_input;
    /* Loops, constraints and massless coordinates of the model, then, as many, their derivatives
     * along each direction of a Sensitivity, times part_size. */
    uint32_t n_parts;
    const double *part_size;      /* n_parts; NULL: one part */
    const LoopTangents *tangents; /* NULL: further parts are evaluated as they stand */
} LoopConstraints;

/* Input k of the equations of cut loops: the multipliers, then the accelerations of massless
 * coordinates. */
VarId loop_input(const LoopConstraints *l, uint32_t k);

/* The residual form (eliminate/forms/residual_form.h): tearing variables as leaves, their residual
 * equations, and the derivatives of the states that are not among them. Rows of the matrices are
 * the residuals, then the rates. */
typedef struct ResidualForm {
    uint32_t n, n_rates;
    const VarId *torn;       /* n: variables of the model                           */
    const VarId *input;      /* n: the leaves that stand for them                   */
    const EqId *eq;          /* n: left over to determine them                      */
    const uint32_t *state;   /* n: the state whose derivative it is, or UINT32_MAX  */
    const ExprId *residual;  /* n                                                   */
    const uint32_t *rate_of; /* n_rates: the state                                 */
    const ExprId *rate;      /* n_rates                                            */
    bool has_jacobians;
    SparseJacobian by_torn, by_state;
    const struct Program *program; /* the tearing variables being the unknowns of its blocks */
} ResidualForm;

/* The linearisation (eliminate/forms/linearisation.h). Rows: derivatives of the states; outputs;
 * equations that are zero, n_implicit; constraints of cut loops and their rates, n_constraints in
 * all. Columns: states; inputs; parameters; the unknowns of these equations, n_implicit, of which
 * the last n_dependent are parameters that follow from others. */
typedef struct Linearisation {
    uint32_t n_states; /* without those that are derivatives by parameters (Sensitivity) */
    uint32_t n_outputs, n_inputs, n_parameters, n_implicit, n_dependent, n_constraints;
    const VarId *output, *input, *parameter;
    const VarId *column;   /* per column                                          */
    const ExprId *row;     /* per row, over the leaves of the program; zero where */
                           /* an equation holds with the program's values         */
    SparseJacobian matrix; /* entries NULL: the pattern alone, n_implicit being 0 */
} Linearisation;

/* The matrix of a Newton iteration with any right-hand side (eliminate/forms/newton_right.h): the
 * part of the elimination that depends on the matrix alone, and the rest, which is linear in the
 * right-hand side. Places of the latter: n_rows residual equations and balances, n_states formulas
 * of the states, then constraints, whose right-hand sides are inputs of the iteration and divided
 * by their penalties here.
 */
typedef struct NewtonSolve {
    uint32_t n_rows, n_states, n_kept, n_constraints;
    uint32_t first;        /* among the inputs: leaves of the n_rows, the n_states, the n_kept,
                              the n_entries; before them s of the n_constraints            */
    const ExprId *kept;    /* n_kept: of the matrix alone                                      */
    const ExprId *delta;   /* as of the iteration, over these leaves                           */
    uint32_t n_entries;    /* of right-hand sides, side by side:                               */
    const uint32_t *by;    /* ... 0: of the iteration itself, where no loop is cut; j + 1: of
                              the derivatives of the equations by parameter j of the Sensitivity */
    const uint32_t *place; /* ... the place in the right-hand side                             */
    const ExprId *entry;   /* ... with the sign that it has there                              */
} NewtonSolve;

/* A Newton iteration (eliminate/forms/newton_system.h): its inputs, as variables that are
 * leaves, and the increments it finds. */
typedef struct NewtonSystem {
    uint32_t n_inputs; /* in this order:                                   */
    VarId *input;      /* gamma, the residuals' weight, base per state, then penalty, then s per
                          constraint                                       */
    ExprId *delta;     /* per state, massless coordinate, constraint; none if n_delta is 0 */
    uint32_t n_delta;
    /* The residuals of the iteration, over the same leaves: as many as states and massless
     * coordinates, the balances last. */
    const ExprId *residual;
    uint32_t n_residuals;
    /* Only on request: the linear system of the iteration, matrix * z = right. */
    bool has_matrix;
    ExprColumns matrix;
    const ExprId *right;
    /* per state: place in z of its derivative's increment, which times gamma is its own, or
     * UINT32_MAX */
    const uint32_t *rate;
    /* Only with has_matrix: the colours of its columns, and the functions that it linearises:
     * first the values of the unknowns z, then the derivatives of the states. In them input
     * variables stand for z, and states are base + gamma * derivatives. */
    const uint32_t *colour;
    uint32_t n_colours;
    VarId *unknown;
    const ExprId *form, *point;
    const NewtonSolve *solve; /* NULL: there are no derivatives by parameters */
} NewtonSystem;

/* Derivatives of the states by parameters that are states themselves (eliminate/prepare/
 * sensitivity.h), and the data for their jumps at events. Directions: parameters, then time. */
typedef struct Sensitivity {
    uint32_t n, n_directions, n_relations, n_actions;
    bool has_kinks;         /* as that of RungSensitivity                                       */
    const VarId *parameter; /* n: VAR_NONE: a start value                                       */
    const uint32_t *of;     /* per state: the state that it is the derivative of, or UINT32_MAX */
    const uint32_t *by;     /* per state: along which direction                                 */
    const bool *is_negated; /* per state: it is minus that                                      */
    const uint32_t *shift, *held; /* n, n_held: as those of RungSensitivity */
    uint32_t n_held;
    const ExprId *slope; /* per relation, then per action, of each direction: the derivative of left
                            minus right side, of the value of reinit */
} Sensitivity;

/* The derivatives of the rates f(x, p) of the model's own states along any direction (eliminate/
 * forms/rates_along.h): f_x s + f_p, linear in the right-hand sides, which are s, n_states, and the
 * derivatives of equations, n_rows. */
typedef struct RatesAlong {
    uint32_t n_states, n_rows, n_kept;
    const VarId *input;  /* variables of the right-hand sides, then of the kept values      */
    const ExprId *kept;  /* n_kept: values without right-hand sides, evaluated once         */
    const ExprId *rate;  /* n_states: in these variables                                    */
    ParameterEntries by; /* right-hand sides by the parameters: the row of each is behind s */
} RatesAlong;

/* Products with cut loops, by the states, kept values, shared values, then by the inputs of the
 * loops (eliminate/forms/loop_roots.h). Weights: of states w, of constraints a, of balances b. */
typedef struct AdjointLoops {
    const ExprId *stage; /* w xdot + a phi + b balance                */
    const ExprId *push;  /* (w, b) G y, of the inputs y               */
    const ExprId *dot;   /* a phi'; this and the others by no inputs  */
    const ExprId *by_x;  /* a phi_x w                                 */
    const ExprId *by_v;  /* a phi'_v w                                */
} AdjointLoops;

/* The product of the adjoint with the derivatives of a model (eliminate/forms/adjoint.h). Its
 * inputs, as variables that are leaves: a weight per state, a weight per objective; with cut loops
 * per constraint and per balance; per relation, action and kept value; a number per shared value;
 * per dependent parameter 1, or 0 where it is set and follows from no other. */
typedef struct Adjoint {
    uint32_t n, n_objectives, n_shared, n_dependent, n_inputs;
    uint32_t n_blocks;       /* the last ones of the program: transposed, for the adjoint alone */
    const char *const *name; /* n: of the parameters                              */
    const VarId *objective, *dependent, *input;
    uint32_t n_relations, n_actions, n_kept; /* 0 without events                         */
    const uint32_t *kept; /* n_kept: memory of discrete Real variables                     */
    /* Of the sum of weights times derivatives of the states, and times objectives: its derivatives
     * by the states, by kept values, then by the shared values, the subexpressions of parameters
     * alone. With cut loops of weights times second derivatives of the constraints and balances,
     * too, and by the inputs of the loops at last. */
    const ExprId *product;
    uint32_t n_loop_weights, n_loop_inputs; /* 0 without cut loops  */
    const AdjointLoops *loops;              /* NULL: likewise       */
    /* Likewise of the sum of weights times left minus right sides of relations, values of reinit,
     * and new kept values; then by time. NULL without events. */
    const ExprId *at_event;
    /* n: the derivatives by the parameters, from those by the shared values and, as weights, by the
     * states and kept values at the start. */
    const ExprId *by_parameter;
} Adjoint;

/* Constraints that redundant states keep (eliminate/forms/invariants.h). */
typedef struct Invariants {
    VarId rate; /* a parameter: errors across them decay at it, 1/s */
    uint32_t n; /* residuals; 0: they or their derivatives are not known */
    const ExprId *residual;
    SparseJacobian by_state;
} Invariants;

typedef struct Program {
    System *sys;
    uint32_t n_states;
    const VarId *state;
    const ExprId *derivative; /* per state                                                   */
    const ExprId *start;      /* per state: initial value, over parameters (and time)         */
    const ExprId *value;      /* per variable of the System (n = sys->var.n): its expression;
                                 states, inputs, parameters and block unknowns are their own
                                 OP_VAR leaf                                                  */
    uint32_t n_blocks;
    const NonlinearBlock *block;
    uint32_t n_pivots;
    const Pivot *pivot;
    uint32_t n_assertions; /* the System's, over the same leaves as `value` */
    const Assertion *assertion;
    const ExprId *margin; /* per assertion: that of its condition (eliminate/block/margin.h), or
                             EXPR_NONE; NULL: none has one */
    uint32_t n_choices;
    const ExprId *choice; /* margins of conditions by which derivatives choose between events */
    uint32_t n_memory;    /* the System's, likewise; `of` of a memory is a value */
    const Memory *memory;
    uint32_t n_actions;
    const Action *action;
    const struct Program *numeric;  /* the same, linear blocks solved at run time; may be NULL */
    const InitialProgram *initial;  /* NULL: `start` is all there is to the start of a run */
    const LoopConstraints *loops;   /* NULL: no loop is cut */
    const NewtonSystem *newton;     /* NULL: not requested, or there is none      */
    const SparseJacobian *jacobian; /* of xdot, then of the balances, by states; NULL: likewise */
    const ResidualForm *residual;   /* NULL: likewise */
    const Linearisation *linearisation; /* NULL: not requested, or there is none      */
    const Sensitivity *sensitivity;     /* NULL: likewise, or nothing happens at events */
    const RatesAlong *along;            /* NULL: likewise */
    const Adjoint *adjoint;             /* NULL: likewise */
    const Invariants *invariants;       /* NULL: states are not redundant, or it is not requested */
} Program;

/* The blocks of the model, which come first: without those of the adjoint. */
static inline uint32_t program_own_blocks(const Program *g)
{
    return g->n_blocks - (g->adjoint ? g->adjoint->n_blocks : 0);
}

/* A parameter with fixed = false, or the memory of pre(v), and the unknown that stands for it in
 * the initial system. */
typedef struct FreeParameter {
    VarId parameter, unknown;
} FreeParameter;

/* The initial system, solved (MLS 3.6, 8.6): a Program without states over the same pool, whose
 * values are those at the start of a run. */
struct InitialProgram {
    Program program;
    const bool *is_solved; /* per variable of the model: it has a value here. States always have */
    uint32_t n_free;
    const FreeParameter *free;
};

/* After variables were added to the n_before of the System: they are their own values. */
void program_extend(Program *g, uint32_t n_before);
/* Marks all nodes that the n roots reach: mark[x.i] (pool_size entries) becomes true. */
void program_reach(const ExprPool *p, uint32_t n, const ExprId *root, bool *mark);
/* Operations to evaluate the n roots once, shared nodes once. */
OpCount program_count(const ExprPool *p, uint32_t n, const ExprId *root);
/* The same, all kinds together. */
unsigned long long program_operations(const ExprPool *p, uint32_t n, const ExprId *root);

/* The derivatives of the states as straight-line code, one operation a line. */
void program_print(const Program *g, FILE *f);

/* Whether derivatives of states, residuals of blocks and all values depend only on variables known
 * when they are evaluated: states, inputs, parameters, memory, unknowns of blocks. Linear in the
 * pool.
 */
bool program_check(const Program *g);

#endif
