/* by_bullet.cpp -- the chain as a btMultiBody of Bullet, in double precision. */
#include "chain.h"

#include <BulletDynamics/Featherstone/btMultiBody.h>

#include <vector>

namespace
{

struct Bullet {
    btMultiBody *body;
    uint32_t n;
    btVector3 weight;
    std::vector<double> q[CHAIN_STATES], v[CHAIN_STATES];
    const double *last;
    btAlignedObjectArray<btScalar> r;
    btAlignedObjectArray<btVector3> vectors;
    btAlignedObjectArray<btMatrix3x3> matrices;
};

void *open(const Chain *c, const char *)
{
    auto *it = new Bullet;
    it->n = c->n;
    it->weight = btVector3(0, -c->gravity * c->mass, 0);
    it->body = new btMultiBody(static_cast<int>(c->n), 1, btVector3(1, 1, 1), true, false);
    btMultiBody *b = it->body;
    btVector3 inertia(0, c->inertia, c->inertia);
    for (uint32_t k = 0; k < c->n; k++) {
        int i = static_cast<int>(k);
        btVector3 axis(0, chain_axis(k) == 1, chain_axis(k) == 2);
        b->setupRevolute(i, c->mass, inertia, i - 1, btQuaternion(0, 0, 0, 1), axis,
                         btVector3(k ? c->length / 2 : 0, 0, 0), btVector3(c->length / 2, 0, 0),
                         true);
    }
    b->finalizeMultiDof();
    b->setLinearDamping(0);
    b->setAngularDamping(0);
    b->setMaxCoordinateVelocity(1e30);
    b->setCanSleep(false);
    return it;
}

void keep(void *self, uint32_t s, const double *q, const double *v)
{
    auto *it = static_cast<Bullet *>(self);
    it->q[s].assign(q, q + it->n);
    it->v[s].assign(v, v + it->n);
}

/* Bullet adds the accelerations times the step, here 1, to the rates. */
void evaluate(void *self, uint32_t s)
{
    auto *it = static_cast<Bullet *>(self);
    btMultiBody *b = it->body;
    b->clearForcesAndTorques();
    for (uint32_t k = 0; k < it->n; k++) {
        int i = static_cast<int>(k);
        b->setJointPos(i, it->q[s][k]);
        b->setJointVel(i, it->v[s][k]);
        b->addLinkForce(i, it->weight);
    }
    b->computeAccelerationsArticulatedBodyAlgorithmMultiDof(1, it->r, it->vectors, it->matrices,
                                                            false, false, false);
    it->last = it->v[s].data();
}

void result(void *self, double *a)
{
    auto *it = static_cast<Bullet *>(self);
    for (uint32_t k = 0; k < it->n; k++)
        a[k] = it->body->getJointVel(static_cast<int>(k)) - it->last[k];
}

void close(void *self)
{
    auto *it = static_cast<Bullet *>(self);
    delete it->body;
    delete it;
}

} // namespace

extern "C" const Engine engine_bullet = {
    "Bullet", "btMultiBody, accelerations alone", true, 1, open, keep, evaluate, result, close};
