#include "emit/fmu/fmu_terminal.h"

#include "base/map.h"
#include "emit/code/quote.h"
#include "emit/picture/icon.h"
#include "emit/picture/png.h"

#include <string.h>

/* State of the writer of a file. */
typedef struct Writer {
    Text t;
    const FmuModel *m;
    const FmuVariables *v;
    const Terminals *all;
    Map by_name;           /* Name of a variable -> place in v */
    bool *is_written;      /* per terminal: it or one inside has members */
    const char **picture;  /* per icon: its file without ending; NULL: none */
    uint32_t depth;        /* of elements */
    VEC(uint32_t) * inner; /* per terminal: those inside */
    Arena *mem;
} Writer;

static void indent(Writer *w)
{
    for (uint32_t k = 0; k < w->depth; k++)
        text_put(&w->t, "  ");
}

static void attribute(Writer *w, const char *name, const char *value)
{
    if (!value || !*value)
        return;
    text_printf(&w->t, " %s=\"", name);
    text_xml(&w->t, value);
    text_put(&w->t, "\"");
}

static void put_extent(Writer *w, const IconPoint at[2])
{
    text_printf(&w->t, " x1=\"%.9g\" y1=\"%.9g\" x2=\"%.9g\" y2=\"%.9g\"", at[0].x, at[0].y,
                at[1].x, at[1].y);
}

/* The entry that a member's element k is, or, with k == UINT32_MAX, all of it; NULL: of none, or of
 * one that FMI does not let importers connect. */
static const FmuVariable *entry_of(const Writer *w, const TerminalMember *it, uint32_t k)
{
    Name name = k == UINT32_MAX ? it->whole : w->m->sys->var.at[it->var.i + k].name;
    uint32_t at = map_get(&w->by_name, (uint64_t)(uintptr_t)name.s);
    const FmuVariable *v = at == MAP_NONE ? NULL : &w->v->at.at[at];
    bool is_whole = v && (k != UINT32_MAX || v->n == it->n);
    return is_whole && (v->causality == FMU_INPUT || v->causality == FMU_OUTPUT ||
                        v->causality == FMU_PARAMETER || v->causality == FMU_CALCULATED_PARAMETER)
               ? v
               : NULL;
}

/* Is the terminal one variable, or an array of them, without members. */
static bool is_leaf(const Writer *w, const Terminal *t)
{
    return t->n_members == 1 && !*w->all->member.at[t->first_member].name;
}

/* One element of the list. The part after the array's name, "[2]", is also part of its name in the
 * terminal. */
static uint32_t put_member(Writer *w, const Terminal *terminal, const TerminalMember *it,
                           uint32_t k, bool dry)
{
    const FmuVariable *v = entry_of(w, it, k);
    if (!v)
        return 0;
    if (dry)
        return 1;
    const char *index = v->name + strlen(it->whole.s);
    const char *name = is_leaf(w, terminal) ? terminal->name : it->name;
    indent(w);
    text_put(&w->t, "<TerminalMemberVariable");
    attribute(w, "variableName", v->name);
    attribute(w, "memberName", arena_printf(w->mem, "%s%s", name, index));
    attribute(w, "variableKind", it->is_flow ? "inflow" : "signal");
    text_put(&w->t, "/>\n");
    return 1;
}

static uint32_t put_members(Writer *w, const Terminal *terminal, bool dry)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < terminal->n_members; k++) {
        const TerminalMember *it = &w->all->member.at[terminal->first_member + k];
        if (put_member(w, terminal, it, UINT32_MAX, dry))
            n++;
        else
            for (uint32_t e = 0; e < it->n; e++)
                n += put_member(w, terminal, it, e, dry);
    }
    return n;
}

static void put_terminal(Writer *w, uint32_t k)
{
    const Terminal *t = &w->all->terminal.at[k];
    if (!w->is_written[k])
        return;
    indent(w);
    text_put(&w->t, "<Terminal");
    attribute(w, "name", t->name);
    // a signal fits any other one, whatever they are called
    attribute(w, "matchingRule", t->is_bus ? "bus" : is_leaf(w, t) ? "sequence" : "plug");
    attribute(w, "terminalKind", t->class_name);
    attribute(w, "description", t->description);
    text_put(&w->t, ">\n");
    w->depth++;
    put_members(w, t, false);
    for (uint32_t i = 0; i < w->inner[k].n; i++)
        put_terminal(w, w->inner[k].at[i]);
    if (t->is_placed && t->parent == TERMINAL_NONE && t->icon != TERMINAL_NONE &&
        w->picture[t->icon]) {
        indent(w);
        text_put(&w->t, "<TerminalGraphicalRepresentation");
        put_extent(w, t->at);
        attribute(w, "iconBaseName", w->picture[t->icon]);
        text_put(&w->t, "/>\n");
    }
    w->depth--;
    indent(w);
    text_put(&w->t, "</Terminal>\n");
}

/* Writes an icon as NAME.svg and NAME.png; an SVG alone is not allowed. Returns the PNG. */
static Text draw(Writer *w, FmuArchive *a, uint32_t icon, const char *name)
{
    Text svg = icon_svg(&w->all->icon.at[icon], w->mem), png = text_new(w->mem);
    const char *error;
    if (!png_of_svg(&svg, &png, w->mem, &error))
        return png;
    w->picture[icon] = name;
    vec_push(w->mem, a->entry,
             ((FmuEntry){arena_printf(w->mem, "terminalsAndIcons/%s.png", name), png.at, png.n}));
    vec_push(w->mem, a->entry,
             ((FmuEntry){arena_printf(w->mem, "terminalsAndIcons/%s.svg", name), svg.at, svg.n}));
    return png;
}

static uint32_t find_written(Writer *w)
{
    uint32_t written = 0;
    for (uint32_t k = w->all->terminal.n; k-- > 0;) {
        const Terminal *t = &w->all->terminal.at[k];
        w->is_written[k] = w->is_written[k] || put_members(w, t, true) > 0;
        written += w->is_written[k];
        if (w->is_written[k] && t->parent != TERMINAL_NONE)
            w->is_written[t->parent] = true;
    }
    for (uint32_t k = 0; k < w->all->terminal.n; k++)
        if (w->all->terminal.at[k].parent != TERMINAL_NONE)
            vec_push(w->mem, w->inner[w->all->terminal.at[k].parent], k);
    return written;
}

/* Draws the model's own icon, and those of terminals with a place in it. */
static void draw_all(Writer *w, int version, FmuArchive *a)
{
    const Terminals *all = w->all;
    if (all->own_icon != TERMINAL_NONE) {
        Text png = draw(w, a, all->own_icon, "icon");
        // where FMI 2 has it (FMI 2.0, 2.3)
        if (version == 2 && w->picture[all->own_icon])
            vec_push(w->mem, a->entry, ((FmuEntry){"model.png", png.at, png.n}));
    }
    for (uint32_t k = 0; k < all->terminal.n; k++) {
        const Terminal *t = &all->terminal.at[k];
        if (w->is_written[k] && t->parent == TERMINAL_NONE && t->is_placed &&
            t->icon != TERMINAL_NONE && !w->picture[t->icon])
            draw(w, a, t->icon, arena_printf(w->mem, "terminal_%u", t->icon));
    }
}

uint32_t fmu_terminals(const FmuModel *m, const FmuVariables *v, int version, FmuArchive *a,
                       Arena *mem)
{
    const Terminals *all = &m->sys->terminals;
    Writer it = {.t = text_new(mem), .m = m, .v = v, .all = all, .mem = mem}, *w = &it;
    w->by_name = map_new(mem);
    w->is_written = arena_array(mem, bool, all->terminal.n + 1);
    w->inner = arena_alloc(mem, (all->terminal.n + 1) * sizeof *w->inner);
    memset(w->inner, 0, (all->terminal.n + 1) * sizeof *w->inner);
    w->picture = arena_array(mem, const char *, all->icon.n + 1);
    for (uint32_t k = 0; k < v->at.n; k++)
        map_put(&w->by_name, (uint64_t)(uintptr_t)name_of(m->sys->names, v->at.at[k].name).s, k);
    uint32_t written = find_written(w);
    draw_all(w, version, a);
    bool has_icon = all->own_icon != TERMINAL_NONE && w->picture[all->own_icon];
    if (!written && !has_icon)
        return 0;
    Text *t = &w->t;
    text_put(t, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                "<fmiTerminalsAndIcons fmiVersion=\"3.0\">\n");
    if (has_icon) {
        const IconPoint *extent = all->icon.at[all->own_icon].extent;
        text_put(t, "  <GraphicalRepresentation>\n    <CoordinateSystem");
        put_extent(w, extent);
        text_put(t, " suggestedScalingFactorTo_mm=\"0.1\"/>\n    <Icon");
        put_extent(w, extent);
        text_put(t, "/>\n  </GraphicalRepresentation>\n");
    }
    if (written) {
        w->depth = 2;
        text_put(t, "  <Terminals>\n");
        for (uint32_t k = 0; k < all->terminal.n; k++)
            if (all->terminal.at[k].parent == TERMINAL_NONE)
                put_terminal(w, k);
        text_put(t, "  </Terminals>\n");
    }
    text_put(t, "</fmiTerminalsAndIcons>\n");
    vec_push(mem, a->entry, ((FmuEntry){"terminalsAndIcons/terminalsAndIcons.xml", t->at, t->n}));
    return written;
}
