#include "emit/picture/spy.h"

enum { SIDE = 640, LEFT = 30, TOP = 50, MOST = 320 /* cells a side */ };

static uint32_t cells(uint32_t n, uint32_t per_cell)
{
    return (n + per_cell - 1) / per_cell;
}

/* Each cell once; a marked entry marks its cell. */
static void put_entries(const Spy *s, uint32_t per_cell, double unit, Text *t)
{
    uint32_t rows = cells(s->n_rows, per_cell), columns = cells(s->n_columns, per_cell);
    Arena *mem = arena_new();
    uint8_t *seen = arena_array(mem, uint8_t, (size_t)rows * columns + 1);
    for (uint32_t k = 0; k < s->n_entries; k++) {
        const SpyEntry *e = &s->entry[k];
        size_t cell = (size_t)(e->row / per_cell) * columns + e->column / per_cell;
        seen[cell] |= e->marked ? 3 : 1;
    }
    double size = unit > 2 ? unit * 0.9 : unit;
    for (int pass = 1; pass <= 3; pass += 2) {
        text_printf(t, "<path fill=\"%s\" d=\"", pass == 3 ? "#d55e00" : "#0072b2");
        for (uint32_t r = 0; r < rows; r++)
            for (uint32_t c = 0; c < columns; c++)
                if (seen[(size_t)r * columns + c] == pass)
                    text_printf(t, "M%.1f %.1fh%.2fv%.2fh-%.2fz", LEFT + c * unit, TOP + r * unit,
                                size, size, size);
        text_put(t, "\"/>\n");
    }
    arena_free(mem);
}

/* Frames of blocks that can be seen. */
static void put_blocks(const Spy *s, uint32_t per_cell, double unit, Text *t)
{
    text_put(t, "<path fill=\"none\" stroke=\"#333\" d=\"");
    for (uint32_t b = 0; s->block && b < s->n_blocks; b++) {
        uint32_t n = s->block[b + 1] - s->block[b];
        double size = n * unit / per_cell;
        if (n > 1 && size >= 3)
            text_printf(t, "M%.1f %.1fh%.1fv%.1fh-%.1fz", LEFT + s->block[b] * unit / per_cell,
                        TOP + s->block[b] * unit / per_cell, size, size, size);
    }
    text_put(t, "\"/>\n");
}

void spy_svg(const Spy *s, Text *t)
{
    uint32_t n = s->n_rows > s->n_columns ? s->n_rows : s->n_columns;
    n = n ? n : 1;
    uint32_t per_cell = cells(n, MOST);
    double unit = (double)SIDE / cells(n, per_cell);
    unit = unit > 20 ? 20 : unit;
    double width = unit * cells(s->n_columns, per_cell), height = unit * cells(s->n_rows, per_cell);
    double total = width + 2 * LEFT < 480 ? 480 : width + 2 * LEFT;
    text_printf(t,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
                "viewBox=\"0 0 %.0f %.0f\" font-family=\"sans-serif\" font-size=\"12\">\n"
                "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n"
                "<text x=\"%d\" y=\"24\" font-size=\"15\">",
                total, height + TOP + 40, total, height + TOP + 40, LEFT);
    text_xml(t, s->title);
    text_printf(t,
                "</text>\n<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%.1f\" fill=\"none\" "
                "stroke=\"#bbb\"/>\n",
                LEFT, TOP, width, height);
    put_entries(s, per_cell, unit, t);
    put_blocks(s, per_cell, unit, t);
    text_printf(t, "<text x=\"%d\" y=\"%.1f\">%u equations, %u unknowns, %u entries", LEFT,
                TOP + height + 22, s->n_rows, s->n_columns, s->n_entries);
    if (per_cell > 1)
        text_printf(t, "; a cell stands for %u by %u of them", per_cell, per_cell);
    text_put(t, "</text>\n</svg>\n");
}
