/* ranks.h -- pieces of work by the ranks of mpirun: rank 0 hands them out, the others do them.
 *
 * MPI is a module of its own (by_mpi.c), loaded on demand: the program runs without MPI, too. Rank
 * 0 sleeps between messages, so there may be one rank more than processors. MPI ends the whole job
 * when a rank dies; results received until then are kept.
 */
#ifndef RUNG_STUDY_SWEEP_RANKS_H
#define RUNG_STUDY_SWEEP_RANKS_H

#include "base/workers.h"

/* Filled in by the module; messages are bytes. */
typedef struct Ranks {
    int rank, size;
    void (*send)(int to, const void *bytes, size_t n);
    bool (*is_waiting)(int *from, size_t *n); /* a message, and how long it is */
    void (*receive)(int from, void *bytes, size_t n);
    void (*end)(void);
    void (*abort)(int status); /* of all ranks; does not return */
} Ranks;

/* Type of the module's function `rung_ranks`; 0 if MPI has started. */
typedef int (*RanksBegin)(Ranks *out);

/* False, with a message on stderr, if there is no MPI. */
bool ranks_open(Ranks *r, Arena *mem);
/* Rank 0: gives out all pieces. False, with a message on stderr, if no rank is left to do them. A
 * single rank does them itself. */
bool ranks_run(const Ranks *r, const Work *w, Arena *mem);
/* The others: until there are none; able false: this one cannot do any. */
void ranks_serve(const Ranks *r, const Work *w, bool able);

#endif
