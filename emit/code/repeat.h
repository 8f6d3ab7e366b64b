/* repeat.h -- stretches of a sequence that recur one behind the other.
 *
 * Knows only numbers: tokens in, repeats out. All maximal repetitions ("runs") are found by the
 * Lyndon roots of the sequence under both orders of its alphabet (Bannai et al., The "runs"
 * theorem, SIAM J. Comput. 2017); of these, those that save most are taken, the others are clipped
 * to the free stretches between them. Comparisons by hash, so O(n log n).
 */
#ifndef RUNG_EMIT_CODE_REPEAT_H
#define RUNG_EMIT_CODE_REPEAT_H

#include "base/vec.h"

#include <stdbool.h>

/* token[k] == token[k + period] for begin <= k < end - period; 3 periods fit at least. */
typedef struct Repeat {
    uint32_t begin, end, period;
} Repeat;
typedef VEC(Repeat) Repeats;

/* Repeats that do not overlap, ascending, in mem: each makes at least `save` tokens superfluous,
 * with a period of at most `longest`. */
void repeat_find(uint32_t n, const uint64_t *token, uint32_t save, uint32_t longest, Arena *mem,
                 Repeats *out);

#endif
