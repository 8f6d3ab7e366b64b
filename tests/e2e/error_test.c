/* error_test.c -- wrong models: each error is reported at its line, with its code and text.
 *
 * A line of the model with `// error`, `// error: TEXT` or `// error CODE: TEXT` must be named by a
 * diagnostic of severity error that holds CODE and TEXT, and no other line of the file may be. `//
 * note: TEXT` asks for a note there instead, where the error is in a library's file. `rung check`
 * must end with status 1. The model is called like the file.
 *
 * usage: error_test RUNG DIR MODEL.mo
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

enum { LINE = 4096, LINES = 1000 };

typedef struct Expected {
    bool error, note;
    char code[8], text[256];
    bool found;
} Expected;

static bool read_expected(const char *file, Expected *line, size_t *n)
{
    FILE *f = fopen(file, "r");
    if (!f)
        return false;
    char buf[LINE];
    size_t marks = 0;
    for (*n = 1; *n < LINES && fgets(buf, sizeof buf, f); ++*n) {
        Expected *e = &line[*n];
        char *mark = strstr(buf, "// error");
        e->error = mark;
        if (!mark)
            mark = strstr(buf, "// note:");
        e->note = mark && !e->error;
        if (!mark)
            continue;
        marks++;
        mark += strcspn(mark + 3, " :\n") + 3;
        if (*mark == ' ')
            sscanf(mark, " %7[A-Z0-9]", e->code);
        char *colon = strchr(mark, ':');
        if (colon)
            sscanf(colon, ": %255[^\n]", e->text);
    }
    fclose(f);
    return marks > 0;
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: %s RUNG DIR MODEL.mo\n", argv[0]);
        return 2;
    }
    static Expected line[LINES];
    size_t n;
    if (!read_expected(argv[3], line, &n)) {
        printf("FAILED: no error is marked in %s\n", argv[3]);
        return 1;
    }
    const char *slash = strrchr(argv[3], '/');
    char model[256], output[LINE], command[4 * LINE];
    snprintf(model, sizeof model, "%s", slash ? slash + 1 : argv[3]);
    model[strcspn(model, ".")] = '\0';
    snprintf(output, sizeof output, "%s/%s.err", argv[2], model);
    snprintf(command, sizeof command, "'%s' check '%s' --model %s >/dev/null 2>'%s'", argv[1],
             argv[3], model, output);
    int status = system(command);

    bool good = true;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 1) {
        printf("FAILED: status %d instead of 1: %s\n", status, command);
        good = false;
    }
    FILE *f = fopen(output, "r");
    char buf[LINE];
    while (f && fgets(buf, sizeof buf, f)) {
        printf("%s", buf);
        /* path:line:col: error CODE: text */
        unsigned at;
        size_t path = strlen(argv[3]);
        if (strncmp(buf, argv[3], path) != 0 || sscanf(buf + path, ":%u:", &at) != 1)
            continue;
        Expected *e = at < n ? &line[at] : &line[0];
        bool error = strstr(buf, ": error"), note = strstr(buf, ": note");
        if (error && !e->error) {
            printf("FAILED: no error was expected at line %u\n", at);
            good = false;
        } else if ((error || (note && e->note)) && strstr(buf, e->code) && strstr(buf, e->text)) {
            e->found = true;
        }
    }
    if (f)
        fclose(f);
    for (size_t k = 1; k < n; k++)
        if ((line[k].error || line[k].note) && !line[k].found) {
            printf("FAILED: line %zu lacks what is marked there: %s %s\n", k, line[k].code,
                   line[k].text);
            good = false;
        }
    return good ? 0 : 1;
}
