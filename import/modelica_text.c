#include "import/modelica_text.h"

#include "frontend/syntax/lexer.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool is_reserved(const char *text)
{
#define WORD(id, word) word,
    // the names of predefined types are no names of components (MLS 4.9)
    static const char *const reserved[] = {KEYWORDS(WORD) "time", "Real", "Integer", "Boolean",
                                           "String"};
#undef WORD
    for (size_t k = 0; k < sizeof reserved / sizeof *reserved; k++)
        if (strcmp(text, reserved[k]) == 0)
            return true;
    return false;
}

const char *modelica_name(const char *text, Arena *mem)
{
    bool is_led = !text || (!isalpha((unsigned char)*text) && *text != '_');
    char *name = arena_printf(mem, "%s%s", is_led ? "r_" : "", text ? text : "obot");
    for (char *c = name; *c; c++)
        if (!isalnum((unsigned char)*c) || (unsigned char)*c > 127)
            *c = '_';
    return is_reserved(name) ? arena_printf(mem, "%s_", name) : name;
}

bool modelica_is_name(const char *text)
{
    bool is_name = isalpha((unsigned char)*text) || *text == '_';
    for (const char *c = text; *c && is_name; c++)
        is_name = (isalnum((unsigned char)*c) || *c == '_') && (unsigned char)*c <= 127;
    return is_name && !is_reserved(text);
}

static const char *enclosed(const char *text, char mark, Arena *mem)
{
    char *out = arena_alloc(mem, 2 * strlen(text) + 3), *at = out;
    *at++ = mark;
    for (; *text; text++) {
        if (*text == mark || *text == '\\')
            *at++ = '\\';
        *at++ = *text;
    }
    *at++ = mark;
    *at = 0;
    return out;
}

const char *modelica_identifier(const char *text, Arena *mem)
{
    return modelica_is_name(text) ? text : enclosed(text, '\'', mem);
}

const char *modelica_string(const char *text, Arena *mem)
{
    return enclosed(text, '"', mem);
}

const char *modelica_number(double v, Arena *mem)
{
    char *text = NULL;
    for (int digits = 15; digits <= 17; digits++) {
        text = arena_printf(mem, "%.*g", digits, v == 0 ? 0 : v);
        if (strtod(text, NULL) == v)
            break;
    }
    return text;
}
