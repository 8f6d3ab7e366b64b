/* scope.h -- name lookup, as expressions call it and the instance tree implements it.
 *
 * Front is the context of all functions of the frontend. A Scope is a place where names are looked
 * up: an instance, a class, or local variables (function variables, for-iterators) laid over
 * another scope. A Class is an elaborated class: a definition together with the environment
 * (enclosing scope, modifications, redeclarations) in which it has its meaning. Classes are looked
 * up lazily (MLS 5.3) and elaborated once per environment.
 *
 * lookup.c and instance.c implement scope_* and class_*; expression.c implements eval*.
 */
#ifndef RUNG_FRONTEND_EVALUATE_SCOPE_H
#define RUNG_FRONTEND_EVALUATE_SCOPE_H

#include "frontend/evaluate/value.h"
#include "frontend/syntax/syntax.h"

typedef struct Front Front; /* front.h: arena, names, diags, System, library, caches */
typedef struct Scope Scope;

typedef enum ClassKind {
    CLASS_OTHER, /* model, block, connector, package, ... */
    CLASS_FUNCTION,
    CLASS_RECORD, /* also operator record                         */
    CLASS_PLAIN,  /* derived from a predefined type, arrays too   */
    CLASS_ENUMERATION,
    CLASS_BUILTIN_FUNCTION, /* sin, zeros, size, ...: evaluated by builtin.c */
} ClassKind;

/* A component of a class as declared, after inheritance and modification. */
typedef struct Member {
    Name name;
    const Class *type;    /* without the dimensions below                                  */
    uint32_t n_dims;      /* all of them: declared ones, then those of the type (MLS 10.1) */
    SynExpr *const *dims; /* SYN_COLON: unknown size `:`                                   */
    Scope *dims_scope;
    Variability variability;
    bool is_input, is_output, is_protected, is_final;
    const SynExpr *binding; /* declaration or modification, NULL if none */
    Scope *binding_scope;
    const SynComponent *syn;
    Span span;
} Member;

/* The class a dotted name means in a scope (MLS 5.3); NULL if there is none (nothing reported). It
 * may begin with components: world.gravityAcceleration is the function in the class of world.
 * Predefined functions are found last; class_name of one is its name for builtin_is_function:
 * `sin`, `Connections.isRoot`. */
const Class *scope_class(Front *f, Scope *s, const SynCref *cref);
/* To be called before an error about a missing name: reports errors of the imports around, which
 * may be the cause.
 */
void scope_check_imports(Front *f, Scope *s);
/* To be called after such an error: a note if no library has that name. is_path: the name is the
 * first of a path. */
void scope_note_library(Front *f, Scope *s, Name name, bool is_path);

/* The value a component reference means: a variable, parameter, constant, enumeration literal or
 * local, subscripts applied (they are evaluated through eval_subscript). Under structural
 * evaluation (eval_structural) parameters yield their values. Reports and returns false if
 * there is none. */
bool scope_value(Front *f, Scope *s, const SynCref *cref, Value *out);

/* The value of `name` for an algorithm section that assigns to it or to parts of it. A component of
 * a model is a record of those of its variables that the references use[0..n) name: `r.u` and
 * `r.s.y` make r = {u, s = {y}}. */
bool scope_assigned_value(Front *f, Scope *s, const SynPart *name, uint32_t n,
                          const SynCref *const *use, Value *out);

/* A dimension of the component that a reference without subscripts means, as it is declared, and
 * the scope of its names; false (and nothing reported) if it is not known. */
bool scope_dimension(Front *f, Scope *s, const SynCref *cref, uint32_t dim, const SynExpr **out,
                     Scope **out_scope);

/* The value bound to a parameter; false (and nothing reported) if it has none, or is solved for. */
bool scope_binding(Front *f, VarId v, ExprId *out);

/* A hint for an error about a missing function: the name of a similar function, or "". */
const char *scope_function_hint(Front *f, Scope *s, const SynCref *cref);

/* Operators on the graph of connections, once flattening has collected it; on an error they report
 * it and return false. cardinality(c) (MLS 3.7.4.3); Connections.isRoot(a.R) and rooted(a.R) (MLS
 * 9.4.1). */
bool scope_cardinality(Front *f, Scope *s, const SynCref *cref, long *out);
bool scope_is_root(Front *f, Scope *s, const SynCref *cref, bool *out);
bool scope_is_rooted(Front *f, Scope *s, const SynCref *cref, bool *out);

/* activeState(block); ticksInState() or timeInState() (MLS 17.1). Both report and return false. */
bool scope_active_state(Front *f, Scope *s, const SynCref *cref, ExprId *out);
bool scope_in_state(Front *f, Scope *s, bool is_time, Span span, ExprId *out);

/* inStream(x), actualStream(x) of a stream variable (MLS 15.2, 15.3). */
bool scope_stream(Front *f, ExprId x, bool actual, Span span, ExprId *out);

/* MLS 3.7.4.4 getInstanceName(): "Model.a.b" inside the instance a.b of P.Model. */
const char *scope_instance_name(Front *f, Scope *s);

/* Locals laid over a scope: found before anything in `outer`. `local` is read at each lookup:
 * its values change while a loop or an algorithm runs. */
typedef struct Local {
    Name name;
    Value value;
} Local;
Scope *scope_locals(Front *f, Scope *outer, Local *local, uint32_t n);
/* The value of the one that the name means, or NULL. */
const Value *scope_local(Front *f, Scope *s, Name name);

ClassKind class_kind(Front *f, const Class *c);
BaseType class_base_type(Front *f, const Class *c); /* CLASS_PLAIN */
const SynClass *class_syntax(const Class *c);       /* the long definition that carries the body */
/* The function that c is a partial derivative of, by these inputs (MLS 12.7.2); NULL if it is none.
 */
const Class *class_derived_function(Front *f, const Class *c, const Name **by, uint32_t *n);
const char *class_name(Front *f, const Class *c); /* full dotted name */
Scope *class_scope(Front *f, const Class *c);     /* for names inside its body */
uint32_t class_members(Front *f, const Class *c, const Member **out);
uint32_t class_n_literals(Front *f, const Class *c); /* CLASS_ENUMERATION */
Name class_literal(Front *f, const Class *c, uint32_t k);
bool class_same(const Class *a, const Class *b); /* the same definition, whatever the environment */
/* Enumerations with the same literals in the same order are one type, too (MLS 6.4, 6.7). */
bool class_same_type(const Class *a, const Class *b);
/* The operator record that c is or is derived from, its type (MLS 6.4); NULL if there is none. */
const SynClass *class_operators(const Class *c);
/* MLS 7.3: its declaration or one around it is replaceable, so that it may become another. */
bool class_is_replaceable(const Class *c);
bool class_is_partial(const Class *c); /* itself, or the class that it renames */
/* A class declared in c or inherited: an operator, a constructor; NULL if there is none. */
const Class *class_find(Front *f, const Class *c, Name name);

/* Implemented by builtin.c: whether `name` (dotted for Connections.isRoot) is a predefined function
 * or operator in function syntax: sin, der, zeros, ... */
bool builtin_is_function(const char *name);
const char *builtin_nth(uint32_t k); /* their names; NULL behind the last one */
uint32_t builtin_n_results(const char *name);

/* Expressions. All report errors and return false. */
bool eval(Front *f, Scope *s, const SynExpr *x, Value *out);
/* As eval, but parameters are replaced by their values (MLS 18.3 Evaluate, 4.4.3 sizes): for
 * sizes, conditions of components and connects. `what` names the use in messages. */
bool eval_structural(Front *f, Scope *s, const SynExpr *x, const char *what, Value *out);
bool eval_integer(Front *f, Scope *s, const SynExpr *x, const char *what, long *out);
bool eval_boolean(Front *f, Scope *s, const SynExpr *x, const char *what, bool *out);
/* The size that an array dimension declares: an Integer, or an enumeration or Boolean type. */
bool eval_dimension(Front *f, Scope *s, const SynExpr *x, uint32_t *out);
/* The first n results of a call: (a, b) = f(x). */
bool eval_tuple(Front *f, Scope *s, const SynExpr *call, uint32_t n, Value *out);

/* An algorithm section, run on the variables that it assigns (MLS 11.1): they begin with their
 * values before it (start value, or pre of a discrete one), and equal the assigned values in the
 * end. */
typedef struct Assigned {
    Name name;
    Value variable, value; /* element by element: variable = value, if that exists */
    Value before;          /* the values before the section, of all that it assigns somewhere */
} Assigned;
bool eval_algorithm(Front *f, Scope *s, const SynStatements *body, Assigned **out, uint32_t *n);

/* The two functions below serve scope_value; their results live in scratch. One subscript of an
 * array whose dimension has `size` elements (`end` is size): the 1-based indices it selects, and
 * whether it keeps the dimension (a colon, range or vector does). */
typedef struct Subscript {
    uint32_t n;
    const uint32_t *index;
    bool keeps_dim;
} Subscript;
bool eval_subscript(Front *f, Scope *s, const SynExpr *x, uint32_t size, Subscript *out);
/* v[subscripts...]; fewer subscripts than dimensions keep the rest. */
bool value_subscript(Front *f, Scope *s, const Value *v, uint32_t n, SynExpr *const *subs,
                     Span span, Value *out);

/* The record with this constructor's fields, or a function's result, from given arguments; the
 * call is `span` in messages. Expanded at once or kept as a call by the rules of system.h. */
bool call_function(Front *f, const Class *c, const Value *args, uint32_t n_args, Span span,
                   Value *out);

#endif
