/* model.h -- for emit/model/ only: a Program and its tables and sections of the interface, under
 * construction.
 *
 *   model_leaf.c      which variables are leaves of the program, where all are found
 *   model_section.c   the functions: derivatives, outputs, assertions, start, update
 *   scale_table.c     which states move which variables by how much
 *   linear_terms.c    linear terms of expressions
 *   sum_table.c       variables that are sums of states
 *   jump_table.c      which variables may jump although their derivative is used
 *   model_table.c     the tables of RungModel
 *   model.c           the model, its initial system and its fallback, as files
 */
#ifndef RUNG_EMIT_MODEL_MODEL_H
#define RUNG_EMIT_MODEL_MODEL_H

#include "emit/code/code.h"
#include "emit/emit.h"
#include "emit/model/event_code.h"
#include "emit/model/newton_code.h"
#include "emit/model/table.h"
#include "emit/model/time_code.h"
#include "runtime/kernel/rung_model.h"

typedef struct ModelRow {
    VarId var;
    RungPlace place;
    uint32_t index;
    bool negated;
} ModelRow;

/* Scale of a state: an error of number / c, or number * c, changes some variable by its nominal
 * value, or the angle in a sine by half a turn. */
typedef struct StateScale {
    uint32_t state;
    uint32_t c; /* RUNG_NONE: the number */
    bool is_divisor, is_turn;
    double number;
} StateScale;

/* A term of a variable that is a sum of states, time and constants: number * c, or number / c,
 * times the state or the time. */
typedef struct SumTerm {
    uint32_t state; /* RUNG_NONE: none  */
    uint32_t c;     /* RUNG_NONE: 1     */
    bool is_time, is_divisor;
    bool begins; /* the first of a sum */
    double number, nominal;
} SumTerm;

typedef struct Model {
    const Program *g;
    System *sys;
    Arena *mem;
    const char *id;
    Coder *code;
    uint32_t n_leaves;    /* length of leaf and leaf_index; emission adds variables behind */
    uint8_t *leaf;        /* LeafKind per variable         */
    uint32_t *leaf_index; /* its place, per variable       */
    ExprId *binding;      /* of dependent parameters       */
    double *fallback;     /* value of independent ones     */
    uint32_t *block_first;
    VEC(VarId) parameter;
    VEC(VarId) input;
    VEC(ModelRow) row;
    VEC(ModelRow) string; /* variables of type String */
    uint32_t *row_of;     /* per variable; UINT32_MAX for Strings */
    VEC(Root) output;
    VEC(ExprId) number;
    VEC(StateScale) scale;
    VEC(SumTerm) sum;
    uint32_t n_differentiated;
    NewtonPlaces newton;
    FunctionUse *functions; /* shared by all parts */
    const bool *wanted;     /* per variable: it gets a row; NULL: all do */
    uint32_t event_part;    /* roots per part of the event sections; 0: no parts */
    EventParts *relations, *values;
    uint32_t n_still;
    EventParts
        outputs; /* those that change at events only, in parts; the last one is of all others */
    TimeTerms time_terms, state_terms;
    uint32_t n_lanes;    /* rows of the table of lanes                 */
    bool is_part;        /* of another model, which names it           */
    bool has_assertions; /* evaluated at a state           */
    bool has_message;    /* with values in it */
    uint32_t n_margins;  /* of conditions of assertions                */
    bool has_choices;    /* by conditions without events               */
    uint32_t n_choice_states;
    bool is_shadow; /* its variables have names in that model     */
    Text tables;
    Tables filled; /* those of the tables that are filled at the first use */
} Model;

/* ---- model_leaf.c ---- */

/* The number that an attribute stands for when it is known now. */
bool model_attribute(const Model *m, ExprId x, double *value);
/* The initial guess for the unknown v of a block: its start value, or Var.guess. */
ExprId model_first_guess(const Model *m, VarId v);
double model_nominal(const Model *m, VarId v); /* 1 where none is known */
bool model_has_nominal(const Model *m, VarId v);

/* ---- scale_table.c ---- */

/* O(values). To be called before section update. */
void model_find_scales(Model *m);
/* The scale of a state by its declaration: its nominal value, else a start value that is smaller
 * than 1 and not a rounding error of zero. */
double model_state_size(Model *m, VarId v);
/* The scale of each state before a run, with the declared values of parameters: for programs that
 * do not compute scales again. O(values). */
void model_state_scales(Model *m, double *size);
/* Likewise, half a turn of each state that is an angle, infinite for others; whether there is one.
 */
bool model_state_turns(Model *m, double *turn);
void model_scale_table(Model *m);

/* min or max: *value where it is known now; else its place in c, if it has one; to be called before
 * section `update`. */
void model_bound(const Model *m, ExprId x, double *value, uint32_t *in);
void model_find_leaves(Model *m);
void model_find_places(Model *m); /* once there is a coder: rows, outputs, numbers */

/* ---- sum_table.c ---- */

/* O(values). To be called before section update. */
void model_find_sums(Model *m);
void model_sum_table(Model *m);

/* ---- jump_table.c ---- */

/* O(pool). */
void model_jump_table(Model *m);

/* ---- model.c ---- */

const char *model_identifier(const System *s, Arena *mem);
/* The model of the initial system, up to its leaves. */
Model model_initial(const Model *m);

/* ---- model_section.c ---- */

bool model_sections(Model *m); /* false after an error */
/* Whether there is a function for the rates of the model's own states alone: of libraries with
 * derivatives by parameters, where no equations are solved for them. */
bool model_has_own_rates(const Model *m);
EventTables model_events(const Model *m);

/* ---- model_table.c ---- */

const char *model_name(const Model *m, VarId v);
void model_tables(Model *m);
void model_struct(Model *m, EmitOptions o, bool has_initial); /* refers to all tables */

#endif
