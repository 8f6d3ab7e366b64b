/* section_start.h -- values that variables have before an algorithm section (MLS 11.1.2).
 *
 * A Real that is read before it is assigned, or assigned in some branches only, begins with its
 * start value if it is continuous and with previous(v) if it is clocked. Which one it is follows
 * from all equations (MLS 16.7.3), so section_before stands for either until they are there:
 *
 *     s := s + u   =>   s = before(s, start) + u   =>   s = previous(s) + u, or s = start + u
 */
#ifndef RUNG_FRONTEND_INSTANTIATE_SECTION_START_H
#define RUNG_FRONTEND_INSTANTIATE_SECTION_START_H

#include "frontend/front.h"

ExprId section_before(Front *f, ExprId v, ExprId start);
/* After it no expression of the System holds a section_before. Loops that assign Integers and the
 * like between events are reported, those of clocked sections being none. Linear in its size. */
void section_starts(Front *f);

#endif
