/* unit_rules.h -- units of a class's equations, statements and bindings (MLS 3.6 ch. 19).
 *
 * A unit is known of components whose type or modifiers give one, and of what operators and
 * functions make of these. What has none fits everything. So does `time`: sin(2*time) and
 * 3*time are written everywhere, the 2 being in rad/s. A number that is written down fits what it
 * is added to or compared with; as a factor it has no unit if it is small and a multiple of a
 * quarter, else it fits everything. Of units the powers of base units are compared, not factors:
 * metres and kilometres fit, angles are numbers.
 */
#ifndef RUNG_FRONTEND_RULES_UNIT_RULES_H
#define RUNG_FRONTEND_RULES_UNIT_RULES_H

#include "frontend/instantiate/instance.h"

/* Of what c's own text has; a warning, or an error, at each place where two units do not fit. */
void unit_rules(Front *f, Class *c);

#endif
