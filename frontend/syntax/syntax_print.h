/* syntax_print.h -- syntax tree to Modelica text that parses back to an equal tree
 * (syntax_equal), one declaration, equation or statement to a line.
 */
#ifndef RUNG_FRONTEND_SYNTAX_SYNTAX_PRINT_H
#define RUNG_FRONTEND_SYNTAX_SYNTAX_PRINT_H

#include "frontend/syntax/syntax.h"

#include <stdio.h>

void print_file(const SynFile *file, FILE *f);
void print_class(const SynClass *c, int indent, FILE *f); /* ends with `;` and a newline */
void print_expr(const SynExpr *x, FILE *f);
void print_cref(const SynCref *c, FILE *f);
void print_path(const SynPath *p, FILE *f);
void print_mod(const SynMod *m, FILE *f);  /* (a = 1) = 2 */
void print_string(const char *s, FILE *f); /* quoted, escaped */

const char *syn_path_text(Arena *mem, const SynPath *p); /* .A.B */
const char *syn_expr_text(Arena *mem, const SynExpr *x);

#endif
