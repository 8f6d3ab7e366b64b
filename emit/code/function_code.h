/* function_code.h -- functions that stay calls (ir/body.h) become C functions of one form:
 *
 *     int f(RungContext *ctx, const double *in, double *out);
 *
 * They return as the functions of the interface do. A model, its initial system and its fallback
 * share them.
 */
#ifndef RUNG_EMIT_CODE_FUNCTION_CODE_H
#define RUNG_EMIT_CODE_FUNCTION_CODE_H

#include "emit/code/quote.h"
#include "ir/body.h"

typedef struct FunctionUse {
    const System *sys;
    Arena *mem;
    const char *id; /* of the model: they are called <id>_f<number> */
    bool *is_used;  /* per function of the System                   */
    bool **is_read; /* per function: of its locals, whether something in it reads them; or NULL */
    bool has_texts; /* some function makes Strings, which takes memory */
    bool has_model_texts; /* an expression outside of functions is one  */
    bool has_arrays;      /* some function has an array of a size that is known in a run only */
    VEC(FuncId) used;
} FunctionUse;

FunctionUse *function_use_new(const System *s, Arena *mem, const char *id);
/* The name in C; false if nothing can be called: an error is the caller's. */
const char *function_use(FunctionUse *u, FuncId f);
/* How many of its results are Strings; and their indices, as a list in braces. */
uint32_t function_n_texts(const Function *f);
void function_text_results(const Function *f, Text *out);
/* Does it need input k where that is a String literal? */
bool function_takes_text(FunctionUse *u, FuncId f, uint32_t k);

/* The functions that are used so far, and those that they use. */
struct Coder;
void function_prototypes(const FunctionUse *u, Text *out);
/* `external`: functions that call external ones, with the declarations of these, for a file of its
 * own. */
void function_definitions(struct Coder *c, Text *plain, Text *external);
uint32_t function_externals(const FunctionUse *u, Arena *mem, const External ***out);

#endif
