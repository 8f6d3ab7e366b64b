/* analysis.h -- answers to the requests of an editor about a document.
 *
 * Each runs in a copy of the server (copies.h), so that neither a fault nor an endless loop on half
 * a model reaches the editor, and no memory is left behind. Files are read anew: a model with the
 * standard library takes a tenth of a second. Answers are JSON.
 */
#ifndef RUNG_LANGUAGE_SERVER_ANALYSIS_H
#define RUNG_LANGUAGE_SERVER_ANALYSIS_H

#include "base/json.h"
#include "language_server/document.h"
#include "translate/compilation.h"

typedef struct Analysis {
    Documents *documents;
    Document *document;
    Texts libraries; /* directories, before MODELICAPATH */
    Position position;
    bool with_declaration; /* among the references */
    const char *new_name;  /* or NULL              */
    const char **refusal;  /* set by those that give a reason instead of an answer */
    Arena *mem;
} Analysis;

/* A compilation with the document, the other open ones, and the folder of the document as a
 * library. *tree: of the document. */
Compilation *analysis_open(const Analysis *a, const SynFile **tree);
/* Folders with classes: those given, and that of the document. */
Texts analysis_libraries(const Analysis *a);
/* Of the document, with the ends of classes that are open at its end. */
const char *analysis_closed_text(Arena *mem, const Document *d);
/* {"line", "character"} of both ends. */
void put_range(Json *j, const char *name, const Lines *lines, Span s);
/* Of a file, as its document has it if it is open; in mem. */
const char *analysis_uri(const Analysis *a, const char *path);
/* Of the document. */
Lines analysis_lines(const Analysis *a);

typedef enum CheckDepth {
    CHECK_SYNTAX,
    CHECK_CLASSES,   /* names, types and equations too, if the syntax is right */
    CHECK_STRUCTURE, /* states and blocks of the models, too, if there is no error yet */
} CheckDepth;

/* textDocument/publishDiagnostics: its parameters. */
void analysis_diagnostics(const Analysis *a, CheckDepth depth, Text *answer);
void analysis_symbols(const Analysis *a, Text *answer);        /* textDocument/documentSymbol */
void analysis_formatting(const Analysis *a, Text *answer);     /* textDocument/formatting     */
void analysis_hover(const Analysis *a, Text *answer);          /* textDocument/hover          */
void analysis_definition(const Analysis *a, Text *answer);     /* textDocument/definition */
void analysis_references(const Analysis *a, Text *answer);     /* textDocument/references */
void analysis_prepare_rename(const Analysis *a, Text *answer); /* textDocument/prepareRename */
void analysis_rename(const Analysis *a, Text *answer);         /* textDocument/rename */
void analysis_signature(const Analysis *a, Text *answer);      /* textDocument/signatureHelp */
void analysis_folding(const Analysis *a, Text *answer);        /* textDocument/foldingRange */
void analysis_semantic(const Analysis *a, Text *answer); /* textDocument/semanticTokens/full */
void put_semantic_legend(Json *j);
void analysis_completion(const Analysis *a, Text *answer); /* textDocument/completion */

#endif
