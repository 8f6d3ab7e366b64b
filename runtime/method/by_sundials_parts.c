/* SPDX-License-Identifier: BSD-3-Clause */
#include "by_sundials_parts.h"

#include <nvector/nvector_serial.h>
#include <stdlib.h>

typedef struct Parts {
    const RungSensitivity *by;
    uint32_t n, n_parts;
    SUNLinearSolver of_part;
    N_Vector x, b; /* n: of one part */
} Parts;

static SUNLinearSolver_Type type(SUNLinearSolver solver)
{
    (void)solver;
    return SUNLINEARSOLVER_DIRECT;
}

static SUNLinearSolver_ID id(SUNLinearSolver solver)
{
    (void)solver;
    return SUNLINEARSOLVER_CUSTOM;
}

static int initialize(SUNLinearSolver solver)
{
    return SUNLinSolInitialize(((Parts *)solver->content)->of_part);
}

static int setup(SUNLinearSolver solver, SUNMatrix a)
{
    return SUNLinSolSetup(((Parts *)solver->content)->of_part, a);
}

/* A state of a further part may be minus the derivative of the model's. */
static void copy(const Parts *it, uint32_t part, const double *from, double *to)
{
    const uint32_t *is_negated = it->by->is_negated + (size_t)part * it->n;
    for (uint32_t i = 0; i < it->n; i++)
        to[i] = part && is_negated[i] ? -from[i] : from[i];
}

static int solve(SUNLinearSolver solver, SUNMatrix a, N_Vector x, N_Vector b, realtype tolerance)
{
    Parts *it = solver->content;
    int status = 0;
    for (uint32_t p = 0; p < it->n_parts && !status; p++) {
        size_t first = (size_t)p * it->n;
        copy(it, p, N_VGetArrayPointer(b) + first, N_VGetArrayPointer(it->b));
        status = SUNLinSolSolve(it->of_part, a, it->x, it->b, tolerance);
        copy(it, p, N_VGetArrayPointer(it->x), N_VGetArrayPointer(x) + first);
    }
    return status;
}

static void close_parts(Parts *it)
{
    if (it && it->x)
        N_VDestroy(it->x);
    if (it && it->b)
        N_VDestroy(it->b);
    free(it);
}

static int free_parts(SUNLinearSolver solver)
{
    Parts *it = solver->content;
    SUNLinSolFree(it->of_part);
    close_parts(it);
    solver->content = NULL;
    SUNLinSolFreeEmpty(solver);
    return 0;
}

SUNLinearSolver sundials_parts(const Problem *problem, uint32_t n, SUNLinearSolver of_part,
                               SUNContext context)
{
    SUNLinearSolver out = SUNLinSolNewEmpty(context);
    Parts *it = calloc(1, sizeof *it);
    if (it) {
        it->by = problem->model->sensitivity;
        it->n = n;
        it->n_parts = problem->n / n;
        it->of_part = of_part;
        it->x = N_VNew_Serial((sunindextype)n, context);
        it->b = N_VNew_Serial((sunindextype)n, context);
    }
    if (!out || !it || !it->x || !it->b) {
        close_parts(it);
        if (out)
            SUNLinSolFreeEmpty(out);
        return NULL;
    }
    out->ops->gettype = type;
    out->ops->getid = id;
    out->ops->initialize = initialize;
    out->ops->setup = setup;
    out->ops->solve = solve;
    out->ops->free = free_parts;
    out->content = it;
    return out;
}
