/* Several instances of a library's model at once: M_Lanes8 and its functions. */
#include "emit/library/library_model.h"

static uint32_t some(uint32_t n)
{
    return n ? n : 1;
}

void library_lanes_header(const LibraryModel *l, Text *t)
{
    const char *id = l->id;
    for (uint32_t k = 0; k < l->n_lanes; k++) {
        uint32_t w = l->lanes[k].width, constants = coder_n_constants(l->lanes[k].code),
                 work = coder_n_work(l->lanes[k].code);
        text_printf(
            t,
            "\n/* %u instances at once, one in each lane of vectors, at the same time. Value k "
            "of lane i is number\n * k * %u + i of an array; arrays are aligned to %u bytes. "
            "Compile with -march=native. */\n"
            "typedef struct %s_Lanes%u {\n"
            "    __attribute__((aligned(%u))) double u[%u], p[%u], c[%u], w[%u];\n"
            "    double scratch[%u];\n} %s_Lanes%u;\n",
            w, w, w * 8, id, w, w * 8, some(l->m.input.n) * w, some(l->m.parameter.n) * w,
            some(constants) * w, some(work) * w, some(constants + work), id, w);
        text_printf(
            t,
            "/* The lane gets the inputs and the parameters of an instance after %s_init or "
            "%s_update. */\n"
            "int %s_lanes%u_set(%s_Lanes%u *l, unsigned lane, %s_Instance *m);\n"
            "/* Derivatives of the states of all lanes. Returns a bit for each lane in which a "
            "pivot has vanished,\n * whose values are invalid: %s_xdot chooses other pivots "
            "there. Not finite values are not reported. */\n"
            "unsigned %s_lanes%u_xdot(%s_Lanes%u *l, double t, const double *x, double *xdot);\n",
            id, id, id, w, id, w, id, id, id, w, id, w);
    }
}

void library_lanes_code(const LibraryModel *l, Text *t)
{
    const char *id = l->id;
    const Model *m = &l->m;
    for (uint32_t k = 0; k < l->n_lanes; k++) {
        const LaneCode *it = &l->lanes[k];
        uint32_t w = it->width, constants = coder_n_constants(it->code);
        text_put(t, "\n");
        text_put_n(t, it->declared.at, it->declared.n);
        text_printf(
            t,
            "\nstatic void put_lane%u(double *to, unsigned lane, const double *from, uint32_t "
            "n)\n{\n    for (uint32_t k = 0; k < n; k++)\n        to[k * %uu + lane] = "
            "from[k];\n}\n\n",
            w, w);
        text_printf(t,
                    "int %s_lanes%u_set(%s_Lanes%u *l, unsigned lane, %s_Instance *m)\n{\n"
                    "    Opened o;\n    RungContext *ctx = open_instance(m, &o);\n"
                    "    rung_open_constants(ctx, l->scratch, l->scratch + %uu);\n"
                    "    const int status = %s_constants(ctx);\n"
                    "    put_lane%u(l->c, lane, ctx->c, %uu);\n"
                    "    put_lane%u(l->p, lane, m->p, %uu);\n    put_lane%u(l->u, lane, m->u, "
                    "%uu);\n    return close_instance(m, &o, status);\n}\n\n",
                    id, w, id, w, id, constants, it->id, w, constants, w, m->parameter.n, w,
                    m->input.n);
        text_printf(t,
                    "unsigned %s_lanes%u_xdot(%s_Lanes%u *l, double t, const double *x, double "
                    "*xdot)\n{\n"
                    "    RungLaneContext ctx = rung_open_lanes(l->p, l->c, l->u, l->w);\n"
                    "    __attribute__((aligned(%u))) double time[%u];\n"
                    "    for (unsigned k = 0; k < %u; k++)\n        time[k] = t;\n"
                    "    const int status = %s_xdot(&ctx, time, x, xdot);\n"
                    "    return status ? ~0u : ctx.failed;\n}\n",
                    id, w, id, w, w * 8, w, w, it->id);
    }
}
