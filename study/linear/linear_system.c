#include "study/linear/linear_system.h"

#include "base/json.h"
#include "runtime/result/mat.h"
#include "runtime/result/result.h"
#include "study/by_lapack.h"
#include "study/linear/free_states.h"

#include <math.h>
#include <string.h>

/* The model may be gone before the system is. */
static const char *copy(const char *name, Arena *mem)
{
    return arena_copy(mem, name, strlen(name));
}

static void take_names(LinearSystem *s, const RungContext *ctx, const FreeStates *f, Arena *mem)
{
    const RungModel *m = ctx->model;
    const RungLinearisation *l = m->linearisation;
    s->x_name = arena_array(mem, const char *, s->n_x + 1);
    s->u_name = arena_array(mem, const char *, s->n_u + 1);
    s->y_name = arena_array(mem, const char *, s->n_y + 1);
    s->left_out = arena_array(mem, const char *, s->n_left_out + 1);
    for (uint32_t k = 0; k < s->n_x; k++)
        s->x_name[k] = copy(rung_name(m, m->state[f->at[k]]), mem);
    for (uint32_t k = 0; k < s->n_left_out; k++)
        s->left_out[k] = copy(rung_name(m, m->state[f->at[s->n_x + k]]), mem);
    for (uint32_t k = 0; k < s->n_u; k++)
        s->u_name[k] = copy(rung_name(m, m->input[l->input[k]].variable), mem);
    for (uint32_t k = 0; k < s->n_y; k++)
        s->y_name[k] = copy(rung_name(m, l->output[k]), mem);
}

/* False if the model cannot be evaluated there. */
static bool take_point(LinearSystem *s, RungContext *ctx, const FreeStates *f, const double *x,
                       Arena *mem)
{
    const RungModel *m = ctx->model;
    double *xdot = arena_array(mem, double, m->n_states + 1);
    double *v = arena_array(mem, double, m->n_values + 1);
    s->x = arena_array(mem, double, s->n_x + 1);
    s->xdot = arena_array(mem, double, s->n_x + 1);
    s->u = arena_array(mem, double, s->n_u + 1);
    s->y = arena_array(mem, double, s->n_y + 1);
    if (m->xdot(ctx, s->t, x, xdot) || m->outputs(ctx, s->t, x, v))
        return false;
    for (uint32_t k = 0; k < s->n_x; k++) {
        s->x[k] = x[f->at[k]];
        s->xdot[k] = xdot[f->at[k]];
    }
    for (uint32_t k = 0; k < s->n_u; k++)
        s->u[k] = ctx->u[m->linearisation->input[k]];
    for (uint32_t k = 0; k < s->n_y; k++)
        s->y[k] = rung_value(ctx, m->linearisation->output[k], s->t, x, v);
    return true;
}

/* Rows of free states; motions of all states that free ones make. */
static void take_matrices(LinearSystem *s, Linearise *l, const FreeStates *f, Arena *mem)
{
    uint32_t n = f->n;
    double *du = arena_array(mem, double, s->n_u + 1), *dxdot = arena_array(mem, double, n + 1);
    s->a = arena_array(mem, double, (size_t)s->n_x * s->n_x + 1);
    s->b = arena_array(mem, double, (size_t)s->n_x * s->n_u + 1);
    s->c = arena_array(mem, double, (size_t)s->n_y * s->n_x + 1);
    s->d = arena_array(mem, double, (size_t)s->n_y * s->n_u + 1);
    for (uint32_t c = 0; c < s->n_x + s->n_u; c++) {
        bool is_state = c < s->n_x;
        uint32_t k = is_state ? c : c - s->n_x;
        double *rate = (is_state ? s->a : s->b) + (size_t)k * s->n_x;
        double *y = (is_state ? s->c : s->d) + (size_t)k * s->n_y;
        if (!is_state)
            du[k] = 1;
        linearise_forward(l, is_state ? f->move + (size_t)c * n : NULL, is_state ? NULL : du, dxdot,
                          y);
        if (!is_state)
            du[k] = 0;
        for (uint32_t r = 0; r < s->n_x; r++)
            rate[r] = dxdot[f->at[r]];
    }
}

/* The states that patterns mean; NULL with an error if one of these means none. */
static const bool *states_meant(const RungModel *m, const char *patterns, Arena *mem,
                                const char **error)
{
    bool *meant = arena_array(mem, bool, m->n_states + 1);
    for (const char *p = patterns, *end; p; p = *end ? end + 1 : NULL) {
        end = result_pattern_end(p);
        const char *one = arena_copy(mem, p, (size_t)(end - p));
        bool known = false;
        for (uint32_t k = 0; k < m->n_states; k++)
            if (result_means(one, rung_name(m, m->state[k])))
                meant[k] = known = true;
        if (!known) {
            *error = arena_printf(mem,
                                  "--states: '%s' is no state; `rung linearize` without it "
                                  "and `rung -d states` name them",
                                  one);
            return NULL;
        }
    }
    return meant;
}

bool linear_system_find(Linearise *l, RungContext *ctx, double t, const double *x,
                        const char *wanted, LinearSystem *out, Arena *mem, const char **error)
{
    const RungModel *m = ctx->model;
    FreeStates f;
    *out = (LinearSystem){.model = copy(m->name, mem), .t = t};
    const bool *meant = wanted ? states_meant(m, wanted, mem, error) : NULL;
    if (wanted && !meant)
        return false;
    if (!free_states_find(l, m, meant, &f, mem)) {
        *error = f.error;
        return false;
    }
    out->n_x = f.n_free;
    out->n_left_out = f.n - f.n_free;
    out->n_u = m->linearisation->n_inputs;
    out->n_y = m->linearisation->n_outputs;
    take_names(out, ctx, &f, mem);
    take_matrices(out, l, &f, mem);
    if (!take_point(out, ctx, &f, x, mem)) {
        *error = "the variables cannot be evaluated there";
        return false;
    }
    double *copy = arena_array(mem, double, (size_t)out->n_x * out->n_x + 1);
    memcpy(copy, out->a, (size_t)out->n_x * out->n_x * sizeof *copy);
    out->re = arena_array(mem, double, out->n_x + 1);
    out->im = arena_array(mem, double, out->n_x + 1);
    if (!lapack_eigenvalues(out->n_x, copy, out->re, out->im)) {
        *error = "the eigenvalues are not found; is the state finite there?";
        return false;
    }
    return true;
}

/* ---- output ---- */

static void print_names(FILE *f, const char *what, uint32_t n, const char **name,
                        const double *value)
{
    fprintf(f, "  %u %s%s%s\n", n, what, n == 1 ? "" : "s", n ? ":" : "");
    for (uint32_t k = 0; k < n; k++)
        fprintf(f, "    %-40s %14.7g\n", name[k], value[k]);
}

void linear_system_print(const LinearSystem *s, FILE *f)
{
    fprintf(f, "%s, linearised at t = %.9g\n", s->model, s->t);
    print_names(f, "state", s->n_x, s->x_name, s->x);
    print_names(f, "input", s->n_u, s->u_name, s->u);
    print_names(f, "output", s->n_y, s->y_name, s->y);
    if (s->n_left_out)
        fprintf(f, "  %u more states follow from these, since loops are closed\n", s->n_left_out);
    if (s->n_x)
        fprintf(f, "  eigenvalues of A%34s%14s\n", "frequency/Hz", "damping");
    for (uint32_t k = 0; k < s->n_x; k++) {
        double size = hypot(s->re[k], s->im[k]);
        if (s->im[k] != 0)
            fprintf(f, "    %14.7g %+14.7gi %14.7g %14.7g\n", s->re[k], s->im[k],
                    size / (2 * 3.14159265358979323846), 0 - s->re[k] / size);
        else
            fprintf(f, "    %14.7g\n", s->re[k]);
    }
}

static void put_texts(Json *j, const char *name, uint32_t n, const char **text)
{
    json_line(j, 2);
    json_array(j, name);
    for (uint32_t k = 0; k < n; k++)
        json_text(j, NULL, text[k]);
    json_close(j);
}

static void put_numbers(Json *j, const char *name, uint32_t n, const double *value)
{
    json_line(j, 2);
    json_array(j, name);
    for (uint32_t k = 0; k < n; k++)
        json_number(j, NULL, value[k], 17);
    json_close(j);
}

/* Rows of rows. */
static void put_matrix(Json *j, const char *name, uint32_t rows, uint32_t cols, const double *a)
{
    json_line(j, 2);
    json_array(j, name);
    for (uint32_t r = 0; r < rows; r++) {
        json_line(j, 4);
        json_array(j, NULL);
        for (uint32_t c = 0; c < cols; c++)
            json_number(j, NULL, a[(size_t)c * rows + r], 17);
        json_close(j);
    }
    json_close(j);
}

void linear_system_json(const LinearSystem *s, FILE *f, Arena *mem)
{
    Text text = text_new(mem);
    Json j = json_new(&text);
    json_object(&j, NULL);
    json_line(&j, 2);
    json_text(&j, "model", s->model);
    json_line(&j, 2);
    json_number(&j, "time", s->t, 17);
    put_texts(&j, "states", s->n_x, s->x_name);
    put_texts(&j, "inputs", s->n_u, s->u_name);
    put_texts(&j, "outputs", s->n_y, s->y_name);
    put_texts(&j, "left_out", s->n_left_out, s->left_out);
    put_numbers(&j, "x0", s->n_x, s->x);
    put_numbers(&j, "xdot0", s->n_x, s->xdot);
    put_numbers(&j, "u0", s->n_u, s->u);
    put_numbers(&j, "y0", s->n_y, s->y);
    put_matrix(&j, "A", s->n_x, s->n_x, s->a);
    put_matrix(&j, "B", s->n_x, s->n_u, s->b);
    put_matrix(&j, "C", s->n_y, s->n_x, s->c);
    put_matrix(&j, "D", s->n_y, s->n_u, s->d);
    json_line(&j, 2);
    json_array(&j, "eigenvalues");
    for (uint32_t k = 0; k < s->n_x; k++) {
        json_array(&j, NULL);
        json_number(&j, NULL, s->re[k], 17);
        json_number(&j, NULL, s->im[k], 17);
        json_close(&j);
    }
    json_close(&j);
    json_line(&j, 0);
    json_close(&j);
    text_put(&text, "\n");
    fwrite(text.at, 1, text.n, f);
}

void linear_system_mat(const LinearSystem *s, FILE *f)
{
    mat_doubles(f, "A", s->n_x, s->n_x, s->a);
    mat_doubles(f, "B", s->n_x, s->n_u, s->b);
    mat_doubles(f, "C", s->n_y, s->n_x, s->c);
    mat_doubles(f, "D", s->n_y, s->n_u, s->d);
    mat_doubles(f, "x0", s->n_x, 1, s->x);
    mat_doubles(f, "xdot0", s->n_x, 1, s->xdot);
    mat_doubles(f, "u0", s->n_u, 1, s->u);
    mat_doubles(f, "y0", s->n_y, 1, s->y);
    mat_doubles(f, "t0", 1, 1, &s->t);
    mat_doubles(f, "eigenvalues_re", s->n_x, 1, s->re);
    mat_doubles(f, "eigenvalues_im", s->n_x, 1, s->im);
    mat_texts(f, "states", s->n_x, s->x_name);
    mat_texts(f, "inputs", s->n_u, s->u_name);
    mat_texts(f, "outputs", s->n_y, s->y_name);
    mat_texts(f, "left_out", s->n_left_out, s->left_out);
}
