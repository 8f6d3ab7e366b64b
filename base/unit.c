#include "base/unit.h"

#include "base/spelling.h"
#include "base/text.h"

#include <math.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

typedef struct Symbol {
    const char *name;
    UnitOfMeasure unit;
    bool has_prefixes;
} Symbol;

static const double PI = 3.14159265358979323846;

// clang-format off
/* The SI, and units used beside it (SI brochure, tables 2, 4 and 8). */
static const Symbol symbols[] = {
    /*         kg   m   s   A   K mol  cd rad */
    {"g",    {{ 1,  0,  0,  0,  0,  0,  0,  0}, 1e-3, 0}, true},
    {"m",    {{ 0,  1,  0,  0,  0,  0,  0,  0}, 1, 0}, true},
    {"s",    {{ 0,  0,  1,  0,  0,  0,  0,  0}, 1, 0}, true},
    {"A",    {{ 0,  0,  0,  1,  0,  0,  0,  0}, 1, 0}, true},
    {"K",    {{ 0,  0,  0,  0,  1,  0,  0,  0}, 1, 0}, true},
    {"mol",  {{ 0,  0,  0,  0,  0,  1,  0,  0}, 1, 0}, true},
    {"cd",   {{ 0,  0,  0,  0,  0,  0,  1,  0}, 1, 0}, true},
    {"rad",  {{ 0,  0,  0,  0,  0,  0,  0,  1}, 1, 0}, true},
    {"sr",   {{ 0,  0,  0,  0,  0,  0,  0,  2}, 1, 0}, true},
    {"Hz",   {{ 0,  0, -1,  0,  0,  0,  0,  0}, 1, 0}, true},
    {"N",    {{ 1,  1, -2,  0,  0,  0,  0,  0}, 1, 0}, true},
    {"Pa",   {{ 1, -1, -2,  0,  0,  0,  0,  0}, 1, 0}, true},
    {"J",    {{ 1,  2, -2,  0,  0,  0,  0,  0}, 1, 0}, true},
    {"W",    {{ 1,  2, -3,  0,  0,  0,  0,  0}, 1, 0}, true},
    {"C",    {{ 0,  0,  1,  1,  0,  0,  0,  0}, 1, 0}, true},
    {"V",    {{ 1,  2, -3, -1,  0,  0,  0,  0}, 1, 0}, true},
    {"F",    {{-1, -2,  4,  2,  0,  0,  0,  0}, 1, 0}, true},
    {"Ohm",  {{ 1,  2, -3, -2,  0,  0,  0,  0}, 1, 0}, true},
    {"S",    {{-1, -2,  3,  2,  0,  0,  0,  0}, 1, 0}, true},
    {"Wb",   {{ 1,  2, -2, -1,  0,  0,  0,  0}, 1, 0}, true},
    {"T",    {{ 1,  0, -2, -1,  0,  0,  0,  0}, 1, 0}, true},
    {"H",    {{ 1,  2, -2, -2,  0,  0,  0,  0}, 1, 0}, true},
    {"lm",   {{ 0,  0,  0,  0,  0,  0,  1,  2}, 1, 0}, true},
    {"lx",   {{ 0, -2,  0,  0,  0,  0,  1,  2}, 1, 0}, true},
    {"Bq",   {{ 0,  0, -1,  0,  0,  0,  0,  0}, 1, 0}, true},
    {"Gy",   {{ 0,  2, -2,  0,  0,  0,  0,  0}, 1, 0}, true},
    {"Sv",   {{ 0,  2, -2,  0,  0,  0,  0,  0}, 1, 0}, true},
    {"kat",  {{ 0,  0, -1,  0,  0,  1,  0,  0}, 1, 0}, true},
    {"degC", {{ 0,  0,  0,  0,  1,  0,  0,  0}, 1, 273.15}, false},
    {"degF", {{ 0,  0,  0,  0,  1,  0,  0,  0}, 5.0 / 9, 459.67 * 5 / 9}, false},
    {"degRk",{{ 0,  0,  0,  0,  1,  0,  0,  0}, 5.0 / 9, 0}, false},
    {"deg",  {{ 0,  0,  0,  0,  0,  0,  0,  1}, PI / 180, 0}, false},
    {"rev",  {{ 0,  0,  0,  0,  0,  0,  0,  1}, 2 * PI, 0}, false},
    {"rpm",  {{ 0,  0, -1,  0,  0,  0,  0,  1}, PI / 30, 0}, false},
    {"min",  {{ 0,  0,  1,  0,  0,  0,  0,  0}, 60, 0}, false},
    {"h",    {{ 0,  0,  1,  0,  0,  0,  0,  0}, 3600, 0}, false},
    {"d",    {{ 0,  0,  1,  0,  0,  0,  0,  0}, 86400, 0}, false},
    {"l",    {{ 0,  3,  0,  0,  0,  0,  0,  0}, 1e-3, 0}, true},
    {"L",    {{ 0,  3,  0,  0,  0,  0,  0,  0}, 1e-3, 0}, true},
    {"t",    {{ 1,  0,  0,  0,  0,  0,  0,  0}, 1e3, 0}, true},
    {"bar",  {{ 1, -1, -2,  0,  0,  0,  0,  0}, 1e5, 0}, true},
    {"eV",   {{ 1,  2, -2,  0,  0,  0,  0,  0}, 1.602176634e-19, 0}, true},
    {"VA",   {{ 1,  2, -3,  0,  0,  0,  0,  0}, 1, 0}, true},
    {"var",  {{ 1,  2, -3,  0,  0,  0,  0,  0}, 1, 0}, true},
    {"Wh",   {{ 1,  2, -2,  0,  0,  0,  0,  0}, 3600, 0}, true},
    {"Da",   {{ 1,  0,  0,  0,  0,  0,  0,  0}, 1.66053906660e-27, 0}, true},
    {"ha",   {{ 0,  2,  0,  0,  0,  0,  0,  0}, 1e4, 0}, false},
    {"cal",  {{ 1,  2, -2,  0,  0,  0,  0,  0}, 4.184, 0}, true},
    {"Btu",  {{ 1,  2, -2,  0,  0,  0,  0,  0}, 1055.05585262, 0}, false},
    {"atm",  {{ 1, -1, -2,  0,  0,  0,  0,  0}, 101325, 0}, false},
    {"psi",  {{ 1, -1, -2,  0,  0,  0,  0,  0}, 6894.757293168361, 0}, false},
    {"Torr", {{ 1, -1, -2,  0,  0,  0,  0,  0}, 101325.0 / 760, 0}, false},
    {"mmHg", {{ 1, -1, -2,  0,  0,  0,  0,  0}, 133.322387415, 0}, false},
    {"in",   {{ 0,  1,  0,  0,  0,  0,  0,  0}, 0.0254, 0}, false},
    {"ft",   {{ 0,  1,  0,  0,  0,  0,  0,  0}, 0.3048, 0}, false},
    {"mi",   {{ 0,  1,  0,  0,  0,  0,  0,  0}, 1609.344, 0}, false},
    {"lb",   {{ 1,  0,  0,  0,  0,  0,  0,  0}, 0.45359237, 0}, false},
    {"lbf",  {{ 1,  1, -2,  0,  0,  0,  0,  0}, 4.4482216152605, 0}, false},
    {"debye",{{ 0,  1,  1,  1,  0,  0,  0,  0}, 3.33564e-30, 0}, false},
};

static const struct {
    const char *name;
    double factor;
} prefixes[] = {
    {"da", 1e1}, {"y", 1e-24}, {"z", 1e-21}, {"a", 1e-18}, {"f", 1e-15}, {"p", 1e-12}, {"n", 1e-9},
    {"u", 1e-6}, {"m", 1e-3}, {"c", 1e-2}, {"d", 1e-1}, {"h", 1e2}, {"k", 1e3}, {"M", 1e6},
    {"G", 1e9}, {"T", 1e12}, {"P", 1e15}, {"E", 1e18}, {"Z", 1e21}, {"Y", 1e24},
};
// clang-format on

/* Logarithms, loudness, money and shares, which are no products of base units. */
static const char *const others[] = {"dB", "B",   "Np",  "phon", "sone", "ppm", "ppb", "%",
                                     "pH", "USD", "EUR", "bit",  "Bd",   "px",  "mag"};

/* Words for symbols. */
static const struct {
    const char *word, *symbol;
} words[] = {
    {"second", "s"},    {"seconds", "s"},    {"sec", "s"},           {"minute", "min"},
    {"minutes", "min"}, {"hour", "h"},       {"hours", "h"},         {"hr", "h"},
    {"day", "d"},       {"days", "d"},       {"meter", "m"},         {"metre", "m"},
    {"meters", "m"},    {"gram", "g"},       {"kilogram", "kg"},     {"kilo", "kg"},
    {"newton", "N"},    {"pascal", "Pa"},    {"watt", "W"},          {"joule", "J"},
    {"volt", "V"},      {"ampere", "A"},     {"amp", "A"},           {"amps", "A"},
    {"kelvin", "K"},    {"celsius", "degC"}, {"fahrenheit", "degF"}, {"hertz", "Hz"},
    {"degree", "deg"},  {"degrees", "deg"},  {"radian", "rad"},      {"radians", "rad"},
    {"liter", "l"},     {"litre", "l"},      {"inch", "in"},         {"foot", "ft"},
    {"mile", "mi"},     {"percent", "1"},    {"turn", "rev"},        {"oC", "degC"},
    {"°C", "degC"},     {"°", "deg"},        {"Ω", "Ohm"},           {"Ω", "Ohm"},
    {"C°", "degC"},
};

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '%';
}

static const Symbol *find(const char *text, size_t n)
{
    for (size_t k = 0; k < sizeof symbols / sizeof *symbols; k++)
        if (strlen(symbols[k].name) == n && strncmp(symbols[k].name, text, n) == 0)
            return &symbols[k];
    return NULL;
}

static bool read_symbol(const char *text, size_t n, UnitOfMeasure *out)
{
    const Symbol *s = find(text, n);
    if (s) {
        *out = s->unit;
        return true;
    }
    for (size_t k = 0; k < sizeof prefixes / sizeof *prefixes; k++) {
        size_t p = strlen(prefixes[k].name);
        s = p < n && strncmp(prefixes[k].name, text, p) == 0 ? find(text + p, n - p) : NULL;
        if (s && s->has_prefixes) {
            *out = s->unit;
            out->factor *= prefixes[k].factor;
            return true;
        }
    }
    return false;
}

/* a := a * b^power; a unit with an offset stands alone. */
static void multiply(UnitOfMeasure *a, const UnitOfMeasure *b, int power, bool alone)
{
    for (int k = 0; k < BASE_UNITS; k++)
        a->power[k] += power * b->power[k];
    a->factor *= power == 1 ? b->factor : power == -1 ? 1 / b->factor : pow(b->factor, power);
    a->offset = alone ? b->offset : 0;
}

static bool read_product(const char **at, UnitOfMeasure *out, int depth);

static bool read_factor(const char **at, UnitOfMeasure *out, int *power, int depth)
{
    const char *c = *at;
    *out = (UnitOfMeasure){.factor = 1};
    *power = 1;
    if (*c == '(') {
        c++;
        if (depth > 20 || !read_product(&c, out, depth + 1) || *c++ != ')')
            return false;
    } else if (*c == '1') {
        c++;
    } else {
        size_t n = 0;
        while (is_letter(c[n]))
            n++;
        if (!n || !read_symbol(c, n, out))
            return false;
        c += n;
    }
    int sign = *c == '-' ? -1 : 1;
    c += *c == '-' || *c == '+';
    if (*c >= '0' && *c <= '9') {
        int value = 0;
        for (; *c >= '0' && *c <= '9' && value < 100; c++)
            value = 10 * value + (*c - '0');
        *power = sign * value;
    } else if (c[-1] == '-' || c[-1] == '+') {
        return false;
    }
    *at = c;
    return true;
}

static bool read_product(const char **at, UnitOfMeasure *out, int depth)
{
    const char *begin = *at;
    *out = (UnitOfMeasure){.factor = 1};
    for (int times = 1;;) {
        UnitOfMeasure f;
        int power;
        bool first = *at == begin;
        if (!read_factor(at, &f, &power, depth))
            return false;
        multiply(out, &f, times * power, first && times == 1 && power == 1 && !**at);
        if (**at == '.')
            times = 1;
        else if (**at == '/')
            times = -1;
        else
            return true;
        ++*at;
    }
}

bool unit_read(const char *text, UnitOfMeasure *out)
{
    return read_product(&text, out, 0) && !*text;
}

bool unit_fits(const UnitOfMeasure *a, const UnitOfMeasure *b)
{
    enum { RAD = BASE_UNITS - 1 };
    return memcmp(a->power, b->power, RAD * sizeof *a->power) == 0;
}

/* ---- the grammar of MLS 19.1, which knows no symbols ---- */

static bool is_of_symbol(char c)
{
    return c && !strchr("0123456789./()*^+- \t\"'", c);
}

static bool skip_expression(const char **at, int depth);

static bool skip_in_parentheses(const char **at, int depth)
{
    ++*at;
    if (depth > 20 || !skip_expression(at, depth + 1) || **at != ')')
        return false;
    ++*at;
    return true;
}

/* A symbol and its exponent: m, s-1, kg+2. */
static bool skip_factor(const char **at)
{
    const char *c = *at;
    while (is_of_symbol(*c))
        c++;
    if (c == *at)
        return false;
    const char *digits = c + (*c == '+' || *c == '-');
    size_t n = strspn(digits, "0123456789");
    if (n == 0 && digits > c)
        return false;
    *at = digits + n;
    return true;
}

/* numerator, numerator/factor, numerator/(expression) */
static bool skip_expression(const char **at, int depth)
{
    bool ok;
    if (**at == '1')
        ok = ++*at;
    else if (**at == '(')
        ok = skip_in_parentheses(at, depth);
    else
        for (ok = skip_factor(at); ok && **at == '.'; ok = skip_factor(at))
            ++*at;
    if (!ok || **at != '/')
        return ok;
    ++*at;
    return **at == '(' ? skip_in_parentheses(at, depth) : skip_factor(at);
}

const char *unit_fault(const char *text)
{
    const char *at = text;
    if (!*text || (skip_expression(&at, 0) && !*at))
        return NULL;
    if (strchr(text, '*') || strchr(text, ' '))
        return "products are written with a dot, N.m";
    if (strchr(text, '^'))
        return "powers are written without a sign between, m2";
    if (*at == '.' || *at == '/')
        return "one symbol stands behind '/', or several in parentheses, J/(kg.K)";
    return "units are written as N.m, m/s2, J/(kg.K)";
}

/* ---- symbols ---- */

static bool is_known(const char *text, size_t n)
{
    UnitOfMeasure m;
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (strlen(others[k]) == n && strncmp(others[k], text, n) == 0)
            return true;
    return read_symbol(text, n, &m);
}

/* "Nm" as "N.m": symbols in a row, the longest first; appended to `out`. */
static bool split(const char *text, Text *out)
{
    if (!*text)
        return true;
    for (size_t n = strlen(text); n > 0; n--) {
        UnitOfMeasure m;
        size_t before = out->n;
        if (!read_symbol(text, n, &m))
            continue;
        text_printf(out, "%s%.*s", before ? "." : "", (int)n, text);
        if (split(text + n, out))
            return true;
        out->n = before;
    }
    return false;
}

static const char *proposed(Arena *mem, const char *symbol)
{
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (strcasecmp(words[k].word, symbol) == 0)
            return words[k].symbol;
    if (strncmp(symbol, "µ", 2) == 0 || strncmp(symbol, "μ", 2) == 0)
        return arena_printf(mem, "u%s", symbol + 2);
    Text t = text_new(mem);
    if (strlen(symbol) <= 6 && split(symbol, &t))
        return t.at;
    /* another case: KG, hz, ohm, RPM */
    for (size_t k = 0; k < sizeof symbols / sizeof *symbols; k++) {
        size_t n = strlen(symbols[k].name), m = strlen(symbol);
        if (strcasecmp(symbols[k].name, symbol) == 0)
            return symbols[k].name;
        for (size_t j = 0; symbols[k].has_prefixes && j < sizeof prefixes / sizeof *prefixes; j++) {
            const char *prefix = prefixes[j].name;
            size_t first = strlen(prefix);
            if (m == first + n && strncasecmp(prefix, symbol, first) == 0 &&
                strcasecmp(symbols[k].name, symbol + first) == 0)
                return arena_printf(mem, "%s%s", prefix, symbols[k].name);
        }
    }
    Spelling s = spelling_of(symbol);
    for (size_t k = 0; strlen(symbol) > 3 && k < sizeof symbols / sizeof *symbols; k++)
        if (strlen(symbols[k].name) > 2)
            spelling_try(&s, symbols[k].name);
    for (size_t k = 0; strlen(symbol) > 3 && k < sizeof words / sizeof *words; k++)
        spelling_try(&s, words[k].word);
    for (size_t k = 0; s.nearest && k < sizeof words / sizeof *words; k++)
        if (strcmp(words[k].word, s.nearest) == 0)
            return words[k].symbol;
    return s.nearest;
}

const char *unit_unknown(Arena *mem, const char *text, const char **nearest)
{
    for (const char *c = text; *c;) {
        size_t n = 0;
        while (is_of_symbol(c[n]))
            n++;
        if (n > 0 && !is_known(c, n)) {
            const char *symbol = arena_printf(mem, "%.*s", (int)n, c);
            *nearest = proposed(mem, symbol);
            return symbol;
        }
        c += n ? n : 1;
    }
    return NULL;
}

const char *unit_shown(const char *unit, const char *display, double *factor, double *offset)
{
    UnitOfMeasure from, to;
    *factor = 1;
    *offset = 0;
    if (!*unit || !*display || strcmp(unit, display) == 0 || !unit_read(unit, &from) ||
        !unit_read(display, &to) || !unit_fits(&from, &to))
        return unit;
    *factor = from.factor / to.factor;
    *offset = (from.offset - to.offset) / to.factor;
    return display;
}
