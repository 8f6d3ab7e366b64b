#include "translate/request.h"

#include <criterion/criterion.h>
#include <stddef.h>

/* A member that the digest leaves out would give a model that was kept for another request: between
 * members there is no padding, and behind the last one less than a pointer's size. */
Test(request, digest_covers_every_member)
{
    size_t end = offsetof(Request, messages_in_colour) + sizeof(bool);
    for (size_t k = 0; k < end; k++)
        cr_assert(request_covers(k), "byte %zu", k);
    cr_assert_lt(sizeof(Request) - end, sizeof(void *), "members behind the last one");
}

static Digest digest(const Request *r)
{
    Digester *to = digester_new();
    request_digest(r, to);
    return digester_end(to);
}

Test(request, digest_tells_requests_apart)
{
    Arena *mem = arena_new();
    Request file = {0}, library = {0};
    vec_push(mem, file.files, "a");
    vec_push(mem, library.libraries, "a");
    const Request r[] = {{.model = NULL},
                         {.model = ""},
                         {.model = "M"},
                         {.order = "M"},
                         {.loops = LOOPS_ALI3P},
                         {.loops = LOOPS_PENALTY},
                         {.states = STATES_REDUNDANT},
                         {.strict = true},
                         {.linearisation = true},
                         file,
                         library};
    enum { N = sizeof r / sizeof *r };
    for (int k = 0; k < N; k++)
        for (int i = 0; i < N; i++)
            cr_assert_eq(digest_same(digest(&r[k]), digest(&r[i])), k == i, "%d %d", k, i);
    arena_free(mem);
}
