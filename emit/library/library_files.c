/* The files of a library: as they are with a Makefile, or one instead of many. */
#include "emit/code/quote.h"
#include "emit/library/library_model.h"
#include "emit/model/bundle.h"
#include "emit/model/external_files.h"

#include <ctype.h>
#include <string.h>

static void add(EmitFiles *f, const char *name, Text t)
{
    vec_push(f->mem, f->file, ((EmitFile){.name = name, .text = t.at, .size = t.n}));
}

/* ---- one file ---- */

typedef struct Whole {
    const EmitFiles *from;
    VEC(const char *) done;
    Text *out;
    Arena *mem;
} Whole;

static const char *text_of(const EmitFiles *f, const char *name)
{
    for (uint32_t k = 0; k < f->file.n; k++)
        if (!strcmp(f->file.at[k].name, name))
            return f->file.at[k].text;
    for (const BundleFile *b = bundle; b->name; b++)
        if (!strcmp(b->name, name))
            return b->text;
    return NULL;
}

/* Writes the file with its #include "..." lines replaced by the contents, each once; includes of
 * M.h and of external functions' headers stay. */
static void put_whole(Whole *w, const char *name)
{
    static const char include[] = "#include \"";
    for (uint32_t k = 0; k < w->done.n; k++)
        if (!strcmp(w->done.at[k], name))
            return;
    vec_push(w->mem, w->done, name);
    for (const char *line = text_of(w->from, name); *line;) {
        size_t n = strcspn(line, "\n");
        const char *end = line + n + (line[n] != 0);
        if (!strncmp(line, include, strlen(include))) {
            const char *from = line + strlen(include);
            const char *other = arena_copy(w->mem, from, strcspn(from, "\""));
            bool is_ours = text_of(w->from, other);
            if (is_ours && strcmp(other, arena_printf(w->mem, "%s.h", w->from->id)) != 0) {
                put_whole(w, other);
                line = end;
                continue;
            }
        }
        text_put_n(w->out, line, (size_t)(end - line));
        line = end;
    }
}

/* The functions that external functions call are the same in every model: weak symbols, so that a
 * program with several models keeps one. */
static void put_shared(Text *t)
{
    static const char *const name[] = {"rung_call_enter",
                                       "rung_call_leave",
                                       "rung_call_failed",
                                       "rung_object_completes",
                                       "rung_object_keep",
                                       "rung_object_stays",
                                       "rung_file",
                                       "ModelicaVFormatMessage",
                                       "ModelicaFormatMessage",
                                       "ModelicaMessage",
                                       "ModelicaVFormatWarning",
                                       "ModelicaFormatWarning",
                                       "ModelicaWarning",
                                       "ModelicaVFormatError",
                                       "ModelicaFormatError",
                                       "ModelicaError",
                                       "ModelicaAllocateString",
                                       "ModelicaAllocateStringWithErrorReturn",
                                       "ModelicaDuplicateString",
                                       "ModelicaDuplicateStringWithErrorReturn"};
    for (size_t k = 0; k < sizeof name / sizeof *name; k++)
        text_printf(t, "#pragma weak %s\n", name[k]);
}

static bool has_end(const char *s, const char *end)
{
    size_t n = strlen(s), m = strlen(end);
    return n >= m && !strcmp(s + n - m, end);
}

/* ---- single precision ---- */

static const char *single_word(const char *word, size_t n, Arena *mem)
{
#define CALL(op, modelica, c) #c,
    static const char *const calls[] = {ELEMENTARY_FUNCTIONS(CALL)
                                            ELEMENTARY_FUNCTIONS_OF_TWO(CALL) "pow",
                                        "trunc",
                                        "fmod",
                                        "fmax",
                                        "fmin",
                                        "hypot",
                                        "cbrt",
                                        "round"};
#undef CALL
    if (n > 5 && !strncmp(word, "rung_", 5))
        return NULL;
    if (n == 6 && !strncmp(word, "double", n))
        return "float";
    if (n > 4 && !strncmp(word, "DBL_", 4))
        return arena_printf(mem, "FLT_%.*s", (int)n - 4, word + 4);
    for (size_t k = 0; k < sizeof calls / sizeof *calls; k++)
        if (strlen(calls[k]) == n && !strncmp(word, calls[k], n))
            return arena_printf(mem, "%sf", calls[k]);
    return NULL;
}

static size_t number_length(const char *s, bool *is_real)
{
    size_t n = 0;
    bool hex = s[0] == '0' && (s[1] == 'x' || s[1] == 'X');
    *is_real = false;
    for (;; n++) {
        char c = s[n];
        bool sign = (c == '+' || c == '-') && n > 0 &&
                    (hex ? s[n - 1] == 'p' || s[n - 1] == 'P' : s[n - 1] == 'e' || s[n - 1] == 'E');
        if (!isalnum((unsigned char)c) && c != '.' && !sign)
            break;
        *is_real = *is_real || c == '.' || (!hex && (c == 'e' || c == 'E')) ||
                   (hex && (c == 'p' || c == 'P'));
    }
    return n;
}

static Text single_precision(const char *s, Arena *mem)
{
    Text t = text_new(mem);
    while (*s) {
        size_t n = 1;
        const char *put = NULL, *after = "";
        if (s[0] == '/' && s[1] == '*') {
            const char *end = strstr(s + 2, "*/");
            n = end ? (size_t)(end + 2 - s) : strlen(s);
        } else if (s[0] == '/' && s[1] == '/') {
            n = strcspn(s, "\n");
        } else if (s[0] == '#') {
            n = strcspn(s, " \n"); // the rest of a #define is code
            if (!strncmp(s, "#include", 8))
                n = strcspn(s, "\n");
        } else if (s[0] == '"') {
            while (s[n] && s[n] != '"')
                n += s[n] == '\\' ? 2 : 1;
            n++;
        } else if (isalpha((unsigned char)s[0]) || s[0] == '_') {
            while (isalnum((unsigned char)s[n]) || s[n] == '_')
                n++;
            put = single_word(s, n, mem);
        } else if (isdigit((unsigned char)s[0])) {
            bool is_real;
            n = number_length(s, &is_real);
            after = is_real ? "f" : "";
        }
        if (put)
            text_put(&t, put);
        else
            text_put_n(&t, s, n);
        text_put(&t, after);
        s += n;
    }
    return t;
}

/* ---- Makefile, README, example ---- */

/* Steps as long as the estimated error allows. */
static void put_steps(const LibraryModel *l, Text *t)
{
    const char *id = l->id;
    text_printf(t,
                "    while (!status && t < stop) {\n"
                "        double left = stop - t, step = h < left ? h : left;\n"
                "        /* here inputs are set: m.u[%s_INPUT_...] = 0.5; */\n"
                "        before = m;\n"
                "        memcpy(x_before, x, sizeof x);\n"
                "        status = %s_step(&m, t, step, x, &error);\n"
                "        if ((status > 0 || error > tolerance) && h > 1e-9 * stop) {\n"
                "            /* again, shorter */\n"
                "            m = before;\n"
                "            memcpy(x, x_before, sizeof x);\n"
                "            h = step / 4;\n"
                "            status = 0;\n"
                "            continue;\n"
                "        }\n"
                "        t = step < left ? t + step : stop;\n"
                "        if (error < tolerance / 64 && h < stop / 100)\n"
                "            h *= 2;\n"
                "    }\n",
                id, id);
}

/* Equal steps, for small targets, and since external objects cannot step back; shows the largest
 * estimated error. */
static void put_equal_steps(const LibraryModel *l, Text *t)
{
    const char *id = l->id;
    text_printf(t,
                "    for (k = 0; k < 1000 && !status; k++) {\n"
                "        /* here inputs are set: m.u[%s_INPUT_...] = 0.5; */\n"
                "        t = (double)k * h;\n"
                "        status = %s_step(&m, t, h, x, &error);\n"
                "        worst = error > worst ? error : worst;\n"
                "    }\n",
                id, id);
}

static void put_values(const LibraryModel *l, const char *names, const char *list, const char *from,
                       Text *t)
{
    const char *id = l->id;
    bool has_names = l->how.kind != LIBRARY_EMBEDDED;
    text_printf(t, "    for (k = 0; k < %s_N_%s; k++)\n        printf(\"", id, list);
    if (has_names)
        text_printf(t, "%%s = %%.6g\\n\", %s_%s_name[k], %s[k]);\n", id, names, from);
    else
        text_printf(t, "%%.6g\\n\", %s[k]);\n", from);
}

static void put_example(const LibraryModel *l, Text *t)
{
    const char *id = l->id;
    bool is_plain = l->how.kind == LIBRARY_EMBEDDED || l->m.sys->n_objects > 0;
    const Experiment *e = &l->m.sys->experiment;
    double stop = e->has_stop && e->stop > 0 && !is_plain ? e->stop : 1;
    text_printf(t, "/* example.c -- %s to t = ", l->m.sys->model ? l->m.sys->model : id);
    text_number(t, stop);
    text_printf(t, ", in steps %s.\n *\n",
                is_plain ? "of a thousandth" : "that are accurate to a tolerance");
    text_printf(t,
                " *     make example && ./example\n *\n * C and C++. */\n"
                "#include \"%s.h\"\n\n#include <stdio.h>\n%s\n"
                "static %s_Instance m%s; /* large models are too large for a stack */\n\n"
                "int main(void)\n{\n"
                "    double x[%s_N_STATES + 1], y[%s_N_OUTPUTS + 1], %serror = 0, %st = 0;\n",
                id, is_plain ? "" : "#include <string.h>\n", id, is_plain ? "" : ", before", id, id,
                is_plain ? "" : arena_printf(t->mem, "x_before[%s_N_STATES + 1], ", id),
                is_plain ? "worst = 0, " : "");
    if (is_plain) {
        text_put(t, "    const double h = 1e-3;\n");
    } else {
        text_put(t, "    const double stop = ");
        text_number(t, stop);
        text_printf(t, ", tolerance = %s;\n    double h = stop / 1000;\n",
                    l->how.single_precision ? "1e-4" : "1e-6");
    }
    text_printf(t,
                "    int status;\n    unsigned k;\n\n"
                "    /* here parameters are set: %s_set(&m, %s_PARAMETER_..., 1.5); */\n"
                "    %s_defaults(&m);\n    status = %s_init(&m, 0, x);\n\n",
                id, id, id, id);
    (is_plain ? put_equal_steps : put_steps)(l, t);
    text_printf(t,
                "    if (!status)\n        status = %s_outputs(&m, %s, x, y);\n"
                "    if (status) {\n",
                id, is_plain ? "1" : "stop");
    if (l->how.kind == LIBRARY_EMBEDDED)
        text_put(t, "        printf(\"cannot be computed at t = %g\\n\", t);\n");
    else
        text_printf(t, "        printf(\"t = %%g: %%s\\n\", t, %s_why(&m));\n", id);
    text_put(t, "        return 1;\n    }\n");
    if (l->state.n)
        put_values(l, "state", "STATES", "x", t);
    if (l->output.n)
        put_values(l, "output", "OUTPUTS", "y", t);
    if (is_plain)
        text_put(t, "    printf(\"largest estimated error of a step: %.3g\\n\", worst);\n");
    if (l->m.sys->n_objects)
        text_printf(t, "    %s_free(&m);\n", id);
    text_put(t, "    return 0;\n}\n");
}

static void put_makefile(const EmitFiles *f, const ExternalFiles *external, bool has_example,
                         Text *t)
{
    const char *id = f->id;
    text_printf(t,
                "# make lib: lib%s.a.%s\n"
                "CC ?= cc\nAR ?= ar\nCFLAGS ?= -O2\n"
                "FLAGS = -std=c11 -ffp-contract=off -fno-math-errno\n\nOBJECTS =",
                id, has_example ? "  make example: a program that uses it." : "");
    for (uint32_t k = 0; k < f->file.n; k++)
        if (has_end(f->file.at[k].name, ".c"))
            text_printf(t, " \\\n  %.*s.o", (int)strlen(f->file.at[k].name) - 2,
                        f->file.at[k].name);
    for (uint32_t k = 0; k < external->source.n; k++)
        text_printf(t, " \\\n  external_%u.o", k);
    text_put(t, "\nHEADERS =");
    for (uint32_t k = 0; k < f->file.n; k++)
        if (has_end(f->file.at[k].name, ".h"))
            text_printf(t, " \\\n  %s", f->file.at[k].name);
    text_put(t, "\nINCLUDE =");
    for (uint32_t k = 0; k < external->include.n; k++)
        text_printf(t, " '-I%s'", external->include.at[k]);
    text_put(t, "\nLIBRARIES =");
    for (uint32_t k = 0; k < external->archive.n; k++)
        text_printf(t, " '%s'", external->archive.at[k]);
    for (uint32_t k = 0; k < external->link.n; k++)
        text_printf(t, " '%s'", external->link.at[k]);
    text_printf(
        t, "\n\nlib: lib%s.a\n\nlib%s.a: $(OBJECTS)\n\trm -f $@\n\t$(AR) rcs $@ $(OBJECTS)\n\n", id,
        id);
    if (has_example)
        text_printf(
            t,
            "example: example.c lib%s.a\n\t$(CC) $(FLAGS) $(CFLAGS) -o $@ example.c lib%s.a "
            "$(LIBRARIES) -lm\n\n",
            id, id);
    text_put(t, "%.o: %.c $(HEADERS)\n\t$(CC) $(FLAGS) $(CFLAGS) $(INCLUDE) -c -o $@ $<\n\n");
    for (uint32_t k = 0; k < external->source.n; k++)
        text_printf(t, "external_%u.o: %s\n\t$(CC) $(CFLAGS) -w -I. $(INCLUDE) -c -o $@ $<\n\n", k,
                    external->source.at[k]);
    text_printf(t, "clean:\n\trm -f $(OBJECTS) lib%s.a example\n\n.PHONY: lib clean\n", id);
}

static void put_cmake(const EmitFiles *f, const ExternalFiles *external, Text *t)
{
    text_printf(t,
                "# As a part of another project: add_subdirectory(this folder), then\n"
                "# target_link_libraries(program %s)\n"
                "cmake_minimum_required(VERSION 3.13)\nproject(%s LANGUAGES C)\n"
                "add_library(%s STATIC",
                f->id, f->id, f->id);
    for (uint32_t k = 0; k < f->file.n; k++)
        if (has_end(f->file.at[k].name, ".c"))
            text_printf(t, "\n  %s", f->file.at[k].name);
    for (uint32_t k = 0; k < external->source.n; k++)
        text_printf(t, "\n  \"%s\"", external->source.at[k]);
    text_printf(t,
                ")\nset_target_properties(%s PROPERTIES C_STANDARD 11)\n"
                "target_compile_options(%s PRIVATE -ffp-contract=off -fno-math-errno)\n"
                "target_include_directories(%s PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})\n"
                "target_link_libraries(%s PUBLIC m)\n",
                f->id, f->id, f->id, f->id);
    for (uint32_t k = 0; k < external->include.n; k++)
        text_printf(t, "target_include_directories(%s PRIVATE \"%s\")\n", f->id,
                    external->include.at[k]);
    for (uint32_t k = 0; k < external->archive.n; k++)
        text_printf(t, "target_link_libraries(%s PUBLIC ${CMAKE_CURRENT_SOURCE_DIR}/%s)\n", f->id,
                    external->archive.at[k]);
    for (uint32_t k = 0; k < external->link.n; k++)
        text_printf(t, "target_link_libraries(%s PUBLIC \"%s\")\n", f->id, external->link.at[k]);
}

static void put_readme(const LibraryModel *l, Text *t)
{
    const char *id = l->id, *model = l->m.sys->model ? l->m.sys->model : id;
    static const char *const kind[] = {[LIBRARY_FOLDER] = "as a C library",
                                       [LIBRARY_SINGLE] = "as one C file",
                                       [LIBRARY_EMBEDDED] = "for small targets",
                                       [LIBRARY_INVERSE] = "as inverse dynamics"};
    bool inverse = l->how.kind == LIBRARY_INVERSE, folder = l->how.kind == LIBRARY_FOLDER;
    text_printf(t, "# %s %s\n\nGenerated by rung from `%s`. `%s.h` documents the interface%s\n\n",
                model, kind[l->how.kind], model, id,
                inverse ? "." : "; `example.c` uses it:\n\n    make example && ./example");
    text_printf(
        t,
        "`make lib` makes `lib%s.a`; `CMakeLists.txt` is for `add_subdirectory`%s. C11 and "
        "libm, C++ programs\ncan link it. All symbols begin with `%s_`, so several models "
        "link into one program. There is no heap,\nno global state, no input or output: "
        "an instance is a struct of the caller, so threads may have one\neach.\n",
        id,
        folder ? "" : arena_printf(l->m.mem, "; or compile `%s.c` with the rest of a program", id),
        id);
    if (l->how.kind == LIBRARY_EMBEDDED)
        text_printf(
            t,
            "\n`sizeof(%s_Instance)` is all the memory it takes besides the stack. Functions "
            "that are not called go\nwith `-ffunction-sections -Wl,--gc-sections`.\n",
            id);
    text_printf(t,
                "\n| | |\n|---|---|\n| %s | %u |\n| inputs | %u |\n| %s | %u |\n"
                "| parameters | %u |\n\nLicence: BSD-3-Clause.\n",
                inverse ? "motions" : "states", l->state.n, l->input.n,
                inverse ? "efforts" : "outputs", l->output.n, l->parameter.n);
}

/* Adds the headers of the runtime that the model's files include. */
static void add_runtime(const LibraryModel *l, EmitFiles *f)
{
    const struct {
        const char *name;
        bool wanted;
    } file[] = {{"rung_model.h", true},
                {"rung_question.h", true},
                {"rung_math.h", true},
                {"rung_lu.h", true},
                {"rung_newton_block.h", true},
                {"rung_branch.h", true},
                {"rung_initial.h", true},
                {"rung_sums.h", true},
                {"rung_esdirk.h", true},
                {"rung_instance.h", true},
                {"rung_delay.h", event_exists(l->m.g)},
                {"rung_relation.h", event_exists(l->m.g)},
                {"rung_contrary.h", event_exists(l->m.g)},
                {"rung_search.h", event_exists(l->m.g)},
                {"rung_advance.h", event_exists(l->m.g)},
                {"rung_crossing.h", event_exists(l->m.g) || l->m.g->adjoint},
                {"rung_saltation.h", event_exists(l->m.g)},
                {"rung_tape.h", event_exists(l->m.g)},
                {"rung_event_adjoint.h", event_exists(l->m.g) && l->m.g->adjoint},
                {"rung_event.h", event_exists(l->m.g)},
                {"rung_adjoint.h", l->m.g->adjoint != NULL},
                {"rung_saltation_adjoint.h", l->m.g->adjoint != NULL},
                {"rung_lanes.h", l->n_lanes > 0},
                {"rung_text.h", l->has_functions},
                {"ModelicaUtilities.h", emit_brings_utilities(f)},
                {"external.h", f->n_externals > 0},
                {"external.c", f->n_externals > 0}};
    for (size_t k = 0; k < sizeof file / sizeof *file; k++) {
        if (!file[k].wanted)
            continue;
        Text t = text_new(f->mem);
        text_put(&t, text_of(f, file[k].name));
        add(f, file[k].name, t);
    }
}

void library_files(const LibraryModel *l, EmitFiles *all, EmitFiles *out)
{
    Arena *mem = all->mem;
    *out = (EmitFiles){.mem = mem, .id = l->id};
    if (l->how.kind == LIBRARY_FOLDER) {
        *out = *all;
        add_runtime(l, out);
    } else {
        out->external = all->external;
        out->n_externals = all->n_externals;
        Text whole = text_new(mem), header = text_new(mem);
        Whole w = {.from = all, .out = &whole, .mem = mem};
        text_put(&whole, "#if defined(__clang__) /* not every model calls all functions here */\n"
                         "#pragma clang diagnostic ignored \"-Wunused-function\"\n#endif\n");
        if (all->n_externals)
            put_shared(&whole);
        put_whole(&w, arena_printf(mem, "%s.c", l->id));
        for (uint32_t k = 0; k < all->file.n; k++)
            if (has_end(all->file.at[k].name, ".c"))
                put_whole(&w, all->file.at[k].name);
        if (all->n_externals)
            put_whole(&w, "external.c");
        text_put(&header, text_of(all, arena_printf(mem, "%s.h", l->id)));
        if (l->how.single_precision) {
            whole = single_precision(whole.at, mem);
            header = single_precision(header.at, mem);
        }
        add(out, arena_printf(mem, "%s.h", l->id), header);
        add(out, arena_printf(mem, "%s.c", l->id), whole);
    }
    bool has_example = l->how.kind != LIBRARY_INVERSE;
    Text makefile = text_new(mem), cmake = text_new(mem), readme = text_new(mem);
    ExternalFiles external = external_files(out, mem);
    put_makefile(out, &external, has_example, &makefile);
    put_cmake(out, &external, &cmake);
    put_readme(l, &readme);
    add(out, "Makefile", makefile);
    add(out, "CMakeLists.txt", cmake);
    add(out, "README.md", readme);
    external_files_add(&external, out);
    if (!has_example)
        return;
    Text example = text_new(mem);
    put_example(l, &example);
    if (l->how.single_precision)
        example = single_precision(example.at, mem);
    add(out, "example.c", example);
}
