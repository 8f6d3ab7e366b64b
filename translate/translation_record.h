/* translation_record.h -- what a translation came to, kept from run to run (base/cache.h).
 *
 * A record is found by what is known without translating: the program rung itself, the request, the
 * working directory, MODELICAPATH, the C compiler. It names each file
 * and directory that was looked at with its digest, the shared object that came of it
 * (emit/model/build.h), and what was said. Where all of them are as they were nothing needs to be
 * translated or compiled.
 */
#ifndef RUNG_TRANSLATE_TRANSLATION_RECORD_H
#define RUNG_TRANSLATE_TRANSLATION_RECORD_H

#include "base/cache.h"
#include "base/dependency.h"
#include "translate/request.h"

typedef struct TranslationRecord {
    const char *model;      /* as asked for, or the default       */
    const char *class_name; /* without modifiers                  */
    bool may_be_redundant;  /* there is another choice of states  */
    const char *entry;      /* of the cache: the shared object    */
    const char *said;       /* to stderr, as requested      */
    const char *geometry;   /* emit/picture/geometry.h            */
    const char *depends;    /* lines of dependency.h              */
} TranslationRecord;

/* Its name; NULL where none is to be kept. */
const char *translation_record_name(const Request *r, Arena *mem);
/* False unless there is one that is whole and all it tells of files is as it was. */
bool translation_record_read(TranslationRecord *r, Cache *cache, const char *name, Arena *mem);
void translation_record_keep(const TranslationRecord *r, Cache *cache, const char *name,
                             Arena *mem);

#endif
