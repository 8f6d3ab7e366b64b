/* trajectory_test.c -- simulates one model and checks its trajectory.
 *
 * The model says in comments at its head what must hold; X is the name of a variable as it stands
 * in the result:
 *
 *     // model: Package.Model                     without it the one called like the file
 *     // simulate: --stop 5 --tolerance 1e-9     options of `rung simulate`
 *     // methods: dopri5 ida cvode               one run for each; without it one run by default
 *     // zero: X 1e-7                            |X| <= 1e-7 in every row
 *     // constant: X 1e-6                        |X - X(0)| <= 1e-6 |X(0)| in every row
 *     // moves: X 0.5                            |X - X(0)| reaches 0.5 (so that it is a test)
 *     // agree: X 1e-6                           the last rows of all methods differ by no more
 *     // ends: X 0.25 1e-6                       X is 0.25 in the last row, within 1e-6
 *     // long                                    runs in `./dev check` only (read by CMake)
 *
 * A head that could not fail is an error: a word before the colon that is none of these, a check
 * without its bound or with more behind it, 'agree' without a second method, a check that stands
 * after the head, where it would not be read.
 *
 * usage: trajectory_test RUNG DIR MODEL.mo
 */
#include "base/csv_reader.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 4096, CHECKS = 64, METHODS = 8 };

typedef struct Check {
    char kind[16];
    char name[256];
    double bound;
    double value; /* of ends */
} Check;

typedef struct Test {
    char model[256];
    char options[512];
    char methods[METHODS][32];
    size_t n_methods;
    Check check[CHECKS];
    size_t n_checks;
} Test;

/* One column of the result per check. */
typedef struct Trajectory {
    double first[CHECKS], last[CHECKS];
    double largest[CHECKS]; /* of |X| */
    double moved[CHECKS];   /* of |X - X(0)| */
    size_t rows;
} Trajectory;

static bool wrong(const char *file, int line, const char *why, const char *text)
{
    printf("FAILED: %s:%d: %s: %s\n", file, line, why, text);
    return false;
}

static bool read_methods(const char *file, int line, char *words, Test *t)
{
    for (char *word = strtok(words, " "); word; word = strtok(NULL, " ")) {
        if (t->n_methods == METHODS)
            return wrong(file, line, "too many methods", word);
        for (size_t m = 0; m < t->n_methods; m++)
            if (strcmp(t->methods[m], word) == 0)
                return wrong(file, line, "a method twice", word);
        snprintf(t->methods[t->n_methods++], sizeof t->methods[0], "%.31s", word);
    }
    return true;
}

/* X BOUND, of `ends` X VALUE BOUND, and nothing else. */
static bool read_check(const char *file, int line, const char *kind, const char *text, Test *t)
{
    static const char *const kinds[] = {"zero", "constant", "moves", "agree", "ends"};
    bool known = false;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        known = known || strcmp(kind, kinds[k]) == 0;
    if (!known)
        return wrong(file, line, "there is no such check", kind);
    if (t->n_checks == CHECKS)
        return wrong(file, line, "too many checks", text);

    Check *c = &t->check[t->n_checks++];
    snprintf(c->kind, sizeof c->kind, "%s", kind);
    int end = 0;
    if (strcmp(kind, "ends") == 0)
        sscanf(text, "%255s %lf %lf %n", c->name, &c->value, &c->bound, &end);
    else
        sscanf(text, "%255s %lf %n", c->name, &c->bound, &end);
    if (end == 0)
        return wrong(file, line, "a check without a bound", text);
    if (text[end])
        return wrong(file, line, "more than a check", text);
    /* equal to the last bit is a bound, but everything moves by nothing */
    bool moves = strcmp(kind, "moves") == 0;
    if (!(isfinite(c->bound) && c->bound >= 0 && !(moves && c->bound == 0)))
        return wrong(file, line, "everything keeps this bound", text);
    return true;
}

static bool read_test(const char *file, Test *t)
{
    FILE *f = fopen(file, "r");
    if (!f)
        return wrong(file, 0, "cannot be read", "");
    char text[LINE];
    bool good = true, head = true, agree = false;
    for (int line = 1; good && fgets(text, sizeof text, f); line++) {
        head = head && strncmp(text, "//", 2) == 0;
        char kind[16] = "", rest[512] = "";
        if (sscanf(text, "// %15[a-z]: %511[^\n]", kind, rest) < 1 || !strchr(text, ':') ||
            text[3 + strlen(kind)] != ':')
            continue;
        agree = agree || strcmp(kind, "agree") == 0;
        if (!head)
            good = wrong(file, line, "stands after the head of the file", kind);
        else if (strcmp(kind, "model") == 0)
            snprintf(t->model, sizeof t->model, "%.255s", rest);
        else if (strcmp(kind, "simulate") == 0)
            snprintf(t->options, sizeof t->options, "%s", rest);
        else if (strcmp(kind, "methods") == 0)
            good = read_methods(file, line, rest, t);
        else
            good = read_check(file, line, kind, rest, t);
    }
    fclose(f);
    if (good && agree && t->n_methods < 2)
        return wrong(file, 1, "one method agrees with itself", "'agree' needs a second one");
    if (good && t->n_checks == 0)
        return wrong(file, 1, "says nothing to check", "");
    return good;
}

static bool read_trajectory(const char *file, const Test *t, Trajectory *out)
{
    Arena *mem = arena_new();
    CsvReader csv;
    if (!csv_reader_open(&csv, file, mem)) {
        printf("FAILED: there is no %s\n", file);
        arena_free(mem);
        return false;
    }
    memset(out, 0, sizeof *out);
    bool good = csv_reader_next(&csv);
    uint32_t column[CHECKS];
    for (size_t k = 0; k < t->n_checks; k++) {
        column[k] = 0;
        while (column[k] < csv.n && strcmp(csv.field[column[k]], t->check[k].name) != 0)
            column[k]++;
        if (column[k] == csv.n) {
            printf("FAILED: the result has no '%s'\n", t->check[k].name);
            good = false;
        }
    }
    for (; good && csv_reader_next(&csv); out->rows++) {
        for (size_t k = 0; k < t->n_checks; k++) {
            double x = NAN;
            if (column[k] < csv.n)
                csv_reader_number(csv.field[column[k]], &x);
            if (out->rows == 0)
                out->first[k] = x;
            out->last[k] = x;
            /* written so that a NaN stays */
            if (!(fabs(x) <= out->largest[k]))
                out->largest[k] = fabs(x);
            if (!(fabs(x - out->first[k]) <= out->moved[k]))
                out->moved[k] = fabs(x - out->first[k]);
        }
    }
    csv_reader_close(&csv);
    arena_free(mem);
    if (good && out->rows < 2)
        printf("FAILED: the result has %zu rows\n", out->rows);
    return good && out->rows >= 2;
}

static bool check_one(const Check *c, const Trajectory *x, const Trajectory *reference, size_t k)
{
    bool good = true;
    double value = 0;
    if (strcmp(c->kind, "zero") == 0) {
        value = x->largest[k];
        good = value <= c->bound;
    } else if (strcmp(c->kind, "constant") == 0) {
        value = x->moved[k] / fabs(x->first[k]);
        good = value <= c->bound;
    } else if (strcmp(c->kind, "moves") == 0) {
        value = x->moved[k];
        good = value >= c->bound;
    } else if (strcmp(c->kind, "ends") == 0) {
        value = fabs(x->last[k] - c->value);
        good = value <= c->bound;
    } else if (strcmp(c->kind, "agree") == 0) {
        value = fabs(x->last[k] - reference->last[k]);
        good = value <= c->bound;
    } else {
        good = false;
    }
    printf("  %-9s %-24s %9.2e (bound %g)%s\n", c->kind, c->name, value, c->bound,
           good ? "" : "  FAILED");
    return good;
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: %s RUNG DIR MODEL.mo\n", argv[0]);
        return 2;
    }
    static Test t;
    if (!read_test(argv[3], &t))
        return 1;
    const char *slash = strrchr(argv[3], '/');
    char model[256];
    snprintf(model, sizeof model, "%s", slash ? slash + 1 : argv[3]);
    model[strcspn(model, ".")] = '\0';

    bool good = true;
    static Trajectory x[METHODS + 1];
    size_t runs = t.n_methods ? t.n_methods : 1;
    for (size_t m = 0; m < runs; m++) {
        const char *method = t.n_methods ? t.methods[m] : "default";
        char csv[LINE], command[4 * LINE];
        snprintf(csv, sizeof csv, "%s/%s-%s.csv", argv[2], model, method);
        snprintf(command, sizeof command, "'%s' simulate '%s' --model %s %s %s %s --audit -o '%s'",
                 argv[1], argv[3], t.model[0] ? t.model : model, t.options,
                 t.n_methods ? "--method" : "", t.n_methods ? method : "", csv);
        remove(csv);
        printf("%s\n", command);
        fflush(stdout);
        if (system(command) != 0) {
            printf("FAILED: the simulation ended with an error\n");
            return 1;
        }
        if (!read_trajectory(csv, &t, &x[m]))
            return 1;
        for (size_t k = 0; k < t.n_checks; k++)
            good = check_one(&t.check[k], &x[m], &x[0], k) && good;
    }
    return good ? 0 : 1;
}
