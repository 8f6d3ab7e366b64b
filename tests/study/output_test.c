#include "study/output.h"
#include "tests/study/fixture.h"

#include <unistd.h>

/* Until it is closed, a file has what it had before. */
Test(output, whole_or_not_at_all)
{
    Fixture f = fixture_of("");
    const char *path = scratch_path(&f.files, "O.txt");
    cr_assert(output_write(path, "before", 6));
    Output out;
    cr_assert(output_open(&out, path));
    fputs("after", out.file);
    fflush(out.file);
    char text[10] = "";
    FILE *in = fopen(path, "r");
    cr_assert_eq(fread(text, 1, 9, in), 6u);
    fclose(in);
    cr_assert_str_eq(text, "before");
    cr_assert(output_close(&out));
    in = fopen(path, "r");
    cr_assert_eq(fread(text, 1, 9, in), 5u);
    fclose(in);
    cr_assert_eq(remove(path), 0);
    fixture_end(&f);
}

Test(output, where_nothing_can_be_written)
{
    Fixture f = fixture_of("");
    Output out;
    cr_assert_not(output_open(&out, scratch_path(&f.files, "M.mo/O.txt")));
    fixture_end(&f);
}
