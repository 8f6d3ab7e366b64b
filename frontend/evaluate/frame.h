/* frame.h -- inside of function.c: a function at work, and what function_body.c shares of it.
 *
 * Running a function changes the values of its variables. Where an expression of variables decides,
 * both ways are run and become one value (function.c); or, where the function is written down as
 * a Body, they become statements (function_body.c): then the value of a variable is a constant or
 * the OP_LOCAL that holds it.
 */
#ifndef RUNG_FRONTEND_EVALUATE_FRAME_H
#define RUNG_FRONTEND_EVALUATE_FRAME_H

#include "frontend/front.h"
#include "ir/body.h"

/* What an assignment under a condition changed, to take it back: one element, or, where a
 * whole array of unknown size got another size, the variable. */
typedef struct Write {
    ExprId *at;
    ExprId before;
    Value *whole;
    Value whole_before;
} Write;

typedef struct Frame {
    Front *f;
    const Class *c; /* NULL: an algorithm section */
    Span span;      /* of the call */
    const Member *m;
    uint32_t n;
    Local *local;      /* per member */
    uint8_t *declared; /* per member: 0 no, 1 at work, 2 done */
    Scope *scope;      /* the variables over the class */
    bool logging;      /* under a condition: writes are recorded */
    bool keeps;        /* what has been built in scratch since is needed: an array of a new size */
    ExprId path;       /* that condition, as far as this function made it; 1 if there is none */
    VEC(Write) write;
    /* the condition under which a return, or a break of the loop, has been met; if any */
    bool may_return, may_break;
    ExprId returned, broken;
    struct Emission *emission; /* written down as a Body; or NULL */
} Frame;

typedef enum Flow { GO_ON, GO_BREAK, GO_RETURN, GO_FAILED } Flow;

/* The state that a branch left behind, taken back. */
typedef struct Outcome {
    Write *write; /* before holds the new value here */
    uint32_t n;
} Outcome;

/* ---- function.c ---- */

Outcome take_back(Frame *fr, uint32_t mark);
void log_element(Frame *fr, ExprId *at);
void log_whole(Frame *fr, Value *whole);
Flow run_list(Frame *fr, Scope *s, const SynStatements *list);
Flow run_if(Frame *fr, Scope *s, const SynStatement *st, uint32_t k);  /* from branch k on */
Flow run_for(Frame *fr, Scope *s, const SynStatement *st, uint32_t k); /* from iterator k on */
/* The function cannot be expanded, which is no error yet: its call may stay a call. */
void stuck(Frame *fr, Span span, const char *code, const char *why);
bool frame_open(Frame *fr, Front *f, const Class *c, const Value *arg, Span span);
bool frame_declare(Frame *fr); /* all that is no input */
bool run_sections(Frame *fr);  /* the algorithm */
/* The functions among the arguments can be called by their names. */
void give_functions(Front *f, const Class *c, const Value *arg);
/* Is the range of the iterator known? Else its bounds: first, step, last. */
typedef struct Bounds {
    bool known;
    ExprId first, step, last;
    BaseType type;
} Bounds;
bool range_bounds(Frame *fr, Scope *s, const SynIter *iter, Bounds *out);

/* ---- function_body.c ---- */

/* The algorithm of c as a Body, for inputs shaped as arg (per member; constants that are no Real
 * are those of every call). result: the outputs' shapes. NULL if something in it has no place in
 * one: `stuck`, or reported. */
Body *function_write_down(Front *f, const Class *c, const Value *arg, Span span, Value *result);

void emission_assigned(Frame *fr, uint32_t mark, Span span); /* what was written since mark */
void emission_copied(Frame *fr, const Value *v, const Value *copy); /* locals are those of v */
bool emission_leave(Frame *fr, Flow flow, Span span);
Flow emission_if(Frame *fr, Scope *s, const SynStatement *st, uint32_t k, ExprId cond);
Flow emission_while(Frame *fr, Scope *s, const SynStatement *st);
Flow emission_for(Frame *fr, Scope *s, const SynStatement *st, uint32_t k);
void emission_assert(struct Emission *e, ExprId cond, ExprId message, bool is_warning, Span span);
void emission_run(struct Emission *e, ExprId call, Span span);

#endif
