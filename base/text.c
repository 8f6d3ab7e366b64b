#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

Text text_new(Arena *mem)
{
    return (Text){.mem = mem};
}

static void reserve(Text *t, size_t more)
{
    if (t->n + more + 1 <= t->cap)
        return;
    size_t cap = t->cap ? t->cap : 256;
    while (cap < t->n + more + 1)
        cap *= 2;
    char *at = arena_alloc(t->mem, cap);
    if (t->n)
        memcpy(at, t->at, t->n);
    t->at = at;
    t->cap = cap;
}

void text_put_n(Text *t, const char *s, size_t n)
{
    reserve(t, n);
    if (n) /* an empty one may be NULL */
        memcpy(t->at + t->n, s, n);
    t->n += n;
    t->at[t->n] = 0;
}

void text_put(Text *t, const char *s)
{
    text_put_n(t, s, strlen(s));
}

void text_printf(Text *t, const char *fmt, ...)
{
    va_list args;
    va_list again;
    va_start(args, fmt);
    va_copy(again, args);
    reserve(t, 64);
    size_t room = t->cap - t->n;
    int n = vsnprintf(t->at + t->n, room, fmt, args);
    if (n > 0 && (size_t)n >= room) {
        reserve(t, (size_t)n);
        vsnprintf(t->at + t->n, (size_t)n + 1, fmt, again);
    }
    if (n > 0)
        t->n += (size_t)n;
    va_end(again);
    va_end(args);
}

void text_clear(Text *t)
{
    t->n = 0;
    if (t->at)
        t->at[0] = 0;
}

void text_put_base64(Text *t, const void *bytes, size_t n)
{
    static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *b = bytes;
    for (size_t k = 0; k < n; k += 3) {
        unsigned bits = (unsigned)b[k] << 16;
        bits |= k + 1 < n ? (unsigned)b[k + 1] << 8 : 0;
        bits |= k + 2 < n ? b[k + 2] : 0;
        char four[4] = {digit[bits >> 18], digit[bits >> 12 & 63], digit[bits >> 6 & 63],
                        digit[bits & 63]};
        if (k + 1 >= n)
            four[2] = '=';
        if (k + 2 >= n)
            four[3] = '=';
        text_put_n(t, four, 4);
    }
}

int text_digits(double value)
{
    enum { MOST = 17 };
    char text[40];
    int digits = 1;
    for (; digits < MOST; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    return digits;
}

bool text_ends_with(const char *s, const char *end)
{
    size_t n = strlen(s), m = strlen(end);
    return n >= m && strcmp(s + n - m, end) == 0;
}
