/* SPDX-License-Identifier: BSD-3-Clause
 *
 * context.h -- an instance of a generated model on the heap, and the solver of its blocks.
 */
#ifndef RUNG_RUNTIME_CONTEXT_H
#define RUNG_RUNTIME_CONTEXT_H

#include "linear.h"
#include "rung_model.h"

#include <stdbool.h>
#include <stddef.h>

/* NULL when out of memory, or when the model's version is not ours. Parameters hold their
 * defaults; call context_update before anything else of the model. */
RungContext *context_new(const RungModel *model);
void context_free(RungContext *ctx);

/* Row of the variable of that name, RUNG_NONE if there is none. Linear in the model's size. */
uint32_t context_find(const RungContext *ctx, const char *name);

typedef enum ContextSet {
    SET_OK,
    SET_UNKNOWN,       /* no variable of that name                     */
    SET_NOT_PARAMETER, /* neither a parameter nor an input             */
    SET_FIXED,         /* final or structural                          */
    SET_INITIAL,       /* found by the initial equations               */
    SET_BAD_VALUE      /* not a number, or not one of the type's       */
} ContextSet;

/* The number of the literal of an enumeration, by its name `fast` or a path `Speed.fast`; 0 if it
 * has no such literal. */
uint32_t context_literal(const RungAttributes *a, const char *text);

/* Sets a parameter or an input; `text` is a number, true or false, or a literal. */
ContextSet context_set(RungContext *ctx, const char *name, const char *text);

/* The message of assertion k, or of action k - n_assertions, with its values at (t, x): `message`
 * where it has none. Valid until the next one. */
const char *context_message(RungContext *ctx, double t, const double *x, uint32_t k,
                            const char *message);

/* The message of the last failed function of the model; only after a return value above 0, and if
 * ctx->failed_message is set. */
void context_failed_call(const RungContext *ctx, char *text, size_t size);

/* Dependent parameters and the constant block; the model's return value. */
int context_update(RungContext *ctx);

/* Strings (rung_text.h). `to` uses those of `from` from now on, instead of its own. */
void context_share_texts(RungContext *to, RungContext *from);
/* Frees those that neither memory nor v, filled by outputs, holds, now and then; other numbers of
 * texts are not valid after. */
void context_collect_texts(RungContext *ctx, const double *v);
/* The text of a number, valid until the next evaluation; and back. */
const char *context_text(RungContext *ctx, double number);
double context_keep_text(RungContext *ctx, const char *text);

/* Whether blocks that do not converge are tried from other guesses: at the start of a run and at
 * events, where unknowns jump. */
void context_search(RungContext *ctx, bool on);
bool context_searches(const RungContext *ctx);

/* Whether a block may switch to another branch of solutions where one ends at a kink: see
 * nonlinear.h. */
bool context_leave_kinks(RungContext *ctx, bool on);

/* While branches may be left: keeps z; whether a branch has been left since: see nonlinear.h. */
void context_keep_branches(const RungContext *ctx);
bool context_has_left_branch(RungContext *ctx);

/* Whether unknowns that a singular nonlinear block does not determine keep their first guess: see
 * nonlinear.h. */
void context_leave_open(RungContext *ctx, bool on);

/* Drops the stored factors of blocks, so that later results depend on the arrays alone. False when
 * out of memory, with nothing changed. */
bool context_forget(RungContext *ctx);

/* Start of a piece between events; end of an accepted step: see nonlinear.h. */
void context_settle(RungContext *ctx);
void context_go_on(RungContext *ctx);

/* Unknowns that singular blocks did not determine since context_watch_open; see linear.h. */
void context_watch_open(RungContext *ctx);
uint32_t context_open(const RungContext *ctx, const LinearOpen **open);

/* Newton iterations since context_new. */
uint64_t context_iterations(const RungContext *ctx);
/* Of Newton's method, in the mean of all solutions of nonlinear blocks. */
double context_iterations_per_solution(const RungContext *ctx);

#endif
