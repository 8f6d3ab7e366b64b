/* frame.h -- the run of a function: declarations, assignments, statements (for function*.c only).
 *
 * Running a function changes the values of its variables. If a condition depends on variables, both
 * branches are run and their results become one value (function_statement.c); or, where the
 * function is written down as a Body, they become statements (function_body.c): then the value of a
 * variable is a constant or the OP_LOCAL that holds it. An algorithm section is a frame without a
 * class.
 */
#ifndef RUNG_FRONTEND_EVALUATE_FRAME_H
#define RUNG_FRONTEND_EVALUATE_FRAME_H

#include "frontend/front.h"
#include "ir/body.h"

/* The old value that an assignment under a condition overwrote, to undo it: one element, or the
 * whole variable if an array of unknown size changed its size. */
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
    uint8_t *declared; /* per member: 0 no, 1 in progress, 2 done */
    Scope *scope;      /* the variables over the class */
    bool logging;      /* under a condition: writes are recorded */
    bool keeps;        /* keep scratch: an array of a new size was built in it */
    ExprId path;       /* that condition, as far as this function made it; 1 if there is none */
    VEC(Write) write;
    /* the condition under which a return, or a break of the loop, has been met; if any */
    bool may_return, may_break;
    ExprId returned, broken;
    struct Emission *emission; /* written down as a Body; or NULL */
    bool probes, varies;       /* of a section: a loop is run to see whether it varies */
} Frame;

struct Unassigned;

typedef enum Flow { GO_ON, GO_BREAK, GO_RETURN, GO_FAILED } Flow;

/* The writes of a branch, which were undone. */
typedef struct Outcome {
    Write *write; /* before holds the new value here */
    uint32_t n;
} Outcome;

/* ---- function_declare.c ---- */

/* v as a value of the class `type`, its dimensions as they are: Integer becomes Real, the fields
 * of a record come into the order of the class. False (not reported) when v is no such thing. */
bool fit_type(Front *f, const Class *type, Value *v);
/* The declared sizes of m against those of v, reported; `scope` knows the other variables. */
bool fit_dims(Front *f, Scope *scope, const Class *c, const Member *m, const Value *v, Span span);
/* Reports that v is no value for member m of c; false. */
bool bad_argument(Front *f, const Class *c, const Member *m, const Value *v, Span span);
/* A variable of that type with no value yet; unknown sizes are 0. `whole`: the variable whose
 * declaration gives fields, NULL if none does. False (not always reported): no such class. */
bool blank_value(Front *f, Frame *fr, const Class *type, uint32_t n_dims, const uint32_t *dims,
                 const Member *whole, Value *out);
/* The scope in which an expression of m's declaration has its meaning: the function's variables
 * over the class that declared it; a modification from outside does not see them. */
Scope *declared_scope(Frame *fr, const Member *m, Scope *scope, bool is_binding);
/* Declares variable k: its sizes, then its binding. */
bool frame_declare_one(Frame *fr, uint32_t k);
/* A callback for visit_crefs; ctx is a Frame. */
bool declare_used(void *ctx, const SynCref *cref);

/* ---- function_assign.c ---- */

/* target := v. A subscript that varies assigns every element it may select, each where it does. */
bool frame_assign(Frame *fr, Scope *s, const SynCref *target, const Value *v);
/* The value `yes` where cond holds, else `no`. A variable without a value in one branch is
 * undefined there; the result is then the value of the other branch. */
ExprId select_known(Frame *fr, ExprId cond, ExprId yes, ExprId no);
void log_element(Frame *fr, ExprId *at);
void log_whole(Frame *fr, Value *whole);

/* ---- function_statement.c ---- */

Outcome take_back(Frame *fr, uint32_t mark);
Flow run_list(Frame *fr, Scope *s, const SynStatements *list);
Flow run_if(Frame *fr, Scope *s, const SynStatement *st, uint32_t k); /* from branch k on */
/* A round of the iterator k of a for loop. */
Flow run_round(Frame *fr, Scope *s, const SynStatement *st, uint32_t k);
/* Is the range of the iterator known? Else its bounds: first, step, last. */
typedef struct Bounds {
    bool known;
    ExprId first, step, last;
    BaseType type;
} Bounds;
bool range_bounds(Frame *fr, Scope *s, const SynIter *iter, Bounds *out);

/* ---- function_run.c ---- */

const char *frame_text(const Frame *fr); /* for messages */
/* The function cannot be expanded, which is no error yet: its call may stay a call. */
void stuck(Frame *fr, Span span, const char *code, const char *why);
/* A frame in which each member with an argument has its value (VALUE_NONE for the default). */
void frame_new(Frame *fr, Front *f, const Class *c, const Value *arg, Span span);
/* A frame whose inputs have their values. */
bool frame_open(Frame *fr, Front *f, const Class *c, const Value *arg, Span span);
bool frame_declare(Frame *fr); /* all that is no input */
bool run_sections(Frame *fr);  /* the algorithm */
/* The functions among the arguments can be called by their names. */
void give_functions(Front *f, const Class *c, const Value *arg);

/* ---- function_body.c ---- */

/* The algorithm of c as a Body, for inputs shaped as arg (per member; constants that are no Real
 * are those of every call). result: the outputs' shapes, which have to be those in `wanted` if that
 * is not NULL. NULL if something in it has no place in one: `stuck`, or reported. */
Body *function_write_down(Front *f, const Class *c, const Value *arg, Span span,
                          const Value *wanted, Value *result);

void emission_assigned(Frame *fr, uint32_t mark, Span span);        /* of the writes since mark */
void emission_copied(Frame *fr, const Value *v, const Value *copy); /* locals are those of v */
bool emission_leave(Frame *fr, Flow flow, Span span);
Flow emission_if(Frame *fr, Scope *s, const SynStatement *st, uint32_t k, ExprId cond);
Flow emission_while(Frame *fr, Scope *s, const SynStatement *st);
Flow emission_for(Frame *fr, Scope *s, const SynStatement *st, uint32_t k);
void emission_assert(struct Emission *e, ExprId cond, ExprId message, bool is_warning, Span span);
void emission_run(struct Emission *e, ExprId call, Span span);
/* Of the function that is written down here, whose frame is *fr; NULL if there is none. */
struct Unassigned *emission_unassigned(const Front *f, Frame **fr);
/* The function is written down once more: this time the evaluation fails. */
void emission_again(Front *f);
/* A new Body for statements of the algorithm section: elements of its variables become locals when
 * they are assigned, MAP_NONE for other values; the values read are those of the model. */
struct Emission *emission_of_section(Frame *fr);
Body *emission_body(struct Emission *e);
uint32_t emission_local_at(struct Emission *e, const ExprId *at);

/* ---- loop_function.c ---- */

/* A while loop of an algorithm section, or the for loop from iterator k on, whose rounds depend on
 * variables: a call of a function gives the values that it assigns. */
Flow loop_as_function(Frame *fr, Scope *s, const SynStatement *st, uint32_t k);

/* ---- for dynamic_array.c ---- */

/* The evaluation is that of a statement of the function that is written down, not inside of a
 * function that is expanded there. */
bool emission_is_here(const Front *f);
/* Variable k of the frame has to be a dynamic array: the function is written down once more.
 * False. */
bool emission_make_dynamic(Frame *fr, uint32_t k, Span span);
/* The dynamic array is a variable of the function, not a result on the way. */
bool emission_is_variable(const struct Emission *e, ExprId local);
/* A new local: a scalar, or a dynamic array of that rank. */
ExprId emission_local(struct Emission *e, Name name, BaseType type, uint32_t rank);
void emission_retype(struct Emission *e, ExprId local, BaseType type, uint32_t rank);
/* A statement at the end of the current list; the list that is current from now on, and before. */
Statement *emission_put(struct Emission *e, Statement st);
StatementList *emission_redirect(struct Emission *e, StatementList *list);
void emission_set(struct Emission *e, ExprId local, ExprId value, Span span); /* local := value */
void emission_move(struct Emission *e, ExprId to, ExprId from, Span span);
/* A loop for i in 1:size; i. Statements until the end are its body. */
typedef struct EmissionLoop {
    StatementList *outer;
    ExprId counter;
    Span span;
} EmissionLoop;
ExprId emission_loop_begin(struct Emission *e, ExprId size, Span span, EmissionLoop *out);
void emission_loop_end(struct Emission *e, const EmissionLoop *l);

#endif
