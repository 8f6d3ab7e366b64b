/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ModelicaUtilities.h -- utility functions for external functions (MLS 12.9.6). They are in
 * external.c. Beside a model whose library brings no such header of its own.
 */
#ifndef MODELICA_UTILITIES_H
#define MODELICA_UTILITIES_H

#include <stdarg.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define RUNG_NO_RETURN __attribute__((noreturn))
#define RUNG_FORMAT(at, first) __attribute__((format(printf, at, first)))
#else
#define RUNG_NO_RETURN
#define RUNG_FORMAT(at, first)
#endif

/* Messages, with a line end of the caller's own. */
void ModelicaMessage(const char *string);
void ModelicaFormatMessage(const char *format, ...) RUNG_FORMAT(1, 2);
void ModelicaVFormatMessage(const char *format, va_list args) RUNG_FORMAT(1, 0);
void ModelicaWarning(const char *string);
void ModelicaFormatWarning(const char *format, ...) RUNG_FORMAT(1, 2);
void ModelicaVFormatWarning(const char *format, va_list args) RUNG_FORMAT(1, 0);

/* These do not return: the call ends, and so does the run unless a smaller step helps. */
RUNG_NO_RETURN void ModelicaError(const char *string);
RUNG_NO_RETURN void ModelicaFormatError(const char *format, ...) RUNG_FORMAT(1, 2);
RUNG_NO_RETURN void ModelicaVFormatError(const char *format, va_list args) RUNG_FORMAT(1, 0);

/* Memory of Strings that are results, `length` characters and a 0; it is freed after the call.
 * Where there is none, the first and third do not return, the others return NULL. */
char *ModelicaAllocateString(size_t length);
char *ModelicaAllocateStringWithErrorReturn(size_t length);
char *ModelicaDuplicateString(const char *string);
char *ModelicaDuplicateStringWithErrorReturn(const char *string);

#undef RUNG_NO_RETURN
#undef RUNG_FORMAT

#ifdef __cplusplus
}
#endif

#endif
