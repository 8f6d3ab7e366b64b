/* modelica_text.h -- names, numbers and texts of other files as Modelica writes them. */
#ifndef RUNG_IMPORT_MODELICA_TEXT_H
#define RUNG_IMPORT_MODELICA_TEXT_H

#include "base/arena.h"

#include <stdbool.h>

/* A plain identifier (MLS 2.3.1): with _ for characters that it cannot have. NULL: "robot". */
const char *modelica_name(const char *text, Arena *mem);
/* The text itself where it is a plain identifier that is no keyword and no predefined name. */
bool modelica_is_name(const char *text);
/* As it is, or as a quoted identifier. */
const char *modelica_identifier(const char *text, Arena *mem);
/* With the fewest digits that give the same number. */
const char *modelica_number(double v, Arena *mem);
/* A String literal, with its quotation marks. */
const char *modelica_string(const char *text, Arena *mem);

#endif
