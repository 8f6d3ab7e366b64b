/* exact.h -- expressions at a random point, in fractions or in residues (number.h).
 *
 * A variable without a value is a random number that depends on its name and the point alone, a
 * function other than sine, cosine and the root a random number that depends on its argument.
 *
 *     Exact *e = exact_new(s, mem, 7, &verify_prime[0]);      a point, modulo a prime
 *     Number a = exact_value(e, x), b = exact_value(e, y);
 *     if (!number_same(&e->field, a, b)) ...                  x and y are not equal
 *     exact_done(e);
 */
#ifndef RUNG_ELIMINATE_VERIFY_EXACT_H
#define RUNG_ELIMINATE_VERIFY_EXACT_H

#include "eliminate/verify/number.h"
#include "ir/system.h"

typedef struct Exact Exact;
/* The meaning of a variable. */
typedef struct ExactMeaning {
    Exact *in; /* the value of x in it; NULL: `value` */
    ExprId x;
    Number value;
} ExactMeaning;
/* Of a variable that stands for something; at->field is that of fractions, of p or of q, as is that
 * of the meaning. */
typedef bool (*ExactVariable)(void *user, Exact *at, VarId v, ExactMeaning *out);

/* Of the nodes of one pool at one point. */
struct Exact {
    System *s;
    Arena *mem;
    Field field;
    Exact *angles; /* residues: the same point modulo q; NULL there, and of fractions */
    Exact *real;   /* modulo q: where signs and conditions are known; else NULL */
    const VerifyPrime *prime;
    ExactVariable variable; /* NULL: none has */
    void *user;
    /* Per node, grown on demand. */
    VEC(Number) value;
    VEC(bool) known;
    Map angle; /* node -> index in cos, sin; fractions alone */
    VEC(Number) cos, sin;
    VEC(ExprId) stack;
};

/* prime NULL: in fractions. */
Exact *exact_new(System *s, Arena *mem, uint64_t seed, const VerifyPrime *prime);
/* The same point, of other variables. */
Exact *exact_again(const Exact *e, Arena *mem);
void exact_done(Exact *e);
/* Variables have values, before any is asked for. */
void exact_define(Exact *e, ExactVariable variable, void *user);
/* Signs that are given (number.h), shared by those who have to agree on them. */
void exact_share_signs(Exact *e, Map *signs);
bool exact_is_poor(const Exact *e); /* a division by zero: draw another point */

Number exact_value(Exact *e, ExprId x);
/* Whether x < 0, or <= 0, and so on: -1, 0, 1. */
int exact_sign(Exact *e, ExprId x);
Number exact_floor(Exact *e, ExprId x);
/* Whether pre(x) is x: x is a state, which reinit() sets behind all other values. */
bool exact_is_before(const System *s, ExprId x);
/* The value of pre(x): of others by their names, so that two systems agree; false for a condition.
 */
Number exact_before(Exact *e, ExprId x);

/* A call of the function with the key f by its first n arguments; and the factor of a rate in the
 * result of a function that is the derivative of another, by the key of the arguments before the
 * rates. */
uint64_t exact_call_key(Exact *e, Name f, ExprId call, uint32_t n);
Number exact_partial(Exact *e, uint64_t key, uint32_t rate, uint32_t result);

/* Of an angle. */
void exact_circle(Exact *e, ExprId x, Number *cosine, Number *sine);
/* The branch that an if-expression takes. */
ExprId exact_branch(Exact *e, ExprId x);
/* Other functions at a number, powers as they are built. */
Number exact_function(Exact *e, Fn f, Number a);
Number exact_power(Exact *e, Number a, Number b);

#endif
