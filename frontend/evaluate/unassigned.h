/* unassigned.h -- variables of a function that may be read before they have a value.
 *
 * The value of a variable without binding is undefined until it is assigned (MLS 12.4.4). While a
 * function is written down statement by statement (function_body.c) it is mostly known whether it
 * is. A read of an element without value is an error (T16), unless it depends on the rounds of a
 * loop that assigns the variable, or on a subscript that varies:
 *
 *     Integer found[9], count = 0;          found, count := 0; found.set := false;
 *     for k in 2:n loop                     for k in 2:n loop
 *       for i in 1:count loop                 for i in 1:count loop
 *                                               assert(found.set[i], "... before it has a value");
 *         if mod(k, found[i]) == 0 ...          if mod(k, found[i]) == 0 ...
 *       count := count + 1;                   count := count + 1;
 *       found[count] := k;                    found[count] := k; found.set[count] := true;
 *
 * Then the function is written down once more and the variable has flags: one more variable of the
 * frame, of the same shape, with Booleans. A read whose flags are false in all rounds is T16, too.
 */
#ifndef RUNG_FRONTEND_EVALUATE_UNASSIGNED_H
#define RUNG_FRONTEND_EVALUATE_UNASSIGNED_H

#include "frontend/evaluate/frame.h"

/* A loop around the current statement. */
typedef struct LoopAround {
    const SynStatement *loop;
    uint32_t depth; /* of its body */
    const struct LoopAround *outer;
} LoopAround;

/* A reference to a variable with flags. */
typedef struct UnassignedRead {
    const SynExpr *x;
    bool may_have_value; /* in some round */
} UnassignedRead;

/* Part of an Emission. */
typedef struct Unassigned {
    bool *has_flags;    /* per member of the function; both last */
    bool *is_partial;   /* one of its elements was assigned, which one is known in a run only */
    uint32_t *flags_of; /* the member that holds them, or 0     */
    uint32_t n;         /* members of the function              */
    bool is_declared;   /* all of them, with their flags        */
    const LoopAround *around; /* innermost first                      */
    uint32_t depth;           /* branches and loops around            */
    Map read_at;              /* a reference -> one in read */
    VEC(UnassignedRead) read;
} Unassigned;

/* The declared variables that need flags have them, as members behind the others. */
void unassigned_add_flags(Frame *fr, Unassigned *u);
/* After target := v: the flags of the target are true. */
bool unassigned_note(Frame *fr, Unassigned *u, Scope *s, const SynCref *target, const Value *v);
/* Member k is assigned where a subscript varies: elements that have no value keep none. */
void unassigned_note_partial(Frame *fr, Unassigned *u, uint32_t k);
/* Before the body is complete: false, and T16, if a read is always without a value. */
bool unassigned_check(const Frame *fr, const Unassigned *u);

#endif
