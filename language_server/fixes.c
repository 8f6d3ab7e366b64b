#include "language_server/fixes.h"

#include "language_server/analysis.h"
#include "language_server/member.h"

#include "base/proposal.h"

static void put_fix(Json *j, Arena *mem, const Document *d, const Lines *lines,
                    const cJSON *diagnostic)
{
    const char *message = member_text(diagnostic, "message");
    const cJSON *range = member(diagnostic, "range");
    if (!message)
        return;
    uint32_t begin =
        position_offset(d->text, d->size, member_position(range, "start"), lines->utf8);
    uint32_t end = position_offset(d->text, d->size, member_position(range, "end"), lines->utf8);
    Proposal p;
    if (!proposal_find(&p, message, d->text, begin, end, mem))
        return;
    json_object(j, NULL);
    json_text(j, "title", arena_printf(mem, "Replace by '%s'", p.text));
    json_text(j, "kind", "quickfix");
    json_bool(j, "isPreferred", true);
    json_object(j, "edit");
    json_object(j, "changes");
    json_array(j, d->uri);
    json_object(j, NULL);
    put_range(j, "range", lines, (Span){0, p.begin, p.end});
    json_text(j, "newText", p.text);
    json_close(j);
    json_close(j);
    json_close(j);
    json_close(j);
    json_close(j);
}

void fixes_put(const Document *d, bool utf8, const cJSON *params, Text *answer)
{
    const cJSON *x;
    Arena *mem = arena_new();
    Json j = json_new(answer);
    Lines lines = lines_of(d->text, d->size, utf8, mem);
    json_array(&j, NULL);
    cJSON_ArrayForEach(x, member(member(params, "context"), "diagnostics"))
        put_fix(&j, mem, d, &lines, x);
    json_close(&j);
    arena_free(mem);
}
