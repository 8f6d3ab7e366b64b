/* arena.h -- memory that is given back all at once.
 *
 * Three lifetimes, each an arena with one owner: the program, the System, the pass. Nobody frees a
 * piece. Out of memory aborts, so calls need no check. Blocks come zeroed and aligned to 16 bytes.
 * Under AddressSanitizer every block is followed by a red zone, and rolled-back memory is poisoned.
 */
#ifndef RUNG_BASE_ARENA_H
#define RUNG_BASE_ARENA_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Arena Arena;
typedef struct ArenaMark {
    uint64_t chunk; /* number of the last one; 0: there is none */
    size_t used;
} ArenaMark;

Arena *arena_new(void);
/* An arena that is freed with its parent, or before; a rollback of the parent leaves it. */
Arena *arena_part(Arena *parent);
void arena_free(Arena *a);
void *arena_alloc(Arena *a, size_t size);
#define arena_array(a, type, n) ((type *)arena_alloc((a), sizeof(type) * (size_t)(n)))
#define arena_make(a, type) arena_array(a, type, 1)

/* The block at `at`, of `old` bytes (NULL: 0), with room for `size`; the new bytes are zero. The
 * old block must not be used any longer: the pages of a large one move along. */
void *arena_grow(Arena *a, void *at, size_t old, size_t size);
/* The block is not needed any longer: a large one is given back before its arena is. */
void arena_drop(Arena *a, void *at, size_t size);

char *arena_copy(Arena *a, const char *text, size_t n); /* n bytes and a final 0 */
char *arena_printf(Arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
char *arena_vprintf(Arena *a, const char *fmt, va_list args);

ArenaMark arena_mark(const Arena *a);
void arena_rollback(Arena *a, ArenaMark m); /* gives back all that came after the mark */
size_t arena_bytes(const Arena *a);         /* taken from the system, parts too */

#endif
