#include "emit/code/quote.h"

#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

void text_number(Text *t, double value)
{
    char s[40];
    if (isnan(value) || isinf(value)) {
        text_put(t, isnan(value) ? "NAN" : value < 0 ? "-HUGE_VAL" : "HUGE_VAL");
        return;
    }
    // 15 digits, which all numbers have: 1e5 in full
    int digits = text_digits(value);
    snprintf(s, sizeof s, "%.*g", digits > DBL_DIG ? digits : DBL_DIG, value);
    if (!strpbrk(s, ".e"))
        strcat(s, ".0");
    text_put(t, s);
}

void text_quoted(Text *t, const char *s, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        unsigned char c = (unsigned char)s[k];
        if (c == '"' || c == '\\' || c == '?') // ? because of trigraphs
            text_printf(t, "\\%c", c);
        else if (c < 32 || c >= 127)
            text_printf(t, "\\%03o", c);
        else
            text_put_n(t, &s[k], 1);
    }
}

void text_string(Text *t, const char *s)
{
    // C11 5.2.4.1 guarantees 4095 characters of a literal, all compilers take more; lines are short
    enum { LINE = 2000 };
    size_t n = s ? strlen(s) : 0;
    text_put(t, "\"");
    for (size_t k = 0; k < n; k += LINE) {
        text_put(t, k ? "\"\n\"" : "");
        text_quoted(t, s + k, n - k < LINE ? n - k : LINE);
    }
    text_put(t, "\"");
}

void text_comment(Text *t, const char *s)
{
    text_put(t, "/* ");
    char last = ' ';
    for (; *s; s++) {
        char c = *s;
        if ((unsigned char)c < 32 || (unsigned char)c >= 127)
            c = ' ';
        // no end or begin of a comment, no trigraph
        if ((last == '*' && c == '/') || (last == '/' && c == '*') || (last == '?' && c == '?'))
            text_put(t, " ");
        text_put_n(t, &c, 1);
        last = c;
    }
    text_put(t, " */");
}

void text_xml(Text *t, const char *s)
{
    for (; *s; s++) {
        switch (*s) {
        case '&':
            text_put(t, "&amp;");
            break;
        case '<':
            text_put(t, "&lt;");
            break;
        case '>':
            text_put(t, "&gt;");
            break;
        case '"':
            text_put(t, "&quot;");
            break;
        default:
            text_put_n(t, (unsigned char)*s < 32 ? " " : s, 1);
        }
    }
}

static bool in_identifier(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

bool text_has_word(const char *text, const char *word)
{
    size_t n = strlen(word);
    for (const char *at = text; (at = strstr(at, word)); at += n)
        if ((at == text || !in_identifier(at[-1])) && !in_identifier(at[n]))
            return true;
    return false;
}

const char *text_identifier(Arena *mem, const char *s)
{
    enum { LONGEST = 60 };
    size_t n = strlen(s) < LONGEST ? strlen(s) : LONGEST;
    char *id = arena_copy(mem, s, n);
    for (size_t k = 0; k < n; k++)
        if (!isalnum((unsigned char)id[k]) || (unsigned char)id[k] >= 128)
            id[k] = '_';
    return !n || isdigit((unsigned char)id[0]) || id[0] == '_' ? arena_printf(mem, "m%s", id) : id;
}
