/* start_values.h -- `rung simulate --start x=v`: the start attribute of a variable of the flat
 * model.
 *
 * As a modifier x(start = v) would have it, but for elements of arrays, too: a value that is fixed
 * is fixed at v, one that is found by initial equations begins to be looked for there, a state that
 * nothing else determines starts at v.
 */
#ifndef RUNG_TRANSLATE_START_VALUES_H
#define RUNG_TRANSLATE_START_VALUES_H

#include "translate/compilation.h"

/* After flattening, with the variables that are avoided as states; false with diagnostics N30, N31,
 * T40. */
bool start_values_apply(Compilation *c);

#endif
