/* Icons and diagrams of classes given as text; names of files. */
#include "doc_pages/catalogue.h"
#include "doc_pages/layer.h"

#include <criterion/criterion.h>
#include <string.h>

static const char text[] =
    "connector Pin Real v; flow Real i;\n"
    "  annotation(Icon(graphics = {Rectangle(extent = {{-100, -100}, {100, 100}},"
    " lineColor = {0, 0, 255})})); end Pin;\n"
    "partial model Base\n"
    "  Pin p annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));\n"
    "  annotation(Icon(graphics = {Line(points = {{-90, 0}, {90, 0}})})); end Base;\n"
    "type Length = Real(unit = \"m\");\n"
    "model Part extends Base;\n"
    "  parameter Length r = 2 \"size\"; parameter Boolean there = false;\n"
    "  Pin q if there annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));\n"
    "  annotation(Icon(graphics = {Text(extent = {{-100, 50}, {100, 90}}, textString = "
    "\"%name\"),\n"
    "    Text(extent = {{-100, -50}, {100, -90}}, textString = \"%%r=%r\"),\n"
    "    Ellipse(visible = there, extent = {{-5, -5}, {5, 5}})})); end Part;\n"
    "model Whole\n"
    "  Part a annotation(Placement(transformation(origin = {50, 0}, extent = {{-10, -10}, {10, "
    "10}},"
    " rotation = 90)));\n"
    "  Part b(r = 3, there = true)"
    " annotation(Placement(transformation(extent = {{20, 20}, {0, 40}})));\n"
    "equation connect(a.p, b.p)"
    " annotation(Line(points = {{50, -10}, {20, 30}}, color = {255, 0, 0}));\n"
    "end Whole;\n";

typedef struct World {
    Arena *mem;
    Front *front;
    Catalogue *catalogue;
} World;

static const Outline *outline_of(void *self, const OutlineComponent *c)
{
    return catalogue_outline(((World *)self)->catalogue, c);
}

static const char *link_of(void *self, const SynClass *c)
{
    const DocClass *x = catalogue_find(((World *)self)->catalogue, c);
    return x ? x->page : NULL;
}

static const char *no_bitmap(void *self, const SynClass *in, const IconShape *s)
{
    (void)self;
    (void)in;
    (void)s;
    return NULL;
}

static World world_of(const char *source)
{
    World w = {.mem = arena_new()};
    Diags *d = diags_new(w.mem);
    Names *names = names_new(w.mem);
    Library *l = library_new(w.mem, names, d);
    cr_assert(library_add_text(l, "test.mo", source));
    w.front = front_new(system_new(w.mem, names, d, true), l);
    w.catalogue = catalogue_new(w.front, w.mem);
    const SynFile *f = library_file(l, 0);
    for (uint32_t k = 0; k < f->n_classes; k++)
        catalogue_add(w.catalogue, f->class_[k]);
    catalogue_resolve(w.catalogue);
    return w;
}

static void end(World *w)
{
    System *s = w->front->sys;
    front_free(w->front);
    system_free(s);
    arena_free(w->mem);
}

static DocClass *class_named(const World *w, const char *name)
{
    for (uint32_t k = 0; k < w->catalogue->all.n; k++)
        if (strcmp(w->catalogue->all.at[k]->name, name) == 0)
            return w->catalogue->all.at[k];
    cr_assert_fail("no class %s", name);
    return NULL;
}

static const char *picture(World *w, const char *name, bool is_icon)
{
    LayerContext l = {w->front, w->mem, w, outline_of, link_of, no_bitmap};
    Text svg = text_new(w->mem);
    const DocClass *x = class_named(w, name);
    bool ok = is_icon ? layer_icon(&l, x->outline, &svg) : layer_diagram(&l, x->outline, &svg);
    return ok ? svg.at : NULL;
}

static uint32_t count(const char *s, const char *what)
{
    uint32_t n = 0;
    for (; (s = strstr(s, what)); s++)
        n++;
    return n;
}

Test(layer, an_icon_has_that_of_its_base_and_of_its_connectors)
{
    World w = world_of(text);
    const char *svg = picture(&w, "Part", true);
    cr_assert_not_null(strstr(svg, "M-90 0L90 0"));
    cr_assert_not_null(strstr(svg, "M-110 10L-90 10L-90 -10L-110 -10Z")); // p
    cr_assert_eq(count(svg, "<text"), 0); // they are about a component
    cr_assert_null(picture(&w, "Length", true));
    end(&w);
}

Test(layer, components_are_turned_mirrored_and_linked)
{
    World w = world_of(text);
    const char *svg = picture(&w, "Whole", false);
    // a: its line goes up at x = 50, its pin is below
    cr_assert_not_null(strstr(svg, "M50 9L50 -9"));
    cr_assert_not_null(strstr(svg, "M51 11L51 9L49 9L49 11Z"));
    // b: mirrored, from x = 19 to x = 1 at y = 30; its pin p is at the right, q at the left
    cr_assert_not_null(strstr(svg, "M19 -30L1 -30"));
    cr_assert_not_null(strstr(svg, "M21 -29L19 -29L19 -31L21 -31Z"));
    cr_assert_not_null(strstr(svg, "M1 -29L-1 -29L-1 -31L1 -31Z"));
    cr_assert_not_null(strstr(svg, "M50 10L20 -30")); // the connection
    cr_assert_not_null(strstr(svg, ">a</text>"));
    cr_assert_not_null(strstr(svg, ">%r=2 m</text>"));
    cr_assert_not_null(strstr(svg, ">%r=3 m</text>"));
    cr_assert_eq(count(svg, "<a href=\"classes/Part.html\">"), 2);
    // three pins and one of the ellipses, since only b has them
    cr_assert_eq(count(svg, "#0000ff"), 3);
    cr_assert_eq(count(svg, "C"), 4);
    cr_assert_null(picture(&w, "Base", false)); // connectors alone are no diagram
    end(&w);
}

Test(catalogue, who_uses_whom)
{
    World w = world_of(text);
    const DocClass *base = class_named(&w, "Base"), *part = class_named(&w, "Part"),
                   *pin = class_named(&w, "Pin");
    cr_assert_eq(base->extended_by.n, 1);
    cr_assert_eq(base->extended_by.at[0], part);
    cr_assert_eq(pin->used_by.n, 2);
    cr_assert_eq(part->used_by.n, 1);
    end(&w);
}

Test(catalogue, classes_that_are_not_resolved)
{
    World w = world_of("model A Missing x; Real y; end A; model B extends Nowhere; A a; end B;"
                       "model C Real z; equation z = A.f(1); end C;");
    cr_assert_eq(class_named(&w, "A")->messages.n, 1);
    cr_assert_eq(class_named(&w, "A")->outline->n_components, 2);
    cr_assert_eq(class_named(&w, "B")->messages.n, 1);
    cr_assert_eq(class_named(&w, "C")->messages.n, 0);
    end(&w);
}

Test(catalogue, names_of_files)
{
    World w = world_of("model A end A;");
    Catalogue *c = w.catalogue;
    cr_assert_str_eq(catalogue_file(c, "x", "P.'a b/c\"'", ".html"), "x/P.-27a-20b-2fc-22-27.html");
    cr_assert_str_eq(catalogue_file(c, "x", "P.ab", ".html"), "x/P.ab.html");
    cr_assert_str_eq(catalogue_file(c, "x", "P.AB", ".html"), "x/P.AB-2.html");
    cr_assert_str_eq(catalogue_file(c, "x", "P.Ab", ".html"), "x/P.Ab-3.html");
    cr_assert_str_eq(catalogue_file(c, "x", "../up", ".html"), "x/-2e.-2fup.html");
    char longer[600];
    memset(longer, 'a', sizeof longer);
    longer[599] = 0;
    cr_assert_leq(strlen(catalogue_file(c, "x", longer, ".html")), 220);
    end(&w);
}
