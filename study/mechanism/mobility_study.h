/* mobility_study.h -- the mobility of a model at the start of a run, along a result, and beyond.
 *
 *     MobilityRequest r = {.run = run_request_defaults(), .tolerance = NAN};
 *     vec_push(mem, r.run.translation.files, "crane.mo");
 *     MobilityStudy s;
 *     Exit status = mobility_study(&r, &s, mem);
 *     mechanism_close(&s.m);
 */
#ifndef RUNG_STUDY_MECHANISM_MOBILITY_STUDY_H
#define RUNG_STUDY_MECHANISM_MOBILITY_STUDY_H

#include "study/mechanism/mobility.h"
#include "study/run_request.h"

typedef struct MobilityRequest {
    RunRequest run;
    double tolerance;  /* as mechanism_open takes it                             */
    const char *along; /* a result whose rows are studied, too; NULL: none       */
} MobilityRequest;

typedef struct MobilityStudy {
    Mechanism m;
    Mobility at; /* at the start; all zero without coordinates              */
    Beyond beyond;
    uint32_t reach; /* as mobility_reach; UINT32_MAX: not computed            */
    Along along;    /* n_rows 0: not requested                                */
    bool is_run;    /* the start is that of a run; else the position nearest to the start values */
} MobilityStudy;

/* Prints errors to stderr. The caller closes the mechanism in any case. */
Exit mobility_study(const MobilityRequest *r, MobilityStudy *out, Arena *mem);

#endif
