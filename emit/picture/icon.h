/* icon.h -- the icon of a class (ir/terminal.h) as SVG: one pixel for each unit of its coordinate
 * system, nothing behind the shapes. */
#ifndef RUNG_EMIT_PICTURE_ICON_H
#define RUNG_EMIT_PICTURE_ICON_H

#include "base/text.h"
#include "ir/terminal.h"

Text icon_svg(const Icon *icon, Arena *mem);

#endif
