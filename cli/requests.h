/* requests.h -- what the options of the command line ask of a translation. */
#ifndef RUNG_CLI_REQUESTS_H
#define RUNG_CLI_REQUESTS_H

#include "cli/options.h"
#include "translate/request.h"

Request request_of(const Options *o);

#endif
