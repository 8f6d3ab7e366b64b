/* parser.h -- Modelica text to syntax tree.
 *
 * Recursive descent over the grammar of MLS 3.6 appendix A, one function per rule, one token of
 * look-ahead (two in three places). Linear in the text. After an error the parser goes on behind
 * the next `;` or `end`, so that one run reports several errors; the tree holds all phrases without
 * errors.
 */
#ifndef RUNG_FRONTEND_SYNTAX_PARSER_H
#define RUNG_FRONTEND_SYNTAX_PARSER_H

#include "frontend/syntax/syntax.h"

/* Parses source number `file` of d, as stored-definition. Never NULL; see SynFile.errors.
 * The tree points into the source's text nowhere. */
SynFile *parse_file(Arena *mem, Names *names, Diags *d, uint32_t file);

/* Linkage.Examples.Pendulum(n = 32, redeclare model M = X) */
typedef struct SynInstance {
    SynPath path;
    const SynMod *mod; /* or NULL */
} SynInstance;

/* Parse a text of the command line; it becomes the source "<command line>", so that messages
 * can quote it. False after an error. */
bool parse_instance(Arena *mem, Names *names, Diags *d, const char *text, SynInstance *out);
/* p = 3, a(start = 2): one argument of a modification. */
bool parse_argument(Arena *mem, Names *names, Diags *d, const char *text, SynArg *out);
SynExpr *parse_expr(Arena *mem, Names *names, Diags *d, const char *text); /* or NULL */

#endif
