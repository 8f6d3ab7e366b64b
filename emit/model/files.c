/* files.c -- the files for a build of generated code, and writing them to disk. */
#include "emit/code/quote.h"
#include "emit/emit.h"
#include "emit/model/bundle.h"
#include "emit/model/external_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char UTILITIES[] = "ModelicaUtilities.h";

bool emit_is_runtime_name(const char *id)
{
    for (const BundleFile *b = bundle; b->name; b++) {
        const char *dot = strchr(b->name, '.');
        size_t n = dot ? (size_t)(dot - b->name) : strlen(b->name);
        if (strlen(id) == n && !strncmp(id, b->name, n))
            return true;
    }
    return false;
}

/* Whether functions of the model are those that call FMUs (fmi_unit.h). */
static bool calls_fmus(const EmitFiles *f)
{
    for (uint32_t k = 0; k < f->n_externals; k++)
        if (!strncmp(f->external[k]->function, "rung_fmu_", 9))
            return true;
    return false;
}

static bool is_of_fmu_calls(const char *name)
{
    return !strncmp(name, "fmi_unit.", 9) || !strcmp(name, "fmi2_types.h") ||
           !strcmp(name, "fmi3_types.h");
}

bool emit_brings_utilities(const EmitFiles *f)
{
    Arena *scratch = arena_new();
    bool found = false;
    for (uint32_t k = 0; k < f->n_externals && !found; k++)
        found = access(arena_printf(scratch, "%s/%s", f->external[k]->include_dir, UTILITIES),
                       R_OK) == 0;
    arena_free(scratch);
    return f->n_externals > 0 && !found;
}

void emit_headers(EmitFiles *f)
{
    bool fmus = calls_fmus(f), utilities = emit_brings_utilities(f);
    for (const BundleFile *b = bundle; b->name; b++)
        if (!strncmp(b->name, "rung_", 5) ||
            (f->n_externals &&
             (!strcmp(b->name, "external.h") || !strcmp(b->name, "external.c"))) ||
            (fmus && is_of_fmu_calls(b->name)) || (utilities && !strcmp(b->name, UTILITIES)))
            vec_push(
                f->mem, f->file,
                ((EmitFile){.name = b->name, .text = b->text, .size = b->size, .is_cold = true}));
}

static bool has_lanes(const EmitFiles *f)
{
    for (uint32_t k = 0; k < f->file.n; k++)
        if (f->file.at[k].is_lanes)
            return true;
    return false;
}

void emit_standalone(EmitFiles *f)
{
    bool fmus = calls_fmus(f), utilities = emit_brings_utilities(f);
    for (const BundleFile *b = bundle; b->name; b++)
        // the others are of an FMU, which is another program
        if ((strncmp(b->name, "fmi", 3) != 0 || (fmus && is_of_fmu_calls(b->name))) &&
            (utilities || strcmp(b->name, UTILITIES) != 0))
            vec_push(
                f->mem, f->file,
                ((EmitFile){.name = b->name, .text = b->text, .size = b->size, .is_cold = true}));

    Text t = text_new(f->mem);
    text_printf(&t,
                "# Builds ./%s, a simulator of the model that stands alone, with a C11 compiler\n"
                "# and libm:  make -j4 && ./%s --stop 10 -o R.csv\n"
                "CC ?= cc\n"
                "CFLAGS ?= -O1\n"
                "%s"
                "FLAGS = -std=c11 -D_POSIX_C_SOURCE=200809L -ffp-contract=off -fno-math-errno\n\n"
                "all: %s\n\n"
                "HEADERS =",
                f->id, f->id,
                has_lanes(f) ? "# of several instances at once: as wide as vectors are here\n"
                               "LANE_FLAGS ?= -O2 -march=native\n"
                             : "",
                f->id);
    for (uint32_t k = 0; k < f->file.n; k++)
        if (text_ends_with(f->file.at[k].name, ".h"))
            text_printf(&t, " \\\n  %s", f->file.at[k].name);
    text_put(&t, "\nOBJECTS =");
    for (uint32_t k = 0; k < f->file.n; k++) {
        const char *name = f->file.at[k].name;
        if (text_ends_with(name, ".c"))
            text_printf(&t, " \\\n  %.*s.o", (int)strlen(name) - 2, name);
    }
    ExternalFiles external = external_files(f, f->mem);
    for (uint32_t k = 0; k < external.source.n; k++)
        text_printf(&t, " \\\n  library_%u.o", k);
    text_put(&t, "\nINCLUDE =");
    for (uint32_t k = 0; k < external.include.n; k++)
        text_printf(&t, " '-I%s'", external.include.at[k]);
    text_put(&t, "\nLIBRARIES =");
    for (uint32_t k = 0; k < external.archive.n; k++)
        text_printf(&t, " '%s'", external.archive.at[k]);
    for (uint32_t k = 0; k < external.link.n; k++)
        text_printf(&t, " '%s'", external.link.at[k]);
    for (uint32_t k = 0; k < external.source.n; k++)
        text_printf(&t, "\n\nlibrary_%u.o: %s\n\t$(CC) $(CFLAGS) -w -I. $(INCLUDE) -c -o $@ $<", k,
                    external.source.at[k]);
    for (uint32_t k = 0; k < f->file.n; k++)
        if (f->file.at[k].is_lanes)
            text_printf(&t, "\n\n%.*s.o: FLAGS += $(LANE_FLAGS)",
                        (int)strlen(f->file.at[k].name) - 2, f->file.at[k].name);
    text_printf(&t,
                "\n\n%s: $(OBJECTS)\n\t$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(OBJECTS) $(LIBRARIES) "
                "-lm\n\n"
                "%%.o: %%.c $(HEADERS)\n\t$(CC) $(FLAGS) $(CFLAGS) $(INCLUDE) -c -o $@ $<\n\n"
                "clean:\n\trm -f $(OBJECTS) %s\n\n.PHONY: all clean\n",
                f->id, f->id);
    vec_push(f->mem, f->file,
             ((EmitFile){.name = "Makefile", .text = t.at, .size = t.n, .is_cold = true}));
    external_files_add(&external, f);
}

/* .NAME.PID.part: another compilation into the same directory has its own. */
static const char *temporary(const EmitFiles *f, const char *dir, uint32_t k, Arena *mem)
{
    return arena_printf(mem, "%s/.%s.%ld.part", dir, f->file.at[k].name, (long)getpid());
}

/* Parts that a killed process left: who holds the directory's lock is alone. */
static void clear_stale(const char *dir, Arena *mem)
{
    DIR *d = opendir(dir);
    for (struct dirent *e; d && (e = readdir(d));)
        if (e->d_name[0] == '.' && text_ends_with(e->d_name, ".part"))
            remove(arena_printf(mem, "%s/%s", dir, e->d_name));
    if (d)
        closedir(d);
}

static bool make_directory(const char *dir)
{
    struct stat st;
    if (!mkdir(dir, 0777))
        return true;
    if (errno != EEXIST)
        return false;
    if (!stat(dir, &st) && S_ISDIR(st.st_mode))
        return true;
    errno = ENOTDIR;
    return false;
}

bool emit_write(const EmitFiles *f, const char *dir, Arena *mem, const char **error)
{
    if (!make_directory(dir)) {
        *error = arena_printf(mem, "cannot create '%s': %s", dir, strerror(errno));
        return false;
    }
    // two compilations into one directory come one after the other
    int lock = open(dir, O_RDONLY | O_CLOEXEC);
    if (lock >= 0)
        flock(lock, LOCK_EX);
    clear_stale(dir, mem);
    bool ok = true;
    uint32_t written = 0;
    for (; ok && written < f->file.n; written++) {
        const EmitFile *it = &f->file.at[written];
        const char *path = temporary(f, dir, written, mem);
        FILE *out = fopen(path, "wb");
        ok = out && fwrite(it->text, 1, it->size, out) == it->size;
        if (out && fclose(out))
            ok = false;
        if (!ok)
            *error = arena_printf(mem, "cannot write '%s': %s", path, strerror(errno));
    }
    for (uint32_t k = 0; ok && k < f->file.n; k++) {
        const char *path = arena_printf(mem, "%s/%s", dir, f->file.at[k].name);
        ok = !rename(temporary(f, dir, k, mem), path);
        if (!ok)
            *error = arena_printf(mem, "cannot write '%s': %s", path, strerror(errno));
    }
    for (uint32_t k = 0; !ok && k < written; k++)
        remove(temporary(f, dir, k, mem));
    // remove further files of an earlier, larger model of the same name
    for (uint32_t k = f->n_code + 1; ok; k++)
        if (remove(arena_printf(mem, "%s/%s_%u.c", dir, f->id, k)))
            break;
    if (lock >= 0)
        close(lock);
    return ok;
}
