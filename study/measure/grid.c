#include "study/measure/grid.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* mantissa * 10^exponent, exactly as it is written: steps of 0.1 stay exact */
typedef struct Decimal {
    long long mantissa;
    int exponent;
} Decimal;

static const long long MOST = 1000000000000000;

static bool read_decimal(const char *text, Decimal *out)
{
    *out = (Decimal){0, 0};
    const char *at = text + strspn(text, " ");
    bool minus = *at == '-', dot = false, digits = false;
    for (at += *at == '-' || *at == '+'; (*at >= '0' && *at <= '9') || (*at == '.' && !dot); at++) {
        dot = dot || *at == '.';
        if (*at == '.')
            continue;
        digits = true;
        out->mantissa = 10 * out->mantissa + (*at - '0');
        out->exponent -= dot;
        if (out->mantissa >= MOST)
            return false;
    }
    if (digits && (*at == 'e' || *at == 'E')) {
        char *end;
        long e = strtol(at + 1, &end, 10);
        if (end == at + 1 || e < -300 || e > 300)
            return false;
        out->exponent += (int)e;
        at = end;
    }
    if (minus)
        out->mantissa = -out->mantissa;
    return digits && at[strspn(at, " ")] == 0;
}

/* Scales the three mantissas to a common exponent. */
static bool scale(Decimal d[3])
{
    int least = d[0].exponent;
    for (int k = 1; k < 3; k++)
        if (d[k].exponent < least)
            least = d[k].exponent;
    for (int k = 0; k < 3; k++)
        for (; d[k].exponent > least; d[k].exponent--) {
            d[k].mantissa *= 10;
            if (llabs(d[k].mantissa) >= MOST)
                return false;
        }
    return true;
}

static const char *decimal_text(long long mantissa, int exponent, Arena *mem)
{
    for (; exponent < 0 && mantissa % 10 == 0; exponent++)
        mantissa /= 10;
    if (mantissa == 0 || exponent == 0)
        return arena_printf(mem, "%lld", mantissa);
    if (exponent > 0 || exponent < -15)
        return arena_printf(mem, "%llde%d", mantissa, exponent);
    long long one = 1;
    for (int k = 0; k < -exponent; k++)
        one *= 10;
    return arena_printf(mem, "%s%lld.%0*lld", mantissa < 0 ? "-" : "", llabs(mantissa / one),
                        -exponent, llabs(mantissa % one));
}

/* Appends the values that "..." stands for, up to the value `last` after it: a geometric sequence
 * from the two values before it if that reaches `last`, else an arithmetic one. */
static const char *go_on(GridAxis *a, Arena *mem, const char *last)
{
    static const char *const wanted = "\"...\" needs two numbers before it and one after it";
    Decimal d[3];
    uint32_t n = a->value.n;
    if (n < 2 || !read_decimal(a->value.at[n - 2], &d[0]) ||
        !read_decimal(a->value.at[n - 1], &d[1]) || !read_decimal(last, &d[2]) || !scale(d))
        return wanted;
    long long x = d[0].mantissa, y = d[1].mantissa, z = d[2].mantissa;
    if (x == y || (x < y ? y > z : y < z))
        return arena_printf(mem,
                            "the range is empty: from %s by way of %s the range does not reach %s",
                            a->value.at[n - 2], a->value.at[n - 1], last);
    long long factor = x > 0 && y % x == 0 ? y / x : 0;
    long long reached = y;
    while (factor > 1 && reached <= z / factor)
        reached *= factor;
    bool geometric = factor > 1 && reached == z;
    bool up = x < y;
    for (long long v = geometric ? y * factor : y + (y - x); up ? v < z : v > z;
         v = geometric ? v * factor : v + (y - x)) {
        vec_push(mem, a->value, decimal_text(v, d[0].exponent, mem));
        if (a->value.n > GRID_MOST)
            return "the range has too many values";
    }
    return NULL;
}

/* Letters, digits, dots between them; whole numbers in brackets. */
static bool is_name(const char *s, size_t n)
{
    int depth = 0;
    for (size_t k = 0; k < n; k++) {
        bool letter = (s[k] >= 'a' && s[k] <= 'z') || (s[k] >= 'A' && s[k] <= 'Z') || s[k] == '_';
        bool digit = s[k] >= '0' && s[k] <= '9';
        depth += (s[k] == '[') - (s[k] == ']');
        bool bracket = s[k] == '[' || s[k] == ']' || (s[k] == ',' && depth > 0);
        if (depth < 0 || depth > 1 || (!letter && !(k > 0 && (digit || s[k] == '.' || bracket))))
            return false;
    }
    return n > 0 && depth == 0;
}

const char *grid_read_name(const char *text, const char **name, Arena *mem)
{
    const char *equals = strchr(text, '=');
    if (!equals || !is_name(text, (size_t)(equals - text)))
        return NULL;
    *name = arena_copy(mem, text, (size_t)(equals - text));
    return equals + 1;
}

const char *grid_read_axis(GridAxis *a, const char *text, Arena *mem)
{
    const char *at = grid_read_name(text, &a->name, mem);
    if (!at)
        return "it has no name before '='";
    if (!*at)
        return "there is no value";
    bool dots = false;
    for (;; at++) {
        size_t n = strcspn(at, ",");
        const char *value = arena_copy(mem, at, n);
        at += n;
        if (n == 0)
            return "there is no value between two commas, or after the last one";
        if (strcmp(value, "...") == 0) {
            if (dots || !*at)
                return "\"...\" needs two numbers before it and one after it";
            dots = true;
            continue;
        }
        const char *why = dots ? go_on(a, mem, value) : NULL;
        if (why)
            return why;
        // the end of the range was its last value before the dots, as in 1,2,...,2
        if (!dots || strcmp(value, a->value.at[a->value.n - 1]) != 0)
            vec_push(mem, a->value, value);
        dots = false;
        if (!*at)
            return NULL;
    }
}

/* Each of which is a compilation. */
enum { MAX_POINTS = 10000 };

bool grid_read(Grid *g, const Texts *axes, Arena *mem)
{
    *g = (Grid){.n_axes = axes->n, .n_points = 1};
    g->axis = arena_array(mem, GridAxis, g->n_axes);
    for (uint32_t k = 0; k < g->n_axes; k++) {
        const char *why = grid_read_axis(&g->axis[k], axes->at[k], mem);
        if (why) {
            fprintf(stderr,
                    "rung: --sweep needs values of a parameter, like n=1,2,4 or n=1,2,4,...,64,"
                    " not '%s': %s\n",
                    axes->at[k], why);
            return false;
        }
        if (g->axis[k].value.n > MAX_POINTS / g->n_points) {
            fprintf(stderr, "rung: --sweep has more than %d points\n", MAX_POINTS);
            return false;
        }
        g->n_points *= g->axis[k].value.n;
    }
    return true;
}

const char *grid_value(const Grid *g, uint32_t point, uint32_t axis)
{
    for (uint32_t k = g->n_axes; k-- > axis + 1;)
        point /= g->axis[k].value.n;
    return g->axis[axis].value.at[point % g->axis[axis].value.n];
}

static const char *modified(const char *model, uint32_t n, const char *const *name,
                            const char *const *value, Arena *mem)
{
    if (n == 0)
        return model;
    size_t length = strlen(model);
    while (length > 0 && model[length - 1] == ' ')
        length--;
    bool modified = length > 0 && model[length - 1] == ')';
    size_t kept = modified ? length - 1 : length;
    bool first = !modified || (kept > 0 && model[kept - 1] == '(');
    const char *text = arena_printf(mem, "%.*s%s", (int)kept, model, modified ? "" : "(");
    for (uint32_t k = 0; k < n; k++)
        text = arena_printf(mem, "%s%s%s=%s", text, k > 0 || !first ? ", " : "", name[k], value[k]);
    return arena_printf(mem, "%s)", text);
}

const char *grid_model(const Grid *g, uint32_t point, const char *model, Arena *mem)
{
    const char **name = arena_array(mem, const char *, g->n_axes + 1);
    const char **value = arena_array(mem, const char *, g->n_axes + 1);
    for (uint32_t k = 0; k < g->n_axes; k++) {
        name[k] = g->axis[k].name;
        value[k] = grid_value(g, point, k);
    }
    return modified(model, g->n_axes, name, value, mem);
}
