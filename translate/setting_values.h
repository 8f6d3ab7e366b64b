/* setting_values.h -- values of `--set` as they are written, and as programs read them:
 *
 *     L=5 mm        L=0.005                      L has the unit m
 *     kind=fast     kind=Drive.Speed.fast        a literal of its enumeration
 *     v={4, 5}      v[1]=4  v[2]=5
 *     v={4, 5, 6}   v={4, 5, 6}                  of another size: a modifier (structural_set.h)
 *     name="pump"   name="pump"                  a String: likewise
 */
#ifndef RUNG_TRANSLATE_SETTING_VALUES_H
#define RUNG_TRANSLATE_SETTING_VALUES_H

#include "base/vec.h"
#include "ir/system.h"
#include "runtime/kernel/rung_model.h"

/* The sign between name and value of "name=value"; NULL if there is none, or no name. */
const char *setting_equals(const char *text);

/* Whether the value is a text or an array, which no program reads. */
bool setting_is_modifier(const char *value);

/* Rewrites the texts for the program, or for the flat model; NULL, or the message of the first that
 * is wrong. Linear in the number of variables for each text. */
const char *setting_values_read(const RungModel *m, const Texts *set, Texts *out, Arena *mem);
/* The value of a variable of that type as it is written, in its unit, a literal by its number. */
const char *setting_value_of(const System *s, VarId v, const char *text, double *out, Arena *mem);
const char *setting_value_at(const RungModel *m, uint32_t row, const char *text, double *out,
                             Arena *mem);
const char *setting_values_read_flat(const System *s, const Texts *set, Texts *out, Arena *mem);

#endif
