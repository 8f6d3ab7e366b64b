/* dump.h -- dumps of passes (system_dump of ir/system.h) read back as models.
 *
 * A dump is a package with the one model of the same name, as Base Modelica has it (MCP-0031). Its
 * names are those of the model that was dumped, in quotes; annotations __rung(...) hold the data
 * that flat Modelica cannot express. Equations that index reduction added are left out: it adds
 * them again.
 */
#ifndef RUNG_FRONTEND_INSTANTIATE_DUMP_H
#define RUNG_FRONTEND_INSTANTIATE_DUMP_H

#include "frontend/instantiate/instance.h"

/* The model of the dump that c is; c itself if it is none. */
Class *dump_model(Front *f, Class *c);
/* 'a\'b' -> a'b; NULL if the text is no quoted identifier. */
const char *dump_unquoted(Arena *mem, const char *text);

/* Reads the facts of a dump's variable: array, protected, flow, hidden, state. previous: the
 * variable before, or NULL. */
void dump_read_var(Front *f, const SynComponent *c, Var *v, const Var *previous);
/* Whether an equation is the derivative of another one. */
bool dump_is_derivative(const SynEquation *x);
/* Reads the facts of the equations from `first` on: the array equation that they are elements of,
 * their state. */
bool dump_read_equation(Front *f, Scope *s, const SynEquation *x, uint32_t first, uint32_t n,
                        Eq *eq);
/* Whether the condition of a when-clause is true at its events only, as dumps have it. */
bool dump_is_edge(const SynEquation *x);
ExprId dump_condition(Front *f, Scope *s, const SynExpr *x);
/* After all equations: restores the joints where loops can be cut, the states of machines, and
 * which parameters are final (a dump has their values in place already). */
void dump_finish(Front *f, Instance *root);

#endif
