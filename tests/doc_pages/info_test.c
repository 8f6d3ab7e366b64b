/* Documentation as HTML: nothing that runs, all elements closed, links asked for. */
#include "doc_pages/info.h"

#include <criterion/criterion.h>
#include <string.h>

static const char *url(void *self, const char *uri, bool is_picture)
{
    (void)self;
    if (strncmp(uri, "modelica://A", 12) != 0)
        return NULL;
    return is_picture ? "../files/a.png" : "A.html";
}

static bool anchor(void *self, const char *id)
{
    bool is_new = !strstr(self, id);
    strcat(self, id);
    strcat(self, " ");
    return is_new;
}

static const char *written(const char *info, Arena *mem)
{
    static char ids[256];
    ids[0] = 0;
    InfoLinks links = {ids, url, anchor};
    Text t = text_new(mem);
    text_put(&t, "");
    info_write(info, &links, mem, &t);
    return t.at;
}

static const struct {
    const char *info, *want;
} cases[] = {
    {"<html><p>a</p></html>", "<p>a</p>"},
    {"  <HTML><P>a</P></HTML>", "<p>a</p>"},
    {"a < b & c", "<p class=\"plain\">a &lt; b &amp; c</p>"},
    {"<html><p>a<script>alert(1)</script>b</p></html>", "<p>ab</p>"},
    {"<html><p onclick=\"x()\" style=\"color:red\">a</p></html>", "<p>a</p>"},
    {"<html><a href=\"javascript:x()\">a</a></html>", "<span class=\"nolink\">a</span>"},
    {"<html><a href=\" java\nscript:x()\">a</a></html>", "<span class=\"nolink\">a</span>"},
    {"<html><a href=\"modelica://A.B\">a</a></html>", "<a href=\"A.html\">a</a>"},
    {"<html><a href=\"modelica://B\">a</a></html>", "<span class=\"nolink\">a</span>"},
    {"<html><a href=\"https://x.y/?a=1&amp;b=2\">a</a></html>",
     "<a href=\"https://x.y/?a=1&amp;b=2\" rel=\"noopener noreferrer\">a</a>"},
    {"<html><img src=\"modelica://A/a.png\" alt=\"x\" width=10 onerror=1></html>",
     "<img src=\"../files/a.png\" alt=\"x\" width=\"10\">"},
    {"<html><img src=\"modelica://B/a.png\" alt=\"x\"></html>", "<span class=\"missing\">x</span>"},
    {"<html><a name=\"here\"></a></html>", "<a id=\"doc-here\"></a>"},
    {"<html><b id=\"x\">a</b><i id=\"x\">c</i></html>", "<b id=\"doc-x\">a</b><i>c</i>"},
    {"<html><svg><script>x()</script></svg><iframe src=\"x\"></iframe><p>a</html>", "<p>a</p>"},
    {"<html>a<!-- b -->c</html>", "<p>ac</p>"},
    {"<html><p>&lt;script&gt;</p></html>", "<p>&lt;script&gt;</p>"},
    {"<html><blink><b>a</b></blink></html>", "<b>a</b>"},
};

Test(info, what_is_kept)
{
    Arena *mem = arena_new();
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const char *got = written(cases[k].info, mem);
        cr_expect_str_eq(got, cases[k].want, "%s\n gives %s\n   not %s", cases[k].info, got,
                         cases[k].want);
    }
    arena_free(mem);
}

/* Elements that are left open, closed twice or nested wrongly: each that is written is closed. */
Test(info, elements_are_closed)
{
    static const char *const broken[] = {
        "<html><b><i>a</b></i>",   "<html><table><tr><td>a<p>b",     "<html></p></div></table>a",
        "<html><ul><li>a<li>b",    "<html><p>a<p>b<div><p>c</div>d", "<html><a href=\"modelica://A",
        "<html><p align=\"left>a", "<html><<<p>a</p>>>&&amp",
    };
    Arena *mem = arena_new();
    for (size_t k = 0; k < sizeof broken / sizeof *broken; k++) {
        int depth = 0;
        for (const char *at = written(broken[k], mem); (at = strchr(at, '<')); at++)
            if (strncmp(at, "<br", 3) != 0 && strncmp(at, "<img", 4) != 0) {
                depth += at[1] == '/' ? -1 : 1;
                cr_expect(depth >= 0, "%s", broken[k]);
            }
        cr_expect_eq(depth, 0, "%s gives %s", broken[k], written(broken[k], mem));
    }
    arena_free(mem);
}

Test(info, anchors_are_found)
{
    Arena *mem = arena_new();
    char ids[256] = "";
    InfoLinks links = {ids, url, anchor};
    info_anchors("<html><h4 id=\"a\">x</h4><p><a name=\"b\">y</a></p></html>", &links, mem);
    cr_assert_str_eq(ids, "a b ");
    arena_free(mem);
}
