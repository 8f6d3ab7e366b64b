/* lexer.h -- Modelica text to tokens (MLS 3.6 §2 and appendix A.1), one at a time.
 *
 * Each token is the longest the text allows: `2.*x` is 2. times x. Errors in a token (codes
 * P04 to P06) are reported here and the token is made good, so the parser sees only whole
 * ones; it may read a token twice (peeking), the errors are reported once.
 */
#ifndef RUNG_FRONTEND_SYNTAX_LEXER_H
#define RUNG_FRONTEND_SYNTAX_LEXER_H

#include "base/diag.h"
#include "base/name.h"

#include <stdbool.h>

// clang-format off
/* By first letter: the lexer finds a keyword in the range of its letter. */
#define KEYWORDS(K)                                                                         \
    K(ALGORITHM, "algorithm") K(AND, "and") K(ANNOTATION, "annotation")                     \
    K(BLOCK, "block") K(BREAK, "break")                                                     \
    K(CLASS, "class") K(CONNECT, "connect") K(CONNECTOR, "connector")                       \
    K(CONSTANT, "constant") K(CONSTRAINEDBY, "constrainedby")                               \
    K(DER, "der") K(DISCRETE, "discrete")                                                   \
    K(EACH, "each") K(ELSE, "else") K(ELSEIF, "elseif") K(ELSEWHEN, "elsewhen")             \
    K(ENCAPSULATED, "encapsulated") K(END, "end") K(ENUMERATION, "enumeration")             \
    K(EQUATION, "equation") K(EXPANDABLE, "expandable") K(EXTENDS, "extends")               \
    K(EXTERNAL, "external")                                                                 \
    K(FALSE, "false") K(FINAL, "final") K(FLOW, "flow") K(FOR, "for")                       \
    K(FUNCTION, "function")                                                                 \
    K(IF, "if") K(IMPORT, "import") K(IMPURE, "impure") K(IN, "in")                         \
    K(INITIAL, "initial") K(INNER, "inner") K(INPUT, "input")                               \
    K(LOOP, "loop")                                                                         \
    K(MODEL, "model")                                                                       \
    K(NOT, "not")                                                                           \
    K(OPERATOR, "operator") K(OR, "or") K(OUTER, "outer") K(OUTPUT, "output")               \
    K(PACKAGE, "package") K(PARAMETER, "parameter") K(PARTIAL, "partial")                   \
    K(PROTECTED, "protected") K(PUBLIC, "public") K(PURE, "pure")                           \
    K(RECORD, "record") K(REDECLARE, "redeclare") K(REPLACEABLE, "replaceable")             \
    K(RETURN, "return")                                                                     \
    K(STREAM, "stream")                                                                     \
    K(THEN, "then") K(TRUE, "true") K(TYPE, "type")                                         \
    K(WHEN, "when") K(WHILE, "while") K(WITHIN, "within")

#define SYMBOLS(K)                                                                          \
    K(LPAREN, "(") K(RPAREN, ")") K(LBRACKET, "[") K(RBRACKET, "]")                         \
    K(LBRACE, "{") K(RBRACE, "}") K(COMMA, ",") K(SEMICOLON, ";") K(COLON, ":")             \
    K(DOT, ".") K(EQUALS, "=") K(ASSIGN, ":=")                                              \
    K(LT, "<") K(LE, "<=") K(GT, ">") K(GE, ">=") K(EQ, "==") K(NE, "<>")                   \
    K(ADD, "+") K(SUB, "-") K(EL_ADD, ".+") K(EL_SUB, ".-")                                 \
    K(MUL, "*") K(DIV, "/") K(EL_MUL, ".*") K(EL_DIV, "./") K(POW, "^") K(EL_POW, ".^")
// clang-format on

typedef enum TokenKind {
    TOK_NONE, /* matches nothing: the parser's current token while it gives up a phrase */
    TOK_EOF,
    TOK_IDENT,   /* name; a quoted one with its quotes */
    TOK_INTEGER, /* name.s: the digits  */
    TOK_REAL,    /* name.s: as written  */
    TOK_STRING,  /* text: escapes resolved */
#define TOKEN_KIND(id, text) TOK_##id,
    KEYWORDS(TOKEN_KIND) SYMBOLS(TOKEN_KIND)
#undef TOKEN_KIND
        TOK_COUNT
} TokenKind;

typedef struct Token {
    TokenKind kind;
    uint32_t begin, end; /* bytes of the source */
    union {
        Name name;
        const char *text;
    };
} Token;

typedef struct Lexer {
    Arena *mem;
    Names *names;
    Diags *diags;
    uint32_t file;
    const char *text;
    uint32_t size;
    uint32_t reported; /* errors before this byte have been reported */
    uint32_t errors;   /* reported */
    bool cut;          /* a string or comment ran to the end of the text */
} Lexer;

/* Begins behind a byte order mark; *start is where. */
Lexer lexer_new(Arena *mem, Names *names, Diags *d, uint32_t file, uint32_t *start);
/* The token at or after byte `at`. At the end of the text TOK_EOF, again and again. */
Token lexer_token(Lexer *l, uint32_t at);
bool token_begins_class(TokenKind k);     /* encapsulated, class-prefixes (MLS A.2.2) */
const char *token_kind_text(TokenKind k); /* "';'", "'end'", "a name", ... as in messages */

#endif
