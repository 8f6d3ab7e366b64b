/* sample_points.h -- the values of expressions all over the space in which the variables move,
 * and so whether a pivot that varies with time can vanish there.
 *
 * At a number of points: parameters have the values the model gives them. At half of the points
 * every variable is anywhere between its bounds, within half a turn (or half its size) around its
 * start value where there are none; at others it is a multiple of a quarter turn, where elements of
 * rotations vanish and mechanisms are stretched or folded; one is the start itself. Inertias,
 * m + J*sin(q)^2, J - c^2/m, keep their sign at all of them; m*cos(q) does not. The values of a
 * variable are chosen by its number in the order of sample_points_variables and of the first
 * evaluations, not by its number in the System: from the tip on, the outer links of a longer chain
 * have the same values.
 *
 * At further points parameters are within a tenth of their values, those of half of them above and
 * those of the others below: the cosine of an angle of 1.5708 changes its sign. They tell of pivots
 * of parameters alone.
 */
#ifndef RUNG_ELIMINATE_BLOCK_SAMPLE_POINTS_H
#define RUNG_ELIMINATE_BLOCK_SAMPLE_POINTS_H

#include "ir/sample.h"

enum { SAMPLE_POINTS = 12, NEAR_POINTS = 4, ALL_POINTS = SAMPLE_POINTS + NEAR_POINTS + 1 };

typedef struct Samples {
    double at[ALL_POINTS]; /* those behind SAMPLE_POINTS: parameters near by; the last is the
                              other point of the Sample */
} Samples;

typedef struct SamplePoints {
    const ExprPool *p;
    Sample *sample; /* of the System whose pool it is */
    Arena *mem;
    bool opens;      /* in searches 1/0 is 0 (OpenPivot) */
    uint32_t *place; /* per node: 1 + index in node and samples, 0 if not evaluated */
    uint32_t n_places;
    uint32_t n_variables; /* that were evaluated */
    VEC(uint32_t) node;
    VEC(Samples) samples;
    VEC(ExprId) stack;
} SamplePoints;

SamplePoints sample_points_new(const ExprPool *p, Sample *sample, Arena *mem);
/* Chooses the values of the variables in n expressions, in this order. */
void sample_points_variables(SamplePoints *w, uint32_t n, const ExprId *x);
/* NAN for an expression without a value. Near-linear over all calls together. */
Samples sample_points_value(SamplePoints *w, ExprId x);
/* The same of a pivot: if it has parameters alone, by points near by. */
Samples sample_points_pivot(SamplePoints *w, ExprId x);
/* Whether the samples change sign, or one is tiny relative to the largest. An expression without a
 * value is not known to vanish. */
bool samples_vanish(const Samples *w);
bool samples_vanish_at(const Samples *w, uint32_t point); /* next to nothing there */
/* At a point of the Sample, where the elimination stops: the start, or the other one. */
bool samples_vanish_at_sample(const Samples *w);
bool samples_are_known(const Samples *w); /* at all points, but those near by */
bool sample_points_vanishes(SamplePoints *w, ExprId x);
/* Of a pivot of parameters alone: the points near by in place of some of the first, where it is one
 * and the same number. */
Samples samples_of_parameters(const Samples *w);
/* After the pool was rolled back. */
void sample_points_forget(SamplePoints *w);

/* Of a sum, difference, product or quotient whose operands have a sign before them. */
static inline Samples samples_of_operation(Op op, double sign_a, const Samples *a, double sign_b,
                                           const Samples *b)
{
    Samples w;
    if (op == OP_SUB)
        sign_b = -sign_b;
    for (uint32_t k = 0; k < ALL_POINTS; k++)
        w.at[k] = op_is_sum(op)  ? sign_a * a->at[k] + sign_b * b->at[k]
                  : op == OP_MUL ? sign_a * sign_b * a->at[k] * b->at[k]
                                 : sign_a * sign_b * a->at[k] / b->at[k];
    return w;
}

#endif
