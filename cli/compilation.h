/* compilation.h -- one model on its way from text to a program: libraries, messages, facts. */
#ifndef RUNG_CLI_COMPILATION_H
#define RUNG_CLI_COMPILATION_H

#include "cli/options.h"
#include "eliminate/dae.h"
#include "frontend/front.h"

typedef struct Compilation {
    const Options *options;
    Arena *mem;     /* as long as the compilation */
    Arena *scratch; /* one pass                   */
    Names *names;
    Diags *diags;
    System *sys;
    Library *library;
    Front *front;
    Dae dae;
    const char *order; /* NULL: the cheapest */
    Orders orders;     /* who proposes them; next NULL: ordering.h, of `order` */
    /* of the driver */
    uint32_t facts;  /* what of the Dae holds, FACT_ bits                         */
    uint32_t n_done; /* passes                                                    */
    bool unchanged;  /* the pass at work left the equations as they were          */
} Compilation;

/* A compilation with the libraries and files of the options loaded. Errors are in c->diags. */
Compilation *compilation_new(const Options *o, Arena *mem);
/* Of the classes in the last file: the models that are not partial and that no other class of it
 * uses. */
uint32_t compilation_candidates(Compilation *c, const SynClass **out, uint32_t most);
/* As compilation_new, but NULL (said on stderr) if the options name no model. */
Compilation *compilation_open(const Options *o, Arena *mem);
/* The same; notes what of the file system is looked at, unless `to` is NULL. */
Compilation *compilation_open_recording(const Options *o, Arena *mem, Dependencies *to);
void compilation_free(Compilation *c); /* NULL is fine */

/* Whether messages are coloured. */
bool compilation_in_colour(const Options *o);
/* Prints what was recorded, as the options ask, and says with which status to exit. */
Exit compilation_report(Compilation *c, FILE *f);

#endif
