#include "frontend/syntax/parser.h"

#include "base/vec.h"
#include "frontend/syntax/parser_core.h"
#include "frontend/syntax/source.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* ---- Tokens --------------------------------------------------------------------------- */

void parser_advance(Parser *p)
{
    p->last = p->tok.end;
    p->tok = lexer_token(&p->lexer, p->tok.end);
}

Token parser_peek(Parser *p)
{
    return lexer_token(&p->lexer, p->tok.end);
}

bool expect(Parser *p, TokenKind k)
{
    if (accept(p, k))
        return true;
    expected(p, token_kind_text(k));
    return false;
}

/* ---- Giving up and going on ----------------------------------------------------------- */

void parser_panic(Parser *p)
{
    if (p->panic)
        return;
    p->panic = true;
    p->held = p->tok;
    p->tok.kind = TOK_NONE;
}

/* True where another syntax error would only be a consequence: nested too deeply, an unterminated
 * string has swallowed the rest, or the lexer just reported an error here. */
static bool is_silent(const Parser *p)
{
    return p->dead || (p->lexer.cut && at(p, TOK_EOF)) || p->lexer.reported > p->last;
}

Span span_here(const Parser *p)
{
    const Token *t = p->panic ? &p->held : &p->tok;
    if (t->kind == TOK_EOF && p->last > 0)
        return (Span){p->lexer.file, p->last - 1, p->last};
    return (Span){p->lexer.file, t->begin, t->end};
}

static void report(Parser *p, Span s, const char *code, const char *fmt, va_list args)
{
    if (p->panic || is_silent(p))
        return;
    char text[256];
    vsnprintf(text, sizeof text, fmt, args);
    diag_error(p->diags, s, code, "%s", text);
    p->errors++;
}

void parser_error(Parser *p, Span s, const char *code, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    report(p, s, code, fmt, args);
    va_end(args);
}

void parser_fail(Parser *p, Span s, const char *code, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    report(p, s, code, fmt, args);
    va_end(args);
    parser_panic(p);
}

/* The token for a message: its text if that is short, else its kind. */
static void token_text(const Parser *p, const Token *t, char *out, size_t size)
{
    bool is_word = t->kind == TOK_IDENT || t->kind == TOK_INTEGER || t->kind == TOK_REAL;
    int n = (int)(t->end - t->begin);
    if (is_word && n <= 60)
        snprintf(out, size, "'%.*s'", n, p->lexer.text + t->begin);
    else
        snprintf(out, size, "%s", token_kind_text(t->kind));
}

#define ELEMENT "a type, a class or an element of a class"

/* What a token in a place where it cannot stand is often meant to be. */
static const struct {
    const char *wanted;
    TokenKind found;
    const char *hint;
} hints[] = {
    {"'then'", TOK_EQUALS, ": '==' compares"},
    {"'loop'", TOK_EQUALS, ": an iterator is written 'for i in 1:3 loop'"},
    {"the name of a component", TOK_EQUALS, ": equations stand behind 'equation'"},
    {"the name of a component", TOK_INTEGER, ": numbers have a decimal point"},
    {"the name of a component", TOK_REAL, ": numbers have a decimal point"},
    {"an expression", TOK_MUL, ": the power is '^'"},
    {"'=' in an equation", TOK_SEMICOLON, ": an equation has two sides, a = b"},
    {"':=' or '(' in a statement", TOK_ADD, ": a variable is counted up by n := n + 1"},
    {"':=' or '(' in a statement", TOK_SUB, ": a variable is counted down by n := n - 1"},
    {"an equation", TOK_COMMA, ": equations end with ';'"},
    {"a statement", TOK_COMMA, ": statements end with ';'"},
    {ELEMENT, TOK_CONNECT, ": connections stand behind 'equation'"},
    {ELEMENT, TOK_IF, ": equations stand behind 'equation'"},
    {ELEMENT, TOK_FOR, ": equations stand behind 'equation'"},
    {ELEMENT, TOK_WHEN, ": equations stand behind 'equation'"},
    {"an expression", TOK_WHILE, ": 'while' stands in algorithms"},
    {"an element", TOK_ELSE, ": a value by a condition is written 'if b then x else y'"},
};

/* Behind a word of another language, as 'endif'. */
static const char *hint_behind_word(const Parser *p)
{
    static const char *const known[][2] = {
        {"endif", ": 'end if' is two words"},       {"endfor", ": 'end for' is two words"},
        {"endwhen", ": 'end when' is two words"},   {"endwhile", ": 'end while' is two words"},
        {"elif", ": a further branch is 'elseif'"}, {"elsif", ": a further branch is 'elseif'"},
    };
    const char *text = p->lexer.text;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        size_t n = strlen(known[k][0]);
        if (p->last > n && memcmp(text + p->last - n, known[k][0], n) == 0 &&
            isspace((unsigned char)text[p->last - n - 1]))
            return known[k][1];
    }
    return NULL;
}

static bool is_class_in_capitals(const Parser *p)
{
    static const char *const words[] = {"model",  "class",     "package",  "block",
                                        "record", "connector", "function", "type"};
    uint32_t n = p->tok.end - p->tok.begin;
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (strlen(words[k]) == n && strncasecmp(p->lexer.text + p->tok.begin, words[k], n) == 0)
            return true;
    return false;
}

static const char *hint_for(const Parser *p, const char *wanted)
{
    if (hint_behind_word(p))
        return hint_behind_word(p);
    if (strcmp(wanted, "a class") == 0 && is_class_in_capitals(p))
        return ": keywords are written in small letters";
    for (size_t k = 0; k < sizeof hints / sizeof *hints; k++)
        if (at(p, hints[k].found) && strcmp(wanted, hints[k].wanted) == 0)
            return hints[k].hint;
    return "";
}

/* Behind a whole phrase in the same line: a product without its sign, a modifier without
 * parentheses. */
static const char *hint_behind(Parser *p, const char *phrase)
{
    const char *text = p->lexer.text;
    bool is_operand =
        at(p, TOK_IDENT) || at(p, TOK_INTEGER) || at(p, TOK_REAL) || at(p, TOK_LPAREN);
    bool is_return = p->last >= 6 && strncmp(text + p->last - 6, "return", 6) == 0;
    if (is_return && is_operand)
        return ": 'return' takes no value, the outputs of a function are assigned";
    if (at(p, TOK_IDENT) && parser_peek(p).kind == TOK_EQUALS && strcmp(phrase, "an element") == 0)
        return ": modifiers stand in parentheses, x(start = 1)";
    char before = p->last ? text[p->last - 1] : ' ';
    bool is_behind_value = (before >= '0' && before <= '9') || before == ')' || before == ']';
    return is_operand && is_behind_value ? ": a product is written with '*'" : hint_for(p, phrase);
}

void expected(Parser *p, const char *what)
{
    char found[80];
    token_text(p, &p->tok, found, sizeof found);
    parser_fail(p, span_here(p), "P01", "expected %s, found %s%s", what, found, hint_for(p, what));
}

void expected_instead(Parser *p, const char *what)
{
    char found[80];
    token_text(p, &p->tok, found, sizeof found);
    parser_error(p, span_here(p), "P01", "expected %s, found %s", what, found);
}

static bool on_new_line(const Parser *p)
{
    return memchr(p->lexer.text + p->last, '\n', p->tok.begin - p->last) != NULL;
}

void expect_word(Parser *p, TokenKind kind)
{
    if (p->panic || accept(p, kind))
        return;
    if (p->last == 0 || !on_new_line(p)) {
        expected(p, token_kind_text(kind));
        return;
    }
    char found[80];
    token_text(p, &p->tok, found, sizeof found);
    parser_error(p, (Span){p->lexer.file, p->last - 1, p->last}, "P01", "expected %s, found %s",
                 token_kind_text(kind), found);
}

void expect_semicolon(Parser *p, const char *after)
{
    if (accept(p, TOK_SEMICOLON))
        return;
    char found[80];
    token_text(p, &p->tok, found, sizeof found);
    if (p->last > 0 && (on_new_line(p) || at(p, TOK_EOF)))
        parser_error(p, (Span){p->lexer.file, p->last - 1, p->last}, "P02",
                     "expected ';' after %s, found %s", after, found);
    else
        parser_fail(p, span_here(p), "P02", "expected ';' after %s, found %s%s", after, found,
                    hint_behind(p, after));
}

/* At a token where a class or section continues after any error. */
static bool at_landmark(Parser *p)
{
    switch (p->tok.kind) {
    case TOK_EOF:
    case TOK_EQUATION:
    case TOK_ALGORITHM:
    case TOK_PUBLIC:
    case TOK_PROTECTED:
        return true;
    case TOK_END: /* of a class or a block, not in a subscript */
        return at_class_end(p) || at_block_close(p);
    default:
        return false;
    }
}

bool at_class_end(Parser *p)
{
    return at(p, TOK_END) && parser_peek(p).kind == TOK_IDENT;
}

bool at_block_close(Parser *p)
{
    if (!at(p, TOK_END))
        return false;
    TokenKind next = parser_peek(p).kind;
    return next == TOK_IF || next == TOK_FOR || next == TOK_WHEN || next == TOK_WHILE;
}

void parser_skip(Parser *p)
{
    while (!at(p, TOK_SEMICOLON)) {
        if (at_landmark(p))
            return;
        parser_advance(p);
    }
    parser_advance(p);
}

void parser_recover(Parser *p, uint32_t from)
{
    if (!p->panic)
        return;
    p->panic = false;
    p->tok = p->held;
    if (p->dead) {
        p->tok.kind = TOK_EOF;
        p->tok.begin = p->tok.end = p->lexer.size;
        return;
    }
    if (p->tok.begin == from && !at(p, TOK_EOF) && !at(p, TOK_SEMICOLON))
        parser_advance(p);
    parser_skip(p);
}

bool parser_enter(Parser *p)
{
    if (p->panic)
        return false;
    if (p->depth < SYN_MAX_DEPTH) {
        p->depth++;
        return true;
    }
    parser_fail(p, span_here(p), "P08", "nested deeper than %d levels", SYN_MAX_DEPTH);
    p->dead = true;
    return false;
}

/* ---- Lists ---------------------------------------------------------------------------- */

void list_push(Parser *p, const void *x, uint32_t size)
{
    if (p->used + size > p->cap) {
        uint32_t cap = p->cap ? p->cap * 2 : 1024;
        while (cap < p->used + size)
            cap *= 2;
        char *stack = arena_alloc(p->scratch, cap);
        if (p->used)
            memcpy(stack, p->stack, p->used);
        p->stack = stack;
        p->cap = cap;
    }
    memcpy(p->stack + p->used, x, size);
    p->used += size;
}

void *list_end(Parser *p, uint32_t mark, uint32_t size, uint32_t *n)
{
    uint32_t bytes = p->used - mark;
    *n = bytes / size;
    p->used = mark;
    if (bytes == 0)
        return NULL;
    void *out = arena_alloc(p->mem, bytes);
    memcpy(out, p->stack + mark, bytes);
    return out;
}

/* ---- Names and descriptions ----------------------------------------------------------- */

Name parse_name(Parser *p, const char *what)
{
    Name n = {NULL};
    if (at(p, TOK_IDENT)) {
        n = p->tok.name;
        parser_advance(p);
    } else {
        expected(p, what);
    }
    return n;
}

SynPath parse_path(Parser *p, const char *what)
{
    SynPath path = {0};
    uint32_t begin = p->tok.begin;
    uint32_t mark = list_begin(p);
    do {
        Name n = parse_name(p, what);
        list_push(p, &n, sizeof n);
    } while (accept(p, TOK_DOT));
    path.name = list_end(p, mark, sizeof(Name), &path.n);
    path.span = span_from(p, begin);
    return path;
}

SynPath parse_type_specifier(Parser *p, const char *what)
{
    uint32_t begin = p->tok.begin;
    bool global = accept(p, TOK_DOT);
    SynPath path = parse_path(p, what);
    path.global = global;
    path.span.begin = begin;
    return path;
}

const char *parse_comment(Parser *p)
{
    if (!at(p, TOK_STRING))
        return NULL;
    const char *text = p->tok.text;
    parser_advance(p);
    while (accept(p, TOK_ADD)) {
        if (at(p, TOK_STRING)) {
            text = arena_printf(p->mem, "%s%s", text, p->tok.text);
            parser_advance(p);
        } else {
            expected(p, "a string after '+' in a description");
        }
    }
    return text;
}

/* ---- Entry points --------------------------------------------------------------------- */

static bool parser_open(Parser *p, Arena *mem, Arena *scratch, Names *names, Diags *d,
                        uint32_t file)
{
    *p = (Parser){.mem = mem, .scratch = scratch, .names = names, .diags = d};
    p->file = arena_make(mem, SynFile);
    p->file->file = file;
    bool is_text = source_check(mem, d, file);
    p->file->lines = source_lines(diags_source(d, file));
    uint32_t start;
    p->lexer = lexer_new(mem, names, d, file, &start);
    if (!is_text) {
        p->file->errors = 1;
        return false;
    }
    p->tok = lexer_token(&p->lexer, start);
    p->last = start;
    return true;
}

static void stored_definition(Parser *p)
{
    SynFile *f = p->file;
    if (accept(p, TOK_WITHIN)) {
        SynPath within = {0};
        if (at(p, TOK_IDENT))
            within = parse_path(p, "the name of a package");
        f->has_within = !p->panic;
        if (f->has_within)
            f->within = within;
        expect_semicolon(p, "'within'");
        parser_recover(p, 0);
    }
    VEC(SynClass *) classes = {0};
    while (!at(p, TOK_EOF)) {
        uint32_t from = p->tok.begin;
        SynClass *c = parse_stored_class(p);
        if (!p->panic)
            expect_semicolon(p, "a class");
        if (c)
            vec_push(p->mem, classes, c);
        if (!p->panic)
            continue;
        parser_recover(p, from);
        /* Nothing is open here, so an `end A;` left over belongs to the error. */
        while (p->errors > 0 && !at(p, TOK_EOF) && !at_class_prefix(p) && !at(p, TOK_FINAL))
            parser_advance(p);
    }
    f->class_ = classes.at;
    f->n_classes = classes.n;
}

SynFile *parse_file(Arena *mem, Names *names, Diags *d, uint32_t file)
{
    Arena *scratch = arena_new();
    Parser p;
    if (parser_open(&p, mem, scratch, names, d, file)) {
        stored_definition(&p);
        p.file->errors += p.errors + p.lexer.errors;
    }
    arena_free(scratch);
    return p.file;
}

/* The grammar rule for text from the command line. */
typedef enum Phrase { INSTANCE, ARGUMENT, EXPRESSION } Phrase;

static bool parse_phrase(Arena *mem, Names *names, Diags *d, const char *text, Phrase what,
                         SynInstance *instance, SynArg *arg, SynExpr **expr)
{
    uint32_t size = (uint32_t)strlen(text);
    uint32_t file = diags_add_source(d, "<command line>", arena_copy(mem, text, size), size);
    Arena *scratch = arena_new();
    Parser p;
    bool ok = parser_open(&p, mem, scratch, names, d, file);
    if (ok) {
        if (what == INSTANCE) {
            instance->path = parse_type_specifier(&p, "the name of a class");
            instance->mod = parse_class_modification(&p);
        } else if (what == ARGUMENT) {
            *arg = parse_modification_argument(&p, false);
        } else {
            *expr = parse_expression(&p);
        }
        if (!at(&p, TOK_EOF))
            expected(&p, "nothing more");
        ok = p.errors + p.lexer.errors == 0;
    }
    arena_free(scratch);
    return ok;
}

bool parse_instance(Arena *mem, Names *names, Diags *d, const char *text, SynInstance *out)
{
    *out = (SynInstance){0};
    return parse_phrase(mem, names, d, text, INSTANCE, out, NULL, NULL);
}

bool parse_argument(Arena *mem, Names *names, Diags *d, const char *text, SynArg *out)
{
    *out = (SynArg){0};
    return parse_phrase(mem, names, d, text, ARGUMENT, NULL, out, NULL);
}

SynExpr *parse_expr(Arena *mem, Names *names, Diags *d, const char *text)
{
    SynExpr *x = NULL;
    return parse_phrase(mem, names, d, text, EXPRESSION, NULL, NULL, &x) ? x : NULL;
}
