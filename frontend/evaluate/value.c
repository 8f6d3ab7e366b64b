#include "frontend/evaluate/value.h"

#include "base/bug.h"

#include <string.h>

static uint32_t product(uint32_t n, const uint32_t *dims)
{
    uint64_t size = 1;
    for (uint32_t k = 0; k < n; k++) {
        size *= dims[k];
        if (size > UINT32_MAX)
            bug("an array of more than 2^32 elements was built");
    }
    return (uint32_t)size;
}

uint32_t value_size(const Value *v)
{
    return product(v->n_dims, v->dims);
}

uint32_t value_n_scalars(const Value *v)
{
    if (v->kind == VALUE_PLAIN)
        return value_size(v);
    if (v->kind == VALUE_DYNAMIC)
        return 1;
    uint32_t n = 0;
    for (uint32_t k = 0; k < v->n_fields; k++)
        n += value_n_scalars(&v->field[k]);
    return n;
}

Value value_scalar(Arena *mem, BaseType type, ExprId x)
{
    Value v = {.kind = VALUE_PLAIN, .type = type, .elem = arena_make(mem, ExprId)};
    v.elem[0] = x;
    return v;
}

static const uint32_t *dims_copy(Arena *mem, uint32_t n, const uint32_t *dims)
{
    if (n == 0)
        return NULL;
    uint32_t *copy = arena_array(mem, uint32_t, n);
    memcpy(copy, dims, n * sizeof *dims);
    return copy;
}

Value value_array(Arena *mem, BaseType type, uint32_t n_dims, const uint32_t *dims)
{
    uint32_t n = product(n_dims, dims);
    Value v = {.kind = VALUE_PLAIN, .type = type, .n_dims = n_dims};
    v.dims = dims_copy(mem, n_dims, dims);
    v.elem = arena_array(mem, ExprId, n);
    for (uint32_t k = 0; k < n; k++)
        v.elem[k] = EXPR_NONE;
    return v;
}

/* The nodes in v->elem. */
static uint32_t n_elements(const Value *v)
{
    return v->kind == VALUE_DYNAMIC ? v->view == NULL : value_size(v);
}

static bool has_elements(const Value *v)
{
    return v->kind == VALUE_PLAIN || v->kind == VALUE_DYNAMIC;
}

static ExprId *flatten_to(const Value *v, ExprId *out)
{
    if (has_elements(v)) {
        uint32_t n = n_elements(v);
        if (n > 0)
            memcpy(out, v->elem, n * sizeof *out);
        return out + n;
    }
    for (uint32_t k = 0; k < v->n_fields; k++)
        out = flatten_to(&v->field[k], out);
    return out;
}

void value_flatten(const Value *v, ExprId *out)
{
    flatten_to(v, out);
}

const Value *value_field(const Value *v, Name field)
{
    for (uint32_t k = 0; k < v->n_fields; k++)
        if (name_same(v->field_name[k], field))
            return &v->field[k];
    return NULL;
}

bool value_is_scalar(const Value *v)
{
    return v->kind == VALUE_PLAIN && v->n_dims == 0;
}

bool value_same_dims(const Value *a, const Value *b)
{
    return a->n_dims == b->n_dims &&
           (a->n_dims == 0 || memcmp(a->dims, b->dims, a->n_dims * sizeof *a->dims) == 0);
}

/* The shape of v with elements from *at, which advances. */
static Value unflatten_from(Arena *mem, const Value *v, const ExprId **at)
{
    Value out = *v;
    out.dims = dims_copy(mem, v->n_dims, v->dims);
    if (has_elements(v)) {
        uint32_t n = n_elements(v);
        out.elem = arena_array(mem, ExprId, n);
        if (n > 0)
            memcpy(out.elem, *at, n * sizeof **at);
        *at += n;
        return out;
    }
    Name *name = arena_array(mem, Name, v->n_fields);
    if (v->n_fields > 0)
        memcpy(name, v->field_name, v->n_fields * sizeof *name);
    out.field_name = name;
    out.field = arena_array(mem, Value, v->n_fields);
    for (uint32_t k = 0; k < v->n_fields; k++)
        out.field[k] = unflatten_from(mem, &v->field[k], at);
    return out;
}

Value value_unflatten(Arena *mem, const Value *v, const ExprId *at)
{
    return unflatten_from(mem, v, &at);
}

Value value_copy(Arena *mem, const Value *v)
{
    Value out = *v;
    out.dims = dims_copy(mem, v->n_dims, v->dims);
    if (has_elements(v)) {
        uint32_t n = n_elements(v);
        out.elem = arena_array(mem, ExprId, n);
        if (n > 0)
            memcpy(out.elem, v->elem, n * sizeof *v->elem);
    } else if (v->kind != VALUE_NONE) {
        Name *name = arena_array(mem, Name, v->n_fields);
        out.field = arena_array(mem, Value, v->n_fields);
        for (uint32_t k = 0; k < v->n_fields; k++) {
            name[k] = v->field_name[k];
            out.field[k] = value_copy(mem, &v->field[k]);
        }
        out.field_name = name;
    }
    return out;
}

/* dims ++ the dimensions of v beyond its first n_lead. */
static uint32_t *dims_replaced(Arena *mem, const Value *v, uint32_t n_lead, uint32_t n_dims,
                               const uint32_t *dims)
{
    uint32_t rest = v->n_dims - n_lead;
    uint32_t *all = arena_array(mem, uint32_t, n_dims + rest);
    if (n_dims > 0)
        memcpy(all, dims, n_dims * sizeof *dims);
    if (rest > 0)
        memcpy(all + n_dims, v->dims + n_lead, rest * sizeof *all);
    return all;
}

Value value_pick(Arena *mem, const Value *v, uint32_t n_lead, const uint32_t *pick, uint32_t n_dims,
                 const uint32_t *dims)
{
    Value out = *v;
    out.n_dims = n_dims + v->n_dims - n_lead;
    out.dims = dims_replaced(mem, v, n_lead, n_dims, dims);
    if (v->kind == VALUE_RECORD) {
        out.field = arena_array(mem, Value, v->n_fields);
        for (uint32_t k = 0; k < v->n_fields; k++)
            out.field[k] = value_pick(mem, &v->field[k], n_lead, pick, n_dims, dims);
        return out;
    }
    if (!v->elem) /* no elements, or a type alone */
        return out;
    uint32_t blocks = product(n_dims, dims);
    uint32_t block = product(v->n_dims - n_lead, n_lead ? v->dims + n_lead : v->dims);
    out.elem = arena_array(mem, ExprId, (size_t)blocks * block);
    for (uint32_t k = 0; k < blocks; k++)
        memcpy(out.elem + (size_t)k * block, v->elem + (size_t)pick[k] * block,
               block * sizeof *out.elem);
    return out;
}

Value value_stack(Arena *mem, const Value *like, uint32_t n_dims, const uint32_t *dims,
                  const Value *block)
{
    Value out = *like;
    out.n_dims = n_dims + like->n_dims;
    out.dims = dims_replaced(mem, like, 0, n_dims, dims);
    uint32_t n = product(n_dims, dims);
    if (like->kind == VALUE_RECORD) {
        out.field = arena_array(mem, Value, like->n_fields);
        Value *part = arena_array(mem, Value, n);
        for (uint32_t k = 0; k < like->n_fields; k++) {
            for (uint32_t b = 0; b < n; b++)
                part[b] = block[b].field[k];
            out.field[k] = value_stack(mem, &like->field[k], n_dims, dims, part);
        }
        return out;
    }
    uint32_t size = value_size(like);
    out.elem = arena_array(mem, ExprId, (size_t)n * size);
    for (uint32_t b = 0; b < n; b++)
        if (size > 0)
            memcpy(out.elem + (size_t)b * size, block[b].elem, size * sizeof *out.elem);
    return out;
}
