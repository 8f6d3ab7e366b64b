#include "study/mechanism/moving_states.h"

#include "study/mechanism/mobility.h"

#include <math.h>

/* Marks velocities: the derivatives of the marked positions, and variables that equations of the
 * form w = der(phi) set equal to them. */
static void mark_rates(const Mechanism *m, const bool *position, bool *rate)
{
    const System *s = m->s;
    for (uint32_t v = 0; v < m->k.n_vars; v++)
        if (position[m->k.root[v]] && var_exists(s->var.at[v].der) &&
            s->var.at[v].der.i < m->k.n_vars)
            rate[m->k.root[s->var.at[v].der.i]] = true;
    for (uint32_t e = 0; e < s->eq.n; e++) { // w = der(phi)
        ExprId side[2] = {s->eq.at[e].lhs, s->eq.at[e].rhs};
        for (int k = 0; k < 2; k++) {
            if (expr_op(s->pool, side[k]) != OP_VAR || expr_op(s->pool, side[1 - k]) != OP_VAR)
                continue;
            VarId d = expr_var_of(s->pool, side[k]), w = expr_var_of(s->pool, side[1 - k]);
            VarId of = s->var.at[d.i].der_of;
            if (var_exists(of) && of.i < m->k.n_vars && w.i < m->k.n_vars &&
                position[m->k.root[of.i]])
                rate[m->k.root[w.i]] = true;
        }
    }
}

bool moving_states_find(const Request *r, Texts *avoided, Arena *mem)
{
    Mechanism m;
    bool ok = mechanism_open(&m, r, NAN, mem) && m.k.n_coordinates > 0;
    if (ok) {
        mechanism_start(&m);
        ok = mechanism_close_position(&m);
    }
    if (ok) {
        Mobility at = mobility_find(&m, m.mem);
        bool *position = arena_array(m.mem, bool, m.s->var.n + 1);
        bool *rate = arena_array(m.mem, bool, m.s->var.n + 1);
        for (uint32_t k = 0; k < m.k.n_coordinates; k++)
            position[m.k.root[m.k.coordinate[k].i]] = true;
        for (uint32_t k = 0; k < at.n_free && !at.too_large; k++)
            position[m.k.root[m.k.coordinate[at.direction[k].move[0].coordinate].i]] = false;
        mark_rates(&m, position, rate);
        ok = at.n_free > 0 && !at.too_large;
        for (uint32_t v = 0; v < m.k.n_vars && ok; v++)
            if (position[m.k.root[v]] || rate[m.k.root[v]])
                vec_push(mem, *avoided, arena_printf(mem, "%s", m.s->var.at[v].name.s));
        ok = ok && avoided->n > 0;
    }
    mechanism_close(&m);
    return ok;
}
