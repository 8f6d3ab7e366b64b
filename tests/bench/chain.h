/* chain.h -- the mechanism that all programs here are asked about, and what each must offer.
 *
 * A chain of n equal rods on hinges about z, y, z, ...: Linkage.Examples.AlternatingPendulum with
 * its default lengths and masses. Body k turns about axis[k] of its own frame, whose origin lies at
 * the hinge; the next hinge lies at (l, 0, 0), the mass centre at (l/2, 0, 0). Gravity is 9.81
 * against y.
 */
#ifndef RUNG_BENCH_CHAIN_H
#define RUNG_BENCH_CHAIN_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { CHAIN_STATES = 8 }; /* different states, one after the other */

typedef struct Chain {
    uint32_t n;
    double length, mass, inertia; /* of each rod; across, about its middle */
    double gravity;
} Chain;

/* 2 (z) for the first body, then 1 (y), 2, 1, ... */
static inline int chain_axis(uint32_t k)
{
    return k % 2 ? 1 : 2;
}

typedef struct Engine {
    const char *name, *what;
    bool may_fail;  /* a library that does not take chains of any length */
    uint32_t lanes; /* states that evaluate takes at once: s and those after it */
    /* NULL if it cannot be set up; a message is on stderr. */
    void *(*open)(const Chain *c, const char *argument);
    /* Keeps state s, angles q and rates v, in the form that evaluate wants. Not timed. */
    void (*keep)(void *self, uint32_t s, const double *q, const double *v);
    /* Accelerations at state s, from sines to results. Timed. */
    void (*evaluate)(void *self, uint32_t s);
    /* What evaluate found last. Not timed. */
    void (*result)(void *self, double *a);
    void (*close)(void *self);
} Engine;

extern const Engine engine_rung; /* argument: the shared object of the generated model */
extern const Engine engine_rung_lanes;
extern const Engine engine_aba, engine_aba_along_x, engine_aba_batched;
#ifdef WITH_SIMBODY
extern const Engine engine_simbody;
#endif
#ifdef WITH_BULLET
extern const Engine engine_bullet;
#endif
#ifdef WITH_MUJOCO
extern const Engine engine_mujoco;
#endif

#ifdef __cplusplus
}
#endif

#endif
