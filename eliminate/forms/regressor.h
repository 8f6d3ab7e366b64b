/* regressor.h -- the dependence of a model's equations on its parameters: inverse dynamics,
 * evaluated on residues together with its derivatives by parameters.
 *
 * Derivatives of states are inputs. Other unknowns follow from equations one after the other, by
 * adding, subtracting, and dividing by terms without parameters; the remaining equations are the
 * rows:
 *
 *     w = der(phi),  J*der(w) = tau - d*w,  tau = u     inputs phi, w, der(w), u
 *                                                       row    J*der(w) - u + d*w
 *
 * So parameters that the laws of motion hold linearly, stay linear, whatever the unknowns are. An
 * unknown that follows from no equation that way is an input too, and an equation more a row. Where
 * such inputs follow from rows together, by coefficients that hold no parameter, as the elements of
 * a vector do from those of the vector rotated, they are solved for at each point.
 *
 * Values are pairs of residues modulo two primes (fingerprint.h). Inputs are drawn at random for
 * each point; an angle is a random point of the unit circle, another function a random residue for
 * each value of its argument, a relation true or false at random.
 */
#ifndef RUNG_ELIMINATE_FORMS_REGRESSOR_H
#define RUNG_ELIMINATE_FORMS_REGRESSOR_H

#include "eliminate/dae.h"

/* A parameter that can be set from outside, has no binding over others, and that rows hold. */
typedef struct RegressorParameter {
    VarId var;
    uint32_t slot;
    bool is_polynomial; /* in no denominator, under no function, in no condition */
    bool is_rational;   /* under no function */
    bool is_angle;      /* cosines and sines of it are in rows */
    bool at_events;     /* conditions in rows, or memory of rows, depend on it */
    bool closes_loop;   /* constraints of cut loops hold it too */
    bool is_given;      /* has a number for a value */
    Fp given;
} RegressorParameter;

typedef struct RegressorSlot {
    uint8_t kind;
    uint32_t a, b, c;
} RegressorSlot;

typedef struct RegressorAngle {
    uint8_t kind;
    uint32_t a, b;
    long times;
    Fp at; /* the value of the leaf whose circle this is */
    FpAngle circle;
} RegressorAngle;

typedef struct Regressor {
    System *s;
    Arena *mem;
    uint32_t n_inputs; /* derivatives of states and unknowns that follow from no equation */
    uint32_t n_parameters;
    RegressorParameter *parameter; /* in the order of declaration */
    uint32_t n_idle;               /* parameters of type Real that can be set, in no row */
    VarId *idle;
    uint32_t n_at_events; /* the same, but that these depend on them */
    VarId *only_at_events;
    uint32_t n_rows;
    EqId *eq; /* of each row */
    VEC(RegressorSlot) slot;
    VEC(RegressorAngle) angle;
    VEC(uint32_t) arg;
    VEC(uint32_t) row; /* slots */
    VEC(uint32_t) drawn;
    VEC(uint32_t) rate; /* slots of derivatives of states among them */
    uint32_t n_torn;
    uint32_t *torn; /* slots of inputs that are no derivatives of states */
    uint32_t n_solved;
    uint32_t *solved_row, *solved_torn; /* rows from which torn inputs follow, and these */
    bool *is_solved;                    /* per row */
    Fp *inverse; /* n_solved squared: of the slopes of these rows, at the point; row by input */
    bool has_choices; /* rows hold conditions, true or false at random */
    uint32_t *live;   /* slots that rows need, ascending */
    uint32_t n_live;
    uint32_t *sloped; /* of these, the ones that slopes are asked for or go through, ascending */
    uint32_t n_sloped;
    bool is_evaluated;        /* once at least                                               */
    bool *changed;            /* per slot: its value is another one than at the last evaluation */
    Fp *value, *slope;        /* per slot */
    Fp *divisor, *reciprocal; /* per slot of a division: the last divisor, 1 over it */
    bool *is_open;            /* per slot: its value depends on a division by zero */
    bool is_poor; /* a row is open, or inputs cannot be solved for: draw another point */
} Regressor;

/* After equations_sort. Near-linear in the size of the System. Its numbers are in mem. */
Regressor regressor_make(const Dae *d, Arena *mem, Arena *scratch);

/* Draws all inputs; parameters stay. */
void regressor_draw(Regressor *r, uint64_t seed);
/* Draws the derivatives of states again. */
void regressor_move(Regressor *r, uint64_t seed);
void regressor_set(Regressor *r, uint32_t parameter, Fp value);
/* Of each row, 0 of those that are solved. Linear in the number of operations. */
void regressor_rows(Regressor *r, Fp *out);
/* Of a random sum of rows, which depends on the seed: its slope by each parameter that is
 * polynomial, and 0 for others. Three times the cost. */
void regressor_slopes(Regressor *r, uint64_t seed, Fp *out);

/* The cosine and sine that rows have of an angle with this value. */
FpAngle regressor_circle(Fp value);

#endif
