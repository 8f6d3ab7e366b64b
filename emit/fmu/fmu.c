/* fmu.c -- the sources of an FMU, its binary, and the archive of both. */
#include "emit/fmu/fmu.h"

#include "base/hash.h"
#include "emit/code/quote.h"
#include "emit/fmu/fmu_archive.h"
#include "emit/fmu/fmu_description.h"
#include "emit/fmu/fmu_terminal.h"
#include "emit/model/bundle.h"
#include "emit/model/external_files.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static bool ends_with(const char *s, const char *end)
{
    size_t n = strlen(s), m = strlen(end);
    return n >= m && !strcmp(s + n - m, end);
}

static const BundleFile *find_file(const char *name, size_t n)
{
    for (const BundleFile *b = bundle; b->name; b++)
        if (strlen(b->name) == n && !strncmp(b->name, name, n))
            return b;
    return NULL;
}

/* Marks a file of the runtime and its includes; with X.h also X.c, which defines its functions. */
static void take(bool *taken, const BundleFile *f)
{
    static const char include[] = "\n#include \"";
    if (!f || taken[f - bundle])
        return;
    taken[f - bundle] = true;
    for (const char *at = f->text; (at = strstr(at, include)); at++) {
        const char *name = at + sizeof include - 1;
        size_t n = strcspn(name, "\"\n");
        take(taken, find_file(name, n));
        char source[80];
        snprintf(source, sizeof source, "%.*sc", (int)(n ? n - 1 : 0), name);
        take(taken, find_file(source, strlen(source)));
    }
}

static void put_numbers(Text *t, const char *name, uint32_t n, const uint32_t *value)
{
    text_printf(t, "\nstatic const uint32_t %s[%u] = {", name, n ? n : 1);
    for (uint32_t k = 0; k < n; k++)
        text_printf(t, "%s%u,", k % 12 ? " " : "\n    ", value[k]);
    text_put(t, n ? "\n};\n" : "0};\n");
}

/* The functions that an importer calls, and the runtime's sources behind them that the model's
 * files lack. */
static EmitFiles runtime_files(const FmuModel *m, const FmuOptions *o, Arena *mem)
{
    enum { LOOPS = 100 }; // code with loops is worth optimising
    const char *const roots[] = {o->version == 3 ? "fmi3.c" : "fmi2.c",
                                 "fmi_state.c",
                                 "fmi_derivative.c",
                                 "esdirk.c",
                                 "rk4.c",
                                 "newton_matrix.c",
                                 "newton_model.c"};
    EmitFiles out = {.mem = mem, .id = "fmi_runtime"};
    uint32_t n = 0;
    while (bundle[n].name)
        n++;
    bool *taken = arena_array(mem, bool, n + 1);
    for (size_t k = 0; k < sizeof roots / sizeof *roots; k++)
        take(taken, find_file(roots[k], strlen(roots[k])));
    for (uint32_t k = 0; k < n; k++) {
        const BundleFile *b = &bundle[k];
        bool is_there = !strncmp(b->name, "rung_", 5) ||
                        (m->files->n_externals && !strncmp(b->name, "external.", 9));
        if (taken[k] && !is_there)
            vec_push(
                mem, out.file,
                ((EmitFile){.name = b->name, .text = b->text, .size = b->size, .repeats = LOOPS}));
    }
    return out;
}

/* Files that the model reads: arguments of external functions that are paths. */
typedef struct Data {
    FmuNames path, name; /* where they are; in resources/ */
} Data;

static Data find_data(const FmuModel *m, Arena *mem)
{
    Data out = {0};
    const ExprPool *p = m->sys->pool;
    for (uint32_t k = 0; k < m->files->n_externals; k++)
        for (uint32_t i = 0; i < m->files->external[k]->n_args; i++) {
            const ExternalArg *a = &m->files->external[k]->arg[i];
            bool is_text = a->kind == EXTERNAL_STRING && expr_exists(a->value) &&
                           expr_op(p, a->value) == OP_STRING;
            const char *path = is_text ? expr_text_of(p, a->value).s : "";
            struct stat st;
            bool is_new = *path == '/' && !stat(path, &st) && S_ISREG(st.st_mode);
            const char *name = is_new ? strrchr(path, '/') + 1 : NULL;
            for (uint32_t j = 0; j < out.path.n && is_new; j++) {
                is_new = strcmp(out.path.at[j], path) != 0;
                if (!strcmp(out.name.at[j], name))
                    name = arena_printf(mem, "%u_%s", out.path.n, strrchr(path, '/') + 1);
            }
            if (!is_new)
                continue;
            vec_push(mem, out.path, path);
            vec_push(mem, out.name, name);
        }
    return out;
}

static void put_texts(Text *t, const char *name, uint32_t n, const char *const *text)
{
    text_printf(t, "\nstatic const char *const %s[%u] = {", name, n ? n : 1);
    for (uint32_t k = 0; k < n; k++) {
        text_put(t, "\n    ");
        text_string(t, text[k]);
        text_put(t, ",");
    }
    text_put(t, n ? "\n};\n" : "0};\n");
}

/* The files generated for FMI, and the linker's script. */
static EmitFiles own_files(const FmuModel *m, const FmuVariables *v, const Data *data,
                           const FmuOptions *o, const char *token, Arena *mem)
{
    EmitFiles out = {.mem = mem, .id = "fmi"};
    Text t = text_new(mem);
    text_put(&t, "/* Generated by rung. SPDX-License-Identifier: BSD-3-Clause */\n"
                 "#include \"fmi_instance.h\"\n");
    uint32_t n = m->model->n_states;
    VEC(uint32_t) array = {0}, size = {0};
    for (uint32_t k = 0; k < v->at.n; k++)
        if (v->at.at[k].n > 1) {
            vec_push(mem, array, v->at.at[k].reference);
            vec_push(mem, size, v->at.at[k].n);
        }
    put_numbers(&t, "derivative", n, v->reference);
    put_numbers(&t, "fixed", v->n_fixed, v->fixed);
    put_numbers(&t, "array", array.n, array.at);
    put_numbers(&t, "size", size.n, size.at);
    put_texts(&t, "text", v->n_texts, v->text);
    put_texts(&t, "file", data->path.n, data->path.at);
    put_texts(&t, "resource", data->name.n, data->name.at);
    text_put(&t, "\nconst FmiConfig fmi_config = {.token = ");
    text_string(&t, token);
    text_printf(&t,
                ",\n    .n_derivatives = %uu, .derivative = derivative,\n"
                "    .n_fixed = %uu, .fixed = fixed,\n"
                "    .n_arrays = %uu, .array = array, .size = size,\n"
                "    .n_texts = %uu, .first_text = %uu, .text = text,\n"
                "    .n_files = %uu, .file = file, .resource = resource};\n",
                n, v->n_fixed, array.n, v->n_texts, v->first_text, data->path.n);
    vec_push(mem, out.file,
             ((EmitFile){.name = "fmi_config.c", .text = t.at, .size = t.n, .is_cold = true}));
    Text s = text_new(mem);
    text_printf(&s, "{\n  global: fmi%d*;\n  local: *;\n};\n", o->version);
    vec_push(mem, out.file,
             ((EmitFile){.name = "fmi_symbols.map", .text = s.at, .size = s.n, .is_cold = true}));
    return out;
}

/* A hash of all that the FMU is made of, as 32 digits. */
static const char *token_of(const EmitFiles *const all[], int n, const Text *description,
                            Arena *mem)
{
    uint64_t h[2] = {HASH_NO_BYTES, HASH_GOLDEN};
    for (int i = 0; i < 2; i++) {
        for (int f = 0; f < n; f++)
            for (uint32_t k = 0; k < all[f]->file.n; k++) {
                const EmitFile *e = &all[f]->file.at[k];
                h[i] = hash_pair(h[i], hash_bytes(e->name, strlen(e->name)));
                h[i] = hash_pair(h[i], hash_bytes(e->text, e->size));
            }
        h[i] = hash_pair(h[i], hash_bytes(description->at, description->n));
    }
    return arena_printf(mem, "{%08llx-%04llx-%04llx-%04llx-%012llx}",
                        (unsigned long long)(h[0] >> 32), (unsigned long long)(h[0] >> 16 & 0xffff),
                        (unsigned long long)(h[0] & 0xffff), (unsigned long long)(h[1] >> 48),
                        (unsigned long long)(h[1] & 0xffffffffffff));
}

static bool read_file(const char *path, Arena *mem, const char **text, size_t *size)
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

/* Adds data files as resources/NAME. */
static bool read_data(const Data *data, EmitFiles *to, const char **error)
{
    for (uint32_t k = 0; k < data->path.n; k++) {
        EmitFile f = {.name = arena_printf(to->mem, "resources/%s", data->name.at[k])};
        if (!read_file(data->path.at[k], to->mem, &f.text, &f.size)) {
            *error = arena_printf(to->mem, "cannot read '%s'", data->path.at[k]);
            return false;
        }
        vec_push(to->mem, to->file, f);
    }
    return true;
}

static void add(FmuArchive *a, Arena *mem, const char *path, const char *bytes, size_t size)
{
    vec_push(mem, a->entry, ((FmuEntry){path, bytes, size}));
}

static void add_sources(FmuArchive *a, const EmitFiles *f, FmuNames *source, Arena *mem)
{
    for (uint32_t k = 0; k < f->file.n; k++) {
        const EmitFile *e = &f->file.at[k];
        if (ends_with(e->name, ".map"))
            continue;
        add(a, mem, arena_printf(mem, "sources/%s", e->name), e->text, e->size);
        if (ends_with(e->name, ".c"))
            vec_push(mem, *source, e->name);
    }
}

/* Writes sources/, if requested, and returns the names. Static libraries of external functions lie
 * where the binary does (FMI 3.0, buildDescription.xml: Library). */
static FmuNames put_sources(FmuArchive *a, const FmuModel *m, const EmitFiles *const all[], int n,
                            const ExternalFiles *external, Arena *mem)
{
    FmuNames source = {0};
    FmuLinked linked = {0};
    for (int k = 0; k < n; k++)
        add_sources(a, all[k], &source, mem);
    uint32_t own = source.n, n_archives = external->archive.n;
    for (uint32_t k = 0; k < external->file.n; k++) {
        const EmitFile *e = &external->file.at[k];
        bool is_archive = false;
        for (uint32_t i = 0; i < n_archives; i++)
            is_archive = is_archive || !strcmp(external->archive.at[i], e->name);
        const char *folder = is_archive ? "binaries/x86_64-linux" : "sources";
        add(a, mem, arena_printf(mem, "%s/%s", folder, e->name), e->text, e->size);
    }
    for (uint32_t k = 0; k < external->source.n; k++)
        vec_push(mem, source, external->source.at[k]);
    for (uint32_t k = 0; k < n_archives; k++)
        vec_push(mem, linked.inside, external->archive.at[k]);
    for (uint32_t k = 0; k < external->link.n; k++)
        vec_push(mem, linked.outside, external->link.at[k] + strlen("-l"));
    Text text = fmu_build_description(m, &source, own, &linked, mem);
    add(a, mem, "sources/buildDescription.xml", text.at, text.n);
    return source;
}

/* The files of external functions. NULL, or why the FMU cannot have them among its sources. */
static const char *find_external(const EmitFiles *model, int version, ExternalFiles *out,
                                 Arena *mem)
{
    *out = external_files(model, mem);
    if (out->error)
        return arena_printf(mem, "--sources: of an external function %s", out->error);
    // whoever builds the sources can be expected to have -lNAME only
    for (uint32_t k = 0; k < out->link.n; k++)
        if (strncmp(out->link.at[k], "-l", 2) != 0)
            return arena_printf(mem,
                                "--sources: of an external function there is a shared library "
                                "alone: '%s'",
                                out->link.at[k]);
    return out->archive.n && version == 2
               ? arena_printf(
                     mem,
                     "--sources: of an external function there is the static library '%s', "
                     "and sources of FMI 2 cannot name one: --fmi 3 can",
                     out->archive.at[0])
               : NULL;
}

static void count(FmuResult *out, const FmuModel *m, const FmuVariables *v)
{
    out->identifier = m->files->id;
    out->n_variables = v->at.n;
    out->n_states = m->model->n_states;
    out->n_indicators = m->model->n_events;
    out->saves_state = m->model->n_objects == 0;
    out->has_derivatives = m->model->linearisation != NULL;
    for (uint32_t k = 0; k < v->at.n; k++) {
        const FmuVariable *it = &v->at.at[k];
        out->n_inputs += it->causality == FMU_INPUT;
        out->n_outputs += it->causality == FMU_OUTPUT;
        out->n_parameters += it->causality == FMU_PARAMETER;
        out->n_tunable += it->causality == FMU_PARAMETER && it->variability == FMU_TUNABLE;
        for (const FmuVariable *other = it->alias; other; other = other->alias)
            out->n_aliases++;
    }
    out->n_aliases += v->n_shared;
}

static void list_files(FmuResult *out, const FmuArchive *a, Arena *mem)
{
    FmuFile *file = arena_array(mem, FmuFile, a->entry.n + 1);
    for (uint32_t k = 0; k < a->entry.n; k++)
        file[k] = (FmuFile){a->entry.at[k].path, a->entry.at[k].size};
    out->n_files = a->entry.n;
    out->file = file;
}

bool fmu_make(const FmuModel *m, FmuOptions o, Build *b, Arena *mem, FmuResult *out)
{
    FmuArchive archive = {0}, none = {0};
    EmitFiles model = *m->files;
    model.file.cap = model.file.n; // so that growth copies
    emit_headers(&model);
    *out = (FmuResult){.status = 1};
    ExternalFiles external = {0};
    EmitFiles outside = {.mem = mem}; // sources and data files of external functions
    if (m->files->n_externals)
        out->error = find_external(&model, o.version, &external, mem);
    if (out->error && o.sources)
        return false;
    out->error = NULL;
    external_files_add(&external, &outside);
    if (o.sources)
        external_files_rename(&external, &model);
    Data data = find_data(m, mem);
    uint32_t first_data = outside.file.n;
    if (!read_data(&data, &outside, &out->error)) {
        out->status = 4;
        return false;
    }
    FmuVariables v = fmu_variables(m, o.version, mem);
    EmitFiles runtime = runtime_files(m, &o, mem), own = own_files(m, &v, &data, &o, "", mem);
    const EmitFiles *const all[] = {&model, &runtime, &own, &outside};
    enum { ALL = sizeof all / sizeof *all - 1 }; // without `outside`
    // the token is a hash of all else
    FmuNames source = {0};
    if (o.sources)
        source = put_sources(&none, m, all, ALL, &external, mem);
    Text text = fmu_description(m, &v, &o, "", &source, mem);
    const char *token = out->token = token_of(all, ALL + 1, &text, mem);
    own = own_files(m, &v, &data, &o, token, mem);
    text = fmu_description(m, &v, &o, token, &source, mem);
    add(&archive, mem, "modelDescription.xml", text.at, text.n);
    if (o.sources)
        put_sources(&archive, m, all, ALL, &external, mem);
    for (uint32_t k = first_data; k < outside.file.n; k++)
        add(&archive, mem, outside.file.at[k].name, outside.file.at[k].text,
            outside.file.at[k].size);
    out->n_terminals = fmu_terminals(m, &v, o.version, &archive, mem);

    const char *name = arena_printf(mem, "%s.so", m->files->id), *binary;
    size_t n;
    BuildOptions build = {.sections = true, .interrupt = o.interrupt, .cache = o.cache};
    if (!build_shared(m->files, &runtime, &own, name, "fmi_symbols.map", build, mem, b)) {
        out->error = b->error;
        out->status = b->status;
        return false;
    }
    out->status = 4;
    if (!read_file(arena_printf(mem, "%s/%s", b->dir, name), mem, &binary, &n)) {
        out->error = arena_printf(mem, "cannot read '%s/%s'", b->dir, name);
        return false;
    }
    const char *platform = o.version == 3 ? "x86_64-linux" : "linux64";
    add(&archive, mem, arena_printf(mem, "binaries/%s/%s", platform, name), binary, n);
    count(out, m, &v);
    bool ok = fmu_archive_pack(&archive, mem, &out->bytes, &out->size, &out->error);
    list_files(out, &archive, mem);
    return ok;
}
