/* package_check.c -- a worker is a copy of this process, in which all files are read already; each
 * class has a System of its own. */
#include "study/package_check.h"

#include "base/workers.h"
#include "study/simulation.h"

#include "base/json.h"

#include <stdlib.h>
#include <string.h>

typedef struct PackageCheck {
    Compilation *c;
    Texts class_; /* full names */
    Map seen;     /* of messages: Name -> 1; of classes while they are collected */
    uint32_t n_flat, n_types, n_open, n_bad, n_errors, n_warnings;
    FILE *to;
} PackageCheck;

static const char *full_name(Arena *mem, const SynClass *c)
{
    return c->parent ? arena_printf(mem, "%s.%s", full_name(mem, c->parent), c->name.s) : c->name.s;
}

static void collect(PackageCheck *p, SynClass *c)
{
    if (!map_add(&p->seen, map_key_ptr(c)))
        return;
    vec_push(p->c->mem, p->class_, full_name(p->c->mem, c));
    if (c->restriction != SYN_R_PACKAGE)
        return; /* classes in a model, and protected ones, are checked where they are used */
    for (uint32_t k = 0; k < c->n_elements; k++) {
        const SynElement *e = c->elements[k];
        if (e->kind == SYN_CLASS && !e->is_protected && !e->redeclare &&
            e->class_->kind != SYN_CLASS_EXTENDS)
            collect(p, e->class_);
    }
    uint32_t n = 0;
    const Name *entry = c->dir ? library_entries(p->c->library, c, &n) : NULL;
    for (uint32_t k = 0; k < n; k++) {
        const SynElement *e = library_member(p->c->library, c, entry[k]);
        if (e && e->kind == SYN_CLASS && !e->is_protected && !e->redeclare &&
            e->class_->kind != SYN_CLASS_EXTENDS)
            collect(p, e->class_);
    }
}

static bool is_json(const Compilation *c)
{
    return c->request.messages_as_json;
}

ClassCheck class_check(Compilation *c, const char *name)
{
    Arena *mem = arena_new();
    diags_clear(c->diags);
    System *s = system_new(mem, c->names, c->diags, true);
    Front *f = front_new(s, c->library);
    f->spanning = c->front->spanning;
    f->strict = c->front->strict;
    f->units = c->front->units;
    f->ranges = c->front->ranges;
    ClassCheck as = front_check_class(f, name);
    if (as == CHECK_WANTS_VALUES)
        diags_clear(c->diags);
    front_free(f);
    system_free(s);
    arena_free(mem);
    return as;
}

/* Runs in a worker. The answer: flat or not, then each message with its notes behind a byte 1. */
static void check_one(void *user, uint32_t id, Text *answer)
{
    PackageCheck *p = user;
    Compilation *c = p->c;
    ClassCheck as = class_check(c, p->class_.at[id]);
    text_put(answer, as == CHECKED_AS_MODEL ? "m" : as == CHECKED_AS_TYPE ? "t" : "v");
    const Diags *d = c->diags;
    for (uint32_t k = 0; k < diags_count(d);) {
        uint32_t n = 1;
        while (k + n < diags_count(d) && diags_at(d, k + n)->severity == DIAG_NOTE)
            n++;
        text_put(answer, "\1");
        text_put(answer, diags_at(d, k)->severity == DIAG_ERROR ? "e" : "w");
        char *text = NULL;
        size_t size = 0;
        FILE *to = open_memstream(&text, &size);
        if (is_json(c))
            diags_print_json_some(d, k, n, to);
        else
            diags_print_some(d, k, n, to, c->request.messages_in_colour);
        fclose(to);
        text_put_n(answer, text, size);
        free(text);
        k += n;
    }
}

static void take(void *user, uint32_t piece, const char *answer, size_t n)
{
    (void)piece;
    PackageCheck *p = user;
    if (n == 0)
        return;
    if (answer[0] == 'm')
        p->n_flat++;
    else if (answer[0] == 't')
        p->n_types++;
    else
        p->n_open++;
    const char *end = answer + n;
    const char *at = memchr(answer, 1, n);
    bool bad = false;
    while (at) {
        const char *next = memchr(at + 1, 1, (size_t)(end - at - 1));
        bool error = at[1] == 'e';
        bad = bad || error;
        const char *text = at + 2;
        size_t size = (size_t)((next ? next : end) - text);
        /* an error in a base or a component is found with every class that uses it: print it
         * once */
        Name key = name_of_n(p->c->names, text, size);
        if (map_add(&p->seen, map_key_ptr(key.s))) {
            if (is_json(p->c)) /* of "[\n  {..}\n]\n" the inside only: all make one array */
                fprintf(stderr, "%s%.*s", p->n_errors + p->n_warnings ? "," : "[", (int)size - 4,
                        text + 1);
            else
                fwrite(text, 1, size, stderr);
            if (error)
                p->n_errors++;
            else
                p->n_warnings++;
        }
        at = next;
    }
    p->n_bad += bad;
}

static void lost(void *user, uint32_t piece, int signal)
{
    PackageCheck *p = user;
    if (is_json(p->c)) {
        Text t = text_new(p->c->mem);
        Json j = json_new(&t);
        json_object(&j, NULL);
        json_text(&j, "severity", "error");
        json_text(&j, "code", "");
        json_text(&j, "file", "");
        json_text(
            &j, "message",
            arena_printf(p->c->mem, "checking %s ended by signal %d", p->class_.at[piece], signal));
        json_close(&j);
        fprintf(stderr, "%s\n  %s", p->n_errors + p->n_warnings ? "," : "[", t.at);
    } else {
        fprintf(stderr, "rung: checking %s ended by signal %d\n", p->class_.at[piece], signal);
    }
    p->n_bad++;
    p->n_errors++;
}

static void look(void *user)
{
    (void)user;
}

Exit package_check(Compilation *c, SynClass *package, uint32_t jobs, bool as_json)
{
    PackageCheck p = {.c = c};
    p.seen = map_new(c->mem);
    if (package) {
        collect(&p, package);
    } else {
        for (uint32_t k = 0; k < library_n_files(c->library); k++) {
            const SynFile *file = library_file(c->library, k);
            for (uint32_t j = 0; j < file->n_classes; j++)
                collect(&p, file->class_[j]);
        }
    }
    if (diags_errors(c->diags))
        return compilation_report(c, stderr);
    uint32_t *id = arena_array(c->mem, uint32_t, p.class_.n + 1);
    for (uint32_t k = 0; k < p.class_.n; k++)
        id[k] = k;
    simulation_catch_interrupts();
    Work work = {.n = p.class_.n,
                 .id = id,
                 .user = &p,
                 .run = check_one,
                 .take = take,
                 .lost = lost,
                 .look = look,
                 .interrupt = &simulation_interrupted};
    if (p.class_.n && !workers_run(&work, jobs < p.class_.n ? jobs : p.class_.n, c->mem))
        return EXIT_FILE;
    if (is_json(c))
        fputs(p.n_errors + p.n_warnings ? "\n]\n" : "[]\n", stderr);
    if (as_json) {
        Text t = text_new(c->mem);
        Json j = json_new(&t);
        json_object(&j, NULL);
        json_count(&j, "classes", p.class_.n);
        json_count(&j, "models", p.n_flat);
        json_count(&j, "wanting_values", p.n_open);
        json_count(&j, "with_errors", p.n_bad);
        json_count(&j, "errors", p.n_errors);
        json_count(&j, "warnings", p.n_warnings);
        json_close(&j);
        puts(t.at);
    } else {
        printf("%u classes: %u models flattened, %u others checked as types, %u without values of "
               "parameters\n",
               p.class_.n, p.n_flat, p.n_types, p.n_open);
        printf("%u of them with errors, %u errors, %u warnings\n", p.n_bad, p.n_errors,
               p.n_warnings);
    }
    if (simulation_interrupted)
        return EXIT_INTERRUPTED;
    return p.n_bad ? EXIT_MODEL : EXIT_GOOD;
}
