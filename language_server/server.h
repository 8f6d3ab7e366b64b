/* server.h -- a language server (LSP 3.17): texts in editors, and requests about them. */
#ifndef RUNG_LANGUAGE_SERVER_SERVER_H
#define RUNG_LANGUAGE_SERVER_SERVER_H

#include "base/vec.h"

/* Listens on `in` and answers on `out`, file descriptors, until the client says exit or is gone.
 * libraries: directories, before MODELICAPATH. Returns the exit status that the protocol wants: 0
 * after shutdown, else 1. */
int server_run(int in, int out, const Texts *libraries);

#endif
