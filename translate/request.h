/* request.h -- the request for a translation: the model, its files, and options of the passes.
 *
 *     Request r = {.model = "Tank"};
 *     vec_push(mem, r.files, "tank.mo");
 *     Compilation *c = compilation_open(&r, mem);
 *
 * A zero in each member is the default. The texts and lists belong to the caller and live as long
 * as the translation. Options of a run are in study/run_request.h.
 */
#ifndef RUNG_TRANSLATE_REQUEST_H
#define RUNG_TRANSLATE_REQUEST_H

#include "base/digest.h"
#include "base/vec.h"
#include "emit/emit.h"
#include "frontend/front.h"
#include "import/imported_fmu.h"

#include <stdbool.h>

/* How kinematic loops are closed. */
typedef enum LoopChoice {
    LOOPS_DEFAULT,         /* cut at the joints that allow it, closed by multipliers          */
    LOOPS_ALI3P,           /* all of them cut, constraints of equations too; an error if not   */
    LOOPS_PENALTY,         /* likewise, closed by penalty forces                               */
    LOOPS_INDEX_REDUCTION, /* not cut                                                          */
} LoopChoice;

/* Which positions of a mechanism are states. */
typedef enum StateChoice {
    STATES_DEFAULT,   /* an independent set, chosen once; the caller may try the other          */
    STATES_STATIC,    /* the same, and that is final                                            */
    STATES_REDUNDANT, /* all; constraints that determine no variable safely become invariants   */
    STATES_DIFFERENTIATED, /* as by default, of variables that the equations differentiate alone */
} StateChoice;

/* How an implicit method has the derivatives of the model. */
typedef enum JacobianChoice {
    DERIVATIVES_DEFAULT,  /* symbolic where that is not too large, else differences      */
    DERIVATIVES_ANALYTIC, /* the same, requested explicitly                              */
    DERIVATIVES_COLOURED, /* differences of columns that share no row, at once           */
    DERIVATIVES_DENSE,    /* differences, one column after the other                     */
} JacobianChoice;

enum { MOST_LANES = 4 }; /* widths: 2, 4, 8, 16 */

typedef struct Request {
    /* which model */
    Texts files;       /* read in this order                                             */
    Texts libraries;   /* directories, before MODELICAPATH                               */
    const char *model; /* a class with modifiers; NULL: the only one of the last file    */
    Texts start;       /* "x=v": start attributes of the flat model                      */
    Texts avoided;     /* its variables that are states only where no other can be       */

    /* how it is translated */
    const char *order;  /* of elimination, or several with commas between; NULL: cheapest */
    const char *method; /* of the runs (simulate_method) ; NULL: chosen by the model      */

    /* derivatives that the program has: patterns of names, NULL for none */
    const char *sensitivity_by; /* parameters p or start values x.start               */
    const char *sensitivity_of; /* of these variables; NULL: of all                   */
    const char *objective;      /* "y,integral(z)": integrals become variables        */
    const char *inputs;         /* of the linearisation; NULL: all at top level       */
    const char *outputs;        /* likewise                                           */
    const char *parameters;     /* that a linearisation has derivatives by            */

    uint32_t lanes[MOST_LANES]; /* code for so many instances at once, too: ascending     */
    uint32_t n_lanes;
    FmuInterface interface; /* of the FMUs among the files                                */
    double fmu_step; /* of co-simulation, for FMUs whose description has none; 0: its default */
    double fmu_tolerance; /* passed to an FMU that is run alone; 0: none is passed             */
    LoopChoice loops;
    StateChoice states;
    JacobianChoice jacobian;
    RuleLevel units;       /* units that do not fit                                  */
    RuleLevel ranges;      /* values outside min and max, as far as they are constant */
    bool strict;           /* every violation of the specification is an error       */
    bool no_external;      /* external functions are refused: their C is not built   */
    bool linearisation;    /* the program has derivatives by inputs and of outputs   */
    bool adjoint;          /* of the objectives, instead of derivatives along the run */
    uint32_t adjoint_from; /* by fewer parameters the translation fails, without a message */
    bool plain_consing;    /* expressions are equal only if they have the same form  */
    bool keeps_frames;     /* vectors stay in the frames of the model */
    bool base_parameters;  /* derivatives and efforts by base parameters, if cheaper */
    bool derives_outputs;  /* derivatives of outputs by parameters are outputs, too  */
    bool pulls;            /* forces at the frames of a mechanism are inputs */
    bool has_no_kernels;   /* the C is straight-line code                            */
    bool keeps_orders;     /* orders found by searching are kept in the cache of the user, and taken
                              from it */

    /* how it is reported */
    bool messages_as_json;
    bool messages_in_colour;
} Request;

/* Digest of all members: requests of equal digest give equal translations of the same files. */
void request_digest(const Request *r, Digester *to);
bool request_covers(size_t byte); /* is this byte of a Request in a member that the digest covers */
/* Before a second translation of the model: warnings of units have been printed. */
void request_warned(Request *r);
EmitOptions request_emission(const Request *r); /* refers to r's lanes */
/* Patterns separated by commas outside brackets. */
Texts request_patterns(const char *all, Arena *mem);
/* The name of the choice on the command line; NULL for the default. */
const char *loop_choice_name(LoopChoice c);

#endif
