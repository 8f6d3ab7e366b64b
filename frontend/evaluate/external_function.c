#include "frontend/evaluate/external_function.h"

#include "frontend/evaluate/resource.h"
#include "frontend/front.h"

#include <ctype.h>
#include <string.h>

typedef struct Call {
    Front *f;
    const char *text[2]; /* the arguments that are Strings, in order */
    double number[2];    /* the others                               */
    uint32_t n_text, n_number;
} Call;

static Value integer(const Call *c, long n)
{
    return value_scalar(c->f->scratch, TYPE_INTEGER, expr_int(c->f->sys->pool, n));
}

static Value string_length(const Call *c)
{
    return integer(c, (long)strlen(c->text[0]));
}

/* Indices outside are replaced by the nearest inside; the second may be missing (-999). */
static Value substring(const Call *c)
{
    long length = (long)strlen(c->text[0]);
    long first = (long)c->number[0];
    long last = (long)c->number[1];
    first = first < 1 ? 1 : first > length ? length : first;
    last = last < first ? first : last > length ? length : last;
    const char *part = length == 0 ? ""
                                   : arena_printf(c->f->scratch, "%.*s", (int)(last - first + 1),
                                                  c->text[0] + first - 1);
    return value_scalar(c->f->scratch, TYPE_STRING,
                        expr_string(c->f->sys->pool, name_of(c->f->names, part)));
}

/* 1: the first comes before the second; 2: they are equal; 3: after */
static Value compare(const Call *c)
{
    const unsigned char *a = (const unsigned char *)c->text[0];
    const unsigned char *b = (const unsigned char *)c->text[1];
    bool exact = c->number[0] != 0;
    while (*a && (exact ? *a == *b : tolower(*a) == tolower(*b))) {
        a++;
        b++;
    }
    int x = exact ? *a : tolower(*a);
    int y = exact ? *b : tolower(*b);
    return integer(c, x < y ? 1 : x == y ? 2 : 3);
}

static Value skip_white_space(const Call *c)
{
    long length = (long)strlen(c->text[0]);
    long at = (long)c->number[0];
    while (at >= 1 && at <= length && isspace((unsigned char)c->text[0][at - 1]))
        at++;
    return integer(c, at);
}

/* MLS 13.5: the file that a URI names; other names are paths. */
static Value resource(const Call *c)
{
    const char *path = NULL;
    if (strncmp(c->text[0], "modelica://", 11) == 0 || strncmp(c->text[0], "file://", 7) == 0)
        path = resource_path(c->f, NULL, c->text[0]);
    return value_scalar(
        c->f->scratch, TYPE_STRING,
        expr_string(c->f->sys->pool, name_of(c->f->names, path ? path : c->text[0])));
}

static const struct {
    const char *name;
    uint32_t n_text, n_number;
    Value (*run)(const Call *c);
} functions[] = {
    {"ModelicaStrings_compare", 2, 1, compare},
    {"ModelicaStrings_length", 1, 0, string_length},
    {"ModelicaStrings_skipWhiteSpace", 1, 1, skip_white_space},
    {"ModelicaStrings_substring", 1, 2, substring},
    {"rung_resource", 1, 0, resource},
};

bool external_is_known(const char *name)
{
    for (size_t k = 0; k < sizeof functions / sizeof *functions; k++)
        if (strcmp(functions[k].name, name) == 0)
            return true;
    return false;
}

bool external_evaluate(Front *f, const char *name, uint32_t n, const Value *arg, Value *out)
{
    Call c = {.f = f};
    for (uint32_t k = 0; k < n; k++) {
        ExprId x;
        if (!value_is_scalar(&arg[k]) || !expr_exists(arg[k].elem[0]) ||
            !structural_value(f, arg[k].elem[0], &x))
            return false;
        if (arg[k].type == TYPE_STRING) {
            if (c.n_text == 2 || expr_op(f->sys->pool, x) != OP_STRING)
                return false;
            c.text[c.n_text++] = expr_text_of(f->sys->pool, x).s;
        } else if (c.n_number == 2 || !expr_constant(f->sys->pool, x, &c.number[c.n_number++])) {
            return false;
        }
    }
    for (size_t k = 0; k < sizeof functions / sizeof *functions; k++)
        if (strcmp(functions[k].name, name) == 0 && functions[k].n_text == c.n_text &&
            functions[k].n_number == c.n_number) {
            *out = functions[k].run(&c);
            return true;
        }
    return false;
}
