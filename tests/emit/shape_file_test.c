/* CAD files: one block in each of the forms has the volume and the surface of that block, and what
 * is wrong with others is said. */
#include "base/text.h"
#include "emit/picture/shape_file.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The quadrilaterals of a block of 1 x 2 x 3 at (1, 0, -1), seen from outside against the clock. */
static const int corner[8][3] = {{1, 0, -1}, {2, 0, -1}, {2, 2, -1}, {1, 2, -1},
                                 {1, 0, 2},  {2, 0, 2},  {2, 2, 2},  {1, 2, 2}},
                 face[6][4] = {{3, 2, 1, 0}, {4, 5, 6, 7}, {0, 1, 5, 4},
                               {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};

static void put_corner(Text *t, const char *format, const int *x)
{
    char line[80];
    snprintf(line, sizeof line, format, x[0], x[1], x[2]);
    text_put(t, line);
}

static Text dxf(Arena *mem)
{
    Text t = text_new(mem);
    text_put(
        &t, "999\r\na block\r\n0\r\nSECTION\r\n2\r\nTABLES\r\n0\r\nLAYER\r\n2\r\nred\r\n62\r\n1\r\n"
            "0\r\nENDSEC\r\n0\r\nSECTION\r\n2\r\nENTITIES\r\n");
    for (int k = 0; k < 6; k++) {
        text_put(&t, k ? "0\r\n3DFACE\r\n8\r\nred\r\n" : "0\r\n3DFACE\r\n8\r\nred\r\n62\r\n30\r\n");
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 3; j++)
                text_printf(&t, " %d%d\r\n%d.0\r\n", j + 1, i, corner[face[k][i]][j]);
    }
    text_put(&t, "0\r\nENDSEC\r\n0\r\nEOF\r\n");
    return t;
}

static Text text_stl(Arena *mem)
{
    Text t = text_new(mem);
    text_put(&t, "solid block\n");
    for (int k = 0; k < 12; k++) {
        text_put(&t, " facet normal 0 0 0\n  outer loop\n");
        for (int i = 0; i < 3; i++)
            put_corner(&t, "   vertex %d %de0 %d.\n", corner[face[k / 2][i ? i + k % 2 : 0]]);
        text_put(&t, "  endloop\n endfacet\n");
    }
    text_put(&t, "endsolid block\n");
    return t;
}

/* Its 80 bytes begin with "solid", too. */
static Text binary_stl(Arena *mem)
{
    Text t = text_new(mem);
    char head[84] = "solid of another program", attribute[2] = {0};
    head[80] = 12;
    text_put_n(&t, head, sizeof head);
    for (int k = 0; k < 12; k++) {
        float x[12] = {0};
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                x[3 + 3 * i + j] = (float)corner[face[k / 2][i ? i + k % 2 : 0]][j];
        text_put_n(&t, (const char *)x, sizeof x);
        text_put_n(&t, attribute, sizeof attribute);
    }
    return t;
}

static Text obj(Arena *mem)
{
    Text t = text_new(mem);
    text_put(&t, "# a block\no block\n");
    for (int k = 0; k < 8; k++)
        put_corner(&t, "v  %d %d %d\n", corner[k]);
    text_put(&t, "vn 0 0 1\nvt 0 0\n");
    for (int k = 0; k < 6; k++) // numbers from 1; from the last backwards; with other numbers
        text_printf(&t, k % 2 ? "f %d/1/1 %d//1 %d/1 %d # a side\n" : "f %d %d %d %d\n",
                    k == 2 ? face[k][0] - 8 : face[k][0] + 1, face[k][1] + 1, face[k][2] + 1,
                    face[k][3] + 1);
    return t;
}

/* By the divergence theorem; and the sum of the triangles' areas. */
static void measure(const ShapeFile *s, double *volume, double *area)
{
    *volume = *area = 0;
    for (uint32_t k = 0; k < s->corner.n; k += 3) {
        const float *a = s->point.at + (size_t)3 * s->corner.at[k],
                    *b = s->point.at + (size_t)3 * s->corner.at[k + 1],
                    *c = s->point.at + (size_t)3 * s->corner.at[k + 2];
        double u[3], v[3], n[3], dot = 0, square = 0;
        for (int i = 0; i < 3; i++) {
            u[i] = (double)(b[i] - a[i]);
            v[i] = (double)(c[i] - a[i]);
        }
        for (int i = 0; i < 3; i++) {
            n[i] = u[(i + 1) % 3] * v[(i + 2) % 3] - u[(i + 2) % 3] * v[(i + 1) % 3];
            dot += n[i] * (double)a[i];
            square += n[i] * n[i];
        }
        *volume += dot / 6;
        *area += sqrt(square) / 2;
    }
}

Test(shape_file, blocks)
{
    Arena *mem = arena_new();
    const struct {
        const char *ending;
        Text text;
    } form[] = {
        {".dxf", dxf(mem)}, {".stl", text_stl(mem)}, {".STL", binary_stl(mem)}, {".obj", obj(mem)}};
    for (size_t k = 0; k < sizeof form / sizeof *form; k++) {
        ShapeFile s;
        double volume, area;
        cr_assert(shape_file_parse(&s, form[k].ending, form[k].text.at, form[k].text.n, mem), "%s",
                  s.error);
        measure(&s, &volume, &area);
        cr_assert_eq(s.point.n, 24, "form %zu: %u coordinates", k, s.point.n);
        cr_assert_eq(s.color.n, 12);
        cr_assert_float_eq(volume, 6, 1e-12);
        cr_assert_float_eq(area, 22, 1e-12);
        cr_assert_eq(s.color.at[0], k == 0 ? 0xff7f00 : SHAPE_COLOR_NONE, "%x", s.color.at[0]);
        cr_assert_eq(s.color.at[2], k == 0 ? 0xff0000 : SHAPE_COLOR_NONE, "%x", s.color.at[2]);
    }
    arena_free(mem);
}

Test(shape_file, what_is_wrong)
{
    static const struct {
        const char *ending, *text, *error;
    } bad[] = {
        {".dxf", "", "the file ends before its EOF"},
        {".dxf", "0\nSECTION\n2\nENTITIES\n0\nENDSEC\n0\nEOF\n", "no 3DFACE among its ENTITIES"},
        {".dxf", "0\nSECTION\n2\nENTITIES\n0\n3DFACE\n10\n1\n0\nEOF\n",
         "line 10: a 3DFACE ends before it has three corners"},
        {".dxf", "0\nSECTION\n2\nENTITIES\n0\n3DFACE\n10\n1,5\n0\nEOF\n",
         "line 8: '1,5' is no coordinate"},
        {".dxf", "0\nSECTION\nENTITIES\n2\n", "line 4: 'ENTITIES' is no group code"},
        {".stl", "", "neither STL as text nor of the size that its binary STL header gives"},
        {".stl", "solid\nendsolid\n", "there is no triangle in it"},
        {".stl", "solid\nouter loop\nvertex 1 2 3\nendloop\n",
         "line 4: a loop without three vertices"},
        {".stl", "solid\nouter loop\nvertex 1 2 nan\n", "line 3: 'nan' is no coordinate"},
        {".stl", "solid\nouter loop\n", "line 2: the file ends within a loop"},
        {".obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n",
         "line 4: '4' is no corner: there are 3 points"},
        {".obj", "v 0 0 0\nf 1 -2 1\n", "line 2: '-2' is no corner: there are 1 points"},
        {".obj", "v 0 0 0\nv 1 0 0\nf 1 2\n", "line 3: a face without three corners"},
        {".obj", "v 0 0 0\nv 1 0 0\nf 1 2 1\n", "there is no triangle in it"},
        {".3ds", "MM", "of shapes in files DXF, STL and OBJ are read, by the ending"},
    };
    Arena *mem = arena_new();
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        ShapeFile s;
        cr_assert_not(shape_file_parse(&s, bad[k].ending, bad[k].text, strlen(bad[k].text), mem),
                      "case %zu", k);
        cr_assert_str_eq(s.error, bad[k].error, "case %zu: %s", k, s.error);
    }
    ShapeFile s;
    cr_assert_not(shape_file_read(&s, "/nowhere/a.stl", mem));
    cr_assert_str_eq(s.error, "No such file or directory");
    arena_free(mem);
}

/* Each file cut off at each byte, and with a byte changed: an answer, and corners that are points.
 */
Test(shape_file, damaged)
{
    Arena *mem = arena_new();
    const Text whole[] = {dxf(mem), text_stl(mem), binary_stl(mem), obj(mem)};
    const char *ending[] = {".dxf", ".stl", ".stl", ".obj"};
    for (size_t k = 0; k < 4; k++)
        for (size_t n = 0; n < whole[k].n; n += k == 2 ? 1 : 7)
            for (int change = 0; change < 2; change++) {
                Arena *own = arena_new();
                char *text = arena_copy(own, whole[k].at, whole[k].n);
                text[n] = change ? (char)(text[n] ^ 9) : 0;
                ShapeFile s;
                bool ok = shape_file_parse(&s, ending[k], text, change ? whole[k].n : n, own);
                cr_assert(ok == !s.error);
                for (uint32_t i = 0; i < s.corner.n; i++)
                    cr_assert(s.corner.at[i] < s.point.n / 3);
                arena_free(own);
            }
    arena_free(mem);
}
