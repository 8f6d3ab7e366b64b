/* by_mujoco.cpp -- the chain in MuJoCo. */
#include "chain.h"

#include <mujoco/mujoco.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace
{

struct Mujoco {
    mjModel *model;
    mjData *data;
    std::vector<double> q[CHAIN_STATES], v[CHAIN_STATES];
};

std::string number(double x)
{
    char text[40];
    std::snprintf(text, sizeof text, "%.17g", x);
    return text;
}

/* The rods' moment about their own axis is put to zero later: MuJoCo's reader wants it positive. */
std::string description(const Chain *c)
{
    std::string t = "<mujoco><compiler angle=\"radian\"/><size nconmax=\"1\" njmax=\"1\"/>"
                    "<option gravity=\"0 " +
                    number(-c->gravity) + " 0\"/><worldbody>\n";
    std::string J = number(c->inertia);
    for (uint32_t k = 0; k < c->n; k++)
        t += "<body pos=\"" + number(k ? c->length : 0) + " 0 0\"><joint type=\"hinge\" axis=\"0 " +
             (chain_axis(k) == 1 ? "1 0" : "0 1") + "\"/><inertial pos=\"" + number(c->length / 2) +
             " 0 0\" mass=\"" + number(c->mass) + "\" diaginertia=\"" + J + " " + J + " " + J +
             "\"/>\n";
    for (uint32_t k = 0; k < c->n; k++)
        t += "</body>";
    return t + "</worldbody></mujoco>\n";
}

void *open(const Chain *c, const char *)
{
    std::string text = description(c);
    auto files = std::make_unique<mjVFS>();
    mj_defaultVFS(files.get());
    char error[500] = "no room for its description";
    mjModel *m = nullptr;
    if (mj_makeEmptyFileVFS(files.get(), "chain.xml", int(text.size())) == 0) {
        int at = mj_findFileVFS(files.get(), "chain.xml");
        std::memcpy(files->filedata[at], text.data(), text.size());
        m = mj_loadXML("chain.xml", files.get(), error, sizeof error);
        mj_deleteFileVFS(files.get(), "chain.xml");
    }
    if (!m) {
        std::fprintf(stderr, "MuJoCo: %s\n", error);
        return nullptr;
    }
    for (int k = 1; k < m->nbody; k++)
        m->body_inertia[3 * k] = 0;
    auto *it = new Mujoco;
    it->model = m;
    it->data = mj_makeData(m);
    return it;
}

void keep(void *self, uint32_t s, const double *q, const double *v)
{
    auto *it = static_cast<Mujoco *>(self);
    it->q[s].assign(q, q + it->model->nq);
    it->v[s].assign(v, v + it->model->nv);
}

/* mj_forward without what a chain that touches nothing does not need: collisions, constraints,
 * actuators, sensors, passive forces. */
void evaluate(void *self, uint32_t s)
{
    auto *it = static_cast<Mujoco *>(self);
    mjModel *m = it->model;
    mjData *d = it->data;
    std::memcpy(d->qpos, it->q[s].data(), it->q[s].size() * sizeof(double));
    std::memcpy(d->qvel, it->v[s].data(), it->v[s].size() * sizeof(double));
    mj_kinematics(m, d);
    mj_comPos(m, d);
    mj_crb(m, d);
    mj_factorM(m, d);
    mj_comVel(m, d);
    mj_rne(m, d, 0, d->qfrc_bias);
    mju_scl(d->qfrc_smooth, d->qfrc_bias, -1, m->nv);
    mj_solveM(m, d, d->qacc_smooth, d->qfrc_smooth, 1);
}

void result(void *self, double *a)
{
    auto *it = static_cast<Mujoco *>(self);
    std::memcpy(a, it->data->qacc_smooth, static_cast<size_t>(it->model->nv) * sizeof(double));
}

void close(void *self)
{
    auto *it = static_cast<Mujoco *>(self);
    mj_deleteData(it->data);
    mj_deleteModel(it->model);
    delete it;
}

} // namespace

extern "C" const Engine engine_mujoco = {
    "MuJoCo", "composite inertia, no contacts", true, 1, open, keep, evaluate, result, close};
