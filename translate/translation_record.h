/* translation_record.h -- the result of a translation, kept from run to run (base/cache.h).
 *
 * The name of a record is a digest of data known without translating: the program rung itself, the
 * request, the working directory, MODELICAPATH, the C compiler. The record lists each file and
 * directory that was read with its digest, the shared object (emit/model/build.h), and the
 * messages. If all files are unchanged the model need not be translated or compiled again.
 */
#ifndef RUNG_TRANSLATE_TRANSLATION_RECORD_H
#define RUNG_TRANSLATE_TRANSLATION_RECORD_H

#include "base/cache.h"
#include "base/dependency.h"
#include "translate/request.h"

typedef struct TranslationRecord {
    const char *model;      /* as requested, or the default       */
    const char *class_name; /* without modifiers                  */
    bool may_be_redundant;  /* there is another choice of states  */
    bool has_preferred;     /* likewise, since states are preferred variables */
    const char *entry;      /* of the cache: the shared object    */
    const char *messages;   /* to stderr, as requested      */
    const char *geometry;   /* emit/picture/geometry.h            */
    const char *depends;    /* lines of dependency.h              */
} TranslationRecord;

/* The name of the record; NULL if none should be kept. */
const char *translation_record_name(const Request *r, Arena *mem);
/* False if there is no intact record, or if one of its files has changed. */
bool translation_record_read(TranslationRecord *r, Cache *cache, const char *name, Arena *mem);
void translation_record_keep(const TranslationRecord *r, Cache *cache, const char *name,
                             Arena *mem);

#endif
