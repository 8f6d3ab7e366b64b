/* member.h -- members of JSON messages; values that are no objects have none. */
#ifndef RUNG_LANGUAGE_SERVER_MEMBER_H
#define RUNG_LANGUAGE_SERVER_MEMBER_H

#include "language_server/document.h"

#include <cjson/cJSON.h>

static inline const cJSON *member(const cJSON *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

static inline const char *member_text(const cJSON *object, const char *name) /* or NULL */
{
    return cJSON_GetStringValue(member(object, name));
}

/* 0 if there is none, or one that is no line or column. */
static inline uint32_t member_number(const cJSON *object, const char *name)
{
    const cJSON *x = member(object, name);
    bool is_number = cJSON_IsNumber(x) && x->valuedouble > 0 && x->valuedouble < 1e9;
    return is_number ? (uint32_t)x->valuedouble : 0;
}

static inline Position member_position(const cJSON *object, const char *name)
{
    const cJSON *x = member(object, name);
    return (Position){member_number(x, "line"), member_number(x, "character")};
}

#endif
