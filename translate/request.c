#include "translate/request.h"

#include "runtime/result/result.h"

#include <stddef.h>

/* How the bytes of a member are compared. */
typedef enum RequestMemberKind { MEMBER_TEXT, MEMBER_TEXTS, MEMBER_BYTES } RequestMemberKind;

typedef struct RequestMember {
    size_t at, size;
    RequestMemberKind kind;
} RequestMember;

#define MEMBER(kind, name)                                                                         \
    {                                                                                              \
        offsetof(Request, name), sizeof(((const Request *)NULL)->name), MEMBER_##kind              \
    }

/* In the order of the struct; request_covers finds a missing member. */
static const RequestMember members[] = {
    MEMBER(TEXTS, files),
    MEMBER(TEXTS, libraries),
    MEMBER(TEXT, model),
    MEMBER(TEXTS, start),
    MEMBER(TEXTS, avoided),
    MEMBER(TEXT, order),
    MEMBER(TEXT, method),
    MEMBER(TEXT, sensitivity_by),
    MEMBER(TEXT, sensitivity_of),
    MEMBER(BYTES, derives_outputs),
    MEMBER(TEXT, objective),
    MEMBER(TEXT, inputs),
    MEMBER(TEXT, outputs),
    MEMBER(TEXT, parameters),
    MEMBER(BYTES, lanes),
    MEMBER(BYTES, n_lanes),
    MEMBER(BYTES, interface),
    MEMBER(BYTES, fmu_step),
    MEMBER(BYTES, fmu_tolerance),
    MEMBER(BYTES, loops),
    MEMBER(BYTES, states),
    MEMBER(BYTES, jacobian),
    MEMBER(BYTES, units),
    MEMBER(BYTES, ranges),
    MEMBER(BYTES, strict),
    MEMBER(BYTES, no_external),
    MEMBER(BYTES, linearisation),
    MEMBER(BYTES, adjoint),
    MEMBER(BYTES, adjoint_from),
    MEMBER(BYTES, plain_consing),
    MEMBER(BYTES, keeps_frames),
    MEMBER(BYTES, base_parameters),
    MEMBER(BYTES, pulls),
    MEMBER(BYTES, has_no_kernels),
    MEMBER(BYTES, keeps_orders),
    MEMBER(BYTES, messages_as_json),
    MEMBER(BYTES, messages_in_colour),
};

enum { MEMBERS = sizeof members / sizeof *members };

bool request_covers(size_t byte)
{
    for (int k = 0; k < MEMBERS; k++)
        if (byte >= members[k].at && byte < members[k].at + members[k].size)
            return true;
    return false;
}

void request_digest(const Request *r, Digester *to)
{
    for (int k = 0; k < MEMBERS; k++) {
        const RequestMember *m = &members[k];
        const void *at = (const char *)r + m->at;
        if (m->kind == MEMBER_TEXT) {
            digester_text(to, *(const char *const *)at);
        } else if (m->kind == MEMBER_TEXTS) {
            const Texts *all = at;
            digester_add(to, &all->n, sizeof all->n);
            for (uint32_t i = 0; i < all->n; i++)
                digester_text(to, all->at[i]);
        } else {
            digester_add(to, at, m->size);
        }
    }
}

EmitOptions request_emission(const Request *r)
{
    EmitOptions e = emit_defaults();
    e.kernels = !r->has_no_kernels;
    e.lanes = r->lanes;
    e.n_lanes = r->n_lanes;
    return e;
}

Texts request_patterns(const char *all, Arena *mem)
{
    Texts found = {0};
    for (const char *p = all; *p;) {
        const char *end = result_pattern_end(p);
        vec_push(mem, found, arena_copy(mem, p, (size_t)(end - p)));
        p = *end ? end + 1 : end;
    }
    return found;
}

void request_warned(Request *r)
{
    if (r->units == RULE_WARN)
        r->units = RULE_OFF;
}

const char *loop_choice_name(LoopChoice c)
{
    static const char *const name[] = {[LOOPS_DEFAULT] = NULL,
                                       [LOOPS_ALI3P] = "ali3p",
                                       [LOOPS_PENALTY] = "penalty",
                                       [LOOPS_INDEX_REDUCTION] = "index-reduction"};
    return name[c];
}
