/* by_simbody.cpp -- the chain in Simbody. */
#include "chain.h"

#include <Simbody.h>

namespace
{

using namespace SimTK;

struct Simbody {
    MultibodySystem system;
    SimbodyMatterSubsystem matter{system};
    GeneralForceSubsystem forces{system};
    Vector q[CHAIN_STATES], v[CHAIN_STATES];
    State state;
};

void *open(const Chain *c, const char *)
{
    auto *it = new Simbody;
    Force::UniformGravity(it->forces, it->matter, Vec3(0, -c->gravity, 0));
    double arm = c->length / 2, across = c->inertia + c->mass * arm * arm;
    Body::Rigid rod(MassProperties(c->mass, Vec3(arm, 0, 0), Inertia(0, across, across)));
    MobilizedBody parent = it->matter.updGround();
    for (uint32_t k = 0; k < c->n; k++) {
        /* a pin turns about z of its frame */
        Rotation R = chain_axis(k) == 2 ? Rotation() : Rotation(-Pi / 2, XAxis);
        parent = MobilizedBody::Pin(parent, Transform(R, Vec3(k ? c->length : 0, 0, 0)), rod,
                                    Transform(R, Vec3(0)));
    }
    it->state = it->system.realizeTopology();
    it->system.realizeModel(it->state);
    return it;
}

void keep(void *self, uint32_t s, const double *q, const double *v)
{
    auto *it = static_cast<Simbody *>(self);
    int n = it->state.getNQ();
    it->q[s] = Vector(n, q);
    it->v[s] = Vector(n, v);
}

void evaluate(void *self, uint32_t s)
{
    auto *it = static_cast<Simbody *>(self);
    it->state.updQ() = it->q[s];
    it->state.updU() = it->v[s];
    it->system.realize(it->state, Stage::Acceleration);
}

void result(void *self, double *a)
{
    auto *it = static_cast<Simbody *>(self);
    const Vector &udot = it->state.getUDot();
    for (int k = 0; k < udot.size(); k++)
        a[k] = udot[k];
}

void close(void *self)
{
    delete static_cast<Simbody *>(self);
}

} // namespace

extern "C" const Engine engine_simbody = {
    "Simbody", "realize to accelerations", true, 1, open, keep, evaluate, result, close};
