#include "language_server/fixes.h"

#include "language_server/analysis.h"
#include "language_server/member.h"

#include <string.h>

/* 'text' in a message: between the quotes. */
typedef struct Quoted {
    const char *at;
    uint32_t n;
} Quoted;

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* The name that is wrong, and the one that is proposed. */
static bool proposal_in(const char *message, Quoted *wrong, Quoted *right)
{
    static const char words[] = "; did you mean '";
    const char *found = strstr(message, words);
    const char *end = found;
    while (end && end > message && *end != '\'')
        end--; /* the last text in quotes before */
    if (!found || end == message)
        return false;
    const char *begin = end;
    while (begin > message && begin[-1] != '\'')
        begin--;
    *wrong = (Quoted){begin, (uint32_t)(end - begin)};
    right->at = found + sizeof words - 1;
    right->n = (uint32_t)strcspn(right->at, "'");
    return wrong->n > 0 && right->n > 0 && right->at[right->n] == '\'';
}

/* The first word of the document in [begin, end) that is the wrong one; begin == end: none. */
static Span word_in(const Document *d, uint32_t begin, uint32_t end, Quoted wrong)
{
    for (uint32_t k = begin; k + wrong.n <= end; k++) {
        bool begins = k == 0 || !is_word(d->text[k - 1]);
        if (begins && memcmp(d->text + k, wrong.at, wrong.n) == 0 && !is_word(d->text[k + wrong.n]))
            return (Span){0, k, k + wrong.n};
    }
    return (Span){0, begin, begin};
}

static void put_fix(Json *j, Arena *mem, const Document *d, const Lines *lines,
                    const cJSON *diagnostic)
{
    const char *message = member_text(diagnostic, "message");
    const cJSON *range = member(diagnostic, "range");
    Quoted wrong, right;
    if (!message || !proposal_in(message, &wrong, &right))
        return;
    uint32_t begin =
        position_offset(d->text, d->size, member_position(range, "start"), lines->utf8);
    uint32_t end = position_offset(d->text, d->size, member_position(range, "end"), lines->utf8);
    Span at = word_in(d, begin, end, wrong);
    if (at.begin == at.end)
        return;
    const char *text = arena_copy(mem, right.at, right.n);
    json_object(j, NULL);
    json_text(j, "title", arena_printf(mem, "Replace by '%s'", text));
    json_text(j, "kind", "quickfix");
    json_bool(j, "isPreferred", true);
    json_object(j, "edit");
    json_object(j, "changes");
    json_array(j, d->uri);
    json_object(j, NULL);
    put_range(j, "range", lines, at);
    json_text(j, "newText", text);
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
