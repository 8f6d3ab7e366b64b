#include "doc_pages/info.h"

#include "emit/code/quote.h"

#include <ctype.h>
#include <libxml/HTMLparser.h>
#include <string.h>
#include <strings.h>

typedef struct Writer {
    const InfoLinks *links;
    Arena *mem;
    Text *out; /* NULL: anchors only */
} Writer;

static bool is_one_of(const char *list, const char *word)
{
    size_t n = strlen(word);
    for (const char *at = list; n > 0 && (at = strstr(at, word)); at += n)
        if ((at == list || at[-1] == ' ') && (at[n] == ' ' || at[n] == 0))
            return true;
    return false;
}

static const char kept_elements[] =
    "p br b i em strong u s strike code pre tt kbd var samp cite q abbr small big sub sup span div "
    "blockquote address center hr h1 h2 h3 h4 h5 h6 ul ol li dl dt dd table caption thead tbody "
    "tfoot "
    "tr td th colgroup col font del ins a img";
static const char empty_elements[] = "br hr img col";
static const char dropped_with_content[] =
    "script style iframe object embed applet frameset frame noframes form select textarea svg math "
    "title head template audio video canvas";
static const char kept_attributes[] =
    "align valign colspan rowspan width height border cellspacing "
    "cellpadding color size start type title alt bgcolor nowrap dir "
    "lang";

static const char *attribute(const xmlNode *e, const char *name, Arena *mem)
{
    xmlChar *value = xmlGetProp((xmlNode *)e, (const xmlChar *)name);
    const char *copy =
        value ? arena_copy(mem, (const char *)value, strlen((const char *)value)) : NULL;
    xmlFree(value);
    return copy;
}

static void put_attribute(Writer *w, const char *name, const char *value)
{
    text_printf(w->out, " %s=\"", name);
    text_xml(w->out, value);
    text_put(w->out, "\"");
}

static bool is_web(const char *uri)
{
    return strncasecmp(uri, "http://", 7) == 0 || strncasecmp(uri, "https://", 8) == 0 ||
           strncasecmp(uri, "mailto:", 7) == 0;
}

static const char *trimmed(const char *uri, Arena *mem)
{
    while (isspace((unsigned char)*uri))
        uri++;
    size_t n = strlen(uri);
    while (n > 0 && isspace((unsigned char)uri[n - 1]))
        n--;
    return arena_copy(mem, uri, n);
}

static void put_children(Writer *w, const xmlNode *e);

static void put_link(Writer *w, const xmlNode *e, const char *id)
{
    const char *uri = attribute(e, "href", w->mem);
    uri = uri ? trimmed(uri, w->mem) : NULL;
    bool is_outside = uri && is_web(uri);
    const char *url = is_outside ? uri : uri ? w->links->url(w->links->self, uri, false) : NULL;
    text_put(w->out, url || id ? "<a" : "<span class=\"nolink\"");
    if (id)
        put_attribute(w, "id", arena_printf(w->mem, "doc-%s", id));
    if (url)
        put_attribute(w, "href", url);
    if (is_outside)
        text_put(w->out, " rel=\"noopener noreferrer\"");
    text_put(w->out, ">");
    put_children(w, e);
    text_put(w->out, url || id ? "</a>" : "</span>");
}

static void put_picture(Writer *w, const xmlNode *e)
{
    const char *uri = attribute(e, "src", w->mem), *alt = attribute(e, "alt", w->mem);
    uri = uri ? trimmed(uri, w->mem) : "";
    if (is_web(uri)) {
        text_put(w->out, "<a rel=\"noopener noreferrer\"");
        put_attribute(w, "href", uri);
        text_put(w->out, ">");
        text_xml(w->out, alt && *alt ? alt : uri);
        text_put(w->out, "</a>");
        return;
    }
    const char *url = w->links->url(w->links->self, uri, true);
    if (!url) {
        text_put(w->out, "<span class=\"missing\">");
        text_xml(w->out, alt && *alt ? alt : uri);
        text_put(w->out, "</span>");
        return;
    }
    text_put(w->out, "<img");
    put_attribute(w, "src", url);
    put_attribute(w, "alt", alt ? alt : "");
    for (int k = 0; k < 2; k++) {
        const char *name = k ? "height" : "width", *value = attribute(e, name, w->mem);
        if (value && isdigit((unsigned char)*value))
            put_attribute(w, name, value);
    }
    text_put(w->out, ">");
}

static void put_element(Writer *w, const xmlNode *e)
{
    const char *name = (const char *)e->name;
    if (is_one_of(dropped_with_content, name))
        return;
    const char *id = attribute(e, "id", w->mem);
    if (!id && strcmp(name, "a") == 0)
        id = attribute(e, "name", w->mem);
    id = id && *id ? id : NULL;
    if (id && !w->links->anchor(w->links->self, id))
        id = NULL;
    bool is_kept = w->out && is_one_of(kept_elements, name);
    if (!is_kept) {
        put_children(w, e);
        return;
    }
    if (strcmp(name, "a") == 0) {
        put_link(w, e, id);
        return;
    }
    if (strcmp(name, "img") == 0) {
        put_picture(w, e);
        return;
    }
    text_printf(w->out, "<%s", name);
    if (id)
        put_attribute(w, "id", arena_printf(w->mem, "doc-%s", id));
    for (const xmlAttr *a = e->properties; a; a = a->next) {
        const char *of = (const char *)a->name;
        const char *value = is_one_of(kept_attributes, of) ? attribute(e, of, w->mem) : NULL;
        if (value)
            put_attribute(w, of, value);
    }
    text_put(w->out, ">");
    put_children(w, e);
    if (!is_one_of(empty_elements, name))
        text_printf(w->out, "</%s>", name);
}

static void put_children(Writer *w, const xmlNode *e)
{
    for (const xmlNode *c = e->children; c; c = c->next) {
        if (c->type == XML_ELEMENT_NODE)
            put_element(w, c);
        else if (w->out && c->type == XML_TEXT_NODE && c->content)
            text_xml(w->out, (const char *)c->content);
    }
}

static bool is_html(const char *info)
{
    while (isspace((unsigned char)*info))
        info++;
    return strncasecmp(info, "<html", 5) == 0 || strncasecmp(info, "<!doctype", 9) == 0;
}

static void walk(const char *info, Writer *w)
{
    int options = HTML_PARSE_RECOVER | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING |
                  HTML_PARSE_NONET | HTML_PARSE_COMPACT;
    htmlDocPtr doc = htmlReadMemory(info, (int)strlen(info), NULL, "UTF-8", options);
    const xmlNode *root = doc ? xmlDocGetRootElement(doc) : NULL;
    if (root)
        put_children(w, root);
    xmlFreeDoc(doc);
}

void info_write(const char *info, const InfoLinks *links, Arena *mem, Text *out)
{
    Writer w = {links, mem, out};
    if (is_html(info)) {
        walk(info, &w);
        return;
    }
    text_put(out, "<p class=\"plain\">");
    text_xml(out, info);
    text_put(out, "</p>");
}

void info_anchors(const char *info, const InfoLinks *links, Arena *mem)
{
    Writer w = {links, mem, NULL};
    if (is_html(info))
        walk(info, &w);
}
