/* diag.h -- messages about the model: recorded here, printed once by cli/.
 *
 * A diagnostic names file:line:col, quotes the line with a caret, carries a code whose
 * letter is the stage (P parse, N names, T types, F flatten, S structure, E eliminate,
 * G generate, R run), and may have notes. Inside an instantiated component the frontend
 * pushes the instance as context; every error then ends with "in component ...". An error
 * that repeats another one (same place, same words) is dropped with its notes.
 */
#ifndef RUNG_BASE_DIAG_H
#define RUNG_BASE_DIAG_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct Source {
    const char *path; /* as the user named it */
    const char *text; /* size bytes, then a 0 */
    uint32_t size;
} Source;

/* Half-open byte range of a source; file is 1-based, 0 means "no place". */
typedef struct Span {
    uint32_t file;
    uint32_t begin, end;
} Span;

#define SPAN_NONE ((Span){0, 0, 0})

typedef enum Severity { DIAG_ERROR, DIAG_WARNING, DIAG_NOTE } Severity;

typedef struct Diag {
    Severity severity;
    Span span;
    char code[8];
    const char *text;
} Diag;

typedef struct Diags Diags;

Diags *diags_new(Arena *mem); /* owns sources and messages, all in mem */

/* Registers text (kept, not copied) under a path; returns its file number. */
uint32_t diags_add_source(Diags *d, const char *path, const char *text, uint32_t size);
const Source *diags_source(const Diags *d, uint32_t file);
/* Its text in another encoding: spans of the file made before are void. */
void diags_set_text(Diags *d, uint32_t file, const char *text, uint32_t size);

/* 1-based line and column (column in UTF-8 characters) of a byte. */
typedef struct Place {
    uint32_t line, column;
} Place;
Place diags_place(const Diags *d, uint32_t file, uint32_t byte);
/* "path:line:col", or "" for SPAN_NONE; in the arena of d. */
const char *diags_where(Diags *d, Span s);

void diag_error(Diags *d, Span s, const char *code, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
void diag_warning(Diags *d, Span s, const char *code, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
void diag_note(Diags *d, Span s, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* The path of instances that later errors get as a note; pop in reverse order. */
void diag_push(Diags *d, Span declared, const char *instance);
void diag_pop(Diags *d);
/* Of the outermost of these instances; SPAN_NONE: there is none. */
Span diags_outermost(const Diags *d);

uint32_t diags_errors(const Diags *d);
uint32_t diags_count(const Diags *d);
const Diag *diags_at(const Diags *d, uint32_t k);

/* At most this many errors are recorded; the rest are only counted. */
enum { DIAG_MAX_ERRORS = 200 };

/* While they are hidden, messages are neither recorded nor counted; returns whether they were. */
bool diags_hide(Diags *d, bool hidden);
/* Forgets messages; sources stay. */
void diags_clear(Diags *d);

void diags_print(const Diags *d, FILE *f, bool colour);
void diags_print_json(const Diags *d, FILE *f); /* one array of objects */
/* n messages from number `from` on, errors first. */
void diags_print_some(const Diags *d, uint32_t from, uint32_t n, FILE *f, bool colour);
void diags_print_json_some(const Diags *d, uint32_t from, uint32_t n, FILE *f);

#endif
