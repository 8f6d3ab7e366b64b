/* json.h -- writes JSON into a text: the caller gives names and values, this module adds commas,
 * quotes and escapes.
 *
 *     Json j = json_new(&text);
 *     json_object(&j, NULL);
 *     json_text(&j, "model", "Tank");
 *     json_array(&j, "levels");
 *     json_number(&j, NULL, 0.25, 3);
 *     json_close(&j);
 *     json_close(&j);                      {"model": "Tank", "levels": [0.25]}
 *
 * The name is that of a member of an object, NULL in an array and at the outside. Not a library
 * (cJSON): it holds every number as a double and prints 17 digits of it, but counts have 64 bits
 * and measured growth has three digits that mean something; and it builds a tree, which output does
 * not need.
 */
#ifndef RUNG_BASE_JSON_H
#define RUNG_BASE_JSON_H

#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

enum { JSON_DEPTH = 32 };

typedef struct Json {
    Text *out;
    uint32_t depth;
    char closing[JSON_DEPTH]; /* per open object or array: its closing bracket */
    bool begun[JSON_DEPTH];   /* ... whether it has a member */
    int indent;               /* of the line to begin; -1: none */
} Json;

Json json_new(Text *out);
void json_object(Json *j, const char *name);
void json_array(Json *j, const char *name);
void json_close(Json *j);                                     /* the object or array opened last */
void json_text(Json *j, const char *name, const char *value); /* bytes below 32 are escaped */
void json_count(Json *j, const char *name, uint64_t value);
void json_number(Json *j, const char *name, double value, int digits); /* not finite: null */
void json_bool(Json *j, const char *name, bool value);
void json_line(Json *j, int indent); /* the next value begins a line */

#endif
