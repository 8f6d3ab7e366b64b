/* Dependencies of an FMU against numbers: a value moves with a known variable only where the table
 * says so, and linearly where it says that. The archive, read by libzip. */
#include "emit/fmu/fmu_archive.h"
#include "emit/fmu/fmu_dependency.h"
#include "tests/emit/fixture.h"

#include <string.h>
#include <zip.h>

static double value_of(Bench *b, ExprId x, const double *var)
{
    uint32_t n = pool_size(b->pool);
    return value_at(b, x, var[b->sys->var.n], var, arena_array(b->mem, double, n),
                    arena_array(b->mem, bool, n));
}

/* A value that differs at one of many points depends; one that is linear has the same difference
 * quotient at all. */
Test(fmu, dependencies_are_those_of_the_numbers)
{
    for (unsigned seed = 1; seed <= 30; seed++) {
        Bench b = random_bench(seed, 20);
        uint32_t n_var = b.sys->var.n;
        bool *tuned = arena_array(b.mem, bool, n_var);
        FmuDependencies d = fmu_dependencies(&b.g, tuned, b.mem);
        cr_assert_not_null(d.row);
        cr_assert_eq(d.n_known, b.g.n_states + 2);
        cr_assert_not(var_exists(d.known[d.n_known - 1]));
        double *var = arena_array(b.mem, double, n_var + 1);
        for (uint32_t r = 0; r < b.g.n_states; r++)
            for (uint32_t c = 0; c < d.n_known; c++) {
                uint32_t at = var_exists(d.known[c]) ? d.known[c].i : n_var;
                double slope = NAN;
                bool moves = false, is_straight = true;
                for (int point = 0; point < 12; point++) {
                    for (uint32_t k = 0; k <= n_var; k++)
                        var[k] = unit(&b);
                    for (uint32_t k = 0; k < n_var; k++)
                        if (b.sys->var.at[k].kind == VAR_PARAMETER)
                            var[k] = value_of(&b, b.sys->var.at[k].binding, var);
                    double low = value_of(&b, b.g.derivative[r], var);
                    var[at] += 0.25;
                    double by = (value_of(&b, b.g.derivative[r], var) - low) / 0.25;
                    bool is_first = isnan(slope);
                    moves = moves || fabs(by) > 1e-9;
                    is_straight =
                        is_straight && (is_first || fabs(by - slope) <= 1e-7 * (1 + fabs(slope)));
                    slope = by;
                }
                FmuDependency how = (FmuDependency)d.row[r][c];
                if (moves)
                    cr_assert_neq(how, FMU_UNRELATED, "seed %u: derivative %u by %u", seed, r, c);
                if (!is_straight)
                    cr_assert_eq(how, FMU_DEPENDENT, "seed %u: derivative %u by %u", seed, r, c);
            }
        bench_free(&b);
    }
}

static const char *entry_of(zip_t *z, zip_uint64_t k, char *text, size_t size)
{
    zip_file_t *f = zip_fopen_index(z, k, 0);
    zip_int64_t n = zip_fread(f, text, size - 1);
    text[n > 0 ? n : 0] = 0;
    zip_fclose(f);
    return zip_get_name(z, k, 0);
}

Test(fmu, an_archive_has_the_same_bytes_in_any_order)
{
    Arena *mem = arena_new();
    static const FmuEntry entry[] = {{"sources/a.c", "int a;", 6},
                                     {"modelDescription.xml", "<fmi/>", 6},
                                     {"resources/empty", "", 0}};
    const char *bytes[2], *error = NULL;
    size_t size[2];
    for (int turn = 0; turn < 2; turn++) {
        FmuArchive a = {0};
        for (int k = 0; k < 3; k++)
            vec_push(mem, a.entry, entry[turn ? 2 - k : k]);
        cr_assert(fmu_archive_pack(&a, mem, &bytes[turn], &size[turn], &error), "%s", error);
    }
    cr_assert_eq(size[0], size[1]);
    cr_assert_arr_eq(bytes[0], bytes[1], size[0]);
    zip_error_t why;
    zip_source_t *s = zip_source_buffer_create(bytes[0], size[0], 0, &why);
    zip_t *z = zip_open_from_source(s, ZIP_RDONLY, &why);
    cr_assert_not_null(z);
    cr_assert_eq(zip_get_num_entries(z, 0), 3);
    char text[20];
    cr_assert_str_eq(entry_of(z, 0, text, sizeof text), "modelDescription.xml");
    cr_assert_str_eq(text, "<fmi/>");
    cr_assert_str_eq(entry_of(z, 1, text, sizeof text), "resources/empty");
    cr_assert_str_eq(text, "");
    cr_assert_str_eq(entry_of(z, 2, text, sizeof text), "sources/a.c");
    zip_close(z);
    arena_free(mem);
}
