/* SPDX-License-Identifier: BSD-3-Clause */
#include "by_sundials_parts.h"
#include "block_row.h"
#include "factor.h"

#include <nvector/nvector_serial.h>
#include <stdlib.h>
#include <string.h>
#include <sunmatrix/sunmatrix_dense.h>

typedef struct Parts {
    const RungSensitivity *by;
    const bool *is_alone;
    uint32_t n, n_parts;
    SUNLinearSolver of_part; /* of a sparse matrix           */
    N_Vector x, b;           /* n: of one part               */
    bool is_dense;           /* then instead, of all at once: */
    Factor lu;
    uint32_t width;      /* n_parts, rounded up to an even number */
    double *block, *row; /* n x width; n */
    size_t n_negated;    /* places in block of states that are minus the model's derivatives */
    size_t *negated;
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
    Parts *it = solver->content;
    if (!it->is_dense)
        return SUNLinSolSetup(it->of_part, a);
    memcpy(factor_matrix(&it->lu), SUNDenseMatrix_Data(a), (size_t)it->n * it->n * sizeof(double));
    return !factor_make(&it->lu);
}

/* A state of a further part may be minus the derivative of the model's. */
static void copy(const Parts *it, uint32_t part, const double *from, double *to)
{
    const uint32_t *is_negated = it->by->is_negated + (size_t)part * it->n;
    for (uint32_t i = 0; i < it->n; i++)
        to[i] = part && is_negated[i] ? -from[i] : from[i];
}

/* Where a state is minus the derivative of the model's. */
static void turn(const Parts *it)
{
    for (size_t k = 0; k < it->n_negated; k++)
        it->block[it->negated[k]] = -it->block[it->negated[k]];
}

/* Of all parts at once: their matrix is the same. */
BLOCK_VECTORS
static void solve_block(const Parts *it, const double *b, double *x)
{
    block_put_columns(it->width, it->n, it->n_parts, it->n, b, it->block);
    turn(it);
    factor_solve_block(&it->lu, it->width, it->block, it->row);
    turn(it);
    block_take_columns(it->width, it->n, it->n_parts, it->n, it->block, x);
}

static int solve(SUNLinearSolver solver, SUNMatrix a, N_Vector x, N_Vector b, realtype tolerance)
{
    Parts *it = solver->content;
    int status = 0;
    uint32_t n_parts = *it->is_alone ? 1 : it->n_parts;
    if (*it->is_alone)
        memset(N_VGetArrayPointer(x) + it->n, 0,
               (it->n_parts - 1) * (size_t)it->n * sizeof(double));
    if (it->is_dense && *it->is_alone) {
        memmove(N_VGetArrayPointer(x), N_VGetArrayPointer(b), it->n * sizeof(double));
        factor_solve(&it->lu, N_VGetArrayPointer(x));
        return 0;
    }
    if (it->is_dense) {
        solve_block(it, N_VGetArrayPointer(b), N_VGetArrayPointer(x));
        return 0;
    }
    for (uint32_t p = 0; p < n_parts && !status; p++) {
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
    if (it && it->is_dense)
        factor_close(&it->lu);
    if (it) {
        free(it->block);
        free(it->row);
        free(it->negated);
    }
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
                               const bool *is_alone, SUNContext context)
{
    SUNLinearSolver out = SUNLinSolNewEmpty(context);
    Parts *it = calloc(1, sizeof *it);
    if (it) {
        it->by = problem->model->sensitivity;
        it->is_alone = is_alone;
        it->n = n;
        it->n_parts = problem->n / n;
        it->of_part = of_part;
        it->x = N_VNew_Serial((sunindextype)n, context);
        it->b = N_VNew_Serial((sunindextype)n, context);
        it->width = (it->n_parts + 1) / 2 * 2;
        it->block = calloc((size_t)n * it->width + 1, sizeof *it->block);
        it->row = calloc(n + (size_t)1, sizeof *it->row);
        it->negated = calloc((size_t)n * it->n_parts + 1, sizeof *it->negated);
        for (size_t k = n; k < (size_t)n * it->n_parts && it->negated; k++)
            if (it->by->is_negated[k])
                it->negated[it->n_negated++] = k % n * it->width + k / n;
        it->is_dense =
            SUNLinSolGetID(of_part) == SUNLINEARSOLVER_DENSE && factor_open(&it->lu, n, NULL, NULL);
    }
    if (!out || !it || !it->x || !it->b || !it->block || !it->row || !it->negated) {
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
