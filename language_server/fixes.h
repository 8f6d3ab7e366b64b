/* fixes.h -- the changes that messages propose: "there is no 'sn'; did you mean 'sin'?" */
#ifndef RUNG_LANGUAGE_SERVER_FIXES_H
#define RUNG_LANGUAGE_SERVER_FIXES_H

#include "language_server/document.h"

#include <cjson/cJSON.h>

/* textDocument/codeAction: for each diagnostic of the request that proposes a name, the edit that
 * puts it in place of the other one. */
void fixes_put(const Document *d, bool utf8, const cJSON *params, Text *answer);

#endif
