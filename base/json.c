#include "base/json.h"

#include "base/bug.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

Json json_new(Text *out)
{
    return (Json){.out = out, .indent = -1};
}

static void quoted(Text *t, const char *s)
{
    text_put(t, "\"");
    for (; *s; s++) {
        if (*s == '"' || *s == '\\')
            text_printf(t, "\\%c", *s);
        else if ((unsigned char)*s < 32)
            text_printf(t, "\\u%04x", *s);
        else
            text_put_n(t, s, 1);
    }
    text_put(t, "\"");
}

static bool line(Json *j)
{
    if (j->indent < 0)
        return false;
    text_printf(j->out, "\n%*s", j->indent, "");
    j->indent = -1;
    return true;
}

/* Writes the separator before a value: comma, new line or space, name. */
static void begin(Json *j, const char *name)
{
    bool *begun = j->depth ? &j->begun[j->depth - 1] : NULL;
    if (begun && *begun)
        text_put(j->out, ",");
    if (!line(j) && begun && *begun)
        text_put(j->out, " ");
    if (begun)
        *begun = true;
    if ((name != NULL) != (j->depth && j->closing[j->depth - 1] == '}'))
        bug("json: a member of an object without a name, or a name elsewhere");
    if (name) {
        quoted(j->out, name);
        text_put(j->out, ": ");
    }
}

static void open(Json *j, const char *name, const char *bracket, char closing)
{
    begin(j, name);
    text_put(j->out, bracket);
    if (j->depth == JSON_DEPTH)
        bug("json: more than %d objects in each other", JSON_DEPTH);
    j->closing[j->depth] = closing;
    j->begun[j->depth++] = false;
}

void json_object(Json *j, const char *name)
{
    open(j, name, "{", '}');
}

void json_array(Json *j, const char *name)
{
    open(j, name, "[", ']');
}

void json_close(Json *j)
{
    if (!j->depth)
        bug("json: nothing is open");
    line(j);
    text_put_n(j->out, &j->closing[--j->depth], 1);
}

void json_text(Json *j, const char *name, const char *value)
{
    begin(j, name);
    quoted(j->out, value);
}

void json_count(Json *j, const char *name, uint64_t value)
{
    begin(j, name);
    text_printf(j->out, "%" PRIu64, value);
}

void json_number(Json *j, const char *name, double value, int digits)
{
    begin(j, name);
    if (isfinite(value))
        text_printf(j->out, "%.*g", digits, value);
    else
        text_put(j->out, "null");
}

void json_bool(Json *j, const char *name, bool value)
{
    begin(j, name);
    text_put(j->out, value ? "true" : "false");
}

void json_line(Json *j, int indent)
{
    j->indent = indent;
}
