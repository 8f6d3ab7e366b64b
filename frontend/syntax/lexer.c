#include "frontend/syntax/lexer.h"

#include <string.h>

static const struct {
    const char *text;
    uint8_t n;
} words[TOK_COUNT] = {
#define WORD(id, t) [TOK_##id] = {t, sizeof t - 1},
    KEYWORDS(WORD) SYMBOLS(WORD)
#undef WORD
};

static const char *const quoted[TOK_COUNT] = {
    [TOK_NONE] = "nothing",       [TOK_EOF] = "the end of the file", [TOK_IDENT] = "a name",
    [TOK_INTEGER] = "an integer", [TOK_REAL] = "a number",           [TOK_STRING] = "a string",
#define WORD(id, t) [TOK_##id] = "'" t "'",
    KEYWORDS(WORD) SYMBOLS(WORD)
#undef WORD
};

const char *token_kind_text(TokenKind k)
{
    return quoted[k];
}

Lexer lexer_new(Arena *mem, Names *names, Diags *d, uint32_t file, uint32_t *start)
{
    const Source *s = diags_source(d, file);
    bool mark = s->size >= 3 && memcmp(s->text, "\xEF\xBB\xBF", 3) == 0;
    *start = mark ? 3 : 0;
    return (Lexer){mem, names, d, file, s->text, s->size, 0, 0, false};
}

static void lex_error(Lexer *l, uint32_t begin, uint32_t end, const char *code, const char *what)
{
    if (begin < l->reported)
        return;
    l->reported = begin + 1;
    l->errors++;
    diag_error(l->diags, (Span){l->file, begin, end}, code, "%s", what);
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* The keywords that begin with the letter, as a range of kinds. */
static void keyword_range(char c, TokenKind *first, TokenKind *last)
{
#define RANGE(letter, a, b)                                                                        \
    case letter:                                                                                   \
        *first = TOK_##a;                                                                          \
        *last = TOK_##b;                                                                           \
        break
    switch (c) {
        RANGE('a', ALGORITHM, ANNOTATION);
        RANGE('b', BLOCK, BREAK);
        RANGE('c', CLASS, CONSTRAINEDBY);
        RANGE('d', DER, DISCRETE);
        RANGE('e', EACH, EXTERNAL);
        RANGE('f', FALSE, FUNCTION);
        RANGE('i', IF, INPUT);
        RANGE('l', LOOP, LOOP);
        RANGE('m', MODEL, MODEL);
        RANGE('n', NOT, NOT);
        RANGE('o', OPERATOR, OUTPUT);
        RANGE('p', PACKAGE, PURE);
        RANGE('r', RECORD, RETURN);
        RANGE('s', STREAM, STREAM);
        RANGE('t', THEN, TYPE);
        RANGE('w', WHEN, WITHIN);
    default:
        *first = TOK_EOF;
        *last = TOK_NONE;
    }
#undef RANGE
}

static TokenKind keyword(const char *s, uint32_t n)
{
    TokenKind first;
    TokenKind last;
    keyword_range(s[0], &first, &last);
    for (TokenKind k = first; k <= last; k++) {
        if (words[k].n == n && memcmp(words[k].text, s, n) == 0)
            return k;
    }
    return TOK_IDENT;
}

/* Space and comments; these do not nest (MLS 2.2). */
static uint32_t skip_space(Lexer *l, uint32_t i)
{
    const char *s = l->text;
    for (;;) {
        while (s[i] == ' ' || (s[i] >= '\t' && s[i] <= '\r'))
            i++;
        if (s[i] != '/' || (s[i + 1] != '/' && s[i + 1] != '*'))
            return i;
        uint32_t begin = i;
        if (s[i + 1] == '/') {
            while (s[i] != '\n' && s[i] != '\r' && i < l->size)
                i++;
            continue;
        }
        const char *at = s + i + 2;
        const char *end = NULL;
        while (!end && (at = memchr(at, '*', (size_t)(s + l->size - at))) != NULL) {
            at++;
            if (*at == '/')
                end = at + 1;
        }
        if (!end) {
            lex_error(l, begin, begin + 2, "P05", "this comment has no end '*/'");
            l->cut = true;
            return l->size;
        }
        i = (uint32_t)(end - s);
    }
}

/* UNSIGNED-INTEGER or UNSIGNED-REAL. */
static Token number(Lexer *l, uint32_t begin)
{
    const char *s = l->text;
    uint32_t i = begin;
    bool real = false;
    while (is_digit(s[i]))
        i++;
    if (s[i] == '.') {
        real = true;
        i++;
        while (is_digit(s[i]))
            i++;
    }
    /* `1.else` is 1. and else */
    if (s[i] == 'e' || s[i] == 'E') {
        uint32_t j = i + 1 + (s[i + 1] == '+' || s[i + 1] == '-');
        if (is_digit(s[j])) {
            real = true;
            for (i = j; is_digit(s[i]); i++)
                ;
        }
    }
    Token t = {real ? TOK_REAL : TOK_INTEGER, begin, i, {{NULL}}};
    t.name = name_of_n(l->names, s + begin, i - begin);
    return t;
}

/* The character that \c stands for, 0 when there is none (MLS 2.4.5). */
static char escape(char c)
{
    switch (c) {
    case '\'':
    case '"':
    case '?':
    case '\\':
        return c;
    case 'a':
        return '\a';
    case 'b':
        return '\b';
    case 'f':
        return '\f';
    case 'n':
        return '\n';
    case 'r':
        return '\r';
    case 't':
        return '\t';
    case 'v':
        return '\v';
    default:
        return 0;
    }
}

static Token string(Lexer *l, uint32_t begin)
{
    const char *s = l->text;
    uint32_t i = begin + 1;
    bool plain = true;
    while (i < l->size && s[i] != '"') {
        if (s[i] == '\\') {
            plain = false;
            i++;
        }
        i++;
    }
    Token t = {TOK_STRING, begin, i + 1, {{NULL}}};
    if (i >= l->size) {
        lex_error(l, begin, begin + 1, "P05", "this string has no end '\"'");
        l->cut = true;
        t.end = l->size;
        t.text = "";
        return t;
    }
    char *out = arena_copy(l->mem, s + begin + 1, i - begin - 1);
    t.text = out;
    if (plain)
        return t;
    for (uint32_t k = begin + 1; k < i; k++) {
        if (s[k] != '\\') {
            *out++ = s[k];
            continue;
        }
        k++;
        char c = escape(s[k]);
        if (!c)
            lex_error(l, k - 1, k + 1, "P06",
                      "unknown escape in a string: \\' \\\" \\? \\\\ \\a \\b \\f \\n \\r \\t \\v "
                      "are known");
        *out++ = c ? c : s[k];
    }
    *out = 0;
    return t;
}

static bool is_behind_name(const Lexer *l, uint32_t at)
{
    char c = at ? l->text[at - 1] : ' ';
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Q-IDENT: the quotes are part of the name; \? and \" are the same as ? and " (MLS 2.3.1). */
static Token quoted_name(Lexer *l, uint32_t begin)
{
    const char *s = l->text;
    uint32_t errors = l->errors;
    uint32_t i = begin + 1;
    bool redundant = false;
    bool strange = false;
    bool escapes = true;
    while (s[i] != '\'' && s[i] != '\n' && i < l->size) {
        if (s[i] == '\\' && i + 1 < l->size && s[i + 1] != '\n') {
            escapes &= escape(s[i + 1]) != 0;
            redundant |= s[i + 1] == '?' || s[i + 1] == '"';
            i++;
        } else if ((unsigned char)s[i] < 32 || (unsigned char)s[i] >= 127) {
            strange = true;
        }
        i++;
    }
    bool open = s[i] != '\'' || i >= l->size;
    Token t = {TOK_IDENT, begin, open ? i : i + 1, {{NULL}}};
    if (open || strange || !escapes || i == begin + 1) {
        lex_error(l, begin, t.end,
                  open      ? "P05"
                  : escapes ? "P04"
                            : "P06",
                  open && is_behind_name(l, begin)
                      ? "this quoted name has no end \"'\"; a derivative is written der(x)"
                  : open     ? "this quoted name has no end \"'\""
                  : !escapes ? "unknown escape in a quoted name"
                  : strange  ? "a quoted name has only printable ASCII characters"
                             : "a quoted name has at least one character");
        if (open && l->errors > errors)
            l->reported = t.end + 1; /* text that the open quote may have swallowed */
        t.name = name_of(l->names, "'_'");
        return t;
    }
    if (!redundant) {
        t.name = name_of_n(l->names, s + begin, t.end - begin);
        return t;
    }
    char *out = arena_alloc(l->mem, t.end - begin + 1);
    uint32_t n = 0;
    for (uint32_t k = begin; k <= i; k++) {
        if (s[k] == '\\' && s[k + 1] != '?' && s[k + 1] != '"')
            out[n++] = s[k++];
        else if (s[k] == '\\')
            k++;
        out[n++] = s[k];
    }
    t.name = name_of_n(l->names, out, n);
    return t;
}

static TokenKind symbol(const char *s, uint32_t *n)
{
    *n = 2;
    switch (s[0]) {
    case '.':
        switch (s[1]) {
        case '+':
            return TOK_EL_ADD;
        case '-':
            return TOK_EL_SUB;
        case '*':
            return TOK_EL_MUL;
        case '/':
            return TOK_EL_DIV;
        case '^':
            return TOK_EL_POW;
        default:
            *n = 1;
            return TOK_DOT;
        }
    case '<':
        if (s[1] == '=')
            return TOK_LE;
        if (s[1] == '>')
            return TOK_NE;
        *n = 1;
        return TOK_LT;
    case '>':
        if (s[1] == '=')
            return TOK_GE;
        *n = 1;
        return TOK_GT;
    case '=':
        if (s[1] == '=')
            return TOK_EQ;
        *n = 1;
        return TOK_EQUALS;
    case ':':
        if (s[1] == '=')
            return TOK_ASSIGN;
        *n = 1;
        return TOK_COLON;
    default:
        break;
    }
    *n = 1;
    for (TokenKind k = TOK_LPAREN; k < TOK_COUNT; k++) {
        if (words[k].n == 1 && words[k].text[0] == s[0])
            return k;
    }
    return TOK_NONE;
}

/* Tokens of other languages, with the Modelica spelling for the message. */
static const char *foreign_token(const char *s)
{
    static const char *const known[][2] = {
        {"!=", "'!=' is no Modelica: '<>' is"},
        {"&&", "'&&' is no Modelica: 'and' is"},
        {"&", "'&' is no Modelica: 'and' is"},
        {"||", "'||' is no Modelica: 'or' is"},
        {"|", "'|' is no Modelica: 'or' is"},
        {"!", "'!' is no Modelica: 'not' is"},
        {"#", "'#' is no Modelica: a comment begins with '//'"},
        {"\xe2\x80\x9c", "this quotation mark is no Modelica: '\"' is"},
        {"\xe2\x80\x9d", "this quotation mark is no Modelica: '\"' is"},
        {"?", "a value by a condition is written: if b then x else y"},
        {"%", "'%' is no Modelica: mod(a, b) is, and a comment begins with '//'"},
    };
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (strncmp(s, known[k][0], strlen(known[k][0])) == 0)
            return known[k][1];
    return "this character belongs to no Modelica token";
}

Token lexer_token(Lexer *l, uint32_t at)
{
    const char *s = l->text;
    for (;;) {
        uint32_t i = skip_space(l, at);
        Token t = {TOK_EOF, i, i, {{NULL}}};
        if (i >= l->size) {
            t.begin = t.end = l->size;
            return t;
        }
        char c = s[i];
        if (is_letter(c)) {
            uint32_t j = i + 1;
            while (is_letter(s[j]) || is_digit(s[j]))
                j++;
            t.end = j;
            t.kind = keyword(s + i, j - i);
            if (t.kind == TOK_IDENT)
                t.name = name_of_n(l->names, s + i, j - i);
            return t;
        }
        if (is_digit(c) || (c == '.' && is_digit(s[i + 1])))
            return number(l, i);
        if (c == '"')
            return string(l, i);
        if (c == '\'')
            return quoted_name(l, i);
        uint32_t n;
        t.kind = symbol(s + i, &n);
        t.end = i + n;
        if (t.kind != TOK_NONE)
            return t;
        /* One report for a run of characters that begin no token. */
        uint32_t j = i + 1;
        while (j < l->size && !is_letter(s[j]) && !is_digit(s[j]) && !strchr(" \t\r\n\"';)", s[j]))
            j++;
        lex_error(l, i, j, "P04", foreign_token(s + i));
        at = j;
    }
}

bool token_begins_class(TokenKind k)
{
    switch (k) {
    case TOK_ENCAPSULATED:
    case TOK_PARTIAL:
    case TOK_CLASS:
    case TOK_MODEL:
    case TOK_OPERATOR:
    case TOK_RECORD:
    case TOK_BLOCK:
    case TOK_EXPANDABLE:
    case TOK_CONNECTOR:
    case TOK_TYPE:
    case TOK_PACKAGE:
    case TOK_PURE:
    case TOK_IMPURE:
    case TOK_FUNCTION:
        return true;
    default:
        return false;
    }
}
