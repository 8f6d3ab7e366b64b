/* phrase.h -- where a token stands: in a loop, in an annotation, in the call of another language.
 *
 * One pass over the tokens, in the order of the text, so that half a model will do. Brackets that
 * are open at a semicolon, and loops at the end of a section, end there.
 */
#ifndef RUNG_LANGUAGE_SERVER_PHRASE_H
#define RUNG_LANGUAGE_SERVER_PHRASE_H

#include "format/token_list.h"

typedef enum PhraseFlag {
    PHRASE_ANNOTATION = 1, /* inside annotation(...)                                        */
    PHRASE_GRAPHICS = 2,   /* inside graphics = {...} of one (MLS 18.6)                     */
    PHRASE_EXTERNAL = 4,   /* of an external clause (MLS 12.9)                              */
} PhraseFlag;

/* Tokens begin to end - 1 may use the iterator that token `name` declares; token `behind` is the
 * one behind its range. */
typedef struct PhraseIterator {
    uint32_t name, behind, begin, end;
} PhraseIterator;

typedef struct Phrases {
    uint8_t *flags; /* of each token */
    VEC(PhraseIterator) iterator;
} Phrases;

Phrases phrases_of(const char *text, const TokenList *list, Arena *mem);
/* The innermost iterator that the word at token k may mean, or that it declares; NULL if none. */
const PhraseIterator *phrase_iterator(const Phrases *p, const char *text, const TokenList *list,
                                      uint32_t k, const char *word);

#endif
