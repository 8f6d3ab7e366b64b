/* model_size.h -- the size of a model in numbers: equations, states, operations by order. */
#ifndef RUNG_LANGUAGE_SERVER_MODEL_SIZE_H
#define RUNG_LANGUAGE_SERVER_MODEL_SIZE_H

#include "language_server/analysis.h"

/* A paragraph about a class that is a model by itself; nothing of others and of models with errors.
 * Operations, which are counted as `rung count` does, only if the files have the texts of the
 * documents and the model has less than 10,000 equations. */
void put_model_size(const Analysis *a, const char *model, Text *out);

#endif
