/* token_list.h -- all tokens of a file, and the comments in front of each. */
#ifndef RUNG_FORMAT_TOKEN_LIST_H
#define RUNG_FORMAT_TOKEN_LIST_H

#include "base/vec.h"
#include "frontend/syntax/lexer.h"

typedef struct CommentToken {
    uint32_t begin, end; /* bytes, without the line end and without blanks at the end */
    uint32_t newlines;   /* line ends between it and the comment or token before      */
    uint32_t column;     /* from 0 */
    bool to_line_end;    /* begins with two slashes */
} CommentToken;

typedef struct SourceToken {
    TokenKind kind;
    uint32_t begin, end; /* bytes */
    uint32_t column;     /* from 0; a tab goes to the next multiple of 8 */
    uint32_t first_comment, n_comments;
    uint32_t newlines; /* line ends between it and the comment or token before */
} SourceToken;

/* The last one is TOK_EOF. */
typedef struct TokenList {
    VEC(SourceToken) token;
    VEC(CommentToken) comment;
} TokenList;

/* The file has been parsed without an error. */
TokenList token_list(Arena *mem, Names *names, Diags *d, uint32_t file);

#endif
