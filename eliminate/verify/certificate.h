/* certificate.h -- the program and the flat equations as text, for checkers that are not rung.
 *
 * docs/certificate.md has the format and the computation of a checker;
 * tests/verify/check_certificate.py is one. Nodes are those that equations and values reach,
 * operands before users.
 */
#ifndef RUNG_ELIMINATE_VERIFY_CERTIFICATE_H
#define RUNG_ELIMINATE_VERIFY_CERTIFICATE_H

#include "eliminate/verify/verify.h"

#include <stdio.h>

/* After verify(), which expands the calls in flat. */
void certificate_write(const Program *g, System *flat, const LoopCut *cut, uint32_t n_points,
                       FILE *f);

#endif
