/* instance_code.h -- a model as C for the instances of runtime/fmi, which take steps by `esdirk`
 * and cannot change their states: an FMU, a live page. */
#ifndef RUNG_STUDY_INSTANCE_CODE_H
#define RUNG_STUDY_INSTANCE_CODE_H

#include "emit/emit.h"
#include "study/run_request.h"
#include "translate/compilation.h"

typedef struct InstanceCode {
    Compilation *c;  /* NULL: the request names no model; to be freed by compilation_free */
    EmitFiles files; /* with is_good */
    bool is_good;    /* else compilation_report says why */
} InstanceCode;

/* Changes *r as state_policy_translate does. derivatives: of outputs and by inputs, too. */
InstanceCode instance_code_make(RunRequest *r, bool derivatives, Arena *mem);

#endif
