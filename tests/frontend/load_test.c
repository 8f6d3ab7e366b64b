/* Libraries on disk, made on the spot. */
#include "frontend/syntax/load.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct Disk {
    Arena *mem;
    Names *names;
    Diags *diags;
    Library *library;
    char root[64];
} Disk;

static Disk disk_new(void)
{
    Disk k = {.mem = arena_new()};
    k.names = names_new(k.mem);
    k.diags = diags_new(k.mem);
    k.library = library_new(k.mem, k.names, k.diags);
    snprintf(k.root, sizeof k.root, "/tmp/rung_load_XXXXXX");
    cr_assert_not_null(mkdtemp(k.root));
    return k;
}

static void disk_free(Disk *k)
{
    const char *command = arena_printf(k->mem, "rm -rf '%s'", k->root);
    cr_assert_eq(system(command), 0);
    arena_free(k->mem);
}

/* Writes root/path, with the directories it needs. */
static const char *put(Disk *k, const char *path, const char *text)
{
    char *full = arena_printf(k->mem, "%s/%s", k->root, path);
    for (char *slash = strchr(full + strlen(k->root) + 1, '/'); slash;
         slash = strchr(slash + 1, '/')) {
        *slash = 0;
        mkdir(full, 0777);
        *slash = '/';
    }
    FILE *f = fopen(full, "w");
    cr_assert_not_null(f, "%s", full);
    fputs(text, f);
    fclose(f);
    return full;
}

static SynElement *member(Disk *k, SynClass *c, const char *name)
{
    return library_member(k->library, c, name_of(k->names, name));
}

static SynClass *top(Disk *k, const char *name)
{
    return library_find_top(k->library, name_of(k->names, name));
}

static const char *code(Disk *k, uint32_t i)
{
    return i < diags_count(k->diags) ? diags_at(k->diags, i)->code : "";
}

static void put_package(Disk *k)
{
    put(k, "A/package.mo",
        "within;\npackage A\n  model Inside end Inside;\n  constant Real c = 1;\n"
        "end A;\n");
    put(k, "A/package.order", "Inside\nZ\nB\nc\n");
    put(k, "A/M.mo", "within A;\nmodel M end M;\n");
    put(k, "A/Z.mo", "within A;\nmodel Z end Z;\n");
    put(k, "A/B/package.mo", "within A;\npackage B end B;\n");
    put(k, "A/B/N.mo", "within A.B;\nmodel N end N;\n");
    put(k, "A/Resources/data.txt", "no class\n");
}

Test(load, structured_package)
{
    Disk k = disk_new();
    put_package(&k);
    library_add_root(k.library, arena_printf(k.mem, "/dev/null/below:%s:", k.root));
    SynClass *a = top(&k, "A");
    cr_assert_not_null(a);
    cr_assert_eq(top(&k, "A"), a);
    cr_assert_null(top(&k, "Nobody"));

    const SynElement *b = member(&k, a, "B");
    cr_assert(b && b->kind == SYN_CLASS && b->in == a && b->class_->parent == a);
    cr_assert_eq(member(&k, a, "B"), b);
    const SynElement *n = member(&k, b->class_, "N");
    cr_assert(n && n->class_->parent == b->class_);
    cr_assert_not_null(member(&k, a, "M"));
    cr_assert_not_null(member(&k, a, "Inside"));
    cr_assert_eq(member(&k, a, "c")->kind, SYN_COMPONENT);
    cr_assert_null(member(&k, a, "Resources"));
    cr_assert_null(member(&k, a, "package"));
    cr_assert_null(member(&k, b->class_, "M"));

    uint32_t entries;
    const Name *order = library_entries(k.library, a, &entries);
    cr_assert_eq(entries, 3);
    cr_assert_str_eq(order[0].s, "Z");
    cr_assert_str_eq(order[1].s, "B");
    cr_assert_str_eq(order[2].s, "M");
    library_entries(k.library, n->class_, &entries);
    cr_assert_eq(entries, 0);

    Name path[] = {name_of(k.names, "A"), name_of(k.names, "B"), name_of(k.names, "N")};
    SynPath p = {.n = 3, .name = path};
    cr_assert_eq(library_find_path(k.library, &p), n->class_);
    path[1] = name_of(k.names, "c");
    cr_assert_null(library_find_path(k.library, &p));
    cr_assert_eq(diags_count(k.diags), 0);
    disk_free(&k);
}

Test(load, first_root_and_highest_version)
{
    Disk k = disk_new();
    put(&k, "one/A.mo", "model A \"one\" end A;");
    put(&k, "two/A.mo", "model A \"two\" end A;");
    put(&k, "two/V 9.0.0/package.mo", "package V \"9\" end V;");
    put(&k, "two/V 10.0.0/package.mo", "package V \"10\" end V;");
    put(&k, "two/V 10.0.0/M.mo", "within V; model M end M;");
    put(&k, "two/V 2.1.mo", "package V \"2.1\" end V;");
    put(&k, "two/V extra.mo", "package V \"no version\" end V;");
    put(&k, "two/W 1.0.mo", "package W end W;");
    put(&k, "one/P.mo", "within Q; model P end P;");
    put(&k, "two/P.mo", "model P \"at the top\" end P;");
    library_add_root(k.library, arena_printf(k.mem, "%s/one:%s/two", k.root, k.root));
    cr_expect_str_eq(top(&k, "A")->comment, "one");
    cr_expect_str_eq(top(&k, "V")->comment, "10");
    cr_expect_not_null(member(&k, top(&k, "V"), "M"));
    cr_expect_not_null(top(&k, "W"));
    cr_expect_str_eq(top(&k, "P")->comment, "at the top");
    cr_expect_null(top(&k, "'../two/A'"));
    cr_expect_eq(diags_count(k.diags), 0);
    disk_free(&k);
}

Test(load, files_of_the_user)
{
    Disk k = disk_new();
    put_package(&k);
    put(&k, "B.mo", "model B \"from the library\" end B;");
    put(&k, "user/B.mo", "model B \"mine\" end B; model Second end Second;");
    put(&k, "user/M.mo", "within A; model M \"mine\" end M;");
    put(&k, "user/New.mo", "within A.B; model New end New;");
    put(&k, "user/P/package.mo", "package P end P;");
    put(&k, "user/P/Q.mo", "within P; model Q end Q;");
    library_add_root(k.library, k.root);
    const char *names[] = {"user/B.mo", "user/M.mo", "user/New.mo", "user/P"};
    for (size_t i = 0; i < 4; i++)
        cr_assert(library_add_file(k.library, arena_printf(k.mem, "%s/%s", k.root, names[i])));
    cr_assert(library_add_text(k.library, "<text>", "model T end T;"));
    cr_expect_eq(library_n_files(k.library), 5);
    cr_expect_eq(library_file(k.library, 0)->n_classes, 2);
    cr_expect_str_eq(top(&k, "B")->comment, "mine");
    cr_expect_not_null(top(&k, "Second"));
    cr_expect_not_null(top(&k, "T"));
    SynClass *a = top(&k, "A");
    cr_expect_str_eq(member(&k, a, "M")->class_->comment, "mine");
    const SynElement *b = member(&k, a, "B");
    const SynElement *fresh = member(&k, b->class_, "New");
    cr_expect(fresh && fresh->in == b->class_ && fresh->class_->parent == b->class_);
    cr_expect_not_null(member(&k, top(&k, "P"), "Q"));
    cr_expect_eq(diags_count(k.diags), 0);
    disk_free(&k);
}

/* A file of a structured package given alone brings its package along. */
Test(load, file_inside_a_package)
{
    Disk k = disk_new();
    put_package(&k);
    cr_assert(library_add_file(k.library, arena_printf(k.mem, "%s/A/B/N.mo", k.root)));
    SynClass *a = top(&k, "A");
    cr_assert_not_null(a);
    const SynElement *n = member(&k, member(&k, a, "B")->class_, "N");
    cr_expect_eq(n->class_, library_file(k.library, 0)->class_[0]);
    cr_expect_not_null(member(&k, a, "M"));
    disk_free(&k);

    k = disk_new();
    put_package(&k);
    cr_assert(library_add_file(k.library, arena_printf(k.mem, "%s/A/B", k.root)));
    a = top(&k, "A");
    cr_assert_not_null(a);
    cr_expect_not_null(member(&k, member(&k, a, "B")->class_, "N"));
    cr_expect_eq(diags_count(k.diags), 0);
    disk_free(&k);
}

Test(load, errors)
{
    Disk k = disk_new();
    put(&k, "A/package.mo", "within;\npackage A model Twice end Twice; end A;\n");
    put(&k, "A/Wrong.mo", "within B;\nmodel Wrong end Wrong;\n");
    put(&k, "A/Other.mo", "within A;\nmodel Another end Another;\n");
    put(&k, "A/Two.mo", "within A;\nmodel Two end Two; model More end More;\n");
    put(&k, "A/Nothing.mo", "within A;\n");
    put(&k, "A/Broken.mo", "within A;\nmodel Broken Real end Broken;\n");
    put(&k, "A/Twice.mo", "within A;\nmodel Twice end Twice;\n");
    put(&k, "A/Both.mo", "within A;\nmodel Both end Both;\n");
    put(&k, "A/Both/package.mo", "within A;\npackage Both end Both;\n");
    put(&k, "A/NoWithin.mo", "model NoWithin end NoWithin;\n");
    library_add_root(k.library, k.root);
    SynClass *a = top(&k, "A");
    cr_assert_not_null(a);
    static const struct {
        const char *name, *code;
        bool found;
    } cases[] = {
        {"Wrong", "P11", false},   {"Other", "P12", false}, {"Two", "P12", true},
        {"Nothing", "P12", false}, {"Broken", "P01", true}, {"NoWithin", "P11", false},
    };
    member(&k, a, "Nobody");
    cr_expect_eq(diags_errors(k.diags), 2);
    cr_expect_str_eq(code(&k, 0), "P13");
    cr_expect_str_eq(code(&k, 1), "P13");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint32_t before = diags_count(k.diags);
        bool found = member(&k, a, cases[i].name) != NULL;
        cr_expect_str_eq(code(&k, before), cases[i].code, "%s", cases[i].name);
        cr_expect_eq(found, cases[i].found, "%s", cases[i].name);
        uint32_t after = diags_count(k.diags);
        member(&k, a, cases[i].name);
        cr_expect_eq(diags_count(k.diags), after, "%s is read once", cases[i].name);
    }
    cr_expect_not_null(member(&k, a, "Both"));

    static const char *const bad[] = {"missing.mo", "A/Broken.mo", "A/Both/Empty"};
    for (size_t i = 0; i < 3; i++) {
        uint32_t before = diags_errors(k.diags);
        cr_expect_not(library_add_file(k.library, arena_printf(k.mem, "%s/%s", k.root, bad[i])));
        cr_expect(diags_errors(k.diags) > before, "%s", bad[i]);
    }
    put(&k, "X.mo", "model X end X;");
    put(&k, "Y.mo", "model X end X;");
    cr_expect(library_add_file(k.library, arena_printf(k.mem, "%s/X.mo", k.root)));
    uint32_t before = diags_count(k.diags);
    library_add_file(k.library, arena_printf(k.mem, "%s/Y.mo", k.root));
    cr_expect_str_eq(code(&k, before), "P13");
    disk_free(&k);
}

Test(load, report)
{
    Disk k = disk_new();
    put_package(&k);
    char *paths[] = {k.root};
    ParseReport it = parse_report(k.mem, k.diags, paths, 1, true);
    cr_expect_eq(it.files, 5);
    cr_expect_eq(it.classes, 6);
    cr_expect_eq(it.lines, 13);
    cr_expect_eq(it.errors, 0);
    disk_free(&k);
}
