/* front.h -- the context that every function of the frontend receives.
 *
 * One Front per compilation. `mem` holds classes, instances and values; it lives as long as the
 * System where functions kept as calls are expanded through it after flattening, else until
 * front_close. So the System refers to nothing in it. `scratch` belongs to the driver too;
 * evaluation rolls it back.
 */
#ifndef RUNG_FRONTEND_FRONT_H
#define RUNG_FRONTEND_FRONT_H

#include "frontend/evaluate/expression.h"
#include "frontend/evaluate/scope.h"
#include "frontend/syntax/load.h"

/* The spanning tree of overconstrained connections (MLS 9.4). graph/ computes it; since the
 * frontend does not include graph/, the driver passes a function of this type. Nodes are numbered;
 * branches and connects are pairs of nodes; priority is that of each potential root. moves[branch]:
 * the component that it is written in has variables of its own, a joint; inside[connect]: of the
 * nodes connected, which of their faces (MLS 9.1.2); component[node]: equal numbers for connectors
 * of one component, in the order of declarations. Fills broken[connect], root_of[node], above[node]
 * (the next one towards the root, UINT32_MAX for it) and rooted[branch]. Where loops are broken it
 * may write connects anew, with their faces, between others of the connectors that they make one
 * set of; a connect of a node with itself is ignored. Returns NULL, or the error text for branch
 * *at or, if *at >= n_branches, for node *at - n_branches. */
typedef struct VirtualGraph {
    uint32_t n_nodes, n_branches, n_connects, n_roots, n_potential;
    const uint32_t (*branch)[2];
    const bool *moves;
    uint32_t (*connect)[2];
    bool (*inside)[2];
    const uint32_t *root, *potential, *priority, *component;
    const uint32_t *n_flows; /* per connect: scalars of flow variables through it */
    bool *broken;
    uint32_t *root_of, *above;
    bool *rooted;
} VirtualGraph;
typedef const char *(*SpanningFn)(const VirtualGraph *g, Arena *mem, uint32_t *at);

typedef enum RuleLevel { RULE_OFF, RULE_WARN, RULE_ERROR } RuleLevel;

struct Lookup; /* lookup.c, instance.c: classes and instances */

typedef VEC(ExprId) ExprIds;

/* The variables from `first` on belong to a component of the model; NULL: to the model itself. */
typedef struct VarComponent {
    uint32_t first;
    const char *path;
    Span at;
} VarComponent;

struct Front {
    Arena *mem;
    Arena *scratch;
    Names *names;
    Diags *diags;
    System *sys;
    Evaluator eval;
    Library *library;
    SpanningFn spanning; /* NULL: overconstrained connections are refused */
    bool is_part;        /* one class of a library is checked: roots and values of parameters may be
                            missing */
    bool wants_class;    /* such a part wants a class that is not partial in place of a replaceable
                            one, or as inner component */
    bool strict; /* report every violation of the specification as an error, clear meaning or not */
    RuleLevel units;       /* that do not fit (MLS 19) */
    RuleLevel ranges;      /* min and max, which a value is outside of (MLS 4.9.1) */
    ExprIds lost;          /* operands of sums and products evaluated to a number (LostOperand) */
    Map in_pieces;         /* texts that are calls of join (joined_text.h); empty at first */
    struct Lookup *lookup; /* NULL: it is closed */
    VEC(VarComponent) component; /* of a closed one, by `first` */
};

/* A Front over an empty System; library and spanning are set by the caller. */
Front *front_new(System *sys, Library *library);
/* Records, once per place, that this construct cannot be compiled. */
void front_unsupported(Front *f, Span span, const char *code, const char *what);
/* After flattening: gives classes and instances back, unless functions of the System may still be
 * expanded. Nothing can be looked up any longer. */
void front_close(Front *f);
void front_free(Front *f); /* scratch; functions of the System can no longer be expanded */

/* After flattening: the component of the model that a variable belongs to, and where that is
 * declared; the variable itself if it is one of the model's own. False for variables without a
 * declaration. */
bool front_component_of(const Front *f, VarId v, const char **path, Span *at);

/* Instantiates the model given as a class modification, Linkage.Examples.PlanarPendulum(n=32),
 * and fills the System with its variables and equations. False after an error. */
bool flatten(Front *f, const char *model_modification);

/* Checks one class of a library: flattens a model that is not partial, else finds the types of its
 * components. Errors are in f->diags. */
typedef enum ClassCheck {
    CHECKED_AS_MODEL,
    CHECKED_AS_TYPE,
    CHECK_WANTS_VALUES, /* a part of models: the errors are about parameters that have no value, or
                           replaceable classes that are still partial */
} ClassCheck;
ClassCheck front_check_class(Front *f, const char *name);

#endif
