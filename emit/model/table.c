#include "emit/model/table.h"

#include "base/hash.h"
#include "runtime/kernel/rung_table.h"

Tables tables_new(Text *out, Arena *mem)
{
    return (Tables){.mem = mem,
                    .out = out,
                    .fill = text_new(mem),
                    .pattern = text_new(mem),
                    .pattern_of = map_new(mem),
                    .value_of = map_new(mem)};
}

Repeats table_repeats(uint32_t n, const uint64_t *token, Arena *mem)
{
    enum { SAVE = 8, LONGEST = 1 << 16 };
    Repeats r = {0};
    if (n > SAVE)
        repeat_find(n, token, SAVE, LONGEST, mem, &r);
    return r;
}

Repeats table_steady(uint32_t n, const uint32_t *value, Arena *mem)
{
    uint64_t *token = arena_array(mem, uint64_t, n + 1);
    for (uint32_t k = 0; k + 1 < n; k++)
        token[k] = value[k + 1] - value[k];
    return table_repeats(n, token, mem);
}

/* ------------------------------------------------------------------ sequences of numbers */

/* Text under way, in rows that are string literals. */
typedef struct Rows {
    Text text;
    uint32_t used;
    uint32_t n;
} Rows;

static void put_digits(Rows *r, uint32_t value)
{
    enum { LONGEST = 7 };
    char text[LONGEST];
    uint32_t n = 0;
    do {
        int c = '$' + (int)((value & 31) | (value >> 5 ? 32 : 0));
        c += c >= '?';
        c += c >= '\\';
        text[n++] = (char)c;
    } while (value >>= 5);
    for (uint32_t k = 0; k < n; k++) {
        if (r->used == RUNG_ROW - 1 || !r->n) {
            text_put(&r->text, r->n ? "\",\n    \"" : "    \"");
            r->used = 0;
            r->n++;
        }
        text_put_n(&r->text, &text[k], 1);
        r->used++;
    }
}

/* How many periods, at most `most`, advance by constants. */
static uint32_t even(const uint32_t *value, uint32_t period, uint32_t most)
{
    const uint64_t p = period;
    for (uint64_t k = 2 * p; k < most * p; k++)
        if (value[k] - value[k - p] != value[k - p] - value[k - 2 * p])
            return (uint32_t)(k / p);
    return most;
}

/* The period may be a multiple of the rows' period, as kinds of bodies or directions of axes
 * alternate. Returns how many periods advance by constants; 0: none. */
static uint32_t best_period(const uint32_t *value, Repeat r, uint32_t *period)
{
    enum { KINDS = 4 };
    for (uint32_t k = 1; k <= KINDS; k++) {
        *period = k * r.period;
        uint32_t most = (r.end - r.begin) / *period;
        uint32_t count = most < 3 ? 0 : even(value + r.begin, *period, most);
        if (count >= 3)
            return count;
    }
    return 0;
}

static void put_plain(Rows *r, const uint32_t *value, uint32_t n)
{
    if (!n)
        return;
    put_digits(r, 1);
    put_digits(r, n);
    for (uint32_t k = 0; k < n; k++)
        put_digits(r, value[k]);
}

static void put_even(Rows *r, const uint32_t *value, uint32_t period, uint32_t count)
{
    put_digits(r, count);
    put_digits(r, period);
    for (uint32_t j = 0; j < period; j++) {
        put_digits(r, value[j]);
        put_digits(r, value[j + period] - value[j]);
    }
}

/* Writes a sequence in the format of rung_next. Returns the name of the array. */
static const char *put_sequence(Tables *t, uint32_t n, const uint32_t *value,
                                const Repeats *repeats)
{
    Rows r = {.text = text_new(t->mem)};
    uint32_t plain = 0; // the first number not written yet
    for (uint32_t k = 0; k < repeats->n; k++) {
        Repeat it = repeats->at[k];
        while (it.begin + 3 * (uint64_t)it.period <= it.end) {
            uint32_t period, count = best_period(value, it, &period);
            if (count) {
                put_plain(&r, value + plain, it.begin - plain);
                put_even(&r, value + it.begin, period, count);
                plain = it.begin += count * period;
            } else {
                // the first period may differ
                it.begin += it.period;
            }
        }
    }
    put_plain(&r, value + plain, n - plain);
    const char *name = arena_printf(t->mem, "sequence_%u", ++t->n);
    // most sequences are short: a row alone is as long as its text
    uint32_t width = r.n == 1 ? r.used + 1 : (uint32_t)RUNG_ROW;
    text_printf(t->out, "\nstatic const char %s[%u][%u] = {\n", name, r.n, width);
    text_put_n(t->out, r.text.at, r.text.n);
    text_put(t->out, "\",\n};\n");
    return name;
}

void table_numbers(Tables *t, TableColumn to, const uint32_t *value)
{
    if (!to.n)
        return;
    text_printf(&t->fill, "    rung_fill(&%s, %s, %uu, %s[0]);\n", to.to, to.step, to.n,
                put_sequence(t, to.n, value, to.repeats));
}

static uint32_t value_number(Tables *t, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint32_t k = map_number(&t->value_of, bits, t->value.n);
    if (k == t->value.n)
        vec_push(t->mem, t->value, value);
    return k;
}

void table_values(Tables *t, TableColumn to, const double *value)
{
    if (!to.n)
        return;
    uint32_t *number = arena_array(t->mem, uint32_t, to.n);
    for (uint32_t k = 0; k < to.n; k++)
        number[k] = value_number(t, value[k]);
    text_printf(&t->fill, "    rung_fill_values(&%s, %s, %uu, %s[0], value);\n", to.to, to.step,
                to.n, put_sequence(t, to.n, number, to.repeats));
}

/* ------------------------------------------------------------------ texts */

/* The place behind the digits of a subscript that begins at s; NULL if there is none. */
static const char *subscript(const char *s, uint32_t *number)
{
    enum { DIGITS = 9 };
    const char *p = s;
    for (*number = 0; *p >= '0' && *p <= '9' && p - s < DIGITS; p++)
        *number = 10 * *number + (uint32_t)(*p - '0');
    bool ends = *p == ']' || *p == ',';
    return p > s && ends && (*s != '0' || p == s + 1) ? p : NULL;
}

/* Whether a number stands at s, in a text that begins at `begin`. */
static const char *marked(const char *begin, const char *s, uint32_t *number)
{
    return s > begin && (s[-1] == '[' || s[-1] == ',') ? subscript(s, number) : NULL;
}

uint64_t table_shape(const char *text)
{
    uint64_t shape = HASH_NO_BYTES;
    for (const char *s = text; *s;) {
        uint32_t number;
        const char *end = marked(text, s, &number);
        shape = hash_byte(shape, (unsigned char)(end ? RUNG_MARK : *s));
        s = end ? end : s + 1;
    }
    return shape;
}

static uint32_t add_pattern(Tables *t, uint64_t key, const char *s, size_t n)
{
    if (!t->pattern.n || t->end % RUNG_ROW + n + 1 >= RUNG_ROW) {
        text_put(&t->pattern, t->pattern.n ? "\",\n    \"" : "    \"");
        t->end = (t->end + RUNG_ROW - 1) / RUNG_ROW * RUNG_ROW;
    }
    map_put(&t->pattern_of, key, t->known.n);
    vec_push(t->mem, t->known, ((KnownPattern){arena_copy(t->mem, s, n), n, (uint32_t)t->end}));
    text_quoted(&t->pattern, s, n);
    text_put(&t->pattern, "\\000");
    t->end += n + 1;
    return vec_last(t->known).place;
}

/* The place of a pattern among all, each within one literal. */
static uint32_t place_of(Tables *t, uint64_t key, const char *s, size_t n)
{
    for (;; key = hash_pair(key, n)) {
        uint32_t k = map_get(&t->pattern_of, key);
        if (k == MAP_NONE)
            return add_pattern(t, key, s, n);
        if (t->known.at[k].n == n && !memcmp(t->known.at[k].text, s, n))
            return t->known.at[k].place;
    }
}

uint64_t table_text(Tables *t, Patterns *p, const char *text)
{
    enum { LONGEST = RUNG_ROW - 128 };
    char pattern[LONGEST + 1];
    Pattern it = {.first = p->number.n};
    uint64_t shape = HASH_NO_BYTES;
    size_t n = 0;
    const char *s = text;
    while (*s && n < LONGEST) {
        uint32_t number;
        const char *end = marked(text, s, &number);
        if (end) {
            vec_push(t->mem, p->number, number);
            it.n++;
        }
        // no name and no path holds the mark
        pattern[n] = end ? RUNG_MARK : *s == RUNG_MARK ? ' ' : *s;
        shape = hash_byte(shape, (unsigned char)pattern[n++]);
        s = end ? end : s + 1;
    }
    p->size += (size_t)(s - text) + 1;
    p->marked += it.n ? (size_t)(s - text) + 1 : 0;
    it.place = place_of(t, shape, pattern, n);
    vec_push(t->mem, p->at, it);
    return shape;
}

/* The repeats of the rows as those of the numbers in their texts. */
static Repeats repeats_of_numbers(const Patterns *p, const Repeats *r, Arena *mem)
{
    Repeats of = {0};
    for (uint32_t k = 0; k < r->n; k++) {
        Repeat it = r->at[k];
        uint32_t begin = p->at.at[it.begin].first;
        uint32_t end = it.end < p->at.n ? p->at.at[it.end].first : p->number.n;
        uint32_t period = p->at.at[it.begin + it.period].first - begin;
        if (period)
            vec_push(mem, of, ((Repeat){begin, end, period}));
    }
    return of;
}

void table_texts(Tables *t, TableColumn to, const Patterns *p, const char *buffer, bool is_offset)
{
    if (!to.n)
        return;
    uint32_t *place = arena_array(t->mem, uint32_t, to.n);
    for (uint32_t k = 0; k < to.n; k++)
        place[k] = p->at.at[k].place;
    const char *which = put_sequence(t, to.n, place, to.repeats);
    const char *number = "\"\"";
    if (p->number.n) {
        Repeats of = repeats_of_numbers(p, to.repeats, t->mem);
        number = arena_printf(t->mem, "%s[0]", put_sequence(t, p->number.n, p->number.at, &of));
    }
    text_printf(t->out, "\nstatic char %s[%zu];\n", buffer, is_offset ? p->size : p->marked + 1);
    text_printf(&t->fill,
                "    %s(&%s, %s, %uu,\n        (RungTexts){%s, pattern[0], %s[0], %s});\n",
                is_offset ? "rung_fill_offsets" : "rung_fill_texts", to.to, to.step, to.n, buffer,
                which, number);
}

/* ------------------------------------------------------------------ arrays */

/* The array itself; where it begins. */
static TableColumn declare(Tables *t, const char *type, const char *name, uint32_t n,
                           const Repeats *repeats)
{
    text_printf(t->out, "\nstatic %s%s[%u];\n", type, name, n ? n : 1);
    return (TableColumn){.to = arena_printf(t->mem, "%s[0]", name),
                         .step = arena_printf(t->mem, "sizeof *%s", name),
                         .n = n,
                         .repeats = repeats};
}

void table_indices(Tables *t, const char *name, uint32_t n, const uint32_t *value,
                   const Repeats *repeats)
{
    Repeats steady = repeats ? *repeats : table_steady(n, value, t->mem);
    table_numbers(t, declare(t, "uint32_t ", name, n, &steady), value);
}

void table_doubles(Tables *t, const char *name, uint32_t n, const double *value,
                   const Repeats *repeats)
{
    table_values(t, declare(t, "double ", name, n, repeats), value);
}

void table_strings(Tables *t, const char *name, uint32_t n, const char *const *text,
                   const Repeats *repeats)
{
    Patterns patterns = {0};
    uint64_t *token = arena_array(t->mem, uint64_t, n + 1);
    for (uint32_t k = 0; k < n; k++)
        token[k] = table_text(t, &patterns, text[k]);
    Repeats alike = repeats ? *repeats : table_repeats(n, token, t->mem);
    table_texts(t, declare(t, "const char *", name, n, &alike), &patterns,
                arena_printf(t->mem, "%s_text", name), false);
}

void tables_done(Tables *t, const char *name)
{
    if (t->pattern.n) {
        text_printf(t->out, "\nstatic const char pattern[%zu][%d] = {\n",
                    (t->end + RUNG_ROW - 1) / RUNG_ROW, RUNG_ROW);
        text_put_n(t->out, t->pattern.at, t->pattern.n);
        text_put(t->out, "\",\n};\n");
    }
    if (t->value.n) {
        text_printf(t->out, "\nstatic const double value[%u] = {", t->value.n);
        for (uint32_t k = 0; k < t->value.n; k++) {
            text_put(t->out, k % 8 ? " " : "\n    ");
            text_number(t->out, t->value.at[k]);
            text_put(t->out, ",");
        }
        text_put(t->out, "\n};\n");
    }
    text_printf(
        t->out,
        "\nvoid %s(void)\n{\n    static int is_filled;\n    if (is_filled)\n        return;\n",
        name);
    if (t->fill.n)
        text_put_n(t->out, t->fill.at, t->fill.n);
    text_put(t->out, "    is_filled = 1;\n}\n");
}
