/* proposal.h -- the edit that the words of a message propose:
 *
 *     there is no function 'sn'; did you mean 'sin'?      sn -> sin
 *     '&&' is no Modelica: 'and' is                       && -> and
 */
#ifndef RUNG_BASE_PROPOSAL_H
#define RUNG_BASE_PROPOSAL_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct Proposal {
    uint32_t begin, end; /* bytes of the source, half-open ... */
    const char *text;    /* ... and the text that stands there instead, in mem */
} Proposal;

/* The message is about the bytes [begin, end) of the source, a text with a 0 at its end. The edit
 * replaces the wrong name where it first occurs in them. Returns false if the message has no
 * proposal, or the name does not occur. */
bool proposal_find(Proposal *out, const char *message, const char *source, uint32_t begin,
                   uint32_t end, Arena *mem);

#endif
