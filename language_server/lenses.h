/* lenses.h -- commands that stand above the models of a document: simulate, view, count.
 *
 * The server carries them out (workspace/executeCommand): rung runs on the document's file, which
 * has to be saved, and the client is asked to show the page.
 */
#ifndef RUNG_LANGUAGE_SERVER_LENSES_H
#define RUNG_LANGUAGE_SERVER_LENSES_H

#include "language_server/analysis.h"

void analysis_lenses(const Analysis *a, Text *answer); /* textDocument/codeLens */
void put_lens_commands(Json *j);                       /* their names, as values of an array */

/* A command of a lens that is carried out. */
typedef struct LensRun {
    const char *command; /* "rung.simulate" */
    const char *model;   /* its full name */
    const char *folder;  /* of files that are shown */
    uint32_t number;     /* of the run: files of another one have other names */
} LensRun;

/* {"page": path or "", "external": it is for a browser, "message": of the program, "failed"}. Waits
 * for the program, which is of the same process group. */
void analysis_run(const Analysis *a, const LensRun *run, Text *answer);

#endif
