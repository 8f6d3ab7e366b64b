/* compilation.h -- the translation of one model from text to a program: libraries, messages,
 * facts. */
#ifndef RUNG_TRANSLATE_COMPILATION_H
#define RUNG_TRANSLATE_COMPILATION_H

#include "base/exit.h"
#include "eliminate/dae.h"
#include "frontend/front.h"
#include "translate/request.h"

typedef struct Compilation {
    Request request; /* with the model named */
    Arena *mem;      /* as long as the compilation */
    Arena *scratch;  /* one pass                   */
    Names *names;
    Diags *diags;
    System *sys;
    Library *library;
    Front *front;
    Dae dae;
    Orders orders; /* who proposes them; source NULL: ordering.h, as requested */
    bool is_torn;  /* base parameters are for the residual form */
    /* of the driver */
    uint32_t facts;  /* valid facts of the Dae, FACT_ bits */
    uint32_t n_done; /* passes                            */
} Compilation;

/* A compilation with the libraries and files of the request loaded. Errors are in c->diags. */
Compilation *compilation_new(const Request *r, Arena *mem);
/* Sets the model; the name must live as long as the compilation. */
void compilation_name(Compilation *c, const char *model);
/* The models of the last file that are not partial and that no other class of it uses. */
uint32_t compilation_candidates(Compilation *c, const SynClass **out, uint32_t most);
/* As compilation_new, but NULL, with a message on stderr, if the request names no model and the
 * files have none, or several. */
Compilation *compilation_open(const Request *r, Arena *mem);
/* The same; records the files and directories that it reads in `to`, unless that is NULL. */
Compilation *compilation_open_recording(const Request *r, Arena *mem, Dependencies *to);
void compilation_free(Compilation *c); /* NULL is fine */

/* Prints the messages, as requested, and returns the exit status. */
Exit compilation_report(Compilation *c, FILE *f);

#endif
