/* growth.h -- whether an order of elimination loses digits, tried out with numbers.
 *
 * Elimination without pivoting along an order that suits the structure may still be a march away
 * from a boundary in which errors grow exponentially (shooting along a ladder of resistors). So the
 * block is eliminated twice at the sample's point, in double precision and with every result
 * rounded to single precision; the difference tells. Cost: that of a numeric elimination.
 */
#ifndef RUNG_ELIMINATE_BLOCK_GROWTH_H
#define RUNG_ELIMINATE_BLOCK_GROWTH_H

#include "eliminate/block/elimination.h"
#include "graph/incidence.h"
#include "ir/sample.h"

/* The error of the solution over its size, in units of 2^-24, for some right-hand side; INFINITY
 * if a pivot is zero, NAN if an entry has no value. The matrix is not yet eliminated, and is left
 * as it is. */
double growth_of_order(const Matrix *m, const Order *o, Sample *sample);
/* The same for an LU by numbers with partial pivoting, columns in the order given. */
double growth_of_lu(const Matrix *m, const uint32_t *column, Sample *sample);
/* Whether a loss is too much when another order has the loss `best`. A sensitive block loses digits
 * in every order. */
bool growth_is_too_much(double loss, double best);

#endif
