/* resource.h -- the files that libraries name (MLS 13.5). */
#ifndef RUNG_FRONTEND_EVALUATE_RESOURCE_H
#define RUNG_FRONTEND_EVALUATE_RESOURCE_H

#include "frontend/front.h"

/* The directory of the top-level class around c. */
const char *resource_directory(Front *f, const SynClass *c);
/* modelica://Package/path, file:///path, and other names as beside the top-level class around c;
 * NULL: there is no such package. */
const char *resource_path(Front *f, const SynClass *c, const char *uri);

#endif
