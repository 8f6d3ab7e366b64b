/* SPDX-License-Identifier: BSD-3-Clause
 *
 * event_tape.h -- an event on the tape of an adjoint (tape.h): the relations that cause it, and the
 * values before each round of its iteration.
 */
#ifndef RUNG_RUNTIME_EVENT_TAPE_H
#define RUNG_RUNTIME_EVENT_TAPE_H

#include "event.h"
#include "tape.h"

/* Registers as observer of the rounds of e. */
void event_tape_watch(Tape *it, Events *e);
/* Before an event at run->t is handled, or, at_start, the first one; behind it. 0, or nonzero with
 * run->problem.why: there is no adjoint. */
int event_tape_enter(Tape *it, Run *run, Events *e, bool at_start);
int event_tape_leave(Tape *it, Run *run, Events *e);

#endif
