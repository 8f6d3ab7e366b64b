/* rules.h -- rules of the specification for one class, checked once per class.
 *
 * class_rules goes through the classes that were looked up and calls the others; each reports at
 * the place in the class's own text.
 */
#ifndef RUNG_FRONTEND_RULES_RULES_H
#define RUNG_FRONTEND_RULES_RULES_H

#include "frontend/instantiate/instance.h"

/* An error, unless there is one at that place. */
void rule_error(Front *f, Span at, const char *code, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
/* A warning without --strict: the meaning is clear, and other tools accept it. */
void rule_if_strict(Front *f, Span at, const char *code, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
/* class_rules.c: reports elements, bases and declarations that the kind of a class forbids. */
void class_rules(Front *f);
/* The rules for its imports alone; no error is reported twice. */
void class_imports(Front *f, const Class *c);
/* A name in c's text leads through classes that are packages, or to encapsulated elements (MLS
 * 5.3.2); reported as by rule_if_strict. */
void path_rules(Front *f, Class *c, const SynPath *path);
/* body_rules.c: which equations and statements may stand where (MLS 8.3, 11.2, 12.2), in the
 * sections and bindings that c's own text has. */
void body_rules(Front *f, Class *c);
/* discrete_rules.c: discrete-time variables equal discrete-time expressions (MLS 3.8.5). */
void discrete_rules(Front *f, Class *c);
/* interface_rules.c: `by`, the class of e, which was redeclared or has a constraint, has the
 * interface of the original (MLS 6.4-6.6). */
void interface_rules(Front *f, const Element *e, Class *by);
/* annotation_rules.c: annotations that c's own text has (MLS 18). */
void annotation_rules(Front *f, const Class *c);
/* operator_rules.c: the operators of an operator record; the functions of an external object. */
void operator_rules(Front *f, Class *record);
void object_rules(Front *f, Class *c);

#endif
