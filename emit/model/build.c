#include "emit/model/build.h"

#include "base/temporary.h"
#include "emit/model/external_code.h"
#include "emit/model/runtime_files.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

typedef const RungModel *(*Entry)(void);

static const char *const flags[] = {"-std=c11", "-fvisibility=hidden", "-ffp-contract=off",
                                    "-fno-math-errno", "-w"};
enum { FLAGS = sizeof flags / sizeof *flags };
/* Flags that a target wants besides: exactly one. */
static const char *const target_flag[] = {
    [BUILD_HERE] = "-fPIC", [BUILD_WEBASSEMBLY] = "--target=wasm32-wasi"};
/* Flag for code of several instances at once: for this machine's processor. */
static const char lane_flag[] = "-march=native";

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool fail(Build *b, int status, const char *error)
{
    b->status = status;
    b->error = error;
    return false;
}

/* The value of an environment variable, or the default if it is blank. */
static const char *setting(const char *name, const char *otherwise)
{
    const char *text = getenv(name);
    return text && text[strspn(text, " \t")] ? text : otherwise;
}

/* Appends the words of text. */
static void put_words(Arena *mem, const char *text, const char **argv, uint32_t *n)
{
    char *words = arena_copy(mem, text, strlen(text)), *rest = NULL;
    for (char *w = strtok_r(words, " \t", &rest); w; w = strtok_r(NULL, " \t", &rest))
        argv[(*n)++] = w;
}

static const char *compiler_of(BuildTarget target)
{
    return target == BUILD_WEBASSEMBLY ? setting("RUNG_WASM_CC", "clang") : setting("CC", "cc");
}

/* $CFLAGS are of this machine. */
static const char *own_flags(BuildTarget target)
{
    return target == BUILD_HERE ? setting("CFLAGS", "") : "";
}

/* Words of $CC ("ccache gcc"), then room for `more` arguments, those of $CFLAGS, and NULL. */
static const char **command(BuildTarget target, Arena *mem, uint32_t more, uint32_t *n)
{
    const char *cc = compiler_of(target);
    size_t words = (strlen(cc) + strlen(own_flags(target))) / 2 + 2;
    const char **argv = arena_array(mem, const char *, words + more + 1);
    *n = 0;
    put_words(mem, cc, argv, n);
    return argv;
}

/* Starts argv with its output in the file `log`. */
static int start(const char **argv, const char *log, pid_t *pid)
{
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, log, O_WRONLY | O_CREAT | O_TRUNC,
                                     0600);
    posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
    int why = posix_spawnp(pid, argv[0], &actions, NULL, (char *const *)argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    return why;
}

static const char *read_log(Arena *mem, const char *path)
{
    enum { MOST = 2000 };
    char *text = arena_array(mem, char, MOST + 1);
    FILE *f = fopen(path, "r");
    if (f) {
        text[fread(text, 1, MOST, f)] = 0;
        fclose(f);
    }
    return text;
}

typedef struct Job {
    pid_t pid;
    const char *log, *source;
} Job;

/* Waits for one of the jobs; false with b->error if it failed. */
static bool await_one(Job *job, uint32_t *running, const BuildOptions *o, Arena *mem, Build *b)
{
    int status;
    // wait for our own, one by one: another child of this process is not ours to collect
    pid_t pid;
    do {
        pid = waitpid(job[0].pid, &status, 0);
        for (uint32_t k = 0; o->interrupt && *o->interrupt && k < *running; k++)
            kill(job[k].pid, SIGTERM);
    } while (pid < 0 && errno == EINTR);
    Job done = job[0];
    memmove(job, job + 1, --*running * sizeof *job);
    if (pid == done.pid && WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return true;
    if (pid == done.pid && WIFEXITED(status) && WEXITSTATUS(status) == 127)
        return fail(b, 4, "the C compiler cannot be run; install one, or set CC");
    return fail(b, 1,
                arena_printf(mem, "the C compiler failed on the generated file %s:\n%s",
                             done.source, read_log(mem, done.log)));
}

/* Kernels are little text that is executed often. */
static const char *optimisation(const EmitFile *f, const BuildOptions *o)
{
    enum { OFTEN = 4 };
    if (f->is_cold)
        return "-O0";
    if (f->is_lanes)
        return "-O2"; // vectors in memory after each operation are slower than numbers
    return o->optimise ? o->optimise : f->repeats >= OFTEN ? "-O1" : "-O0";
}

/* Starting the compiler costs as much as this many bytes of C without optimisation. */
enum { UNIT_BYTES = 64 * 1024 };

/* A file that includes small ones. */
typedef struct Pack {
    const char *optimise;
    EmitFile first;
    size_t size;
    uint32_t n;
    bool has_tables;
    Text code, tables; /* the lines that include them; tables behind the code, which their static
                          names might hide */
} Pack;

/* Small files of equal optimisation become units of the size above, in the order of the files. */
static void pack_files(EmitFiles *f, const BuildOptions *o, Arena *mem)
{
    VEC(Pack) pack = {0};
    uint32_t n = f->file.n, *pack_of = arena_array(mem, uint32_t, n + 1), at;
    for (uint32_t k = 0; k < n; k++) {
        const EmitFile *it = &f->file.at[k];
        const char *optimise = optimisation(it, o);
        pack_of[k] = UINT32_MAX;
        if (it->unit == UNIT_ALONE || it->is_lanes || it->size > UNIT_BYTES)
            continue;
        for (at = 0; at < pack.n; at++)
            if (!strcmp(pack.at[at].optimise, optimise) &&
                pack.at[at].size + it->size <= UNIT_BYTES &&
                !(it->unit == UNIT_TABLES && pack.at[at].has_tables))
                break;
        if (at == pack.n)
            vec_push(mem, pack, ((Pack){optimise, *it, 0, 0, false, text_new(mem), text_new(mem)}));
        Pack *p = &pack.at[at];
        p->size += it->size;
        p->n++;
        p->has_tables = p->has_tables || it->unit == UNIT_TABLES;
        text_printf(it->unit == UNIT_TABLES ? &p->tables : &p->code, "#include \"%s\"\n", it->name);
        pack_of[k] = at;
    }
    for (uint32_t k = 0; k < pack.n; k++) {
        Pack *p = &pack.at[k];
        if (p->n < 2)
            continue;
        text_put_n(&p->code, p->tables.at, p->tables.n);
        p->first.name = arena_printf(mem, "%s_unit_%u.c", f->id, k + 1);
        p->first.text = p->code.at;
        p->first.size = p->code.n;
        p->first.unit = UNIT_ALONE;
        vec_push(mem, f->file, p->first);
    }
    for (uint32_t k = 0; k < n; k++)
        if (pack_of[k] != UINT32_MAX && pack.at[pack_of[k]].n > 1)
            f->file.at[k].unit = UNIT_PART;
}

/* The model's files and the headers that they include, to be compiled. */
static EmitFiles whole_of(const EmitFiles *model, const BuildOptions *o, Arena *mem)
{
    EmitFiles f = *model;
    f.mem = mem;
    f.file.cap = f.file.n; // so that growth copies
    emit_headers(&f);
    pack_files(&f, o, mem);
    return f;
}

/* A C file to compile. */
typedef struct Unit {
    const char *path, *name, *optimise;
    const char *object;
    bool is_foreign; /* of a library: in the C of its author */
    bool is_lanes;
    bool is_runtime;   /* its object is that of other models */
    const char *entry; /* of the object in the cache; NULL: it is not kept */
    bool is_made;      /* the cache had it */
} Unit;

typedef VEC(Unit) Units;

static Units units_of(const EmitFiles *f, const BuildOptions *o, const ExternalBuild *external,
                      const char *dir, Arena *mem)
{
    Units u = {0};
    for (uint32_t k = 0; k < f->file.n; k++) {
        const char *name = f->file.at[k].name;
        if (!text_ends_with(name, ".c") || f->file.at[k].unit == UNIT_PART)
            continue;
        vec_push(mem, u,
                 ((Unit){.path = arena_printf(mem, "%s/%s", dir, name),
                         .name = name,
                         .optimise = optimisation(&f->file.at[k], o),
                         .is_lanes = f->file.at[k].is_lanes,
                         .is_runtime = runtime_has(&f->file.at[k])}));
    }
    for (uint32_t k = 0; k < external->source.n; k++)
        vec_push(mem, u,
                 ((Unit){.path = external->source.at[k],
                         .name = arena_printf(mem, "library_%u", k),
                         .optimise = "-O1",
                         .is_foreign = true}));
    for (uint32_t k = 0; k < u.n; k++)
        u.at[k].object = arena_printf(mem, "%s/%s.o", dir, u.at[k].name);
    return u;
}

static Digest compiler_for(BuildTarget target, bool native, Arena *mem);

static bool write_files(const EmitFiles *f, Arena *mem, Build *b);

/* Names of the entries of the runtime's objects in the cache, by all that they depend on. */
static void name_entries(Units *unit, const BuildOptions *o, Arena *mem)
{
    if (!o->cache || o->keep)
        return;
    Digest compiler = {0}, runtime = {0};
    for (uint32_t k = 0; k < unit->n; k++) {
        Unit *u = &unit->at[k];
        if (!u->is_runtime)
            continue;
        if (digest_same(runtime, (Digest){0})) {
            compiler = compiler_for(o->target, false, mem);
            runtime = runtime_digest();
        }
        Digester *to = digester_new();
        digester_add(to, &compiler, sizeof compiler);
        digester_add(to, &runtime, sizeof runtime);
        digester_text(to, target_flag[o->target]);
        for (size_t i = 0; i < FLAGS; i++)
            digester_text(to, flags[i]);
        digester_text(to, u->optimise);
        digester_text(to, o->sections ? "sections" : NULL);
        digester_text(to, u->name);
        char digits[DIGEST_TEXT];
        digest_print(digester_end(to), digits);
        u->entry = arena_printf(mem, "%s.o", digits);
    }
}

/* Adds the object `entry` of the cache to the files as NAME.o. Whether it is there. */
static bool add_kept(const BuildOptions *o, const char *entry, const char *name, EmitFiles *to)
{
    EmitFile object = {.name = arena_printf(to->mem, "%s.o", name)};
    object.text = cache_read(o->cache, entry, to->mem, &object.size);
    if (object.text)
        vec_push(to->mem, to->file, object);
    return object.text != NULL;
}

/* Objects of the runtime that an earlier build has made are put where they would be. */
static bool take_kept(Units *unit, const BuildOptions *o, Arena *mem, Build *b)
{
    EmitFiles kept = {.mem = mem};
    name_entries(unit, o, mem);
    for (uint32_t k = 0; k < unit->n; k++) {
        Unit *u = &unit->at[k];
        u->is_made = u->entry && add_kept(o, u->entry, u->name, &kept);
    }
    return write_files(&kept, mem, b);
}

static bool compile(Units *unit, const ExternalBuild *external, const BuildOptions *o, Arena *mem,
                    Build *b)
{
    enum { MORE = 12 };
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    uint32_t jobs = o->jobs ? o->jobs : processors > 0 ? (uint32_t)processors : 1;
    Job *job = arena_array(mem, Job, jobs);
    uint32_t running = 0, n;
    bool ok = take_kept(unit, o, mem, b);
    for (uint32_t k = 0; ok && k < unit->n; k++) {
        const Unit *u = &unit->at[k];
        if (u->is_made)
            continue;
        const char **argv = command(o->target, mem, FLAGS + MORE + external->include.n, &n);
        argv[n++] = target_flag[o->target];
        for (int i = u->is_foreign ? 1 : 0; i < FLAGS; i++)
            argv[n++] = flags[i];
        argv[n++] = u->optimise;
        if (u->is_lanes)
            argv[n++] = lane_flag;
        if (o->sections) {
            argv[n++] = "-ffunction-sections";
            argv[n++] = "-fdata-sections";
            argv[n++] = "-D_POSIX_C_SOURCE=200809L";
        }
        argv[n++] = arena_printf(mem, "-I%s", b->dir);
        for (uint32_t i = 0; i < external->include.n && !u->is_runtime; i++)
            argv[n++] = arena_printf(mem, "-I%s", external->include.at[i]);
        put_words(mem, own_flags(o->target), argv, &n);
        argv[n++] = "-c";
        argv[n++] = u->path;
        argv[n++] = "-o";
        argv[n++] = u->object;
        if (running == jobs)
            ok = await_one(job, &running, o, mem, b);
        if (!ok)
            break;
        Job it = {.log = arena_printf(mem, "%s/%s.log", b->dir, u->name), .source = u->name};
        int why = start(argv, it.log, &it.pid);
        if (why)
            ok = fail(b, 4,
                      arena_printf(mem,
                                   "the C compiler '%s' cannot be run: %s; install one, or "
                                   "set CC",
                                   argv[0], strerror(why)));
        else
            job[running++] = it;
    }
    while (running)
        ok = await_one(job, &running, o, mem, b) && ok;
    for (uint32_t k = 0; ok && k < unit->n; k++)
        if (unit->at[k].entry && !unit->at[k].is_made)
            cache_put_file(o->cache, unit->at[k].entry, unit->at[k].object);
    return ok;
}

/* The linker's turn. */
static bool run_alone(const char **argv, const BuildOptions *o, Arena *mem, Build *b)
{
    Job it = {.log = arena_printf(mem, "%s/link.log", b->dir), .source = "(linking)"};
    int why = start(argv, it.log, &it.pid);
    if (why)
        return fail(b, 4, arena_printf(mem, "'%s' cannot be run: %s", argv[0], strerror(why)));
    uint32_t running = 1;
    return await_one(&it, &running, o, mem, b);
}

/* All objects become the shared object NAME. symbols: those that it exports, as a script of the
 * linker; then it is complete, too, with external libraries as archives (`statically`) or as shared
 * ones. NULL: those declared visible. */
static bool link_shared(const Units *unit, const ExternalBuild *external, const char *name,
                        const char *symbols, bool statically, const BuildOptions *o, Arena *mem,
                        Build *b)
{
    enum { MORE = 12 };
    uint32_t n;
    const char **argv = command(o->target, mem, unit->n + external->link.n + MORE, &n);
    argv[n++] = "-shared";
    if (symbols) {
        argv[n++] = arena_printf(mem, "-Wl,--version-script,%s/%s", b->dir, symbols);
        argv[n++] = "-Wl,--gc-sections,--no-undefined,-Bsymbolic";
        argv[n++] = "-Wl,--build-id=none";
        argv[n++] = "-s";
    }
    argv[n++] = "-o";
    argv[n++] = arena_printf(mem, "%s/%s", b->dir, name);
    for (uint32_t k = 0; k < unit->n; k++)
        argv[n++] = unit->at[k].object;
    if (symbols && statically)
        argv[n++] = "-Wl,-Bstatic";
    for (uint32_t k = 0; k < external->link.n; k++)
        argv[n++] = external->link.at[k];
    if (symbols && statically)
        argv[n++] = "-Wl,-Bdynamic";
    argv[n++] = "-lm";
    return run_alone(argv, o, mem, b);
}

/* All objects, and those of `parts` if there are some, become the module NAME, which has no `main`.
 */
static bool link_module(const Units *unit, const char *parts, const char *name,
                        const BuildOptions *o, Arena *mem, Build *b)
{
    enum { MORE = 10 };
    uint32_t n;
    const char **argv = command(o->target, mem, unit->n + MORE, &n);
    argv[n++] = target_flag[o->target];
    argv[n++] = "-mexec-model=reactor";
    argv[n++] = "-Wl,--gc-sections,-z,stack-size=1048576";
    argv[n++] = "-s";
    argv[n++] = "-o";
    argv[n++] = arena_printf(mem, "%s/%s", b->dir, name);
    for (uint32_t k = 0; k < unit->n; k++)
        argv[n++] = unit->at[k].object;
    if (parts)
        argv[n++] = parts;
    argv[n++] = "-lm";
    return run_alone(argv, o, mem, b);
}

static bool load(const char *path, Arena *mem, Build *b)
{
    b->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!b->library)
        return fail(b, 4, arena_printf(mem, "cannot load the compiled model: %s", dlerror()));
    // POSIX wants this detour: ISO C does not convert objects to functions
    union {
        void *object;
        Entry function;
    } entry = {.object = dlsym(b->library, "rung_model")};
    b->model = entry.object ? entry.function() : NULL;
    return b->model || fail(b, 4, "the compiled model has no entry point");
}

/* ------------------------------------------------------------------ the cache */

/* Finds a program as a shell does, and adds its size and time. */
static void add_program(Digester *to, const char *name, Arena *mem)
{
    struct stat st;
    const char *path = getenv("PATH");
    bool found = strchr(name, '/') && !stat(name, &st);
    for (const char *at = path ? path : ""; *at && !found && !strchr(name, '/');) {
        size_t n = strcspn(at, ":");
        const char *file = arena_printf(mem, "%.*s/%s", (int)n, at, name);
        found = !stat(file, &st) && S_ISREG(st.st_mode);
        at += n + (at[n] == ':');
    }
    const int64_t it[] = {found ? (int64_t)st.st_size : -1, found ? (int64_t)st.st_mtim.tv_sec : 0,
                          found ? (int64_t)st.st_mtim.tv_nsec : 0};
    digester_text(to, name);
    digester_add(to, it, sizeof it);
}

static Digest compiler_for(BuildTarget target, bool native, Arena *mem)
{
    static const char *const of_compilers[] = {
        "CFLAGS",      "CPATH",           "C_INCLUDE_PATH", "LIBRARY_PATH",
        "LD_RUN_PATH", "GCC_EXEC_PREFIX", "COMPILER_PATH",  "SOURCE_DATE_EPOCH"};
    Digester *to = digester_new();
    uint32_t n;
    const char **word = command(target, mem, 0, &n);
    for (uint32_t k = 0; k < n; k++)
        add_program(to, word[k], mem);
    for (size_t k = 0; k < sizeof of_compilers / sizeof *of_compilers; k++)
        digester_text(to, getenv(of_compilers[k]));
    // code for this processor is valid for machines of its kind only
    struct utsname machine;
    if (!uname(&machine)) {
        digester_text(to, machine.machine);
        if (native || strstr(setting("CFLAGS", ""), "native") ||
            strstr(setting("CC", ""), "native"))
            digester_text(to, machine.nodename);
    }
    return digester_end(to);
}

Digest build_compiler(Arena *mem)
{
    return compiler_for(BUILD_HERE, false, mem);
}

/* The entry of a model that is loaded. */
static const char *entry_of(const EmitFiles *f, const BuildOptions *o, Arena *mem)
{
    bool native = false;
    for (uint32_t k = 0; k < f->file.n; k++)
        native = native || f->file.at[k].is_lanes;
    Digest compiler = compiler_for(o->target, native, mem);
    Dependencies depends = dependencies_new(mem);
    Text lines = text_new(mem);
    external_depends(f, &depends);
    if (!dependencies_known(&depends))
        return NULL;
    dependencies_print(&depends, &lines);
    Digester *to = digester_new();
    digester_add(to, &compiler, sizeof compiler);
    digester_text(to, lines.at);
    digester_text(to, target_flag[o->target]);
    for (size_t k = 0; k < FLAGS; k++)
        digester_text(to, flags[k]);
    for (uint32_t k = 0; k < f->file.n; k++) {
        const EmitFile *it = &f->file.at[k];
        digester_text(to, it->name);
        digester_text(to, optimisation(it, o));
        digester_add(to, it->text, it->size);
    }
    char digits[DIGEST_TEXT];
    digest_print(digester_end(to), digits);
    return arena_printf(mem, "%s.so", digits);
}

bool build_load(Cache *cache, const char *entry, Arena *mem, Build *b)
{
    double begun = now();
    *b = (Build){.kept = entry, .from_cache = true};
    const char *path = cache_find(cache, entry);
    bool ok = path && load(path, mem, b);
    b->seconds = now() - begun;
    if (!ok)
        build_close(b);
    return ok;
}

/* b->dir becomes a new directory. */
static bool open_directory(Arena *mem, Build *b)
{
    const char *path, *dir = temporary_folder(mem, "rung", &path);
    if (!dir)
        return fail(b, 4, arena_printf(mem, "cannot create '%s': %s", path, strerror(errno)));
    b->dir = dir;
    return true;
}

static bool write_files(const EmitFiles *f, Arena *mem, Build *b)
{
    return emit_write(f, b->dir, mem, &b->error) || fail(b, 4, b->error);
}

bool build_model(const EmitFiles *f, BuildOptions o, Arena *mem, Build *b)
{
    double begun = now();
    *b = (Build){0};
    EmitFiles whole = whole_of(f, &o, mem);
    const char *entry = o.cache && !o.keep ? entry_of(&whole, &o, mem) : NULL;
    if (entry && build_load(o.cache, entry, mem, b))
        return true;
    *b = (Build){0};

    if (!open_directory(mem, b))
        return false;
    const char *dir = b->dir;
    bool ok = write_files(&whole, mem, b);
    const char *made = arena_printf(mem, "%s/model.so", dir);
    ExternalBuild external = external_build(&whole, mem);
    Units unit = units_of(&whole, &o, &external, dir, mem);
    ok = ok && compile(&unit, &external, &o, mem, b) &&
         link_shared(&unit, &external, "model.so", NULL, false, &o, mem, b) && load(made, mem, b);
    if (ok && entry && cache_put_file(o.cache, entry, made))
        b->kept = entry;
    if (!o.keep)
        temporary_remove(dir);
    b->seconds = now() - begun;
    return ok;
}

bool build_read(const char *path, Arena *mem, const char **text, size_t *size)
{
    FILE *f = fopen(path, "rb");
    long n = f && !fseek(f, 0, SEEK_END) ? ftell(f) : -1;
    char *at = n >= 0 ? arena_alloc(mem, (size_t)n + 1) : NULL;
    if (f)
        rewind(f);
    bool ok = at && fread(at, 1, (size_t)n, f) == (size_t)n;
    if (f)
        fclose(f);
    *text = at;
    *size = ok ? (size_t)n : 0;
    return ok;
}

/* The entry of the object that these become together; NULL: it is not kept. */
static const char *entry_of_parts(const Units *unit, Arena *mem)
{
    Digester *to = digester_new();
    bool all = unit->n > 0;
    for (uint32_t k = 0; k < unit->n; k++) {
        digester_text(to, unit->at[k].entry);
        all = all && unit->at[k].entry;
    }
    char digits[DIGEST_TEXT];
    digest_print(digester_end(to), digits);
    return all ? arena_printf(mem, "%s.o", digits) : NULL;
}

/* Files of the runtime as one object, and their headers. Where an earlier build has made it, the C
 * files are not written: in /tmp on a disk that takes longer than compiling a small model. NULL
 * after an error. */
static const char *build_parts(const EmitFiles *parts, const BuildOptions *o, Arena *mem, Build *b)
{
    const char *made = arena_printf(mem, "%s/%s.o", b->dir, parts->id);
    ExternalBuild none = {0};
    Units unit = units_of(parts, o, &none, b->dir, mem);
    name_entries(&unit, o, mem);
    const char *entry = entry_of_parts(&unit, mem);
    EmitFiles kept = {.mem = mem};
    if (entry && add_kept(o, entry, parts->id, &kept)) {
        for (uint32_t k = 0; k < parts->file.n; k++)
            if (text_ends_with(parts->file.at[k].name, ".h"))
                vec_push(mem, kept.file, parts->file.at[k]);
        return write_files(&kept, mem, b) ? made : NULL;
    }
    if (!write_files(parts, mem, b) || !compile(&unit, &none, o, mem, b))
        return NULL;
    uint32_t n;
    const char **argv = command(o->target, mem, unit.n + 5, &n);
    argv[n++] = target_flag[o->target];
    argv[n++] = "-r";
    argv[n++] = "-nostdlib";
    argv[n++] = "-o";
    argv[n++] = made;
    for (uint32_t k = 0; k < unit.n; k++)
        argv[n++] = unit.at[k].object;
    if (!run_alone(argv, o, mem, b))
        return NULL;
    if (entry)
        cache_put_file(o->cache, entry, made);
    return made;
}

/* The libraries that the linker finds by their name, as -lzip is; NULL: there are none. */
static const char *named_libraries(const ExternalBuild *external, Arena *mem)
{
    const char *all = NULL;
    for (uint32_t k = 0; k < external->link.n; k++) {
        const char *it = external->link.at[k];
        if (strncmp(it, "-l", 2) != 0 || !strcmp(it, "-lm") || !strcmp(it, "-ldl"))
            continue;
        all = all ? arena_printf(mem, "%s, %s", all, it + 2) : it + 2;
    }
    return all;
}

/* Not all systems have archives of their shared libraries. */
static bool link_complete(const Units *unit, const ExternalBuild *external, const char *name,
                          const char *symbols, const BuildOptions *o, Arena *mem, Build *b)
{
    if (link_shared(unit, external, name, symbols, true, o, mem, b))
        return true;
    const char *named = named_libraries(external, mem), *error = b->error;
    const int status = b->status;
    if (!named || (o->interrupt && *o->interrupt) ||
        !link_shared(unit, external, name, symbols, false, o, mem, b))
        return fail(b, status, error);
    b->status = 0;
    b->error = NULL;
    b->needs = named;
    return true;
}

bool build_shared(const EmitFiles *model, const EmitFiles *parts, const EmitFiles *more,
                  const char *name, const char *symbols, BuildOptions o, Arena *mem, Build *b)
{
    EmitFiles whole = whole_of(model, &o, mem);
    ExternalBuild external = external_build(&whole, mem), none = {0};
    Units unit = units_of(&whole, &o, &external, b->dir, mem);
    Units added = units_of(more, &o, &none, b->dir, mem);
    if (!write_files(more, mem, b))
        return false;
    const char *object = build_parts(parts, &o, mem, b);
    if (!object || !compile(&added, &external, &o, mem, b))
        return false;
    vec_push(mem, external.link, object);
    for (uint32_t k = 0; k < added.n; k++)
        vec_push(mem, unit, added.at[k]);
    return link_complete(&unit, &external, name, symbols, &o, mem, b);
}

/* Whether the compiler makes a module of a program that needs nothing but the C library. */
static bool makes_modules(const BuildOptions *o, Arena *mem, const char *dir)
{
    static const char text[] =
        "#include <math.h>\n#include <stdlib.h>\n"
        "__attribute__((export_name(\"f\"))) double f(double x);\n"
        "double f(double x)\n{\n    return sin(x) + atof(getenv(\"x\"));\n}\n";
    EmitFiles probe = {.mem = mem};
    vec_push(mem, probe.file,
             ((EmitFile){.name = "probe.c", .text = text, .size = sizeof text - 1}));
    Build b = {.dir = dir};
    ExternalBuild none = {0};
    Units unit = units_of(&probe, o, &none, dir, mem);
    return write_files(&probe, mem, &b) && compile(&unit, &none, o, mem, &b) &&
           link_module(&unit, NULL, "probe.wasm", o, mem, &b);
}

bool build_module(const EmitFiles *model, const EmitFiles *parts, const EmitFiles *more,
                  BuildOptions o, Arena *mem, Build *b, const char **bytes, size_t *size)
{
    double begun = now();
    *b = (Build){0};
    EmitFiles whole = whole_of(model, &o, mem);
    for (uint32_t k = 0; k < more->file.n; k++)
        vec_push(mem, whole.file, more->file.at[k]);
    if (!open_directory(mem, b))
        return false;
    ExternalBuild none = {0};
    Units unit = units_of(&whole, &o, &none, b->dir, mem);
    bool is_written = write_files(&whole, mem, b);
    const char *object = is_written ? build_parts(parts, &o, mem, b) : NULL;
    bool ok = object && compile(&unit, &none, &o, mem, b) &&
              link_module(&unit, object, "model.wasm", &o, mem, b);
    bool is_stopped = o.interrupt && *o.interrupt;
    if (is_written && !ok && !is_stopped && !makes_modules(&o, mem, b->dir))
        fail(b, 4,
             arena_printf(mem,
                          "'%s' makes no WebAssembly; it takes the packages clang, lld, wasi-libc "
                          "and libclang-rt-14-dev-wasm32 (Debian's names), or another compiler "
                          "that RUNG_WASM_CC names",
                          compiler_of(o.target)));
    if (ok && !build_read(arena_printf(mem, "%s/model.wasm", b->dir), mem, bytes, size))
        ok = fail(b, 4, "the module cannot be read");
    temporary_remove(b->dir);
    b->dir = NULL;
    b->seconds = now() - begun;
    return ok;
}

void build_remove(Build *b)
{
    if (b->dir)
        temporary_remove(b->dir);
    b->dir = NULL;
}

void build_close(Build *b)
{
    if (b->library)
        dlclose(b->library);
    b->library = NULL;
    b->model = NULL;
}
