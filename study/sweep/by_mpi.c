/* The ranks of MPI, as a module: see ranks.h. */
#include "study/sweep/ranks.h"

#include <mpi.h>

static void send_bytes(int to, const void *bytes, size_t n)
{
    MPI_Send(bytes, (int)n, MPI_BYTE, to, 0, MPI_COMM_WORLD);
}

static bool is_waiting(int *from, size_t *n)
{
    int flag = 0, count = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &flag, &status);
    if (!flag)
        return false;
    MPI_Get_count(&status, MPI_BYTE, &count);
    *from = status.MPI_SOURCE;
    *n = (size_t)count;
    return true;
}

static void receive_bytes(int from, void *bytes, size_t n)
{
    MPI_Recv(bytes, (int)n, MPI_BYTE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void end(void)
{
    MPI_Finalize();
}

static void stop(int status)
{
    MPI_Abort(MPI_COMM_WORLD, status);
}

int rung_ranks(Ranks *out);
int rung_ranks(Ranks *out)
{
    *out = (Ranks){.send = send_bytes,
                   .is_waiting = is_waiting,
                   .receive = receive_bytes,
                   .end = end,
                   .abort = stop};
    if (MPI_Init(NULL, NULL) != MPI_SUCCESS)
        return 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &out->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &out->size);
    return 0;
}
