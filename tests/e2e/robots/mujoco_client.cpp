// mujoco_client: accelerations of a robot in URDF or MJCF by MuJoCo, at random states.
// usage: mujoco_client ROBOT SEED SAMPLES
// Prints "mass M", then for each sample a line "sample" and one for each joint: its name, its
// positions, velocities, forces, accelerations, apart by " | ".
#include <mujoco/mujoco.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>

static void numbers(const mjtNum *v, int n)
{
    printf(" |");
    for (int k = 0; k < n; k++)
        printf(" %.17g", v[k]);
}

int main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    char error[1000] = "";
    mjModel *m = mj_loadXML(argv[1], nullptr, error, sizeof error);
    if (!m) {
        fprintf(stderr, "%s: %s\n", argv[1], error);
        return 1;
    }
    m->opt.disableflags |= mjDSBL_CONSTRAINT;
    mjData *d = mj_makeData(m);
    std::mt19937_64 random(std::strtoull(argv[2], nullptr, 10));
    std::uniform_real_distribution<double> uniform(-1, 1);
    printf("mass %.17g\n", mj_getTotalmass(m));
    for (int sample = 0; sample < std::atoi(argv[3]); sample++) {
        for (int k = 0; k < m->nq; k++)
            d->qpos[k] = uniform(random);
        mj_normalizeQuat(m, d->qpos);
        for (int k = 0; k < m->nv; k++) {
            d->qvel[k] = uniform(random);
            d->qfrc_applied[k] = 0;
        }
        for (int j = 0; j < m->njnt; j++)
            if (m->jnt_type[j] == mjJNT_HINGE || m->jnt_type[j] == mjJNT_SLIDE)
                d->qfrc_applied[m->jnt_dofadr[j]] = 10 * uniform(random);
        mj_forward(m, d);
        printf("sample\n");
        for (int j = 0; j < m->njnt; j++) {
            static const int n_positions[] = {7, 4, 1, 1}, n_velocities[] = {6, 3, 1, 1};
            int type = m->jnt_type[j], q = m->jnt_qposadr[j], v = m->jnt_dofadr[j];
            int n = n_velocities[type];
            printf("%s", mj_id2name(m, mjOBJ_JOINT, j));
            numbers(d->qpos + q, n_positions[type]);
            numbers(d->qvel + v, n);
            numbers(d->qfrc_applied + v, n);
            numbers(d->qacc + v, n);
            printf("\n");
        }
    }
    mj_deleteData(d);
    mj_deleteModel(m);
}
