/* The files of a library: as they are with what builds them, or one instead of many. */
#include "emit/library/library_model.h"
#include "emit/model/bundle.h"
#include "emit/model/external_code.h"

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

/* The file with what it includes by quotes in the place of that, each once; M.h stays. */
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
            if (strcmp(other, arena_printf(w->mem, "%s.h", w->from->id)) != 0) {
                put_whole(w, other);
                line = end;
                continue;
            }
        }
        text_put_n(w->out, line, (size_t)(end - line));
        line = end;
    }
}

static bool has_end(const char *s, const char *end)
{
    size_t n = strlen(s), m = strlen(end);
    return n >= m && !strcmp(s + n - m, end);
}

/* ---- single precision ---- */

static const char *single_word(const char *word, size_t n, Arena *mem)
{
    static const char *const calls[] = {"sin",  "cos",   "tan",   "asin", "acos",  "atan",  "atan2",
                                        "sinh", "cosh",  "tanh",  "exp",  "log",   "log10", "pow",
                                        "sqrt", "fabs",  "floor", "ceil", "trunc", "fmod",  "fmax",
                                        "fmin", "hypot", "cbrt",  "round"};
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
            n = strcspn(s, " \n"); // what follows #define is code
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

/* ---- what builds and explains it ---- */

static void put_example(const LibraryModel *l, Text *t)
{
    const char *id = l->id;
    bool has_names = l->how.kind != LIBRARY_EMBEDDED;
    text_printf(
        t,
        "/* example.c -- one second of %s, in steps of a millisecond.\n *\n"
        " *     make example && ./example\n *\n * C and C++. */\n"
        "#include \"%s.h\"\n\n#include <stdio.h>\n\n"
        "static %s_Instance m; /* large models are too large for a stack */\n\n"
        "int main(void)\n{\n"
        "    double x[%s_N_STATES + 1], y[%s_N_OUTPUTS + 1], error = 0;\n"
        "    const double h = 1e-3;\n"
        "    int status;\n    unsigned k;\n\n"
        "    /* here parameters are set: %s_set(&m, %s_PARAMETER_..., 1.5); */\n"
        "    %s_defaults(&m);\n    status = %s_init(&m, 0, x);\n\n"
        "    for (k = 0; k < 1000 && !status; k++) {\n"
        "        /* here inputs are set: m.u[%s_INPUT_...] = 0.5; */\n"
        "        status = %s_step(&m, (double)k * h, h, x, &error);\n    }\n"
        "    if (!status)\n        status = %s_outputs(&m, 1, x, y);\n"
        "    if (status) {\n"
        "        printf(\"cannot be computed at t = %%g\\n\", (double)k * h);\n        return 1;\n"
        "    }\n",
        l->m.sys->model ? l->m.sys->model : id, id, id, id, id, id, id, id, id, id, id, id);
    if (l->state.n)
        text_printf(
            t, "    for (k = 0; k < %s_N_STATES; k++)\n        printf(\"%s%%.6g\\n\", %s%sx[k]);\n",
            id, has_names ? "%s = " : "", has_names ? id : "", has_names ? "_state_name[k], " : "");
    if (l->output.n)
        text_printf(
            t,
            "    for (k = 0; k < %s_N_OUTPUTS; k++)\n        printf(\"%s%%.6g\\n\", %s%sy[k]);\n",
            id, has_names ? "%s = " : "", has_names ? id : "",
            has_names ? "_output_name[k], " : "");
    if (l->m.sys->n_objects)
        text_printf(t, "    %s_free(&m);\n", id);
    text_put(t, "    return 0;\n}\n");
}

static void put_makefile(const EmitFiles *f, bool has_example, Text *t)
{
    const char *id = f->id;
    ExternalBuild external = external_build(f, f->mem);
    text_printf(t,
                "# make lib: lib%s.a.%s\n"
                "CC ?= cc\nAR ?= ar\nCFLAGS ?= -O2\n"
                "FLAGS = -std=c11 -ffp-contract=off -fno-math-errno\n\nOBJECTS =",
                id, has_example ? "  make example: a program that uses it." : "");
    for (uint32_t k = 0; k < f->file.n; k++)
        if (has_end(f->file.at[k].name, ".c"))
            text_printf(t, " \\\n  %.*s.o", (int)strlen(f->file.at[k].name) - 2,
                        f->file.at[k].name);
    for (uint32_t k = 0; k < external.source.n; k++)
        text_printf(t, " \\\n  external_%u.o", k);
    text_put(t, "\nHEADERS =");
    for (uint32_t k = 0; k < f->file.n; k++)
        if (has_end(f->file.at[k].name, ".h"))
            text_printf(t, " \\\n  %s", f->file.at[k].name);
    text_put(t, "\nINCLUDE =");
    for (uint32_t k = 0; k < external.include.n; k++)
        text_printf(t, " '-I%s'", external.include.at[k]);
    text_put(t, "\nLIBRARIES =");
    for (uint32_t k = 0; k < external.link.n; k++)
        text_printf(t, " '%s'", external.link.at[k]);
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
    for (uint32_t k = 0; k < external.source.n; k++)
        text_printf(t, "external_%u.o: %s\n\t$(CC) $(CFLAGS) -w -I. $(INCLUDE) -c -o $@ $<\n\n", k,
                    external.source.at[k]);
    text_printf(t, "clean:\n\trm -f $(OBJECTS) lib%s.a example\n\n.PHONY: lib clean\n", id);
}

static void put_cmake(const EmitFiles *f, Text *t)
{
    ExternalBuild external = external_build(f, f->mem);
    text_printf(t,
                "# As a part of another project: add_subdirectory(this folder), then\n"
                "# target_link_libraries(program %s)\n"
                "cmake_minimum_required(VERSION 3.13)\nproject(%s LANGUAGES C)\n"
                "add_library(%s STATIC",
                f->id, f->id, f->id);
    for (uint32_t k = 0; k < f->file.n; k++)
        if (has_end(f->file.at[k].name, ".c"))
            text_printf(t, "\n  %s", f->file.at[k].name);
    for (uint32_t k = 0; k < external.source.n; k++)
        text_printf(t, "\n  \"%s\"", external.source.at[k]);
    text_printf(t,
                ")\nset_target_properties(%s PROPERTIES C_STANDARD 11)\n"
                "target_compile_options(%s PRIVATE -ffp-contract=off -fno-math-errno)\n"
                "target_include_directories(%s PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})\n"
                "target_link_libraries(%s PUBLIC m)\n",
                f->id, f->id, f->id, f->id);
    for (uint32_t k = 0; k < external.include.n; k++)
        text_printf(t, "target_include_directories(%s PRIVATE \"%s\")\n", f->id,
                    external.include.at[k]);
    for (uint32_t k = 0; k < external.link.n; k++)
        text_printf(t, "target_link_libraries(%s PUBLIC \"%s\")\n", f->id, external.link.at[k]);
}

static void put_readme(const LibraryModel *l, Text *t)
{
    const char *id = l->id, *model = l->m.sys->model ? l->m.sys->model : id;
    static const char *const kind[] = {[LIBRARY_FOLDER] = "as a C library",
                                       [LIBRARY_SINGLE] = "as one C file",
                                       [LIBRARY_EMBEDDED] = "for small targets",
                                       [LIBRARY_INVERSE] = "as inverse dynamics"};
    bool inverse = l->how.kind == LIBRARY_INVERSE, folder = l->how.kind == LIBRARY_FOLDER;
    text_printf(t, "# %s %s\n\nGenerated by rung from `%s`. `%s.h` says what there is%s\n\n", model,
                kind[l->how.kind], model, id,
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

/* What the files of the model include of the runtime. */
static void add_runtime(const LibraryModel *l, EmitFiles *f)
{
    const struct {
        const char *name;
        bool wanted;
    } file[] = {{"rung_model.h", true},
                {"rung_math.h", true},
                {"rung_esdirk.h", true},
                {"rung_instance.h", true},
                {"rung_event.h", event_exists(l->m.g)},
                {"rung_text.h", l->has_functions},
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
        Text whole = text_new(mem), header = text_new(mem);
        Whole w = {.from = all, .out = &whole, .mem = mem};
        put_whole(&w, arena_printf(mem, "%s.c", l->id));
        for (uint32_t k = 0; k < all->file.n; k++)
            if (has_end(all->file.at[k].name, ".c"))
                put_whole(&w, all->file.at[k].name);
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
    put_makefile(out, has_example, &makefile);
    put_cmake(out, &cmake);
    put_readme(l, &readme);
    add(out, "Makefile", makefile);
    add(out, "CMakeLists.txt", cmake);
    add(out, "README.md", readme);
    if (!has_example)
        return;
    Text example = text_new(mem);
    put_example(l, &example);
    if (l->how.single_precision)
        example = single_precision(example.at, mem);
    add(out, "example.c", example);
}
