/* aba.c -- the articulated-body algorithm, written by hand for a chain of hinges.
 *
 * Featherstone, Rigid Body Dynamics Algorithms, chapter 7, for a person who wants it fast: all in
 * body frames with their origins at the hinges; rotations about a coordinate axis touch two of
 * three components; ordinary instead of spatial accelerations, so that no linear velocity is
 * needed; gravity as an acceleration of the base. The articulated inertia
 *
 *     torque = J alpha + H a + p,   force = H' alpha + M a + f
 *
 * is kept as J (6 numbers), H (9), M (6). The row of the hinge's axis vanishes once the hinge is
 * taken out, so J and H have 3 and 6 to carry on. Symmetric pairs turn by the double angle. Masses,
 * mass centres, inertias and offsets are any; axes are x, y or z of the body. One pass out
 * (velocities), one in (inertias), one out (accelerations); nothing is allocated.
 */
#define _GNU_SOURCE /* sincos */
#include "chain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifdef BATCHED
#include "runtime/kernel/rung_math.h"
#endif

typedef struct Body {
    int axis;
    double r[3];  /* from this hinge to the next      */
    double I[6];  /* about the hinge: xx yy zz xy xz yz */
    double mc[3]; /* mass times mass centre           */
    double m;
    /* pass out */
    double sin, cos;
    double w[3];
    double turn[2]; /* acceleration of the turning axes, across the axis */
    double away[3]; /* w x (w x r)                      */
    /* pass in: the hinge's acceleration is first - gain . (alpha, a) */
    double gain[6], first;
} Body;

typedef struct Articulated {
    double J[6], H[9], M[6], p[3], f[3];
} Articulated;

typedef struct Aba {
    uint32_t n;
    double gravity;
    Body *body;
    double *q[CHAIN_STATES], *v[CHAIN_STATES], *a, *sines, *cosines;
} Aba;

/* Compiled a second time for rods along x: then what is zero in their offsets and moments is known,
 * as it is to a compiler of the model. */
#ifdef ALONG_X
#define ACROSS(x) 0.0
#else
#define ACROSS(x) (x)
#endif

#define INLINE static inline __attribute__((always_inline))

/* place of (i, j) in xx yy zz xy xz yz */
INLINE int sym(int i, int j)
{
    return i == j ? i : i + j + 2;
}

/* From the parent's axes to the body's: R' v. */
INLINE void turn_out(int e, double s, double c, const double *v, double *out)
{
    int f = (e + 1) % 3, g = (e + 2) % 3;
    double vf = v[f], vg = v[g];
    out[e] = v[e];
    out[f] = c * vf + s * vg;
    out[g] = c * vg - s * vf;
}

/* Back: R v. */
INLINE void turn_in(int e, double s, double c, const double *v, double *out)
{
    turn_out(e, -s, c, v, out);
}

/* w x (w x .) as a symmetric matrix. */
INLINE void centripetal(const double *w, double *W)
{
    double xx = w[0] * w[0], yy = w[1] * w[1], zz = w[2] * w[2];
    W[0] = -(yy + zz);
    W[1] = -(xx + zz);
    W[2] = -(xx + yy);
    W[3] = w[0] * w[1];
    W[4] = w[0] * w[2];
    W[5] = w[1] * w[2];
}

INLINE void symmetric_times(const double *S, const double *v, double *out)
{
    out[0] = S[0] * v[0] + S[3] * v[1] + S[4] * v[2];
    out[1] = S[3] * v[0] + S[1] * v[1] + S[5] * v[2];
    out[2] = S[4] * v[0] + S[5] * v[1] + S[2] * v[2];
}

INLINE void velocities(int e, Body *b, const double *w_parent, double rate)
{
    int f = (e + 1) % 3, g = (e + 2) % 3;
    turn_out(e, b->sin, b->cos, w_parent, b->w);
    b->turn[0] = b->w[g] * rate; /* (w x axis) rate */
    b->turn[1] = -b->w[f] * rate;
    b->w[e] += rate;
    double W[6];
    centripetal(b->w, W);
    const double r[3] = {b->r[0], ACROSS(b->r[1]), ACROSS(b->r[2])};
    symmetric_times(W, r, b->away);
}

/* Adds the body itself to what hangs on it, takes its hinge out, and carries the rest over to the
 * parent's axes. The offset to the parent's hinge is added there. */
INLINE void take_out(int e, Body *b, Articulated *t)
{
    int f = (e + 1) % 3, g = (e + 2) % 3;
    double W[6], Iw[3], x[3];
    const double *w = b->w, m = b->m;
    const double mc[3] = {b->mc[0], ACROSS(b->mc[1]), ACROSS(b->mc[2])};
    const double I[6] = {ACROSS(b->I[0]), b->I[1],         b->I[2],
                         ACROSS(b->I[3]), ACROSS(b->I[4]), ACROSS(b->I[5])};

    centripetal(w, W);
    symmetric_times(W, mc, x);
    symmetric_times(I, w, Iw);
    t->p[0] += w[1] * Iw[2] - w[2] * Iw[1];
    t->p[1] += w[2] * Iw[0] - w[0] * Iw[2];
    t->p[2] += w[0] * Iw[1] - w[1] * Iw[0];
    for (int i = 0; i < 3; i++) {
        t->f[i] += x[i];
        t->M[i] += m;
    }
    for (int i = 0; i < 6; i++)
        t->J[i] += I[i];
    t->H[3 * 0 + 1] -= mc[2];
    t->H[3 * 0 + 2] += mc[1];
    t->H[3 * 1 + 0] += mc[2];
    t->H[3 * 1 + 2] -= mc[0];
    t->H[3 * 2 + 0] -= mc[1];
    t->H[3 * 2 + 1] += mc[0];

    /* column of the hinge, and what its motion takes away */
    double Jf = t->J[sym(e < f ? e : f, e < f ? f : e)],
           Jg = t->J[sym(e < g ? e : g, e < g ? g : e)];
    const double *He = &t->H[3 * e];
    double over = 1 / t->J[e];
    double kf = Jf * over, kg = Jg * over, k0 = He[0] * over, k1 = He[1] * over, k2 = He[2] * over;
    double first = -t->p[e] * over;
    b->gain[0] = kf;
    b->gain[1] = kg;
    b->gain[2] = k0;
    b->gain[3] = k1;
    b->gain[4] = k2;
    b->first = first;

    double Jff = t->J[f] - Jf * kf, Jgg = t->J[g] - Jg * kg,
           Jfg = t->J[sym(f < g ? f : g, f < g ? g : f)] - Jf * kg;
    double Hf[3], Hg[3], M[6];
    for (int i = 0; i < 3; i++) {
        double k = i == 0 ? k0 : i == 1 ? k1 : k2;
        Hf[i] = t->H[3 * f + i] - Jf * k;
        Hg[i] = t->H[3 * g + i] - Jg * k;
    }
    M[0] = t->M[0] - He[0] * k0;
    M[1] = t->M[1] - He[1] * k1;
    M[2] = t->M[2] - He[2] * k2;
    M[3] = t->M[3] - He[0] * k1;
    M[4] = t->M[4] - He[0] * k2;
    M[5] = t->M[5] - He[1] * k2;
    /* with the turning axes' acceleration known, and the hinge's from what is known */
    double tf = b->turn[0], tg = b->turn[1];
    double pe = 0; /* no torque about the hinge */
    double pf = t->p[f] + Jf * first + Jff * tf + Jfg * tg;
    double pg = t->p[g] + Jg * first + Jfg * tf + Jgg * tg;
    double force[3];
    for (int i = 0; i < 3; i++)
        force[i] = t->f[i] + He[i] * first + Hf[i] * tf + Hg[i] * tg;

    /* into the parent's axes */
    double s = b->sin, c = b->cos, c2 = c * c - s * s, s2 = 2 * s * c;
    double mean = 0.5 * (Jff + Jgg), half = 0.5 * (Jff - Jgg);
    double d = c2 * half - s2 * Jfg;
    Jfg = c2 * Jfg + s2 * half;
    Jff = mean + d;
    Jgg = mean - d;
    t->J[e] = 0;
    t->J[f] = Jff;
    t->J[g] = Jgg;
    t->J[sym(e < f ? e : f, e < f ? f : e)] = 0;
    t->J[sym(e < g ? e : g, e < g ? g : e)] = 0;
    t->J[sym(f < g ? f : g, f < g ? g : f)] = Jfg;

    mean = 0.5 * (M[f] + M[g]);
    half = 0.5 * (M[f] - M[g]);
    int ef = sym(e < f ? e : f, e < f ? f : e), eg = sym(e < g ? e : g, e < g ? g : e),
        fg = sym(f < g ? f : g, f < g ? g : f);
    d = c2 * half - s2 * M[fg];
    t->M[fg] = c2 * M[fg] + s2 * half;
    t->M[f] = mean + d;
    t->M[g] = mean - d;
    t->M[e] = M[e];
    t->M[ef] = c * M[ef] - s * M[eg];
    t->M[eg] = s * M[ef] + c * M[eg];

    /* [Hff Hfg; Hgf Hgg]: trace and skew part stay */
    mean = 0.5 * (Hf[f] + Hg[g]);
    half = 0.5 * (Hf[f] - Hg[g]);
    double skew = 0.5 * (Hf[g] - Hg[f]), both = 0.5 * (Hf[g] + Hg[f]);
    d = c2 * half - s2 * both;
    both = c2 * both + s2 * half;
    t->H[3 * f + f] = mean + d;
    t->H[3 * g + g] = mean - d;
    t->H[3 * f + g] = both + skew;
    t->H[3 * g + f] = both - skew;
    t->H[3 * f + e] = c * Hf[e] - s * Hg[e];
    t->H[3 * g + e] = s * Hf[e] + c * Hg[e];
    t->H[3 * e + 0] = t->H[3 * e + 1] = t->H[3 * e + 2] = 0;

    t->p[e] = pe;
    t->p[f] = c * pf - s * pg;
    t->p[g] = s * pf + c * pg;
    turn_in(e, s, c, force, t->f);
}

/* From a point at r to the origin, both moving with one body; `away` is the point's acceleration
 * at rest. */
INLINE void shift(const double *r, const double *away, Articulated *t)
{
    double x = r[0], y = ACROSS(r[1]), z = ACROSS(r[2]);
    double H[9], push[3];

    /* what the point's own acceleration asks for */
    symmetric_times(t->M, away, push);
    for (int i = 0; i < 3; i++) {
        t->p[i] += t->H[3 * i] * away[0] + t->H[3 * i + 1] * away[1] + t->H[3 * i + 2] * away[2];
        t->f[i] += push[i];
    }
    t->p[0] += y * t->f[2] - z * t->f[1];
    t->p[1] += z * t->f[0] - x * t->f[2];
    t->p[2] += x * t->f[1] - y * t->f[0];

    /* H + r x M */
    const double *M = t->M, *h = t->H;
    H[0] = h[0] + y * M[4] - z * M[3];
    H[1] = h[1] + y * M[5] - z * M[1];
    H[2] = h[2] + y * M[2] - z * M[5];
    H[3] = h[3] + z * M[0] - x * M[4];
    H[4] = h[4] + z * M[3] - x * M[5];
    H[5] = h[5] + z * M[4] - x * M[2];
    H[6] = h[6] + x * M[3] - y * M[0];
    H[7] = h[7] + x * M[1] - y * M[3];
    H[8] = h[8] + x * M[5] - y * M[4];

    /* J + r x H_old' - H_new r x, of which the upper half */
    t->J[0] += y * (h[2] + H[2]) - z * (h[1] + H[1]);
    t->J[1] += z * (h[3] + H[3]) - x * (h[5] + H[5]);
    t->J[2] += x * (h[7] + H[7]) - y * (h[6] + H[6]);
    t->J[3] += z * (H[0]) - x * H[2] + y * h[5] - z * h[4];
    t->J[4] += x * H[1] - y * H[0] + y * h[8] - z * h[7];
    t->J[5] += x * H[4] - y * H[3] + z * h[6] - x * h[8];
    memcpy(t->H, H, sizeof H);
}

/* alpha, a: of the parent, at this hinge; become the body's. */
INLINE double accelerate(int e, const Body *b, double *alpha, double *a)
{
    int f = (e + 1) % 3, g = (e + 2) % 3;
    turn_out(e, b->sin, b->cos, alpha, alpha);
    turn_out(e, b->sin, b->cos, a, a);
    alpha[f] += b->turn[0];
    alpha[g] += b->turn[1];
    const double *k = b->gain;
    /* alpha[e] is the parent's part of the turning about the axis */
    double own =
        b->first - k[0] * alpha[f] - k[1] * alpha[g] - (k[2] * a[0] + k[3] * a[1] + k[4] * a[2]);
    double hinge = own - alpha[e];
    alpha[e] = own;
    return hinge;
}

#define FOR_AXIS(axis, call)                                                                       \
    switch (axis) {                                                                                \
    case 0:                                                                                        \
        call(0);                                                                                   \
        break;                                                                                     \
    case 1:                                                                                        \
        call(1);                                                                                   \
        break;                                                                                     \
    default:                                                                                       \
        call(2);                                                                                   \
        break;                                                                                     \
    }

static void accelerations(Aba *it, const double *rate, const double *sines, const double *cosines)
{
    uint32_t n = it->n;
    Body *body = it->body;
    const double rest[3] = {0, 0, 0};
    const double *w = rest;
    for (uint32_t k = 0; k < n; k++) {
        Body *b = &body[k];
        b->sin = sines[k];
        b->cos = cosines[k];
#define VELOCITIES(e) velocities(e, b, w, rate[k])
        FOR_AXIS(b->axis, VELOCITIES)
        w = b->w;
    }

    Articulated t = {{0}, {0}, {0}, {0}, {0}};
    for (uint32_t k = n; k-- > 0;) {
        Body *b = &body[k];
#define TAKE_OUT(e) take_out(e, b, &t)
        FOR_AXIS(b->axis, TAKE_OUT)
        if (k > 0)
            shift(body[k - 1].r, body[k - 1].away, &t);
    }

    double alpha[3] = {0, 0, 0}, a[3] = {0, it->gravity, 0};
    for (uint32_t k = 0; k < n; k++) {
        const Body *b = &body[k];
#define ACCELERATE(e) it->a[k] = accelerate(e, b, alpha, a)
        FOR_AXIS(b->axis, ACCELERATE)
        const double r[3] = {b->r[0], ACROSS(b->r[1]), ACROSS(b->r[2])};
        a[0] += alpha[1] * r[2] - alpha[2] * r[1] + b->away[0];
        a[1] += alpha[2] * r[0] - alpha[0] * r[2] + b->away[1];
        a[2] += alpha[0] * r[1] - alpha[1] * r[0] + b->away[2];
    }
}

/* ------------------------------------------------------------------ as an engine */

static void aba_close(void *self)
{
    Aba *it = self;
    for (int s = 0; s < CHAIN_STATES; s++) {
        free(it->q[s]);
        free(it->v[s]);
    }
    free(it->body);
    free(it->a);
    free(it->sines);
    free(it->cosines);
    free(it);
}

static void *aba_open(const Chain *c, const char *argument)
{
    (void)argument;
    Aba *it = calloc(1, sizeof *it);
    if (!it)
        return NULL;
    uint32_t n = it->n = c->n;
    it->gravity = c->gravity;
    it->body = calloc(n, sizeof *it->body);
    it->a = calloc(n, sizeof(double));
    it->sines = calloc(n + 8, sizeof(double));
    it->cosines = calloc(n + 8, sizeof(double));
    bool ok = it->body && it->a && it->sines && it->cosines;
    for (int s = 0; s < CHAIN_STATES; s++) {
        it->q[s] = calloc(n + 8, sizeof(double));
        it->v[s] = calloc(n, sizeof(double));
        ok = ok && it->q[s] && it->v[s];
    }
    if (!ok) {
        aba_close(it);
        return NULL;
    }
    double arm = c->length / 2, across = c->inertia + c->mass * arm * arm;
    for (uint32_t k = 0; k < n; k++)
        it->body[k] = (Body){.axis = chain_axis(k),
                             .r = {c->length, 0, 0},
                             .I = {0, across, across, 0, 0, 0},
                             .mc = {c->mass * arm, 0, 0},
                             .m = c->mass};
    return it;
}

static void aba_keep(void *self, uint32_t s, const double *q, const double *v)
{
    Aba *it = self;
    memcpy(it->q[s], q, it->n * sizeof *q);
    memcpy(it->v[s], v, it->n * sizeof *v);
}

static void aba_evaluate(void *self, uint32_t s)
{
    Aba *it = self;
#ifdef BATCHED
    rung_sincos(it->n, it->q[s], it->sines, it->cosines);
#else
    for (uint32_t k = 0; k < it->n; k++)
        sincos(it->q[s][k], &it->sines[k], &it->cosines[k]);
#endif
    accelerations(it, it->v[s], it->sines, it->cosines);
}

static void aba_result(void *self, double *a)
{
    const Aba *it = self;
    memcpy(a, it->a, it->n * sizeof *a);
}

#ifdef BATCHED
#define NAME "by hand, all that"
#define WHAT "and sines and cosines in one batch, as generated code has them"
#define ENGINE engine_aba_batched
#elif defined ALONG_X
#define NAME "by hand, along x"
#define WHAT "the same, knowing what is zero in a rod"
#define ENGINE engine_aba_along_x
#else
#define NAME "by hand"
#define WHAT "articulated bodies in C, sincos of libm"
#define ENGINE engine_aba
#endif

const Engine ENGINE = {NAME,     WHAT,         false,      1,        aba_open,
                       aba_keep, aba_evaluate, aba_result, aba_close};
