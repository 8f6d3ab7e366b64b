#include "import/imported_fmu.h"

#include "base/map.h"
#include "base/name.h"
#include "base/text.h"
#include "import/xml_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zip.h>

static const char description_file[] = "modelDescription.xml";

/* ------------------------------------------------------------------ the archive */

static zip_t *open_archive(const char *path, Diags *d)
{
    int code = 0;
    zip_t *z = zip_open(path, ZIP_RDONLY, &code);
    if (z)
        return z;
    zip_error_t why;
    zip_error_init_with_code(&why, code);
    // it is in the list of sources, or was a moment ago
    diag_error(d, SPAN_NONE, code == ZIP_ER_NOENT || code == ZIP_ER_OPEN ? "P10" : "I20",
               code == ZIP_ER_NOENT || code == ZIP_ER_OPEN ? "cannot read '%s': %s"
                                                           : "'%s' is no FMU: %s",
               path, zip_error_strerror(&why));
    zip_error_fini(&why);
    return NULL;
}

/* No entry may lead out of the folder that it is unpacked into. */
static bool check_paths(zip_t *z, const char *path, Diags *d)
{
    zip_int64_t n = zip_get_num_entries(z, 0);
    for (zip_int64_t k = 0; k < n; k++) {
        const char *name = zip_get_name(z, (zip_uint64_t)k, ZIP_FL_ENC_RAW);
        if (name && rung_fmu_path_is_inside(name))
            continue;
        diag_error(d, SPAN_NONE, "I20", "'%s' has the entry '%s', which leads out of its folder",
                   path, name ? name : "");
        return false;
    }
    return true;
}

static const char *read_description(zip_t *z, const char *path, size_t *size, Arena *mem, Diags *d)
{
    enum { MOST_MIB = 512 };
    zip_stat_t st;
    zip_stat_init(&st);
    zip_int64_t at = zip_name_locate(z, description_file, ZIP_FL_ENC_RAW);
    if (at < 0 || zip_stat_index(z, (zip_uint64_t)at, 0, &st) || !(st.valid & ZIP_STAT_SIZE)) {
        diag_error(d, SPAN_NONE, "I20", "'%s' is no FMU: it has no %s", path, description_file);
        return NULL;
    }
    if (st.size > (zip_uint64_t)MOST_MIB << 20) {
        diag_error(d, SPAN_NONE, "I20", "%s of '%s' is larger than %d MiB", description_file, path,
                   MOST_MIB);
        return NULL;
    }
    zip_file_t *in = zip_fopen_index(z, (zip_uint64_t)at, 0);
    char *text = arena_alloc(mem, (size_t)st.size + 1);
    zip_int64_t n = in ? zip_fread(in, text, st.size) : -1;
    if (in)
        zip_fclose(in);
    if (n < 0 || (zip_uint64_t)n != st.size) {
        diag_error(d, SPAN_NONE, "I20", "%s of '%s' cannot be unpacked", description_file, path);
        return NULL;
    }
    text[n] = 0;
    *size = (size_t)n;
    return text;
}

bool imported_fmu_has_binary(const ImportedFmu *f, FmuInterface interface, Arena *mem, Diags *d)
{
    zip_t *z = open_archive(f->path, d);
    if (!z)
        return false;
    const char *identifier = interface == FMU_COSIMULATION ? f->of_cosimulation : f->of_exchange;
    const char *platform = rung_fmu_platform(f->version);
    const char *wanted = arena_printf(mem, "binaries/%s/%s.so", platform, identifier);
    bool found = zip_name_locate(z, wanted, ZIP_FL_ENC_RAW) >= 0, has_sources = false;
    Text others = text_new(mem);
    zip_int64_t n = zip_get_num_entries(z, 0);
    for (zip_int64_t k = 0; k < n && !found; k++) {
        const char *name = zip_get_name(z, (zip_uint64_t)k, ZIP_FL_ENC_RAW);
        has_sources = has_sources || strncmp(name, "sources/", 8) == 0;
        if (strncmp(name, "binaries/", 9) != 0)
            continue;
        const char *folder = arena_copy(mem, name + 9, strcspn(name + 9, "/"));
        if (*folder && !(others.n && strstr(others.at, folder)))
            text_printf(&others, "%s%s", others.n ? ", " : "", folder);
    }
    zip_discard(z);
    if (!found)
        diag_error(d, SPAN_NONE, "I22", "'%s' has no %s%s%s%s", f->path, wanted,
                   others.n ? ", but binaries for " : "", others.n ? others.at : "",
                   has_sources ? "; its sources are to be built before" : "");
    return found;
}

FmuInterface imported_fmu_interface(const ImportedFmu *f, FmuInterface wanted, Diags *d)
{
    if (wanted == FMU_ANY)
        wanted = f->of_exchange ? FMU_MODEL_EXCHANGE : FMU_COSIMULATION;
    if (wanted == FMU_COSIMULATION ? f->of_cosimulation != NULL : f->of_exchange != NULL)
        return wanted;
    diag_error(d, SPAN_NONE, "I22", "'%s' is no FMU of %s", f->path,
               !f->of_exchange && !f->of_cosimulation ? "model exchange or co-simulation"
               : wanted == FMU_COSIMULATION           ? "co-simulation"
                                                      : "model exchange");
    return FMU_ANY;
}

/* ------------------------------------------------------------------ the description */

typedef struct Reader {
    ImportedFmu *f;
    XmlFile xml;
    Arena *mem;
    Diags *d;
    Map unit; /* name of a type of FMI 2.0, 3.0 -> its xmlNode, as a number of `type` */
    VEC(xmlNode *) type;
    Map left_out;     /* FMI 3.0: value references of variables that are not read */
    Map by_reference; /* FMI 3.0: value reference -> quantity */
    Names *names;
    FmuIndices of_index; /* FMI 2.0: index of the description from 1 -> quantity, or FMU_NONE */
} Reader;

static bool is_word(const char *text, const char *word)
{
    return text && strcmp(text, word) == 0;
}

static bool is_true(const Reader *r, const xmlNode *e, const char *name)
{
    const char *text = xml_text(&r->xml, e, name);
    return is_word(text, "true") || is_word(text, "1");
}

/* A whole number; false after an error where the attribute is missing or has another form. */
static bool read_whole(const Reader *r, const xmlNode *e, const char *name, double most,
                       uint32_t *out)
{
    const char *text = xml_need(&r->xml, e, name);
    if (!text)
        return false;
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end || !(value >= 0 && value <= most) || value != floor(value)) {
        diag_error(r->d, xml_span(&r->xml, e), "I03",
                   "%s of <%s> should be a whole number, not '%s'", name, (const char *)e->name,
                   text);
        return false;
    }
    *out = (uint32_t)value;
    return true;
}

static bool read_number(const Reader *r, const xmlNode *e, const char *name, double *out)
{
    const char *text = xml_text(&r->xml, e, name);
    *out = NAN;
    // limits may be infinite, which is none
    if (!text || strstr(text, "INF") || strstr(text, "NaN") || !*text)
        return true;
    return xml_numbers(&r->xml, e, name, 1, out);
}

static bool type_of(const char *element, int version, FmiUnitType *type, bool *is_known)
{
    static const struct {
        const char *name;
        int version;
        FmiUnitType type;
    } row[] = {{"Real", 2, FMI_UNIT_REAL},         {"Integer", 2, FMI_UNIT_INT32},
               {"Boolean", 2, FMI_UNIT_BOOLEAN},   {"Enumeration", 2, FMI_UNIT_INT32},
               {"String", 2, FMI_UNIT_STRING},     {"Float64", 3, FMI_UNIT_REAL},
               {"Float32", 3, FMI_UNIT_FLOAT32},   {"Int8", 3, FMI_UNIT_INT8},
               {"UInt8", 3, FMI_UNIT_UINT8},       {"Int16", 3, FMI_UNIT_INT16},
               {"UInt16", 3, FMI_UNIT_UINT16},     {"Int32", 3, FMI_UNIT_INT32},
               {"UInt32", 3, FMI_UNIT_UINT32},     {"Int64", 3, FMI_UNIT_INT64},
               {"UInt64", 3, FMI_UNIT_UINT64},     {"Boolean", 3, FMI_UNIT_BOOLEAN},
               {"Enumeration", 3, FMI_UNIT_INT64}, {"String", 3, FMI_UNIT_STRING}};
    for (size_t k = 0; k < sizeof row / sizeof *row; k++)
        if (row[k].version == version && strcmp(row[k].name, element) == 0) {
            *type = row[k].type;
            return *is_known = true;
        }
    *is_known = strcmp(element, "Clock") == 0 || strcmp(element, "Binary") == 0;
    return false;
}

static bool is_real(const FmuQuantity *q)
{
    return q->type == FMI_UNIT_REAL || q->type == FMI_UNIT_FLOAT32;
}

static uint64_t name_key(const Reader *r, const char *text)
{
    return map_key_ptr(name_of(r->names, text).s);
}

/* Declared types: their units and limits hold where a variable has none. */
static void read_types(Reader *r, const xmlNode *root)
{
    const xmlNode *all = xml_child(root, "TypeDefinitions");
    for (xmlNode *e = xml_child(all, NULL); e; e = xml_next(e, NULL)) {
        const char *name = xml_text(&r->xml, e, "name");
        // FMI 2.0: <SimpleType name><Real .../></SimpleType>
        xmlNode *inside = r->f->version == 2 ? xml_child(e, NULL) : e;
        if (!name || !inside)
            continue;
        map_put(&r->unit, name_key(r, name), r->type.n);
        vec_push(r->mem, r->type, inside);
    }
}

static bool read_attributes(Reader *r, const xmlNode *e, FmuQuantity *q)
{
    if (!read_number(r, e, "min", &q->min) || !read_number(r, e, "max", &q->max) ||
        !read_number(r, e, "nominal", &q->nominal))
        return false;
    q->unit = xml_text(&r->xml, e, "unit");
    q->display_unit = xml_text(&r->xml, e, "displayUnit");
    const char *declared = xml_text(&r->xml, e, "declaredType");
    uint32_t k = declared ? map_get(&r->unit, name_key(r, declared)) : MAP_NONE;
    if (k != MAP_NONE) {
        const xmlNode *type = r->type.at[k];
        double min, max, nominal;
        if (!read_number(r, type, "min", &min) || !read_number(r, type, "max", &max) ||
            !read_number(r, type, "nominal", &nominal))
            return false;
        q->min = isnan(q->min) ? min : q->min;
        q->max = isnan(q->max) ? max : q->max;
        q->nominal = isnan(q->nominal) ? nominal : q->nominal;
        q->unit = q->unit ? q->unit : xml_text(&r->xml, type, "unit");
        q->display_unit =
            q->display_unit ? q->display_unit : xml_text(&r->xml, type, "displayUnit");
    }
    q->unit = q->unit && *q->unit ? q->unit : NULL;
    q->display_unit = q->display_unit && *q->display_unit ? q->display_unit : NULL;
    return true;
}

static bool read_kind(const Reader *r, const xmlNode *e, FmuQuantity *q)
{
    static const char *const causality[] = {
        [IMPORTED_PARAMETER] = "parameter",
        [IMPORTED_CALCULATED_PARAMETER] = "calculatedParameter",
        [IMPORTED_INPUT] = "input",
        [IMPORTED_OUTPUT] = "output",
        [IMPORTED_LOCAL] = "local",
        [IMPORTED_INDEPENDENT] = "independent",
        [IMPORTED_STRUCTURAL_PARAMETER] = "structuralParameter",
    };
    static const char *const variability[] = {
        [IMPORTED_CONSTANT] = "constant",     [IMPORTED_FIXED] = "fixed",
        [IMPORTED_TUNABLE] = "tunable",       [IMPORTED_DISCRETE] = "discrete",
        [IMPORTED_CONTINUOUS] = "continuous",
    };
    enum {
        N_CAUSALITIES = sizeof causality / sizeof *causality,
        N_VARIABILITIES = sizeof variability / sizeof *variability
    };
    const char *c = xml_text(&r->xml, e, "causality"), *v = xml_text(&r->xml, e, "variability");
    int i = 0, j = 0;
    while (c && i < N_CAUSALITIES && strcmp(causality[i], c) != 0)
        i++;
    while (v && j < N_VARIABILITIES && strcmp(variability[j], v) != 0)
        j++;
    if (i == N_CAUSALITIES || j == N_VARIABILITIES) {
        diag_error(r->d, xml_span(&r->xml, e), "I21", "unknown %s '%s'",
                   i == N_CAUSALITIES ? "causality" : "variability", i == N_CAUSALITIES ? c : v);
        return false;
    }
    q->causality = c ? (ImportedCausality)i : IMPORTED_LOCAL;
    bool is_parameter = q->causality == IMPORTED_PARAMETER ||
                        q->causality == IMPORTED_STRUCTURAL_PARAMETER ||
                        q->causality == IMPORTED_CALCULATED_PARAMETER;
    q->variability = v              ? (ImportedVariability)j
                     : is_parameter ? IMPORTED_FIXED
                     : is_real(q)   ? IMPORTED_CONTINUOUS
                                    : IMPORTED_DISCRETE;
    q->is_exact = is_word(xml_text(&r->xml, e, "initial"), "exact");
    return true;
}

/* Elements of an array of FMI 3.0. */
static bool read_dims(Reader *r, const xmlNode *e, FmuQuantity *q)
{
    enum { MOST = 1000000 };
    q->n = 1;
    for (xmlNode *one = xml_child(e, "Dimension"); one; one = xml_next(one, "Dimension")) {
        uint32_t size, reference;
        if (q->n_dims == FMU_MOST_DIMS) {
            diag_error(r->d, xml_span(&r->xml, one), "I21", "'%s' has more than %d dimensions",
                       q->name, FMU_MOST_DIMS);
            return false;
        }
        if (xml_text(&r->xml, one, "start")) {
            if (!read_whole(r, one, "start", MOST, &size))
                return false;
        } else {
            if (!read_whole(r, one, "valueReference", UINT32_MAX - 1, &reference))
                return false;
            uint32_t k = map_get(&r->by_reference, reference);
            const char *start = k == MAP_NONE ? NULL : r->f->quantity.at[k].start;
            double value = start ? strtod(start, NULL) : -1;
            if (!(value >= 0 && value <= MOST)) {
                diag_error(r->d, xml_span(&r->xml, one), "I21",
                           "the size of '%s' is no structural parameter that stands before it",
                           q->name);
                return false;
            }
            size = (uint32_t)value;
        }
        q->dim[q->n_dims++] = size;
        if (size && q->n > MOST / size) {
            diag_error(r->d, xml_span(&r->xml, one), "I21", "'%s' has more than %d elements",
                       q->name, MOST);
            return false;
        }
        q->n *= size;
    }
    return true;
}

static void leave_out(Reader *r, const xmlNode *e)
{
    const char *reference = xml_text(&r->xml, e, "valueReference");
    vec_push(r->mem, r->of_index, FMU_NONE);
    if (reference && r->f->version == 3)
        map_add(&r->left_out, strtoul(reference, NULL, 10));
    r->f->n_left_out++;
}

/* One variable; e has its common attributes, `of_type` those of its type (FMI 3.0: the same). */
static bool read_variable(Reader *r, const xmlNode *e, const xmlNode *of_type)
{
    ImportedFmu *f = r->f;
    FmuQuantity q = {.derivative_of = FMU_NONE, .same_as = FMU_NONE, .velocity = FMU_NONE};
    bool is_known;
    if (!type_of((const char *)of_type->name, f->version, &q.type, &is_known)) {
        if (!is_known)
            diag_error(r->d, xml_span(&r->xml, of_type), "I21", "unknown type <%s>",
                       (const char *)of_type->name);
        leave_out(r, e);
        return is_known;
    }
    q.name = xml_need(&r->xml, e, "name");
    if (!q.name || !read_whole(r, e, "valueReference", UINT32_MAX, &q.reference) ||
        !read_kind(r, e, &q) || !read_attributes(r, of_type, &q))
        return false;
    q.description = xml_text(&r->xml, e, "description");
    q.start = xml_text(&r->xml, of_type, "start");
    if (f->version == 3 && q.type == FMI_UNIT_STRING)
        q.start = xml_text(&r->xml, xml_child(e, "Start"), "value");
    if (f->version == 3 && !read_dims(r, e, &q))
        return false;
    q.n = f->version == 3 ? q.n : 1;
    if (q.type == FMI_UNIT_STRING && (q.causality != IMPORTED_PARAMETER || q.n_dims)) {
        leave_out(r, e);
        return true;
    }
    bool is_new = map_add(&r->by_reference,
                          f->version == 3 ? q.reference : (uint64_t)q.reference * 16 + q.type);
    if (is_new) {
        map_put(&r->by_reference,
                f->version == 3 ? q.reference : (uint64_t)q.reference * 16 + q.type, f->quantity.n);
    } else if (f->version == 3) {
        diag_error(r->d, xml_span(&r->xml, e), "I21", "'%s' has the value reference of '%s'",
                   q.name, f->quantity.at[map_get(&r->by_reference, q.reference)].name);
        return false;
    } else {
        q.is_alias = true;
        q.same_as = map_get(&r->by_reference, (uint64_t)q.reference * 16 + q.type);
    }
    vec_push(r->mem, r->of_index, f->quantity.n);
    vec_push(r->mem, f->quantity, q);
    // FMI 3.0: other names of the same variable
    uint32_t whole = f->quantity.n - 1;
    for (xmlNode *a = f->version == 3 ? xml_child(e, "Alias") : NULL; a; a = xml_next(a, "Alias")) {
        FmuQuantity other = f->quantity.at[whole];
        other.name = xml_need(&r->xml, a, "name");
        if (!other.name)
            return false;
        const char *description = xml_text(&r->xml, a, "description");
        other.description = description ? description : other.description;
        other.is_alias = true;
        other.same_as = whole;
        vec_push(r->mem, f->quantity, other);
    }
    return true;
}

static bool read_variables(Reader *r, const xmlNode *root)
{
    const xmlNode *all = xml_child(root, "ModelVariables");
    vec_push(r->mem, r->of_index, FMU_NONE);
    for (xmlNode *e = xml_child(all, NULL); e; e = xml_next(e, NULL)) {
        const xmlNode *of_type = e;
        if (r->f->version == 2) {
            of_type = xml_child(e, NULL);
            while (of_type && xml_is(of_type, "Annotations"))
                of_type = xml_next(of_type, NULL);
        }
        if (!of_type) {
            diag_error(r->d, xml_span(&r->xml, e), "I21", "a variable without a type");
            return false;
        }
        if (!read_variable(r, e, of_type))
            return false;
    }
    // two variables of one name would be one in the model
    Map seen = map_new(r->mem);
    for (uint32_t k = 0; k < r->f->quantity.n; k++)
        if (!map_add(&seen, name_key(r, r->f->quantity.at[k].name))) {
            diag_error(r->d, xml_span(&r->xml, all), "I21", "two variables have the name '%s'",
                       r->f->quantity.at[k].name);
            return false;
        }
    return true;
}

/* The quantity that a number of the structure means: an index from 1, or a value reference. */
static bool find_quantity(const Reader *r, const xmlNode *e, double number, uint32_t *out)
{
    *out = FMU_NONE;
    if (r->f->version == 2 && number >= 1 && number < r->of_index.n && number == floor(number)) {
        *out = r->of_index.at[(uint32_t)number];
        return true;
    }
    if (r->f->version == 3 && number >= 0 && number <= UINT32_MAX) {
        uint32_t k = map_get(&r->by_reference, (uint64_t)number);
        *out = k == MAP_NONE ? FMU_NONE : k;
        if (k != MAP_NONE || map_get(&r->left_out, (uint64_t)number) != MAP_NONE)
            return true;
    }
    diag_error(r->d, xml_span(&r->xml, e), "I21", "<%s>: there is no variable with the %s %.0f",
               (const char *)e->name, r->f->version == 2 ? "index" : "value reference", number);
    return false;
}

static bool read_unknown(const Reader *r, const xmlNode *e, uint32_t *out)
{
    uint32_t number;
    const char *name = r->f->version == 2 ? "index" : "valueReference";
    return read_whole(r, e, name, UINT32_MAX, &number) && find_quantity(r, e, number, out);
}

static bool read_dependencies(Reader *r, const xmlNode *e, FmuQuantity *q)
{
    const char *text = xml_text(&r->xml, e, "dependencies");
    q->has_dependencies = text != NULL;
    for (const char *at = text; at && *(at += strspn(at, " \t\r\n"));) {
        char *end;
        double number = strtod(at, &end);
        uint32_t k;
        if (end == at) {
            diag_error(r->d, xml_span(&r->xml, e), "I03",
                       "dependencies of <%s> should be whole numbers, not '%s'",
                       (const char *)e->name, text);
            return false;
        }
        if (!find_quantity(r, e, number, &k))
            return false;
        if (k != FMU_NONE)
            vec_push(r->mem, q->depends, k);
        at = end;
    }
    return true;
}

/* Whether a word of dependenciesKind means a factor that parameters alone determine. */
static bool is_linear(const char *word)
{
    static const char *const linear[] = {"constant", "fixed", "tunable"};
    const size_t length = strcspn(word, " \t\r\n");
    for (size_t k = 0; k < sizeof linear / sizeof *linear; k++)
        if (length == strlen(linear[k]) && strncmp(word, linear[k], length) == 0)
            return true;
    return false;
}

/* The linear terms of an unknown k; is_state: per quantity. */
static bool read_linear(Reader *r, const xmlNode *e, uint32_t k, const bool *is_state)
{
    FmuQuantity *q = &r->f->quantity.at[k];
    const char *at = xml_text(&r->xml, e, "dependencies"),
               *kind = xml_text(&r->xml, e, "dependenciesKind");
    uint32_t n = 0;
    for (; kind && at && *(at += strspn(at, " \t\r\n")); at += strcspn(at, " \t\r\n"), n++) {
        uint32_t i;
        kind += strspn(kind, " \t\r\n");
        if (!find_quantity(r, e, strtod(at, NULL), &i))
            return false;
        while (i != FMU_NONE && r->f->quantity.at[i].is_alias)
            i = r->f->quantity.at[i].same_as;
        if (i != FMU_NONE && is_state[i] && is_linear(kind))
            vec_push(r->mem, q->linear, i);
        kind += strcspn(kind, " \t\r\n");
    }
    q->velocity = n == 1 && q->linear.n == 1 ? q->linear.at[0] : FMU_NONE;
    return true;
}

/* A derivative: its state is named by the variable. */
static bool add_state(Reader *r, const xmlNode *e, uint32_t rate)
{
    ImportedFmu *f = r->f;
    uint32_t state = rate == FMU_NONE ? FMU_NONE : f->quantity.at[rate].derivative_of;
    if (state == FMU_NONE || !is_real(&f->quantity.at[state]) ||
        f->quantity.at[state].n != f->quantity.at[rate].n) {
        diag_error(r->d, xml_span(&r->xml, e), "I21", "<%s>: '%s' is the derivative of no state",
                   (const char *)e->name, rate == FMU_NONE ? "" : f->quantity.at[rate].name);
        return false;
    }
    // an alias is the variable that it is another name of
    while (f->quantity.at[state].is_alias)
        state = f->quantity.at[state].same_as;
    for (uint32_t k = 0; k < f->state.n; k++)
        if (f->state.at[k] == state) {
            diag_error(r->d, xml_span(&r->xml, e), "I21", "'%s' has two derivatives",
                       f->quantity.at[state].name);
            return false;
        }
    vec_push(r->mem, f->state, state);
    vec_push(r->mem, f->rate, rate);
    f->n_states += f->quantity.at[state].n;
    return true;
}

static bool read_derivatives(Reader *r, const xmlNode *root)
{
    const xmlNode *all = xml_child(root, "ModelVariables");
    uint32_t index = 1;
    for (xmlNode *e = xml_child(all, NULL); e; e = xml_next(e, NULL), index++) {
        const xmlNode *of_type = r->f->version == 2 ? xml_child(e, NULL) : e;
        uint32_t k = index < r->of_index.n ? r->of_index.at[index] : FMU_NONE, number;
        if (k == FMU_NONE || !xml_text(&r->xml, of_type, "derivative"))
            continue;
        if (!read_whole(r, of_type, "derivative", UINT32_MAX, &number) ||
            !find_quantity(r, of_type, number, &r->f->quantity.at[k].derivative_of))
            return false;
    }
    return true;
}

static bool read_structure(Reader *r, const xmlNode *root)
{
    ImportedFmu *f = r->f;
    const xmlNode *all = xml_child(root, "ModelStructure");
    bool is_2 = f->version == 2;
    const xmlNode *outputs = is_2 ? xml_child(all, "Outputs") : all;
    const xmlNode *rates = is_2 ? xml_child(all, "Derivatives") : all;
    const char *output = is_2 ? "Unknown" : "Output";
    const char *rate = is_2 ? "Unknown" : "ContinuousStateDerivative";
    uint32_t k;
    for (xmlNode *e = xml_child(outputs, output); e; e = xml_next(e, output))
        if (!read_unknown(r, e, &k) ||
            (k != FMU_NONE && !read_dependencies(r, e, &f->quantity.at[k])))
            return false;
    for (xmlNode *e = xml_child(rates, rate); e; e = xml_next(e, rate))
        if (!read_unknown(r, e, &k) || !add_state(r, e, k))
            return false;
    bool *is_state = arena_array(r->mem, bool, f->quantity.n + 1);
    for (uint32_t i = 0; i < f->state.n; i++)
        is_state[f->state.at[i]] = true;
    for (int i = 0; i < 2; i++) {
        const char *name = i ? rate : output;
        for (xmlNode *e = xml_child(i ? rates : outputs, name); e; e = xml_next(e, name))
            if (!read_unknown(r, e, &k) || (k != FMU_NONE && !read_linear(r, e, k, is_state)))
                return false;
    }
    for (xmlNode *e = is_2 ? NULL : xml_child(all, "EventIndicator"); e;
         e = xml_next(e, "EventIndicator")) {
        if (!read_unknown(r, e, &k))
            return false;
        if (k == FMU_NONE)
            continue;
        f->n_indicators += f->quantity.at[k].n;
    }
    return true;
}

/* Start values are numbers, as many as there are elements, or one for all. */
static bool check_starts(const Reader *r, const xmlNode *root)
{
    for (uint32_t k = 0; k < r->f->quantity.n; k++) {
        FmuQuantity *q = &r->f->quantity.at[k];
        uint32_t n = 0;
        if (!q->start || q->type == FMI_UNIT_STRING)
            continue;
        for (const char *at = q->start; *(at += strspn(at, " \t\r\n"));) {
            size_t length = strcspn(at, " \t\r\n");
            char *end = (char *)at;
            bool is_logical =
                q->type == FMI_UNIT_BOOLEAN && ((length == 4 && strncmp(at, "true", 4) == 0) ||
                                                (length == 5 && strncmp(at, "false", 5) == 0));
            double value = is_logical ? 0 : strtod(at, &end);
            if (!is_logical && (end != at + length || !isfinite(value) ||
                                (!is_real(q) && value != floor(value)))) {
                diag_error(r->d, xml_span(&r->xml, xml_child(root, "ModelVariables")), "I03",
                           "the start value '%.*s' of '%s' is no value of its type", (int)length,
                           at, q->name);
                return false;
            }
            at += length;
            n++;
        }
        if (n == 0)
            q->start = NULL;
        if (n != q->n && n > 1) {
            diag_error(r->d, xml_span(&r->xml, xml_child(root, "ModelVariables")), "I03",
                       "'%s' has %u start values and %u elements", q->name, n, q->n);
            return false;
        }
    }
    return true;
}

static bool read_interfaces(Reader *r, const xmlNode *root)
{
    ImportedFmu *f = r->f;
    const xmlNode *exchange = xml_child(root, "ModelExchange"),
                  *cosimulation = xml_child(root, "CoSimulation");
    if (exchange && !(f->of_exchange = xml_need(&r->xml, exchange, "modelIdentifier")))
        return false;
    if (cosimulation && !(f->of_cosimulation = xml_need(&r->xml, cosimulation, "modelIdentifier")))
        return false;
    const char *const names[] = {f->of_exchange, f->of_cosimulation};
    for (int k = 0; k < 2; k++)
        if (names[k] && strchr(names[k], '/')) {
            diag_error(r->d, xml_span(&r->xml, root), "I21", "'%s' is no modelIdentifier",
                       names[k]);
            return false;
        }
    if (!exchange)
        return true;
    f->completes = f->version == 2 ? !is_true(r, exchange, "completedIntegratorStepNotNeeded")
                                   : is_true(r, exchange, "needsCompletedIntegratorStep");
    f->has_slopes = is_true(r, exchange,
                            f->version == 2 ? "providesDirectionalDerivative"
                                            : "providesDirectionalDerivatives");
    return true;
}

static bool read_root(Reader *r)
{
    ImportedFmu *f = r->f;
    const xmlNode *root = xmlDocGetRootElement(r->xml.doc);
    if (!xml_is(root, "fmiModelDescription")) {
        diag_error(r->d, root ? xml_span(&r->xml, root) : SPAN_NONE, "I21",
                   "this is no description of an FMU: <%s>", root ? (const char *)root->name : "");
        return false;
    }
    const char *version = xml_need(&r->xml, root, "fmiVersion");
    if (!version)
        return false;
    f->version = strncmp(version, "2.", 2) == 0 ? 2 : strncmp(version, "3.", 2) == 0 ? 3 : 0;
    if (!f->version) {
        diag_error(r->d, xml_span(&r->xml, root), "I21",
                   "the FMU is of FMI %s: those of 2.0 and 3.0 are read", version);
        return false;
    }
    f->model = xml_need(&r->xml, root, "modelName");
    f->token =
        f->model ? xml_need(&r->xml, root, f->version == 2 ? "guid" : "instantiationToken") : NULL;
    if (!f->token)
        return false;
    f->description = xml_text(&r->xml, root, "description");
    if (f->version == 2 && xml_text(&r->xml, root, "numberOfEventIndicators") &&
        !read_whole(r, root, "numberOfEventIndicators", 1e6, &f->n_indicators))
        return false;
    const xmlNode *experiment = xml_child(root, "DefaultExperiment");
    f->start = f->stop = f->tolerance = f->step = NAN;
    if (experiment && !(read_number(r, experiment, "startTime", &f->start) &&
                        read_number(r, experiment, "stopTime", &f->stop) &&
                        read_number(r, experiment, "tolerance", &f->tolerance) &&
                        read_number(r, experiment, "stepSize", &f->step)))
        return false;
    read_types(r, root);
    return read_interfaces(r, root) && read_variables(r, root) && read_derivatives(r, root) &&
           read_structure(r, root) && check_starts(r, root);
}

bool imported_fmu_read(ImportedFmu *f, const char *path, Arena *mem, Diags *d)
{
    *f = (ImportedFmu){.path = path};
    zip_t *z = open_archive(path, d);
    if (!z)
        return false;
    size_t size;
    const char *text = check_paths(z, path, d) ? read_description(z, path, &size, mem, d) : NULL;
    zip_discard(z);
    Reader r = {.f = f,
                .mem = mem,
                .d = d,
                .unit = map_new(mem),
                .left_out = map_new(mem),
                .by_reference = map_new(mem),
                .names = names_new(mem)};
    if (!text || !xml_open_text(&r.xml, arena_printf(mem, "%s:%s", path, description_file), text,
                                size, mem, d))
        return false;
    bool ok = read_root(&r);
    xml_close(&r.xml);
    return ok;
}
