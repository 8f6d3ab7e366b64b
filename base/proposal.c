#include "base/proposal.h"

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

/* The last text in quotes before `end`. */
static Quoted quoted_before(const char *message, const char *end)
{
    while (end > message && *end != '\'')
        end--;
    const char *begin = end;
    while (begin > message && begin[-1] != '\'')
        begin--;
    return (Quoted){begin, begin > message ? (uint32_t)(end - begin) : 0};
}

/* The text that is wrong, and the one that is proposed. */
static bool read_message(const char *message, Quoted *wrong, Quoted *right)
{
    static const char *const words[] = {"; did you mean '", " is no Modelica: '"};
    for (uint32_t k = 0; k < sizeof words / sizeof *words; k++) {
        const char *found = strstr(message, words[k]);
        if (!found)
            continue;
        *wrong = quoted_before(message, found);
        right->at = found + strlen(words[k]);
        right->n = (uint32_t)strcspn(right->at, "'");
        return wrong->n > 0 && right->n > 0 && right->at[right->n] == '\'';
    }
    return false;
}

/* Words stay apart: a&&b becomes a and b. */
static const char *spaced(const char *source, uint32_t begin, uint32_t end, Quoted right,
                          Arena *mem)
{
    bool before = begin > 0 && is_word(source[begin - 1]) && is_word(right.at[0]);
    bool behind = is_word(right.at[right.n - 1]) && is_word(source[end]);
    return arena_printf(mem, "%s%.*s%s", before ? " " : "", (int)right.n, right.at,
                        behind ? " " : "");
}

bool proposal_find(Proposal *out, const char *message, const char *source, uint32_t begin,
                   uint32_t end, Arena *mem)
{
    Quoted wrong, right;
    if (!read_message(message, &wrong, &right))
        return false;
    bool of_letters = is_word(wrong.at[0]);
    for (uint32_t k = begin; k + wrong.n <= end; k++) {
        bool stands_alone =
            !of_letters || ((k == 0 || !is_word(source[k - 1])) && !is_word(source[k + wrong.n]));
        if (stands_alone && memcmp(source + k, wrong.at, wrong.n) == 0) {
            *out = (Proposal){k, k + wrong.n, spaced(source, k, k + wrong.n, right, mem)};
            return true;
        }
    }
    return false;
}
