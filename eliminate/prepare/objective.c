#include "eliminate/prepare/objective.h"

#include "base/text.h"

#include <string.h>

ObjectiveKind objective_read(const char *text, Arena *mem, const char **variable)
{
    static const char *const function[] = {
        [OBJECTIVE_INTEGRAL] = "integral(",
        [OBJECTIVE_MAXIMUM] = "max(",
        [OBJECTIVE_MINIMUM] = "min(",
    };
    size_t n = strlen(text);
    for (ObjectiveKind kind = OBJECTIVE_INTEGRAL; kind <= OBJECTIVE_MINIMUM; kind++) {
        size_t m = strlen(function[kind]);
        if (strncmp(text, function[kind], m) == 0 && n > m + 1 && text[n - 1] == ')') {
            *variable = arena_copy(mem, text + m, n - m - 1);
            return kind;
        }
    }
    *variable = text;
    return OBJECTIVE_AT_STOP;
}

const char *objective_value(const char *variable, Arena *mem)
{
    return arena_printf(mem, "value(%s)", variable);
}
