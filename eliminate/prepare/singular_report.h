/* singular_report.h -- diagnostics of a singular model, in the modeller's names.
 *
 * An equation or a variable from a library is reported at its component in the model; the lines of
 * the library follow as notes.
 */
#ifndef RUNG_ELIMINATE_PREPARE_SINGULAR_REPORT_H
#define RUNG_ELIMINATE_PREPARE_SINGULAR_REPORT_H

#include "ir/system.h"

/* Equations that are too many for the variables in them, or too few; size: the numbers of the whole
 * model, for the message. */
typedef struct SingularPart {
    uint32_t n_eqs, n_vars;
    const EqId *eq;
    const VarId *var;
    const char *size;
} SingularPart;

/* Its declaration, or that of its component if a library declares it. */
Span singular_place(const System *s, const Var *v);
/* Where it stands, or the component whose library it stands in. */
Span singular_place_of_eq(const System *s, const Eq *e);

/* S02: the equations are too many for their variables; `odd` is one that could go. */
void report_too_many(System *s, const SingularPart *p, EqId odd);
/* S03: `odd` is a variable for which no equation is left. */
void report_too_few(System *s, const SingularPart *p, VarId odd);
/* S02: as report_too_few where equations have become empty: where the equations hold differences of
 * potentials alone, their reference potential is not determined. */
void report_no_level(System *s, const SingularPart *p, Arena *scratch);
#endif
