/* options.h -- the command line, read once: the options of all subcommands. */
#ifndef RUNG_CLI_OPTIONS_H
#define RUNG_CLI_OPTIONS_H

#include "base/exit.h"
#include "base/vec.h"
#include "translate/request.h"

#include <stdbool.h>

typedef struct Options {
    Arena *mem;
    const char *command;
    Texts files;
    Texts libraries; /* --library, in order */
    Texts set;       /* --set p=v           */
    Texts modifiers; /* likewise, where nothing is run */
    Texts sweep;     /* --sweep p=a,b,c     */
    Texts vary;      /* --vary p=a,b,c      */
    const char *model;
    const char *dump; /* -d PASS */
    const char *output;
    const char *format;
    const char *order;
    const char *method;
    const char *what;        /* --what a,b */
    const char *lanes;       /* --lanes 4,8; NULL: 1 */
    const char *range_check; /* off, warn (or NULL) or error */
    const char *unit_check;  /* off, warn or error; NULL: the command's default */
    const char *loops;       /* ali3p, penalty or index-reduction; NULL: automatic       */
    const char *states;      /* static or redundant; NULL: automatic                     */
    const char *jacobian;    /* analytic, coloured, dense, all; NULL: automatic           */
    const char *plot;
    const char *plot_signals;
    const char *fmi;                   /* --fmi 2|3 */
    const char *interface;             /* --interface me|cs|both */
    const char *input, *interpolation; /* data that inputs follow */
    const char *save_state, *from;
    Texts start;                                    /* --start 'x=v' */
    double save_interval;                           /* NAN: not given */
    const char *signals;                            /* --signals 'a.*,b': of the result */
    double stop, tolerance, interval, step, points; /* NAN: not given */
    double jacobian_reuse;                          /* likewise        */
    bool profile;                                   /* times of the parts of a run */
    double alpha, penalty, projections;             /* likewise        */
    const char *projection;                         /* mass, alpha; NULL: not given */
    double sensitivity_tolerance;                   /* NAN: not given  */
    double at;                                      /* --at: NAN: not given */
    const char *along;                              /* a result that `dof` goes along */
    const char *known;                              /* patterns of parameters */
    bool strict;                  /* report every violation of the specification as an error */
    bool no_external;             /* C of others is not built and run */
    bool numbers;                 /* they have the numbers of the model */
    const char *parameters;       /* of a library: patterns of names */
    const char *motion, *effort;  /* of --kind inverse: patterns of names */
    const char *kind, *real;      /* --kind of `compile`, --real double or float */
    const char *inputs, *outputs; /* patterns of names, for derivatives */
    const char *memory;           /* of gradient and optimize: a size, or NULL */
    const char *mode;             /* of gradient: direct, adjoint or auto (NULL) */
    const char *adjoint;          /* compile: patterns of parameters */
    const char *sensitivity, *of; /* patterns of parameters, of variables */
    const char *objective;        /* of gradient, optimize */
    const char *bounds;           /* of optimize: 'p=lo:hi,...' */
    const char *algorithm;        /* likewise */
    bool maximise;                /* likewise */
    bool steady;                  /* --steady */
    const char *vary_from;        /* --vary-from FILE.csv */
    const char *sampling;         /* grid, list, lhs or random; NULL: automatic */
    const char *part;             /* --part I/K */
    double runs, jobs, seed;      /* NAN: not given */
    const char *curves;           /* of `view`: below the picture */
    double speed;                 /* likewise: NAN: not given */
    const char *up;               /* --up: NULL: not given */
    const char *follow;           /* --follow: likewise    */
    bool play, live;
    bool keep, mpi, slurm;
    bool quiet, round_trip, help, version;
    bool no_fallback;        /* --no-fallback */
    bool plain_consing;      /* --no-fingerprints */
    bool no_frames;          /* --no-frames */
    const char *title;       /* of the pages of `doc` */
    bool check, diff;        /* of `format` */
    bool sources;            /* an FMU has its C sources, too */
    const char *certificate; /* a file of `verify` */
    bool rational;           /* --rational: `verify` in fractions at any size */
    bool error_estimate;     /* by a second run of `simulate` */
    bool audit, no_audit;    /* the flat equations are evaluated along the run, or not */
    bool no_cache;           /* neither read nor written */
    bool no_kernels;         /* the C is straight-line code throughout */
    const char *base;        /* of import: fixed or free */
    const char *diagnostics; /* text or json */
    const char *color;
    const char *progress;
} Options;

/* Fills o; after a mistake prints it and returns false (EXIT_USAGE): an unknown option, one that
 * the command does not take, one without a value or with a wrong one, or one given twice with
 * different values where only one is possible. */
bool options_read(Options *o, Arena *mem, int argc, char **argv);
/* Prints the options that a command takes, from the table that they are read by; command NULL:
 * those that every one takes. */
void options_help(const char *command);
/* A row of the table of options: an option that differs between commands has several rows. */
typedef struct OptionText {
    const char *name;
    char letter;          /* or 0                                     */
    const char *commands; /* one blank apart; NULL: all               */
    const char *argument; /* NULL: none; a|b: one of these            */
    const char *help;
} OptionText;
/* Bytes: 200000, 500k, 1.5G (of 1024 each); false if it is no size. */
bool options_read_size(const char *text, size_t *out);
bool options_want_json(const Options *o);                       /* --format json */
bool options_row(int k, OptionText *out);                       /* false behind the last one */
bool options_is_of(const OptionText *row, const char *command); /* of it, and not of all */
/* The widths of --lanes, ascending, without 1: their number. False, after saying why, if one is
 * none of 1, 2, 4, 8, 16. */
bool options_lanes(const Options *o, uint32_t width[MOST_LANES], uint32_t *n);

#endif
