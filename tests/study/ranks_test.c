/* Pieces of work by ranks (study/sweep/ranks.h), which are threads of this process here, with a
 * queue of messages each. */
#include "study/sweep/ranks.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS = 4, PIECES = 50, ROOM = 200 };

typedef struct Message {
    int from;
    size_t n;
    char bytes[40];
} Message;

static struct {
    pthread_mutex_t lock;
    Message message[RANKS][ROOM];
    int first[RANKS], end[RANKS];
} post = {.lock = PTHREAD_MUTEX_INITIALIZER};

static _Thread_local int self; /* the rank that this thread is */

static void post_send(int to, const void *bytes, size_t n)
{
    pthread_mutex_lock(&post.lock);
    Message *m = &post.message[to][post.end[to]++ % ROOM];
    *m = (Message){.from = self, .n = n};
    memcpy(m->bytes, bytes, n);
    pthread_mutex_unlock(&post.lock);
}

static bool post_is_waiting(int *from, size_t *n)
{
    pthread_mutex_lock(&post.lock);
    bool is = post.first[self] < post.end[self];
    const Message *m = &post.message[self][post.first[self] % ROOM];
    *from = is ? m->from : -1;
    *n = is ? m->n : 0;
    pthread_mutex_unlock(&post.lock);
    return is;
}

static void post_receive(int from, void *bytes, size_t n)
{
    pthread_mutex_lock(&post.lock);
    const Message *m = &post.message[self][post.first[self]++ % ROOM];
    memcpy(bytes, m->from == from ? m->bytes : "", m->from == from ? n : 0);
    pthread_mutex_unlock(&post.lock);
}

static Ranks ranks_of(int rank, int size)
{
    return (Ranks){.rank = rank,
                   .size = size,
                   .send = post_send,
                   .is_waiting = post_is_waiting,
                   .receive = post_receive};
}

/* The answer to id is its square. */
static void square(void *user, uint32_t id, Text *answer)
{
    (void)user;
    text_printf(answer, "%u squared is %u", id, id * id);
}

typedef struct Answers {
    uint32_t times[PIECES], value[PIECES];
} Answers;

static void take(void *user, uint32_t piece, const char *answer, size_t n)
{
    Answers *it = user;
    char text[40] = {0};
    memcpy(text, answer, n);
    uint32_t id;
    cr_assert_eq(sscanf(text, "%u squared is %u", &id, &it->value[piece]), 2, "%s", text);
    it->times[piece]++;
}

static uint32_t id[PIECES];

static Work work_of(Answers *to)
{
    for (uint32_t k = 0; k < PIECES; k++)
        id[k] = 3 + 2 * k;
    return (Work){.n = PIECES, .id = id, .user = to, .run = square, .take = take};
}

static int n_unable; /* the last ranks cannot do anything */

static void *serve(void *rank)
{
    self = (int)(intptr_t)rank;
    Ranks r = ranks_of(self, RANKS);
    Work w = work_of(NULL);
    ranks_serve(&r, &w, self < RANKS - n_unable);
    return NULL;
}

static void check(const Answers *a)
{
    for (uint32_t k = 0; k < PIECES; k++) {
        cr_assert_eq(a->times[k], 1, "piece %u", k);
        cr_assert_eq(a->value[k], (3 + 2 * k) * (3 + 2 * k));
    }
}

/* Each piece is made once, also if one of the ranks is unable. */
Test(ranks, each_piece_once)
{
    for (n_unable = 0; n_unable < 2; n_unable++) {
        Arena *mem = arena_new();
        Answers a = {{0}, {0}};
        pthread_t thread[RANKS];
        for (int k = 1; k < RANKS; k++)
            cr_assert_eq(pthread_create(&thread[k], NULL, serve, (void *)(intptr_t)k), 0);
        Ranks r = ranks_of(0, RANKS);
        Work w = work_of(&a);
        cr_assert(ranks_run(&r, &w, mem));
        for (int k = 1; k < RANKS; k++)
            pthread_join(thread[k], NULL);
        check(&a);
        arena_free(mem);
    }
}

Test(ranks, a_single_one_works_itself)
{
    Arena *mem = arena_new();
    Answers a = {{0}, {0}};
    Ranks r = {.size = 1};
    Work w = work_of(&a);
    cr_assert(ranks_run(&r, &w, mem));
    check(&a);
    arena_free(mem);
}

/* With none that is able nothing is made, which is an error. */
Test(ranks, none_is_able)
{
    Arena *mem = arena_new();
    Answers a = {{0}, {0}};
    n_unable = RANKS;
    pthread_t thread[RANKS];
    for (int k = 1; k < RANKS; k++)
        cr_assert_eq(pthread_create(&thread[k], NULL, serve, (void *)(intptr_t)k), 0);
    Ranks r = ranks_of(0, RANKS);
    Work w = work_of(&a);
    cr_assert_not(ranks_run(&r, &w, mem));
    for (int k = 1; k < RANKS; k++)
        pthread_join(thread[k], NULL);
    for (uint32_t k = 0; k < PIECES; k++)
        cr_assert_eq(a.times[k], 0);
    arena_free(mem);
}
