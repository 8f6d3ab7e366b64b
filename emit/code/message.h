/* message.h -- texts that hold values (INTRINSIC_TEXT, INTRINSIC_JOIN of ir/system.h): put together
 * where they are needed, by rung_text.h of the runtime. */
#ifndef RUNG_EMIT_CODE_MESSAGE_H
#define RUNG_EMIT_CODE_MESSAGE_H

#include "emit/code/code.h"

/* A piece of a text: literal, or a value by a format. */
typedef struct Piece {
    const char *text; /* or the format; NULL: the value is a String */
    ExprId value;     /* EXPR_NONE: literal */
} Piece;
typedef VEC(Piece) Pieces;

Pieces message_pieces(const System *s, ExprId text, Arena *mem);
bool message_varies(const System *s, ExprId text); /* is no literal, and can be put together */

/* The function `<id>_message` for the assertions and actions of g; false if there is none. */
bool message_section(const Program *g, Coder *c, Arena *mem, const char *id, const char *first);

#endif
