/* syntax_print.h -- syntax tree to Modelica text that parses back to an equal tree
 * (syntax_equal), one declaration, equation or statement to a line.
 */
#ifndef RUNG_FRONTEND_SYNTAX_SYNTAX_PRINT_H
#define RUNG_FRONTEND_SYNTAX_SYNTAX_PRINT_H

#include "frontend/syntax/syntax.h"

#include <stdio.h>

void print_file(const SynFile *file, FILE *f);
void print_cref(const SynCref *c, FILE *f);

const char *syn_path_text(Arena *mem, const SynPath *p); /* .A.B */
const char *syn_expr_text(Arena *mem, const SynExpr *x);

#endif
