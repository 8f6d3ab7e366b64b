/* instance.h -- classes in their environments, and the tree of instances made of them.
 *
 * Inside the boundary of scope.h; for lookup*.c, modify.c, instance*.c, connect*.c, flatten.c.
 *
 *   Mod       one modifier as written, with the scope its expressions belong to (MLS 7.2.3)
 *   Env       the modifiers that reach one element, outermost first: the first that gives a value
 *             wins, so nothing is merged or copied
 *   Class     a definition in its environment; its elements after inheritance. A base class is
 *             elaborated anew for each class that extends it (`self` is the derived one), since
 *             redeclarations outside change the meaning of names inside it (MLS 7.3)
 *   Element   a component or class that a Class has
 *   Instance  a component of the model: a node of the instance tree (MLS 5.6)
 *
 * Classes are shared by all instances with the same redeclarations; values of modifiers do not
 * split them. An expression of a class is kept with the scope of the class alone; scope_bind finds
 * the instance when it is evaluated.
 */
#ifndef RUNG_FRONTEND_INSTANTIATE_INSTANCE_H
#define RUNG_FRONTEND_INSTANTIATE_INSTANCE_H

#include "frontend/front.h"

typedef struct Instance Instance;
typedef struct Element Element;
typedef struct Mod Mod;

struct Scope {
    Scope *outer;       /* searched next; NULL: the top level and the predefined names */
    Class *cls;         /* the body of this class (maybe a base); NULL for locals      */
    Instance *inst;     /* of class cls->self; NULL: the class alone                   */
    const Local *local; /* locals only */
    uint32_t n_local;
};

/* One modifier. A declaration's own modification is level 0 and its arguments level 1 and so on;
 * the arguments of an extends clause or short class are level 0. */
struct Mod {
    uint32_t id;
    Name name; /* of the element modified */
    Span span;
    Scope *scope;
    const SynExpr *value;        /* or NULL */
    const char *comment;         /* or NULL */
    const SynElement *redeclare; /* or NULL: a redeclaration, whose own modification is this */
    bool is_final;
    bool is_reported;   /* an error in it has been reported                            */
    bool is_break;      /* = break: no binding (MLS 7.2.7)                             */
    bool is_constraint; /* of a constraining clause: modifiers of a redeclaration come first */
    bool has_redeclare; /* one of sub is a redeclaration, or modifies a class's inside */
    int each_level;     /* values are not split over arrays above this level (MLS 7.2.5) */
    uint32_t n;
    Mod **sub;
};

typedef struct ModSource {
    Mod *mod;
    Instance *at;        /* the instance in whose class it is written; NULL: known later */
    Instance *above;     /* a class's own modifier: the instance of that class; arrays
                          * around it do not split its values (MLS 7.2.5). NULL: at     */
    bool only_redeclare; /* its values reach the element by another way                  */
} ModSource;

typedef struct Env {
    const ModSource *at;
    uint32_t n;
} Env;

struct Element {
    Name name;
    uint32_t id;
    const SynElement *syn; /* as declared or, if redeclared, the redeclaration                  */
    const SynElement *original;
    Class *in;    /* the class (a base, maybe) that declares it                        */
    Scope *scope; /* where syn's text stands                                           */
    Scope *condition_scope, *own_dims_scope; /* a redeclaration may take these parts over       */
    Env env;             /* with the declaration's own modification                           */
    Env around;          /* modifiers from outside                                            */
    Mod *own;            /* the latter, or NULL                                               */
    Element *same;       /* inherited a second time: the first one                            */
    Element *overridden; /* of a class extends (MLS 7.3.1): its base                          */
    bool is_class, is_protected, is_final, is_inner, is_outer, is_replaceable, is_evaluate;
    Truth hides_result; /* annotation HideResult; UNKNOWN: none */
    bool checked;       /* modifiers of env have been compared with the type                 */

    /* a component */
    uint32_t index; /* among the components of in->self */
    const SynComponent *component;
    enum { TYPE_UNKNOWN, TYPE_PENDING, TYPE_KNOWN, TYPE_BAD } typed;
    Class *type;
    Scope *const *dims_scope; /* of each dimension */
    Member member;

    /* a class */
    SynClass *class_syn;
    Class *cls; /* in the scope of the class alone, made on demand */
};

typedef enum ClassState { CLASS_NEW, CLASS_ELABORATING, CLASS_DONE, CLASS_FAILED } ClassState;

typedef VEC(Element *) Elements;
typedef VEC(Class *) Classes;
typedef VEC(Instance *) Instances;

struct Class {
    uint32_t id;
    SynClass *syn;    /* NULL: a predefined type or function */
    const char *name; /* full */
    Scope *outer;     /* of its declaration; NULL at the top */
    Scope body;       /* names inside, of the class alone */
    Class *self;      /* the class it is a base of; itself, if none */
    Class *derived;   /* the class whose extends clause made this base; NULL if none */
    Env env;
    Element *overridden; /* of a class extends */
    Element *replaces;   /* of a redeclared class: the element it is redeclared for */
    const struct Deselection *deselected; /* deselections of the classes that extend it */
    bool is_bound;                        /* an instance is among the scopes around */
    bool has_dir;   /* itself or a base is a directory whose members are read on demand */
    bool is_repeat; /* a base whose definition is among self's bases already */
    ClassState state;
    ClassKind kind;
    BaseType base_type;   /* CLASS_PLAIN */
    Class *terminal;      /* CLASS_PLAIN, CLASS_ENUMERATION: the base that is predefined or has the
                             literals; its env holds the attributes of the types between (MLS 4.9) */
    SynTypePrefix prefix; /* of short classes, all on the way */
    uint32_t n_dims;      /* of the short classes between, outermost first */
    SynExpr *const *dims;
    Scope *const *dims_scope;
    Elements element; /* own and inherited, in order */
    Map table;        /* Name -> index in element    */
    Classes base;     /* direct */
    Map outside;      /* cache: Name -> index in Lookup.found of the result outside */
    uint32_t place;   /* in self->linear, of its definition */
    /* of self only */
    Classes linear; /* itself and all bases, each definition once, bases first */
    Elements component;
    const Member *members; /* of component, made on demand */
    uint32_t n_members;
    Instance *statics; /* for its constants, when there is no instance */
};

typedef enum InstanceKind {
    INST_CLASS,  /* has children                                   */
    INST_ARRAY,  /* of components that have children: has elements */
    INST_LEAF,   /* a variable or an array of variables            */
    INST_ABSENT, /* its condition is false (MLS 4.4.5)             */
    INST_FAILED, /* reported                                       */
} InstanceKind;

struct Instance {
    uint32_t id, depth;
    InstanceKind kind;
    Instance *parent; /* whose component it is; NULL for the model and for statics */
    Element *el;      /* NULL for the model and for statics */
    Class *cls;
    Env env;          /* from outside; the element's own env follows */
    Env inside;       /* both, for its components                        */
    const char *path; /* full name; "" for the model */
    Instance *array;  /* the array it is an element of, and its place there */
    uint32_t index;
    uint32_t n_dims; /* INST_ARRAY, INST_LEAF */
    const uint32_t *dims;
    uint32_t n; /* product of dims */
    union {
        Instance **elem;  /* INST_ARRAY */
        Instance **child; /* INST_CLASS: per component, NULL until needed */
        VarId var;        /* INST_LEAF: the first of n; VAR_NONE in statics */
    };
    /* of an expandable connector: elements that connections have added (MLS 9.1.3); of the model:
     * inner components added for outer ones (5.4) */
    Elements undeclared;
    Instance **added; /* an instance of each */
    Scope *scopes;    /* INST_CLASS: of cls->linear */
    Variability variability;
    bool is_input, is_output, is_flow, is_stream, is_final, is_protected, is_static;
    bool hides_result;
    bool is_sizing; /* its dimensions are being evaluated: it has no size yet */
    enum { BINDING_UNKNOWN, BINDING_PENDING, BINDING_KNOWN, BINDING_BAD } bound[2];
    const Value *binding[2]; /* symbolic, structural; NULL with BINDING_KNOWN: none */
    ExprId *symbols;         /* INST_LEAF: its variables as expressions             */
    ExprId *folded;          /* of a final parameter: with the numbers in place     */
};

typedef enum FoundKind { FOUND_NONE, FOUND_LOCAL, FOUND_COMPONENT, FOUND_CLASS } FoundKind;

typedef struct Found {
    FoundKind kind;
    const Local *local;
    Element *el;  /* FOUND_COMPONENT */
    Scope *scope; /* FOUND_COMPONENT: the body where it was found */
    Class *cls;   /* FOUND_CLASS */
} Found;

enum { INSTANCE_DEPTH_MAX = 400 }; /* of instances, and of values that need each other */
enum { DIMS_MAX = 32 };            /* of an array of variables or components */

/* Attributes of predefined types (MLS 4.9). */
typedef enum Attribute {
    ATTR_START,
    ATTR_FIXED,
    ATTR_MIN,
    ATTR_MAX,
    ATTR_NOMINAL,
    ATTR_UNIT,
    ATTR_DISPLAY_UNIT,
    ATTR_QUANTITY,
    ATTR_STATE_SELECT,
    ATTR_UNBOUNDED,
    ATTR_COUNT
} Attribute;

/* A loop of an algorithm section that assigns a variable that is no Real, as a call. */
typedef struct DiscreteLoop {
    ExprId call; /* which varies between events, unless the section is clocked */
    Name name;   /* of the variable */
    Span span;
} DiscreteLoop;

typedef struct Lookup {
    Name attribute[ATTR_COUNT];
    Name equality_constraint; /* MLS 9.4.1 */
    Map top;                  /* Name -> index in classes of the top-level class  */
    Map predefined;           /* Name -> index in classes                         */
    Map bound;                /* (instance, element) -> index in classes          */
    Classes classes;          /* all of them, by id                              */
    VEC(Found) found;
    Map split; /* (mod, instance) -> index in split_value * 2 + structural */
    VEC(const Value *) split_value;
    Map endless; /* SynClass: reported: its components contain themselves */
    Map missing; /* Name of a library: reported: not found */
    uint32_t n_mods, n_elements, n_instances;
    uint32_t elaborating; /* classes, inside one another */
    uint32_t depth;       /* of instances and bindings that need one another */
    VEC(Instance *) leaf_of_var;
    Instance *root;
    struct Connections *connections; /* connect.c            */
    struct Expansion *expansion;     /* connect_expandable.c */
    struct Machines *machines;       /* state_machine.c      */
    bool has_expandable;             /* some component is    */
    const Instance *marking;         /* the instance whose when-clauses are visited */
    Map marked;                      /* its references to whole arrays there */
    bool is_dump;                    /* the model is one: dump.h */
    Map dump_group;                  /* its array equations -> groups of the System */
    Map part;                        /* Instance.id -> index in the geometry's parts */
    Map frame;                       /* Instance.id -> index in the geometry's frames */
    Map binding_lost;                /* Instance.id -> index in lost: Front.lost of its binding */
    VEC(ExprIds) lost;
    VEC(Eq) unassigned; /* by the algorithm sections that own them (MLS 11.1.2) */
    VEC(DiscreteLoop) loop;
} Lookup;

/* ---- lookup_class.c: classes ---------------------------------------------------------------- */

Class *class_new(Front *f, const char *name);
Class *class_at(Front *f, const Map *m, uint64_t key); /* the class whose id m holds, or NULL */
Class *class_of_syntax(Front *f, SynClass *syn, Scope *outer, Env env);
/* The definition again, with more modifications; as a base of `derived`, if that is not NULL. */
Class *class_derive(Front *f, const Class *from, Env env, Class *derived);
bool class_elaborate(Front *f, Class *c); /* reports, once, and is false ever after */
/* The element of c with that name, own, inherited or in its directory; NULL if none. */
Element *class_element(Front *f, Class *c, Name name);
/* An element's class. If inst is not NULL, its modifiers may use the components of inst. */
Class *element_class(Front *f, Element *e, Instance *inst);
bool element_type(Front *f, Element *e);        /* of a component: fills type, dims, member */
const Element *element_first(const Element *e); /* of those inherited several times */
/* The class of which a redeclaration of e must be a subtype (MLS 7.3.2), and its place; or NULL. */
Class *class_constraining(Front *f, const Element *e, Span *at);
/* Reports an error if `by`, the class of e, is no subtype of its constraining class. */
void class_check_constraint(Front *f, const Element *e, Class *by);
/* The same of the class as it was declared, where a redeclaration has taken its place. */
void class_check_original(Front *f, const Element *e);
bool class_is(const Class *c, SynRestriction r); /* of its own definition, be it a short class */
bool class_is_connector(const Class *c);
bool class_is_expandable(const Class *c);
/* Is the class partial, and no enclosing redeclaration can replace it. */
bool class_stays_partial(const Class *c);
/* MLS 6: a public element of `type` that `by` lacks, or has as a component of another predefined
 * type or as a class instead of a component; NULL if there is none: `by` is compatible with
 * `type`. */
const char *class_lacks(Front *f, Class *by, Class *type, bool *is_other);
/* The argument of __rung(...), an annotation of rung's own (MLS 18.1), with that name, or NULL. */
const SynMod *rung_annotation(const SynMod *annotation, const char *name);
bool class_extends(const Class *c, const Class *base); /* has that definition among its bases */

/* ---- lookup.c: names ------------------------------------------------------------------------ */

struct Lookup *lookup_new(Front *f);
Found lookup_name(Front *f, Scope *s, Name name);
Class *lookup_path(Front *f, Scope *s, const SynPath *path); /* NULL: none, not reported */
Class *lookup_path_or_report(Front *f, Scope *s, const SynPath *path, const char *what);
Class *lookup_predefined(Front *f, const char *name);
/* "; did you mean 'x'?" or "" */
const char *lookup_hint(Front *f, Scope *s, Name name);
/* Likewise of a variable: also names of other languages, as True. */
const char *variable_hint(Front *f, Scope *s, Name name);
const char *class_hint(Front *f, Class *c, Name name);

/* ---- modify.c: modifications --------------------------------------------------------------- */

/* The modifier tree of a declaration's modification (level 0), or of an extends clause or short
 * class (level -1, so that its arguments have level 0). NULL if syn is empty. */
Mod *mod_of_syntax(Front *f, const SynMod *syn, Scope *scope, int level);
Mod *mod_find(const Mod *m, Name name); /* the argument of that name, or NULL */
/* The redeclarations among a class's own elements (MLS 7.3), or NULL. */
Mod *mod_of_bodies(Front *f, SynElement *const *e, uint32_t n, Scope *scope);
/* The modifiers of env that are for the element `name`, as an env. */
Env env_sub(Front *f, Env env, Name name);
Env env_join(Front *f, Env outer, Env inner);
Env env_add(Front *f, Env outer, Mod *inner, Instance *at);
bool env_has_redeclare(Env env);
Env env_redeclares(Front *f, Env env);
/* Every modifier names something that the class has and that may be modified (MLS 7.2). True if
 * one goes into a class that `type` has, so that `type` must be elaborated with it. */
bool env_check(Front *f, Env env, Class *type, bool from_outside);

/* ---- instance.c: the instance tree --------------------------------------------------------- */

Scope *instance_scope(Front *f, Instance *i, const Class *body);
/* The body of a class, seen from an instance at or inside one of that class. */
Scope *scope_bind(Front *f, Instance *at, Scope *s);
Instance *instance_root(Front *f, Class *c, Env env);
Instance *class_statics(Front *f, Class *c);
/* The component; NULL after an error. May be INST_ABSENT. */
Instance *instance_child(Front *f, Instance *i, uint32_t index);
/* The instance that the name of element e denotes in equations and modifiers of i's class (MLS
 * 5.5): for an element that is both inner and outer the outer one; outer elements inside find its
 * own instance. */
Instance *instance_local(Front *f, Instance *i, Element *e);
/* A component that no class declares: `name` in an expandable connector, with the type of `like`
 * and these dimensions. NULL after an error. */
Instance *instance_add(Front *f, Instance *connector, Name name, const Instance *like,
                       uint32_t n_dims, const uint32_t *dims);
/* The inner class that an outer class `name` of around's class means (MLS 5.4); NULL: no such. */
Class *inner_class_of(Front *f, Instance *around, Name name);
uint32_t instance_n_parts(const Instance *i); /* of a class: components and added elements */
Instance *instance_part(const Instance *i, uint32_t k); /* NULL if it was never needed */
/* An element of an array of components, for its shape: one that is none, if there is none. */
Instance *instance_prototype(Front *f, Instance *array);
Span instance_span(const Instance *i);
/* The dimension size(A, k) in the declaration of A itself, A[:, size(A, 1)] (MLS 10.1): k, else 0.
 */
uint32_t own_size(const SynExpr *dim, Name name, uint32_t n_dims);
/* Between these two, errors name i as their context (not the model itself). */
void context_push(Front *f, const Instance *i);
void context_pop(Front *f, const Instance *i);

/* ---- instance_value.c: bindings, attributes, values ----------------------------------------- */

/* The binding of a leaf, record or array of records, from its declaration or a modifier; *out NULL
 * if it has none. */
bool instance_binding(Front *f, Instance *i, bool structural, const Value **out);
/* Operands that this binding has in its text alone; NULL: none. */
const ExprIds *instance_lost(const Front *f, const Instance *i);
bool instance_has_binding(Front *f, Instance *i); /* of its own, evaluated or not */
Span instance_binding_span(Front *f, Instance *i);
/* An attribute (MLS 4.9), of all the leaf's dimensions or of its last ones; VALUE_NONE if the model
 * does not set it. */
bool instance_attribute(Front *f, Instance *leaf, Attribute a, bool structural, Value *out,
                        Span *span);
/* Of a leaf: its variables, or their values (structural evaluation, final parameters). */
bool instance_value(Front *f, Instance *i, Span use, Value *out);
/* Dimensions for messages: "[3, 2]", "a scalar". */
const char *dims_text(Front *f, uint32_t n, const uint32_t *dims);
/* Real from Integer is allowed (MLS 10.6.13); reports anything else. */
bool value_fits(Front *f, const Value *v, BaseType type, const Class *enumeration, Span span,
                const char *what);

/* ---- instance_reference.c: component references --------------------------------------------- */

/* The instances that a reference names, subscripts applied; n_dims and dims of the whole. Zero
 * instances and true when a component on the way is absent or not declared (yet). */
typedef struct Selection {
    uint32_t n;
    Instance **at;
    uint32_t *place; /* of leaves: the element meant, row-major; else NULL */
    Instance *shape; /* like each of them */
    uint32_t n_dims;
    const uint32_t *dims;
    bool is_absent;
    Instance *undeclared_in; /* an expandable connector that has no such part */
    Name undeclared;
    bool can_be_declared; /* it is the last part, without subscripts */
    uint32_t n_asked;     /* the largest of its subscripts: dimensions that it needs */
    uint32_t *asked;
    bool asks_last; /* it is the last part */
    bool is_inside; /* a connector of a component (MLS 9.1.2), not of the class itself */
} Selection;
bool instance_select(Front *f, Scope *s, const SynCref *cref, Selection *out);
/* A note where one of the two is a matrix of one row or column, the other a vector. */
bool value_note_matrix(Front *f, Span at, const Value *a, const Value *b);
/* A leaf, record or connector with all its parts. */
bool instance_whole(Front *f, Instance *i, Span use, Value *out);

/* ---- flatten.c ------------------------------------------------------------------------------ */

/* Calls visit for every instance that has components, a component after the one around it, in the
 * order of declarations. An outer component is visited where its inner one is. */
typedef void (*InstanceVisit)(Front *f, Instance *i);
void instances_visit(Front *f, Instance *root, InstanceVisit visit);

/* Equations such as connect() that determine the structure of the model. If-equations around them
 * have parameter conditions only (MLS 8.3.4). */
typedef void (*EquationVisit)(Front *f, Scope *s, Instance *i, const SynEquation *x);
typedef struct EquationWalk {
    bool (*concerns)(const SynEquation *x); /* of one without others inside                 */
    EquationVisit visit;                    /* in the scope of its class or iterators       */
    EquationVisit in_when;                  /* of a when-equation that has some inside      */
    const char *condition;                  /* of if-equations around, for errors           */
} EquationWalk;
/* Visits those of i's equations that are active, initial ones left out. */
void equations_walk(Front *f, Instance *i, const EquationWalk *w);

/* The iterators of a for-equation; ranges that are not written come from its body. */
bool equation_iteration(Front *f, Scope *s, const SynEquation *x, Iteration *out);

/* Where a message about a part of i begins: the component of the model that i is in. `inside`:
 * where that part is declared, which is then told in a note, or alone if that is the same file. */
typedef struct UserPlace {
    Span at, inside;
    const char *path; /* of the component; NULL: inside alone */
} UserPlace;
UserPlace user_place(const Instance *i, Span inside);

/* ---- connect_expandable.c ------------------------------------------------------------------- */

/* Gives expandable connectors the components that connections to them imply (MLS 9.1.3). */
void expandable_begin(Front *f);
void expandable_collect_in(Front *f, Instance *i);
bool expandable_spread(Front *f); /* true if anything was added since begin */
/* A part declared with `:` whose size connections determine, and have not yet. */
bool expandable_is_sizeless(Front *f, const Instance *bus, Element *e);
/* The dimensions that connections give such a part; NULL: none. */
const uint32_t *expandable_size(const Front *f, const Instance *bus, Name name, uint32_t n_dims);
/* Both sides of a connection. An element of an expandable connector is not selected, and so not
 * present, where the other side is absent (MLS 9.1.3). False after an error. */
bool expandable_sides(Front *f, Scope *s, const SynEquation *x, Selection *a, Selection *b);
Instance *expandable_part(const Instance *connector, Name name);    /* added; or NULL       */
Instance *expandable_present(const Instance *connector, Name name); /* declared, too; or NULL */

/* ---- connect.c ------------------------------------------------------------------------------ */

/* To be called in this order: begin when all instances exist, collect_in for each of them, decide
 * (which overconstrained connections stay), and equations after all others. */
void connections_begin(Front *f);
/* Calls visit for each connect of i that holds, in the scope of its class or iterators. */
void connections_visit(Front *f, Instance *i, EquationVisit visit);
void connections_collect_in(Front *f, Instance *i);
void connections_decide(Front *f);
void connections_equations(Front *f);
/* A note that lists the connectors of `of`, a component of class c, if it has any. */
void class_note_connectors(Front *f, const Class *c, Name of, Span span);
/* Notes the connectors of the model's own components that nothing is connected to. */
void connections_loose(Front *f, Instance *root);
/* The function equalityConstraint of an overdetermined type or record (MLS 9.4.1), or NULL. */
const Class *connections_constraint(Front *f, const Class *c);
/* The connection set of an element, 2 * variable as inside, + 1 as outside connector; false before
 * all connections are decided. */
bool connections_set(Front *f, uint32_t element, const uint32_t **at, uint32_t *n);

/* ---- geometry.c ------------------------------------------------------------------------------ */

/* Collects the shapes and frames of i. Call it for each instance, enclosing ones first, once
 * attributes are known. */
void geometry_collect_in(Front *f, Instance *i);

/* ---- terminal.c ------------------------------------------------------------------------------ */

/* The connectors that the model shows to the outside, and icons. */
void terminals_collect(Front *f, Instance *root);

/* ---- balance.c ------------------------------------------------------------------------------- */

/* Reports components and connectors that are not balanced (MLS 4.8), each class once. After the
 * equations of all components are written and before those of connections are. */
void balance_check(Front *f, Instance *root);

#endif
