/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rung_sides.h -- types of generated code that solves for RUNG_SIDES right-hand sides at once, one
 * in each lane of vectors, with the factors of one matrix. Without the vectors of gcc and clang the
 * sides follow each other.
 */
#ifndef RUNG_SIDES_H
#define RUNG_SIDES_H

#include "rung_model.h"

#if defined(__GNUC__)
#define RUNG_WIDTH RUNG_SIDES
#include "rung_lanes.h"
#else
#define RUNG_SLICE 1
typedef double RungLane;
typedef RungLane RungRow[RUNG_SIDES];
#define RUNG_LANE(x) (x)
#endif

#endif
