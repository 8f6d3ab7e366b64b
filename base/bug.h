/* bug.h -- reports states that only a mistake in rung itself can cause. Never for bad input. */
#ifndef RUNG_BASE_BUG_H
#define RUNG_BASE_BUG_H

/* Prints the message with a request to report it, and aborts. */
_Noreturn void bug(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
