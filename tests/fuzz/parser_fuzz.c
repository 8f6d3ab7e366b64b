/* Any bytes: no crash, no hang, and what is accepted round-trips through the printer. */
#include "frontend/syntax/parser.h"
#include "frontend/syntax/syntax_print.h"

#include "base/bug.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Arena *mem = arena_new();
    Names *names = names_new(mem);
    Diags *d = diags_new(mem);
    /* a copy that ends where the text ends, so that reading on is seen */
    char *text = malloc(size + 1);
    for (size_t k = 0; k < size; k++)
        text[k] = (char)data[k];
    text[size] = 0;
    uint32_t file = diags_add_source(d, "fuzz.mo", text, (uint32_t)size);
    const SynFile *a = parse_file(mem, names, d, file);
    if ((a->errors > 0) != (diags_errors(d) > 0))
        bug("%u errors counted, %u reported", a->errors, diags_errors(d));

    char *again = NULL;
    size_t n = 0;
    FILE *out = open_memstream(&again, &n);
    diags_print(d, out, false);
    fclose(out);
    free(again);

    /* a tree with errors is whole, too; a class with the name of a predefined type is kept in it */
    out = open_memstream(&again, &n);
    print_file(a, out);
    fclose(out);
    file = diags_add_source(d, "printed.mo", again, (uint32_t)n);
    const SynFile *b = parse_file(mem, names, d, file);
    if ((b->errors > 0 && a->errors == 0) || !syntax_equal(a, b))
        bug("another tree:\n%s", again);
    free(again);
    free(text);
    arena_free(mem);
    return 0;
}
