/* librsvg is loaded only for a PNG: it brings some forty libraries, which would slow down every
 * start of rung. */
#include "emit/picture/png.h"

#include "base/loaded.h"

#ifdef RUNG_RSVG
#include <librsvg/rsvg.h>

static const double SCALE = 2;

#ifdef __SANITIZE_ADDRESS__
/* Fonts that fontconfig has found are its own until the end. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libfontconfig";
}
#endif

/* The functions that are called of librsvg, cairo and glib. */
#define FUNCTIONS(F)                                                                               \
    F(rsvg_handle_new_from_data)                                                                   \
    F(rsvg_handle_get_intrinsic_size_in_pixels)                                                    \
    F(rsvg_handle_render_document)                                                                 \
    F(cairo_image_surface_create)                                                                  \
    F(cairo_create)                                                                                \
    F(cairo_surface_write_to_png_stream)                                                           \
    F(cairo_destroy)                                                                               \
    F(cairo_surface_destroy)                                                                       \
    F(g_clear_error)                                                                               \
    F(g_object_unref)

#undef g_object_unref // a macro in front of the function
typedef struct Rsvg {
#define DECLARE(name) __typeof__(&name) name;
    FUNCTIONS(DECLARE)
} Rsvg;

/* False where one is missing. */
static bool load(Rsvg *r)
{
#define NAME(name) #name,
    static const char *const called[] = {FUNCTIONS(NAME)};
    return loaded_functions("librsvg-2.so.2", called, sizeof called / sizeof *called, r);
}

static cairo_status_t put(void *to, const unsigned char *bytes, unsigned int n)
{
    text_put_n(to, (const char *)bytes, n);
    return CAIRO_STATUS_SUCCESS;
}

bool png_is_there(void)
{
    Rsvg r;
    return load(&r);
}

bool png_of_svg(const Text *svg, Text *png, Arena *mem, const char **error)
{
    Rsvg r;
    if (!load(&r)) {
        *error =
            "PNG is drawn by librsvg (librsvg2-2), which cannot be loaded: write .svg or .html";
        return false;
    }
    GError *why = NULL;
    RsvgHandle *h = r.rsvg_handle_new_from_data((const guint8 *)svg->at, svg->n, &why);
    gdouble width = 0, height = 0;
    bool ok = h && r.rsvg_handle_get_intrinsic_size_in_pixels(h, &width, &height);
    cairo_surface_t *to = r.cairo_image_surface_create(CAIRO_FORMAT_ARGB32, (int)(SCALE * width),
                                                       (int)(SCALE * height));
    cairo_t *cr = r.cairo_create(to);
    const RsvgRectangle all = {0, 0, SCALE * width, SCALE * height};
    ok = ok && r.rsvg_handle_render_document(h, cr, &all, &why) &&
         r.cairo_surface_write_to_png_stream(to, put, png) == CAIRO_STATUS_SUCCESS;
    if (!ok)
        *error = arena_printf(mem, "the picture cannot be drawn: %s", why ? why->message : "cairo");
    r.g_clear_error(&why);
    r.cairo_destroy(cr);
    r.cairo_surface_destroy(to);
    if (h)
        r.g_object_unref(h);
    return ok;
}
#else
bool png_is_there(void)
{
    return false;
}

bool png_of_svg(const Text *svg, Text *png, Arena *mem, const char **error)
{
    (void)svg, (void)png, (void)mem;
    *error =
        "this rung was built without librsvg, so that it draws no PNG: write .svg or .html, or "
        "install librsvg2-dev and build again";
    return false;
}
#endif
