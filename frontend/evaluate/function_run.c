/* The run of a function: opening its frame, running its body, collecting its results. */
#include "frontend/evaluate/external_function.h"
#include "frontend/evaluate/frame.h"
#include "frontend/evaluate/function_call.h"
#include "frontend/evaluate/joined_text.h"

#include <string.h>

enum {
    MAX_CALLS = 200,    /* nested calls: recursion deeper than this is refused */
    MAX_CALL_NOTES = 3, /* outermost calls named in a message */
};

/* The name of the function, for messages. */
const char *frame_text(const Frame *fr)
{
    return fr->c ? arena_printf(fr->f->scratch, "function '%s'", class_name(fr->f, fr->c))
                 : "this algorithm";
}

void stuck(Frame *fr, Span span, const char *code, const char *why)
{
    Front *f = fr->f;
    if (!fr->c) {
        diag_error(f->diags, span, code, "%s cannot be expanded: %s", frame_text(fr), why);
        diag_note(f->diags, span,
                  "in a function it can stand: there loops depend on variables, and a call of the "
                  "function gives its results");
        return;
    }
    const char *text = arena_printf(f->mem, "%s cannot be expanded: %s", frame_text(fr), why);
    f->eval.stuck = text;
    f->eval.stuck_endless = false;
    f->eval.stuck_code = code;
    f->eval.stuck_span = span;
}

/* external "builtin" y = sin(u): the predefined function on the variables. */
static bool run_external(Frame *fr, const SynClass *syn)
{
    Front *f = fr->f;
    const SynExternal *ext = syn->external;
    const char *language = ext->language ? ext->language : "C";
    if (strcmp(language, "builtin") == 0) {
        const char *name = ext->function.s ? ext->function.s : syn->name.s;
        if (builtin_is_function(name)) {
            SynPart part = {.name = name_of(f->names, name), .span = ext->span};
            SynCref cref = {.n = 1, .part = &part, .span = ext->span};
            SynExpr call = {.kind = SYN_CALL, .span = fr->span};
            call.cref = &cref;
            call.arg = ext->arg;
            SynCref result = {.n = 1, .span = ext->span};
            SynPart output = {.span = ext->span};
            for (uint32_t k = 0; k < fr->n; k++) {
                if (fr->m[k].is_input && !ext->function.s) {
                    diag_error(f->diags, ext->span, "F30",
                               "external \"builtin\" without a call is not supported");
                    return false;
                }
                if (fr->m[k].is_output)
                    output.name = fr->m[k].name;
            }
            result.part = &output;
            Value v;
            return builtin_call(f, fr->scope, name, &call, 1, &v) &&
                   frame_assign(fr, fr->scope, ext->result ? ext->result : &result, &v);
        }
    }
    if (ext->function.s && ext->result && external_is_known(ext->function.s)) {
        Value *arg = arena_array(f->scratch, Value, ext->arg.n);
        Value v;
        bool known = true;
        for (uint32_t k = 0; known && k < ext->arg.n; k++)
            known = ext->arg.at[k] && expression_value(f, fr->scope, ext->arg.at[k], &arg[k]);
        if (!known)
            return false;
        if (external_evaluate(f, ext->function.s, ext->arg.n, arg, &v)) {
            for (uint32_t k = 0; k < fr->n; k++) {
                /* an int of C may be an enumeration */
                const Value *to = &fr->local[k].value;
                if (name_same(fr->m[k].name, ext->result->part[0].name) &&
                    to->type == TYPE_ENUMERATION) {
                    v.type = to->type;
                    v.cls = to->cls;
                }
            }
            return frame_assign(fr, fr->scope, ext->result, &v);
        }
    }
    stuck(fr, fr->span, "F32", arena_printf(f->scratch, "it is external \"%s\"", language));
    return false;
}

bool run_sections(Frame *fr)
{
    const SynClass *syn = class_syntax(fr->c);
    for (uint32_t k = 0; k < syn->n_sections; k++) {
        if (!syn->section[k].algorithm)
            continue;
        Flow flow = run_list(fr, fr->scope, &syn->section[k].statements);
        if (flow == GO_FAILED)
            return false;
        if (flow == GO_RETURN)
            return true;
    }
    return true;
}

static bool run_body(Frame *fr)
{
    Front *f = fr->f;
    const SynClass *syn = class_syntax(fr->c);
    if (syn->external)
        return run_external(fr, syn);
    if (!run_sections(fr))
        return false;
    bool any = false;
    for (uint32_t k = 0; k < syn->n_sections; k++)
        any |= syn->section[k].algorithm;
    bool is_known = false; /* an output has a binding, or no elements */
    for (uint32_t k = 0; k < fr->n; k++)
        is_known |= fr->m[k].is_output && (fr->m[k].binding || value_is_known(&fr->local[k].value));
    if (!any && !is_known) {
        if (syn->partial && class_is_replaceable(fr->c))
            f->wants_class = true;
        diag_error(f->diags, fr->span, "F32", "function '%s' has no algorithm%s",
                   class_name(f, fr->c),
                   syn->partial      ? ": it is partial"
                   : syn->n_sections ? ": statements, y := u, stand behind 'algorithm'"
                                     : "");
        return false;
    }
    return true;
}

/* A new frame with the arguments as values of the members (VALUE_NONE: the default). */
void frame_new(Frame *fr, Front *f, const Class *c, const Value *arg, Span span)
{
    *fr = (Frame){.f = f, .c = c, .span = span, .path = expr_int(f->sys->pool, 1)};
    fr->n = class_members(f, c, &fr->m);
    fr->local = arena_array(f->scratch, Local, fr->n);
    fr->declared = arena_array(f->scratch, uint8_t, fr->n);
    for (uint32_t k = 0; k < fr->n; k++) {
        fr->local[k] = (Local){fr->m[k].name, arg[k]};
        fr->declared[k] = arg[k].kind != VALUE_NONE ? 2 : 0;
    }
    fr->scope = scope_locals(f, class_scope(f, c), fr->local, fr->n);
}

/* A frame whose inputs have their values. */
bool frame_open(Frame *fr, Front *f, const Class *c, const Value *arg, Span span)
{
    frame_new(fr, f, c, arg, span);
    for (uint32_t k = 0; k < fr->n; k++) {
        const Member *m = &fr->m[k];
        if (!m->is_input)
            continue;
        bool given = arg[k].kind != VALUE_NONE;
        /* its size may be that of a constant declared further down */
        for (uint32_t d = 0; given && d < m->n_dims; d++)
            if (!visit_crefs(m->dims[d], declare_used, fr))
                return false;
        bool ok =
            given ? fit_dims(f, declared_scope(fr, m, m->dims_scope, false), c, m, &arg[k], span)
                  : frame_declare_one(fr, k);
        if (!ok)
            return false;
    }
    return true;
}

bool frame_declare(Frame *fr)
{
    for (uint32_t k = 0; k < fr->n; k++)
        if (!fr->m[k].is_input && !frame_declare_one(fr, k))
            return false;
    return true;
}

static bool frame_run(Frame *fr, uint32_t n_out, Value *out)
{
    if (!frame_declare(fr) || !run_body(fr))
        return false;
    uint32_t n = 0;
    for (uint32_t k = 0; k < fr->n && n < n_out; k++) {
        if (!fr->m[k].is_output)
            continue;
        const Value *v = &fr->local[k].value;
        if (v->kind == VALUE_RECORD ? !value_is_partly_known(v) && !value_is_known(v)
                                    : !value_is_known(v)) {
            diag_error(fr->f->diags, fr->m[k].span, "T16", "%s assigns no value to '%s'%s",
                       frame_text(fr), fr->m[k].name.s,
                       value_n_scalars(&fr->local[k].value) > 1 ? ", or not to all of it" : "");
            return false;
        }
        out[n] = fr->local[k].value;
        joined_text_make_whole(fr->f, &out[n++]);
    }
    if (n < n_out)
        diag_error(fr->f->diags, fr->span, "T07", "%s has no result", frame_text(fr));
    return n == n_out;
}

/* The functions among the arguments can be called by their names. */
void give_functions(Front *f, const Class *c, const Value *arg)
{
    const Member *m;
    uint32_t n = class_members(f, c, &m);
    uint32_t count = 0;
    for (uint32_t k = 0; k < n; k++)
        count += arg[k].kind == VALUE_FUNCTION;
    f->eval.n_functional = count;
    if (count == 0)
        return;
    Value *function = arena_array(f->scratch, Value, count);
    Name *name = arena_array(f->scratch, Name, count);
    count = 0;
    for (uint32_t k = 0; k < n; k++)
        if (arg[k].kind == VALUE_FUNCTION) {
            name[count] = m[k].name;
            function[count++] = arg[k];
        }
    f->eval.functional = function;
    f->eval.functional_name = name;
}

/* Undoes expression_event. */
static ExprId with_events(void *front, ExprId x)
{
    const ExprPool *p = ((Front *)front)->sys->pool;
    bool is_of_body = expr_op(p, x) == OP_NOEVENT && expr_noevent_of_function(p, x);
    return is_of_body ? expr_arg(p, x, 0) : x;
}

/* Results that are no Reals change at events alone (MLS 3.8.4), so the relations that they are made
 * of make events in an equation. */
static void discrete_with_events(Front *f, Value *v)
{
    for (uint32_t k = 0; k < v->n_fields; k++)
        discrete_with_events(f, &v->field[k]);
    bool is_discrete = v->kind == VALUE_PLAIN && v->type != TYPE_REAL;
    for (uint32_t k = 0; is_discrete && k < value_size(v); k++)
        if (expr_exists(v->elem[k])) {
            Arena *tmp = arena_new();
            v->elem[k] = expr_map(f->sys->pool, tmp, v->elem[k], with_events, f);
            arena_free(tmp);
        }
}

static bool is_discrete_and_varies(Front *f, const Value *v)
{
    bool any = v->kind == VALUE_PLAIN && v->type != TYPE_REAL && value_varies(f, v);
    for (uint32_t k = 0; k < v->n_fields; k++)
        any = any || is_discrete_and_varies(f, &v->field[k]);
    return any;
}

/* Fitted arguments per member, VALUE_NONE for defaults, which are filled in; results per output;
 * with out NULL only the arguments are completed. */
bool function_run(Front *f, const Class *c, Value *arg, Span span, uint32_t n_out, Value *out)
{
    Frame fr = {.f = f, .c = c};
    if (f->eval.calls >= MAX_CALLS) {
        stuck(&fr, span, "F31",
              arena_printf(f->scratch, "calls are nested more than %d deep", MAX_CALLS));
        f->eval.stuck_endless = true;
        return false;
    }
    f->eval.calls++;
    Evaluator outer = f->eval;
    CallChain link = {outer.chain, c};
    f->eval.chain = &link;
    f->eval.has_end = false;
    f->eval.in_function = true;
    f->eval.in_body = outer.in_body || !function_makes_events(class_syntax(c));
    give_functions(f, c, arg);
    bool ok = frame_open(&fr, f, c, arg, span);
    for (uint32_t k = 0; ok && k < fr.n; k++)
        if (fr.m[k].is_input)
            arg[k] = fr.local[k].value;
    ok = ok && (!out || frame_run(&fr, n_out, out));
    f->eval.has_end = outer.has_end;
    f->eval.in_function = outer.in_function;
    f->eval.in_body = outer.in_body;
    f->eval.functional = outer.functional;
    f->eval.functional_name = outer.functional_name;
    f->eval.n_functional = outer.n_functional;
    f->eval.chain = outer.chain;
    f->eval.calls--;
    for (uint32_t k = 0; ok && out && !outer.in_function && k < n_out; k++)
        if (is_discrete_and_varies(f, &out[k])) {
            out[k] = value_copy(f->scratch, &out[k]);
            discrete_with_events(f, &out[k]);
        }
    if (!ok && !f->eval.stuck && f->eval.calls < MAX_CALL_NOTES)
        diag_note(f->diags, span, "in this call of '%s'", class_name(f, c));
    return ok;
}

uint32_t count_outputs(Front *f, const Class *c)
{
    const Member *m;
    uint32_t n = class_members(f, c, &m);
    uint32_t outputs = 0;
    for (uint32_t k = 0; k < n; k++)
        outputs += m[k].is_output;
    return outputs;
}
