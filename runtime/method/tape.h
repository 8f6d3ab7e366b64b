/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tape.h -- the record of a run, for its adjoint (discrete_adjoint.h): its steps with their stages,
 * the places inside of a step that it went back to, and its events.
 *
 *     step | step | step, cut, event | step | ...
 *                    t     t
 *
 * A record of a step holds the states at which its derivatives are taken. After a cut the next step
 * begins there, unless the event changes no derivative: then the step before keeps its end. With
 * closed loops a record holds also the solutions that have closed them: of each stage those behind
 * its formula, and in a record of its own those behind a cut.
 */
#ifndef RUNG_RUNTIME_TAPE_H
#define RUNG_RUNTIME_TAPE_H

#include "integrator.h"
#include "loop_trace.h"

enum { TAPE_STAGES = 7, TAPE_FOLLOWS = 3 };

/* The formula of a method: X_i = x + h sum_j a_ij F_j, X_0 = x, leads to x + h sum_j b_j F_j. */
typedef struct TapeFormula {
    uint32_t n;                         /* stages                                              */
    uint32_t ends;                      /* 1: the last stage is the end of the step            */
    double a[TAPE_STAGES][TAPE_STAGES]; /* nothing above the diagonal, which is 0 or one number */
    double b[TAPE_STAGES];
} TapeFormula;

/* Inside a step of h: P(theta) = x + h sum_j dense_j F_j. Stiff states follow the slow solution:
 * with m = x + h sum_j base_j F_j + gamma f(t, m) they are moved by factor * (m - P). */
typedef struct TapeFollow {
    double t, gamma;
    double dense[TAPE_STAGES], base[TAPE_STAGES];
    double *x, *factor; /* n_states: m; per state */
} TapeFollow;

/* The state inside a step: P(theta), and the moves. With closed loops the end of the step is more
 * than its formula: P = x + of_end (x_end - x) + h sum_j dense_j F_j. */
typedef struct TapeCut {
    bool is_rough; /* it is projected there: no more than the end is known */
    double of_end;
    double dense[TAPE_STAGES];
    uint32_t n_follows;
    TapeFollow follow[TAPE_FOLLOWS]; /* with room for their arrays */
} TapeCut;

typedef enum TapeKind { TAPE_STEP, TAPE_CUT, TAPE_EVENT, TAPE_CLOSING } TapeKind;

/* One evaluation of an event and what it sets: states by actions, kept values. A state is n_states
 * numbers, and the unknowns of blocks as first guesses. */
typedef struct TapeRound {
    double *memory, *state;
    uint32_t n_actions, *action;
} TapeRound;

typedef struct TapeEvent {
    bool at_start, is_timed;
    uint32_t n_crossings, n_rounds;
    uint32_t *crossing;          /* relations that cause it               */
    double *size;                /* of their functions                    */
    double *before, *after;      /* memory  */
    double *state, *state_after; /* there   */
    TapeRound *round;
} TapeEvent;

typedef struct TapeRecord {
    TapeKind kind;
    bool keeps_step; /* an event, or its cut, that does not end the step */
    double t;        /* its end                                   */
    size_t place;    /* in the data of inputs (inputs_place)      */
    size_t bytes;
    double h, t_stage[TAPE_STAGES]; /* of a step                 */
    const double *begin;            /* of a step: the state there */
    double *state;                  /* of a step: middle stages, then the end; of a cut: there */
    LoopTrace *trace;               /* with closed loops: per stage, or of a closing; else NULL */
    TapeCut *cut;                   /* its own; else NULL */
    TapeEvent *event;               /* likewise           */
} TapeRecord;

/* The place of an extremum: inside of the step with this number. */
typedef struct TapeMark {
    size_t step;
    TapeRecord *cut; /* NULL: there is none */
} TapeMark;

/* The last records of a run, as many as there is room for, or those from a number to another. */
typedef struct Tape {
    TapeFormula formula; /* 0 stages: no step has been made */
    uint32_t n_states, n_unknowns, n_memory;
    const Problem *problem;
    TapeRecord **record;
    size_t n, most;            /* in the array */
    size_t bytes, room;        /* taken; that may be taken */
    size_t n_done, from, to;   /* records of the run; those that are kept */
    bool is_done;              /* the run has come to `to` */
    size_t *window, n_windows; /* numbers at which all before were given up for want of room */
    double *now;               /* of the step that is being made: stages */
    LoopTrace now_trace[TAPE_STAGES]; /* of these                        */
    LoopTrace trace, start_trace;     /* of the present projection; of the start */
    bool has_loops;
    double t_now[TAPE_STAGES];
    double t_start, *start, *memory_start; /* where the run begins, before its first event */
    double *first;                         /* of the first record: the state before        */
    const double *last;                    /* the state from which the run goes on         */
    double t_last;
    double *end, t_end; /* of the last step */
    size_t last_step;   /* its number       */
    uint32_t n_marks;
    TapeMark *mark;    /* per objective */
    TapeRecord *event; /* that is being made */
    TapeCut room_of_cut;
} Tape;

/* False when out of memory. */
bool tape_open(Tape *it, const RungModel *m, size_t room);
void tape_close(Tape *it);
/* Only records with these numbers are kept: of a run that is made once more. */
void tape_want(Tape *it, size_t from, size_t to);
/* Gives up all records. */
void tape_forget(Tape *it);
/* With closed loops: before they are closed at the start. */
void tape_start(Tape *it, const Run *run);
/* Where the run begins. */
void tape_begin(Tape *it, const Run *run);
/* A method with a tape records its formula; then each stage of a step (the last call for a stage
 * counts); and the acceptance of the step, of length h. Nonzero with run->problem.why: it does not
 * fit. No effect without a tape. */
void tape_stage(Tape *it, uint32_t stage, double t, const double *x);
int tape_step(Tape *it, Run *run, const TapeFormula *formula, double t_old, double h,
              const double *x_old, double t, const double *x);
/* The run has gone back to run->t, inside of the last step of the method. */
int tape_cut(Tape *it, Run *run, const Integrator *method, void *self);
/* Closed loops are going to be projected at run->t; they have been. */
void tape_close_loops(Tape *it);
int tape_closed(Tape *it, Run *run);
/* The extremum of objective k so far is at t, inside of the last step. */
int tape_mark(Tape *it, Run *run, const Integrator *method, void *self, double t, uint32_t k);
/* An event begins at run->t; a round of it; it ends. */
int tape_event(Tape *it, Run *run);
int tape_round(Tape *it, Run *run, uint32_t n_actions, const uint32_t *action);
int tape_event_end(Tape *it, Run *run);
/* The run goes on from the end of the last step, as it was. */
void tape_go_on(Tape *it);

static inline size_t tape_state_size(const Tape *it)
{
    return it->n_states + (size_t)it->n_unknowns;
}
/* Stage i of a step. */
const double *tape_stage_of(const Tape *it, const TapeRecord *step, uint32_t i);

#endif
