/* loaded.h -- functions of a library that is loaded when it is needed, and may not be there.
 *
 *     static const char *const names[] = {"nlopt_create", "nlopt_destroy"};
 *     struct { __typeof__(&nlopt_create) create; __typeof__(&nlopt_destroy) destroy; } f;
 *     bool there = loaded_functions("libnlopt.so.0", names, 2, &f);
 */
#ifndef RUNG_BASE_LOADED_H
#define RUNG_BASE_LOADED_H

#include <stdbool.h>
#include <stddef.h>

/* to: a struct of n pointers to functions, in the order of their names. False where the library or
 * one of them is missing. The library stays loaded. */
bool loaded_functions(const char *file, const char *const *name, size_t n, void *to);

#endif
