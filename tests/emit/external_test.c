/* External functions: the files that a build of them needs (emit/model/external_code.h), and the
 * copies that go along with the C (external_files.h), which build where the originals are gone. */
#include "base/dependency.h"
#include "emit/model/external_code.h"
#include "emit/model/external_files.h"
#include "tests/emit/fixture.h"

#include <string.h>

typedef struct Library {
    Arena *mem;
    const char *dir;
    EmitFiles f; /* a model that calls double(x) of the library */
} Library;

static void put(const Library *l, const char *name, const char *text)
{
    FILE *f = fopen(arena_printf(l->mem, "%s/%s", l->dir, name), "w");
    cr_assert(f && fputs(text, f) >= 0 && fclose(f) == 0, "%s", name);
}

/* gain.c has the function and calls one of helper.c; other.c has nothing to do with them. loops.c
 * is also a name in the runtime. */
static void library(Library *l, const char *source)
{
    *l = (Library){.mem = arena_new()};
    l->dir = arena_printf(l->mem, "%s", scratch_directory());
    put(l, "deep.h", "double helper(double x);\n");
    put(l, "gain.h", "#include \"deep.h\"\ndouble gain(double x);\n");
    put(l, source,
        "#include <math.h>\n#include \"gain.h\"\n"
        "double gain(double x)\n{\n    return sin(x) + helper(x);\n}\n");
    put(l, "helper.c", "#include \"deep.h\"\ndouble helper(double x)\n{\n    return 3 * x;\n}\n");
    put(l, "other.c", "double other(double x)\n{\n    return x;\n}\n");
    External *e = arena_make(l->mem, External);
    const External **list = arena_array(l->mem, const External *, 1);
    const char **name = arena_array(l->mem, const char *, 1);
    name[0] = "m";
    *e = (External){.function = "gain",
                    .include = "#include \"gain.h\"",
                    .include_dir = l->dir,
                    .library_dir = l->dir,
                    .n_libraries = 1,
                    .library = name};
    list[0] = e;
    l->f = (EmitFiles){.mem = l->mem, .id = "M", .external = list, .n_externals = 1};
    static const char model[] = "#include \"gain.h\"\ndouble twice(double x);\n"
                                "double twice(double x)\n{\n    return 2 * gain(x);\n}\n";
    vec_push(l->mem, l->f.file,
             ((EmitFile){.name = "M.c", .text = model, .size = sizeof model - 1}));
}

static void done(Library *l)
{
    if (l->dir)
        shell("rm -r '%s'", l->dir);
    arena_free(l->mem);
}

static bool ends(const char *path, const char *name)
{
    size_t n = strlen(path), k = strlen(name);
    return n >= k && strcmp(path + n - k, name) == 0;
}

Test(external_code, sources_are_those_that_define_what_is_called)
{
    Library l;
    library(&l, "gain.c");
    ExternalBuild b = external_build(&l.f, l.mem);
    cr_assert_eq(b.include.n, 1);
    cr_assert_str_eq(b.include.at[0], l.dir);
    cr_assert_eq(b.source.n, 2);
    cr_assert(ends(b.source.at[0], "/gain.c"));
    cr_assert(ends(b.source.at[1], "/helper.c"));
    Dependencies d = dependencies_new(l.mem);
    external_depends(&l.f, &d);
    Text lines = text_new(l.mem);
    dependencies_print(&d, &lines);
    cr_assert(dependencies_hold(lines.at));
    put(&l, "helper.c", "double helper(double x)\n{\n    return 4 * x;\n}\n");
    cr_assert_not(dependencies_hold(lines.at));
    done(&l);
}

/* Once the library is gone its copies compile, with the model, in a directory of their own. */
Test(external_files, build_without_the_library)
{
    static const char *const source[] = {"gain.c", "loops.c"};
    for (int k = 0; k < 2; k++) {
        Library l;
        library(&l, source[k]);
        ExternalFiles e = external_files(&l.f, l.mem);
        cr_assert_null(e.error, "%s", e.error);
        cr_assert_eq(e.source.n, 2);
        bool is_renamed = true;
        for (uint32_t i = 0; i < e.source.n; i++)
            is_renamed = is_renamed && strcmp(e.source.at[i], source[k]) != 0;
        cr_assert_eq(is_renamed, k == 1, "%s", source[k]);
        external_files_add(&e, &l.f);
        cr_assert_eq(shell("rm -r '%s'", l.dir), 0);
        const char *error = "";
        l.dir = arena_printf(l.mem, "%s", scratch_directory());
        cr_assert(emit_write(&l.f, l.dir, l.mem, &error), "%s", error);
        cr_assert_eq(shell("cd '%s' && cc -shared -fPIC -Wl,--no-undefined -o m.so *.c -lm", l.dir),
                     0);
        done(&l);
    }
}

/* A header cannot be renamed: the library's sources do not say its name alone. */
Test(external_files, header_of_the_runtime_is_an_error)
{
    Library l;
    library(&l, "gain.c");
    put(&l, "loops.h", "double helper(double x);\n");
    put(&l, "gain.h", "#include \"loops.h\"\ndouble gain(double x);\n");
    ExternalFiles e = external_files(&l.f, l.mem);
    cr_assert(e.error && strstr(e.error, "loops.h"), "%s", e.error);
    cr_assert_eq(e.file.n, 0);
    cr_assert_eq(e.include.n, 1);
    done(&l);
}
