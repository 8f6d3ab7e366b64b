#include "emit/picture/diagram.h"
#include "emit/picture/spy.h"

#include <criterion/criterion.h>
#include <string.h>

static int count(const char *text, const char *what)
{
    int n = 0;
    for (; (text = strstr(text, what)); text++)
        n++;
    return n;
}

static const DiagramNode nodes[] = {
    {.kind = "equation",
     .id = "e1",
     .name = "a \"b\" <c> & \\d",
     .group = 0,
     .role = "step",
     .placed = true},
    {.kind = "equation",
     .id = "e2",
     .name = "two\nlines",
     .group = DIAGRAM_NONE,
     .y = 1,
     .placed = true},
    {.kind = "unknown", .id = "v1", .name = "x[1]", .group = 0, .x = 1, .placed = true},
    {.kind = "unknown", .id = "v2", .name = "'odd name'", .group = 1, .x = 1},
};
static const DiagramEdge edges[] = {
    {0, 2, "one", true}, {1, 2, "other", false}, {1, 3, "nonlinear", true}};
static const Diagram diagram = {.title = "T \"&\" <U>",
                                .group_name = "block",
                                .n_nodes = 4,
                                .node = nodes,
                                .n_edges = 3,
                                .edge = edges,
                                .width = 2,
                                .height = 2};

typedef struct {
    Text dot, xml, json, svg;
} Written;

static Written in_every_format(Arena *mem)
{
    Written w = {text_new(mem), text_new(mem), text_new(mem), text_new(mem)};
    diagram_dot(&diagram, &w.dot);
    diagram_graphml(&diagram, &w.xml);
    diagram_json(&diagram, &w.json);
    diagram_svg(&diagram, &w.svg);
    return w;
}

Test(diagram, names_cannot_break_out)
{
    Arena *mem = arena_new();
    Written w = in_every_format(mem);
    cr_assert_eq(count(w.dot.at, "a \\\"b\\\" <c> & \\\\d"), 1);
    cr_assert_eq(count(w.json.at, "a \\\"b\\\" <c> & \\\\d"), 1);
    cr_assert_eq(count(w.xml.at, "a &quot;b&quot; &lt;c&gt; &amp; \\d"), 1);
    cr_assert_eq(count(w.svg.at, "a &quot;b&quot; &lt;c&gt; &amp; \\d"), 1);
    cr_assert_eq(count(w.dot.at, "two lines"), 1);
    arena_free(mem);
}

Test(diagram, everything_is_written_once)
{
    Arena *mem = arena_new();
    Written w = in_every_format(mem);
    cr_assert_eq(count(w.dot.at, " -- "), 3);
    cr_assert_eq(count(w.dot.at, "shape="), 4);
    cr_assert_eq(count(w.dot.at, "penwidth=3"), 2);
    cr_assert_eq(count(w.xml.at, "<node "), 4);
    cr_assert_eq(count(w.xml.at, "<edge "), 3);
    cr_assert_eq(count(w.xml.at, "<data key=\"group\">"), 3);
    cr_assert_eq(count(w.json.at, "\"id\""), 4);
    cr_assert_eq(count(w.json.at, "\"matched\": true"), 2);
    /* what has no place is not drawn, nor its edges */
    cr_assert_eq(count(w.svg.at, "<circle"), 1);
    cr_assert_eq(count(w.svg.at, "width=\"11\""), 2);
    cr_assert_eq(count(w.svg.at, "<line "), 2);
    arena_free(mem);
}

Test(spy, a_cell_per_entry_and_bounded)
{
    Arena *mem = arena_new();
    SpyEntry few[] = {{0, 0, true}, {1, 0, false}, {1, 1, true}, {2, 2, true}};
    uint32_t block[] = {0, 2, 3};
    Spy s = {.title = "A&B",
             .n_rows = 3,
             .n_columns = 3,
             .n_entries = 4,
             .entry = few,
             .n_blocks = 2,
             .block = block};
    Text t = text_new(mem);
    spy_svg(&s, &t);
    cr_assert_eq(count(t.at, "h-"), 5); /* entries, and the frame of the block of two */
    cr_assert_eq(count(t.at, "A&amp;B"), 1);
    cr_assert_eq(count(t.at, "stands for"), 0);

    uint32_t n = 200000;
    SpyEntry *many = arena_array(mem, SpyEntry, 3 * n);
    for (uint32_t k = 0; k < n; k++) {
        many[3 * k] = (SpyEntry){k, k, true};
        many[3 * k + 1] = (SpyEntry){k, k / 2, false};
        many[3 * k + 2] = (SpyEntry){k / 3, k, false};
    }
    Spy large = {.title = "", .n_rows = n, .n_columns = n, .n_entries = 3 * n, .entry = many};
    text_clear(&t);
    spy_svg(&large, &t);
    cr_assert_lt(t.n, 200000u);
    cr_assert_eq(count(t.at, "stands for 625 by 625"), 1);
    Spy empty = {.title = ""};
    text_clear(&t);
    spy_svg(&empty, &t);
    cr_assert(strstr(t.at, "</svg>"));
    arena_free(mem);
}
