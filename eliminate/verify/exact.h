/* exact.h -- expressions at a random rational point.
 *
 * Rational arithmetic (GMP). A variable without a value is a random fraction that depends on its
 * name and the point alone, an angle a random rational point of the unit circle, any other function
 * a random fraction that depends on its argument.
 */
#ifndef RUNG_ELIMINATE_VERIFY_EXACT_H
#define RUNG_ELIMINATE_VERIFY_EXACT_H

#include "ir/system.h"

/* Numerators and denominators are drawn from 1 .. range: enough for degrees of 10^17. */
#define VERIFY_RANGE (((uint64_t)1 << 61) - 1)

/* Of the nodes of one pool at one point. */
typedef struct Exact {
    System *s;
    Arena *mem;
    uint64_t seed;
    Map at; /* node -> index in value         */
    VEC(mpq_ptr) value;
    Map var; /* VarId.i -> index in var_value  */
    VEC(mpq_ptr) var_value;
    Map angle; /* node -> index in cos, sin      */
    VEC(mpq_ptr) cos, sin;
    VEC(ExprId) stack;
    VEC(mpq_ptr) owned; /* all of them, to be cleared */
    bool poor_point;    /* a division by zero: draw another */
} Exact;

Exact exact_new(System *s, Arena *mem, uint64_t seed);
void exact_done(Exact *e);

mpq_ptr exact_fresh(Exact *e); /* zero, cleared by exact_done */
/* A fraction that depends on the key and the point alone. */
void exact_draw(const Exact *e, uint64_t key, mpq_ptr out);
/* Equal values, equal keys. */
uint64_t exact_key(mpq_srcptr q, uint64_t salt);

/* From now on v has this value. Before any value that depends on it is asked for. */
void exact_set(Exact *e, VarId v, mpq_ptr value);
mpq_ptr exact_value(Exact *e, ExprId x);
/* What pre(x) was: by its name, so that two systems agree. A condition was false. */
void exact_before(const Exact *e, ExprId x, mpq_ptr out);

/* A call of the function with the key f by its first n arguments; and the factor of a rate in the
 * result of a function that is the derivative of another, by the key of what comes before the
 * rates. */
uint64_t exact_call_key(Exact *e, Name f, ExprId call, uint32_t n);
void exact_partial(const Exact *e, uint64_t key, uint32_t rate, uint32_t result, mpq_ptr out);

bool exact_is_known(const Exact *e, ExprId x);
/* Of an angle. */
void exact_circle(Exact *e, ExprId x, mpq_srcptr *cosine, mpq_srcptr *sine);
/* The branch that an if-expression takes. */
ExprId exact_branch(Exact *e, ExprId x);
/* Other functions at a fraction, powers as they are built. */
void exact_function(const Exact *e, Fn f, mpq_srcptr a, mpq_ptr out);
void exact_function2(const Exact *e, Fn2 f, mpq_srcptr a, mpq_srcptr b, mpq_ptr out);
void exact_opposite(mpq_srcptr a, mpq_ptr out); /* 1 - a^2 */
void exact_power(Exact *e, mpq_srcptr a, mpq_srcptr b, mpq_ptr out);

#endif
