#include "study/sweep/sweep_store.h"

#include "base/csv_reader.h"
#include "base/hash.h"
#include "runtime/result/csv.h"
#include "study/output.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

static const char *const statuses[] = {"", "ok", "failed", "invalid", "killed"};

const char *run_status_name(RunStatus s)
{
    return statuses[s];
}

void sweep_store_init(SweepStore *s, const char *dir, const Vary *v, const uint64_t *key,
                      bool wants_files, Arena *mem)
{
    *s = (SweepStore){.mem = mem, .dir = dir, .vary = v, .wants_files = wants_files};
    s->run = arena_array(mem, SweepRun, v->n_runs);
    s->run_of = map_with_room(v->n_runs, mem);
    for (uint32_t k = 0; k < v->n_runs; k++) {
        uint32_t same = map_get(&s->run_of, key[k]);
        if (same == MAP_NONE)
            map_put(&s->run_of, key[k], k);
        s->run[k] = (SweepRun){.key = key[k], .same_as = same == MAP_NONE ? k : same};
    }
}

/* ---- lines ---- */

static void put_quoted(Text *out, const char *text)
{
    text_put(out, "\"");
    for (; *text; text++) {
        // a line stays one line
        char c[3] = {*text == '\n' || *text == '\r' ? ' ' : *text, 0, 0};
        if (*text == '"')
            c[1] = '"';
        text_put(out, c);
    }
    text_put(out, "\"");
}

static void put_number(Text *out, double value)
{
    char text[32];
    text_put_n(out, text, csv_number(value, text));
}

static void put_check(Text *out, size_t from)
{
    text_printf(out, ",%016llx\n", (unsigned long long)hash_bytes(out->at + from, out->n - from));
}

void sweep_line_names(Text *out, uint64_t id, const Texts *name)
{
    size_t from = out->n;
    text_printf(out, "names,%016llx", (unsigned long long)id);
    for (uint32_t k = 0; k < name->n; k++) {
        text_put(out, ",");
        put_quoted(out, name->at[k]);
    }
    put_check(out, from);
}

void sweep_line_run(Text *out, uint64_t key, uint64_t names, RunStatus status, double time,
                    uint64_t steps, const double *number, uint32_t n, const char *file,
                    const char *message)
{
    size_t from = out->n;
    text_printf(out, "run,%016llx,%016llx,%s,", (unsigned long long)key, (unsigned long long)names,
                statuses[status]);
    if (!isnan(time))
        put_number(out, time);
    text_printf(out, ",%llu", (unsigned long long)steps);
    for (uint32_t k = 0; k < n; k++) {
        text_put(out, ",");
        if (!isnan(number[k]))
            put_number(out, number[k]);
    }
    text_put(out, ",");
    put_quoted(out, file);
    text_put(out, ",");
    put_quoted(out, message);
    put_check(out, from);
}

/* The fields of a line, in place; their number. */
static uint32_t split(char *line, char **field, uint32_t most)
{
    uint32_t n = 0;
    for (char *at = line; n < most;) {
        field[n++] = at;
        if (*at == '"') {
            char *to = field[n - 1] = ++at;
            to = at;
            while (*at && !(*at == '"' && at[1] != '"')) {
                at += *at == '"';
                *to++ = *at++;
            }
            bool ends = !*at || !at[1];
            *to = 0;
            if (ends)
                return n;
            at += 2;
        } else {
            at += strcspn(at, ",");
            if (!*at)
                return n;
            *at++ = 0;
        }
    }
    return n;
}

static bool is_whole_line(const char *line, size_t n)
{
    enum { CHECK = 17 };
    char *end;
    return n > CHECK && line[n - CHECK] == ',' &&
           strtoull(line + n - CHECK + 1, &end, 16) == hash_bytes(line, n - CHECK) && !*end;
}

static SignalNames *names_find(SweepStore *s, uint64_t id)
{
    for (uint32_t k = s->names.n; k-- > 0;)
        if (s->names.at[k].id == id)
            return &s->names.at[k];
    return NULL;
}

static void take_names(SweepStore *s, char **field, uint32_t n)
{
    SignalNames names = {.id = strtoull(field[1], NULL, 16)};
    if (names_find(s, names.id))
        return;
    for (uint32_t k = 2; k + 1 < n; k++)
        vec_push(s->mem, names.name, (const char *)field[k]);
    names.column = arena_array(s->mem, uint32_t, names.name.n + 1);
    vec_push(s->mem, s->names, names);
}

static bool is_there(const SweepStore *s, const char *file)
{
    return *file && access(arena_printf(s->mem, "%s/%s", s->dir, file), F_OK) == 0;
}

static void take_run(SweepStore *s, char **field, uint32_t n)
{
    uint32_t k = map_get(&s->run_of, strtoull(field[1], NULL, 16));
    uint64_t names = strtoull(field[2], NULL, 16);
    const SignalNames *known = names_find(s, names);
    RunStatus status = RUN_NONE;
    for (int i = RUN_OK; i <= RUN_INVALID; i++)
        if (!strcmp(field[3], statuses[i]))
            status = (RunStatus)i;
    const char *file = field[n - 3];
    uint32_t numbers = n - 9;
    bool fits = known ? numbers == NUMBERS_OF_SIGNAL * known->name.n : numbers == 0;
    if (k == MAP_NONE || status == RUN_NONE || !fits ||
        (s->wants_files && status == RUN_OK && !is_there(s, file)))
        return;
    SweepRun *r = &s->run[k];
    *r = (SweepRun){.key = r->key,
                    .same_as = k,
                    .status = status,
                    .names = names,
                    .time = field[4],
                    .steps = field[5],
                    .number = arena_array(s->mem, const char *, numbers + 1),
                    .n_numbers = numbers,
                    .file = file,
                    .message = field[n - 2]};
    for (uint32_t i = 0; i < numbers; i++)
        r->number[i] = field[6 + i];
}

static void take_line(SweepStore *s, const char *at, size_t n)
{
    char *line = arena_copy(s->mem, at, n);
    if (!is_whole_line(line, n))
        return;
    uint32_t commas = 1;
    for (size_t k = 0; k < n; k++)
        commas += line[k] == ',';
    char **field = arena_array(s->mem, char *, commas);
    uint32_t n_fields = split(line, field, commas);
    if (n_fields >= 3 && !strcmp(field[0], "names"))
        take_names(s, field, n_fields);
    else if (n_fields >= 9 && !strcmp(field[0], "run"))
        take_run(s, field, n_fields);
}

static void take_lines(SweepStore *s, const char *at, size_t n)
{
    for (const char *end; n > 0; n -= (size_t)(end - at) + 1, at = end + 1) {
        end = memchr(at, '\n', n);
        if (!end)
            return; // half a line
        take_line(s, at, (size_t)(end - at));
    }
}

void sweep_store_take(SweepStore *s, const char *lines, size_t n)
{
    take_lines(s, lines, n);
    fwrite(lines, 1, n, s->journal);
    fflush(s->journal);
}

/* ---- files ---- */

static bool cannot(const char *what, const char *path)
{
    fprintf(stderr, "rung: cannot %s '%s': %s\n", what, path, strerror(errno));
    return false;
}

static bool read_journal(SweepStore *s, const char *path)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        return cannot("read", path);
    Arena *mem = arena_new();
    Text all = text_new(mem);
    char piece[65536];
    for (size_t n; (n = fread(piece, 1, sizeof piece, f)) > 0;)
        text_put_n(&all, piece, n);
    bool ok = !ferror(f);
    fclose(f);
    take_lines(s, all.at ? all.at : "", all.n);
    arena_free(mem);
    return ok || cannot("read", path);
}

static bool open_journal(SweepStore *s, const char *name)
{
    const char *path = arena_printf(s->mem, "%s/%s", s->dir, name);
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0)
        return cannot("write", path);
    // held by this process and its workers
    if (flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        fprintf(stderr, "rung: another command is at work in '%s'\n", s->dir);
        close(fd);
        return false;
    }
    off_t end = lseek(fd, 0, SEEK_END);
    char last = '\n';
    bool broken = end > 0 && pread(fd, &last, 1, end - 1) == 1 && last != '\n';
    s->journal = fdopen(fd, "ab");
    if (!s->journal)
        return cannot("write", path);
    if (broken)
        putc('\n', s->journal);
    return true;
}

bool sweep_store_open(SweepStore *s, const char *journal)
{
    if (!open_journal(s, journal))
        return false;
    DIR *d = opendir(s->dir);
    if (!d)
        return cannot("read", s->dir);
    bool ok = true;
    for (struct dirent *e; ok && (e = readdir(d));) {
        size_t n = strlen(e->d_name);
        if (!strncmp(e->d_name, "finished", 8) && n > 4 && !strcmp(e->d_name + n - 4, ".csv"))
            ok = read_journal(s, arena_printf(s->mem, "%s/%s", s->dir, e->d_name));
    }
    closedir(d);
    for (uint32_t k = 0; k < s->vary->n_runs; k++)
        s->n_before += s->run[s->run[k].same_as].status != RUN_NONE;
    return ok;
}

void sweep_store_close(SweepStore *s)
{
    if (s->journal)
        fclose(s->journal);
    s->journal = NULL;
}

/* ---- the table ---- */

static uint64_t name_key(const char *name)
{
    return hash_bytes(name, strlen(name));
}

/* All signals of all runs, in the order in which runs name them. */
static Texts columns(SweepStore *s, Arena *mem)
{
    Texts all = {0};
    Map column = map_new(mem), seen = map_new(mem);
    for (uint32_t k = 0; k < s->vary->n_runs; k++) {
        SignalNames *names = names_find(s, s->run[s->run[k].same_as].names);
        if (!names || !map_add(&seen, names->id))
            continue;
        for (uint32_t i = 0; i < names->name.n; i++) {
            const char *name = names->name.at[i];
            uint32_t c = map_get(&column, name_key(name));
            if (c == MAP_NONE) {
                map_put(&column, name_key(name), c = all.n);
                vec_push(mem, all, name);
            }
            names->column[i] = c;
        }
    }
    return all;
}

static void put_head(Text *out, const SweepStore *s, const Texts *column)
{
    static const char *const what[NUMBERS_OF_SIGNAL] = {"final", "min", "max", "integral"};
    text_put(out, "\"run\"");
    for (uint32_t k = 0; k < s->vary->name.n; k++) {
        text_put(out, ",");
        put_quoted(out, s->vary->name.at[k]);
    }
    text_put(out, ",\"status\",\"time\",\"steps\"");
    for (uint32_t c = 0; c < column->n; c++)
        for (int i = 0; i < NUMBERS_OF_SIGNAL; i++)
            text_printf(out, ",\"%s(%s)\"", what[i], column->at[c]);
    text_put(out, ",\"file\",\"message\"\n");
}

static void put_row(Text *out, SweepStore *s, uint32_t k, uint32_t n_columns, const char **cell,
                    Arena *mem)
{
    const SweepRun *r = &s->run[s->run[k].same_as];
    if (r->status == RUN_NONE)
        return;
    text_printf(out, "%u", k + 1);
    for (uint32_t i = 0; i < s->vary->name.n; i++) {
        const char *value = vary_value(s->vary, k, i, mem);
        text_put(out, ",");
        if (strpbrk(value, ",\"\n"))
            put_quoted(out, value);
        else
            text_put(out, value);
    }
    text_printf(out, ",%s,%s,%s", statuses[r->status], r->time ? r->time : "",
                r->steps ? r->steps : "");
    for (uint32_t c = 0; c < NUMBERS_OF_SIGNAL * n_columns; c++)
        cell[c] = "";
    const SignalNames *names = names_find(s, r->names);
    for (uint32_t i = 0; i < r->n_numbers; i++)
        cell[NUMBERS_OF_SIGNAL * names->column[i / NUMBERS_OF_SIGNAL] + i % NUMBERS_OF_SIGNAL] =
            r->number[i];
    for (uint32_t c = 0; c < NUMBERS_OF_SIGNAL * n_columns; c++) {
        text_put(out, ",");
        text_put(out, cell[c]);
    }
    text_put(out, ",");
    put_quoted(out, r->file ? r->file : "");
    text_put(out, ",");
    put_quoted(out, r->message ? r->message : "");
    text_put(out, "\n");
}

bool sweep_store_table(SweepStore *s)
{
    Output out;
    if (!output_open(&out, arena_printf(s->mem, "%s/table.csv", s->dir)))
        return false;
    Arena *mem = arena_new(), *row = arena_new();
    Texts column = columns(s, mem);
    const char **cell = arena_array(mem, const char *, NUMBERS_OF_SIGNAL *column.n + 1);
    Text line = text_new(mem);
    put_head(&line, s, &column);
    for (uint32_t k = 0; k <= s->vary->n_runs; k++) {
        fwrite(line.at, 1, line.n, out.file);
        text_clear(&line);
        ArenaMark mark = arena_mark(row);
        if (k < s->vary->n_runs)
            put_row(&line, s, k, column.n, cell, row);
        arena_rollback(row, mark);
    }
    arena_free(row);
    arena_free(mem);
    return output_close(&out);
}
