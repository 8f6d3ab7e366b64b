/* verify_fault_test.c -- rung verify refuses each program in which an equation was changed.
 *
 * After flattening, an operation or a derivative of one equation is changed in the System that is
 * compiled; verify() puts the program into the equations as they were. The change is a fault where
 * the values of the right program do not satisfy the changed equation. In small models fractions
 * must not find what residues have missed.
 *
 * usage: verify_fault_test FAULTS MODEL...          files x.mo, or names of the library's models
 */
#include "cli/requests.h"
#include "eliminate/prepare/der.h"
#include "eliminate/verify/verify.h"
#include "tests/e2e/faults.h"
#include "translate/driver.h"

#include <stdlib.h>
#include <string.h>

enum { SMALL = 400 };

static Compilation *opened(const char *model, bool plain, Arena *mem)
{
    bool is_file = strlen(model) > 3 && strcmp(model + strlen(model) - 3, ".mo") == 0;
    char *argv[] = {"rung", "verify", "--model", (char *)model, NULL};
    char *of_file[] = {"rung", "verify", (char *)model, NULL};
    Options o;
    if (!options_read(&o, mem, is_file ? 3 : 4, is_file ? of_file : argv))
        return NULL;
    Request r = request_of(&o);
    r.plain_consing = plain;
    return compilation_open(&r, mem);
}

/* The right program, and the equations. */
typedef struct Right {
    const Program *g;
    System *flat;
    Correspondence of; /* of the changed System */
    Exact *at;
    const System *changed;
} Right;

static bool right_value(void *user, Exact *at, VarId v, ExactMeaning *out)
{
    Right *r = user;
    if (expr_exists(r->of.bound[v.i])) {
        *out = (ExactMeaning){.in = at, .x = r->of.bound[v.i]};
        return true;
    }
    if (!var_is_unknown(&r->changed->var.at[v.i]) || r->of.match[v.i] == UINT32_MAX)
        return false;
    *out =
        (ExactMeaning){.in = at->real ? r->at->angles : r->at, .x = r->g->value[r->of.match[v.i]]};
    return true;
}

/* Whether the right values do not satisfy the equation that was changed, at some point. */
static bool is_fault(Right *r, Compilation *c)
{
    der_expand(c->sys, c->scratch);
    bool found = false;
    for (uint64_t seed = 101; seed < 117 && !found; seed++) {
        Arena *mem = arena_new();
        const VerifyPrime *prime = &verify_prime[seed % VERIFY_PRIMES];
        r->changed = c->sys;
        r->of = correspondence_of(r->g, c->sys, mem);
        r->at = exact_new(r->g->sys, mem, seed, prime);
        Exact *e = exact_new(c->sys, mem, seed, prime);
        exact_define(e, right_value, r);
        const Eq *q = &c->sys->eq.at[changed_eq.i];
        found = !number_same(&e->field, exact_value(e, q->lhs), exact_value(e, q->rhs)) &&
                !exact_is_poor(e);
        exact_done(e);
        exact_done(r->at);
        arena_free(mem);
    }
    return found;
}

typedef struct Tally {
    uint32_t tried, faults, found;
} Tally;

/* One change of the model. */
static bool one(Right *r, const char *model, FaultKind kind, Tally *n)
{
    Arena *mem = arena_new();
    Compilation *c = opened(model, false, mem);
    bool good = true;
    bool compiles = driver_run(c, driver_find("flatten")) && put_in(c->sys, kind, c->scratch) &&
                    changed_eq.i != EQ_NONE.i;
    bool fault = compiles && is_fault(r, c);
    n->tried++;
    if (compiles && driver_run(c, NULL) && c->dae.loops.n_loops == 0) {
        const Program *g = &c->dae.solution.program;
        VerifyReport v = verify(g, r->flat, NULL, (VerifyPoints){.residues = 16});
        // one with fewer states may have some of the solutions: the equations hold, and the number
        // of its states tells it
        bool accepted = verify_is_proved(&v) && g->n_states == r->g->n_states;
        n->faults += fault;
        n->found += fault && !accepted;
        good = !(fault && accepted);
        if (accepted && r->flat->eq.n <= SMALL) {
            v = verify(g, r->flat, NULL, (VerifyPoints){.fractions = 3});
            good = good && v.ok;
        }
        if (!good)
            printf("missed: %s: %s\n", model, changed);
    }
    compilation_free(c);
    arena_free(mem);
    return good;
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    uint32_t wanted = faults_wanted(argv[1]);
    uint32_t n_models = (uint32_t)argc - 2;
    Tally n = {0};
    bool good = true;
    for (uint32_t m = 0; m < n_models; m++) {
        Arena *mem = arena_new();
        const char *model = argv[2 + m];
        Compilation *c = opened(model, false, mem);
        Compilation *flat = opened(model, true, mem);
        if (!driver_run(c, NULL) || !driver_run(flat, driver_find("loops")))
            return 1;
        Right r = {.g = &c->dae.solution.program, .flat = flat->sys};
        VerifyReport v = verify(r.g, r.flat, NULL, (VerifyPoints){.residues = 16});
        if (!verify_is_proved(&v)) {
            printf("FAILED: %s does not hold as it is\n", model);
            good = false;
        }
        uint32_t before = n.found;
        uint32_t share = wanted / n_models + (m < wanted % n_models);
        for (uint32_t k = 0; n.found - before < share && k < 4 * share + 10; k++)
            good = one(&r, model, k % 5 == 4 ? FAULT_DERIVATIVE : FAULT_OPERATION, &n) && good;
        compilation_free(flat);
        compilation_free(c);
        arena_free(mem);
    }
    printf("%u changes made, %u faults, %u found\n", n.tried, n.faults, n.found);
    return good && n.found >= wanted * 9 / 10 ? 0 : 1;
}
