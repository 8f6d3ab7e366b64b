/* SPDX-License-Identifier: BSD-3-Clause */
#include "column_order.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

/* The graph of the nodes that are not eliminated yet (quotient graph). Eliminating a node joins its
 * neighbours to a clique; the clique is kept as the list of its members, an element, under the
 * number of that node. A node's list holds first the elements it is a member of, then the
 * neighbours that no element covers. Each elimination takes at least one entry from a list for the
 * one it puts there, so that lists never outgrow the room they began with. */
typedef struct Quotient {
    uint32_t n;
    size_t *start;                 /* per node: its list in adj                              */
    uint32_t *n_elements, *length; /* per node: elements in its list; all of it              */
    uint32_t *adj;
    size_t *member_start; /* per element: its members                                  */
    uint32_t *size;       /* per element: how many; 0: absorbed by another             */
    uint32_t *member;
    size_t n_members, room;
    uint32_t *degree;      /* per node: bound on its neighbours; NONE: eliminated       */
    uint32_t *head;        /* per degree: a node of it, or NONE                         */
    uint32_t least;        /* no degree is less                                         */
    uint32_t *next, *prev; /* per node: others of its degree                            */
    uint32_t *mark;        /* per node: the last elimination that met it, + 1           */
    uint32_t *outside;     /* per element: members that the newest element has not      */
    uint32_t *met;         /* per element: as mark                                      */
} Quotient;

static void quotient_free(Quotient *q)
{
    free(q->start);
    free(q->n_elements);
    free(q->length);
    free(q->adj);
    free(q->member_start);
    free(q->size);
    free(q->member);
    free(q->degree);
    free(q->head);
    free(q->next);
    free(q->prev);
    free(q->mark);
    free(q->outside);
    free(q->met);
}

static void unlink_node(Quotient *q, uint32_t i)
{
    if (q->prev[i] != NONE)
        q->next[q->prev[i]] = q->next[i];
    else
        q->head[q->degree[i]] = q->next[i];
    if (q->next[i] != NONE)
        q->prev[q->next[i]] = q->prev[i];
}

static void link_node(Quotient *q, uint32_t i, uint32_t degree)
{
    q->degree[i] = degree;
    q->prev[i] = NONE;
    q->next[i] = q->head[degree];
    if (q->next[i] != NONE)
        q->prev[q->next[i]] = i;
    q->head[degree] = i;
    q->least = degree < q->least ? degree : q->least;
}

/* The graph of A + A' without its diagonal. */
static bool quotient_new(Quotient *q, uint32_t n, const uint32_t *col_start, const uint32_t *row)
{
    size_t nodes = n + (size_t)1, entries = 2 * (size_t)col_start[n] + 1;
    *q = (Quotient){.n = n};
    q->start = calloc(nodes, sizeof *q->start);
    q->n_elements = calloc(nodes, sizeof *q->n_elements);
    q->length = calloc(nodes, sizeof *q->length);
    q->adj = calloc(entries, sizeof *q->adj);
    q->member_start = calloc(nodes, sizeof *q->member_start);
    q->size = calloc(nodes, sizeof *q->size);
    q->degree = calloc(nodes, sizeof *q->degree);
    q->head = calloc(nodes, sizeof *q->head);
    q->next = calloc(nodes, sizeof *q->next);
    q->prev = calloc(nodes, sizeof *q->prev);
    q->mark = calloc(nodes, sizeof *q->mark);
    q->outside = calloc(nodes, sizeof *q->outside);
    q->met = calloc(nodes, sizeof *q->met);
    if (!q->start || !q->n_elements || !q->length || !q->adj || !q->member_start || !q->size ||
        !q->degree || !q->head || !q->next || !q->prev || !q->mark || !q->outside || !q->met)
        return false;

    // each entry off the diagonal once per end, then doubles are taken out
    for (uint32_t c = 0; c < n; c++)
        for (uint32_t e = col_start[c]; e < col_start[c + 1]; e++)
            if (row[e] != c) {
                q->length[c]++;
                q->length[row[e]]++;
            }
    for (uint32_t c = 0; c < n; c++)
        q->start[c + 1] = q->start[c] + q->length[c];
    memset(q->length, 0, nodes * sizeof *q->length);
    for (uint32_t c = 0; c < n; c++)
        for (uint32_t e = col_start[c]; e < col_start[c + 1]; e++)
            if (row[e] != c) {
                q->adj[q->start[c] + q->length[c]++] = row[e];
                q->adj[q->start[row[e]] + q->length[row[e]]++] = c;
            }
    memset(q->head, 0xff, nodes * sizeof *q->head);
    for (uint32_t i = n; i-- > 0;) {
        uint32_t *list = q->adj + q->start[i], kept = 0;
        for (uint32_t k = 0; k < q->length[i]; k++)
            if (q->met[list[k]] != i + 1) {
                q->met[list[k]] = i + 1;
                list[kept++] = list[k];
            }
        q->length[i] = kept;
        link_node(q, i, kept);
    }
    memset(q->met, 0, nodes * sizeof *q->met);
    return true;
}

static bool make_room(Quotient *q, size_t more)
{
    if (q->n_members + more <= q->room)
        return true;
    size_t room = 2 * (q->n_members + more);
    uint32_t *member = realloc(q->member, room * sizeof *member);
    if (!member)
        return false;
    q->member = member;
    q->room = room;
    return true;
}

/* Eliminates node p, the step-th to go: its neighbours become the members of element p. */
static bool eliminate(Quotient *q, uint32_t p, uint32_t step)
{
    const uint32_t *list = q->adj + q->start[p], stamp = step + 1;
    unlink_node(q, p);
    if (!make_room(q, q->n))
        return false;

    // members: those of p's elements, which the new one absorbs, and p's own neighbours
    uint32_t *member = q->member + q->n_members, n = 0;
    q->mark[p] = stamp;
    for (uint32_t k = 0; k < q->length[p]; k++) {
        bool is_element = k < q->n_elements[p];
        const uint32_t *from = is_element ? q->member + q->member_start[list[k]] : &list[k];
        uint32_t count = is_element ? q->size[list[k]] : 1;
        for (uint32_t i = 0; i < count; i++)
            if (q->mark[from[i]] != stamp && q->degree[from[i]] != NONE) {
                q->mark[from[i]] = stamp;
                member[n++] = from[i];
            }
        if (is_element)
            q->size[list[k]] = 0;
    }
    q->degree[p] = NONE;
    q->member_start[p] = q->n_members;
    q->size[p] = n;
    q->n_members += n;

    // of every element that shares members with the new one: how many it does not share
    for (uint32_t k = 0; k < n; k++) {
        const uint32_t *of = q->adj + q->start[member[k]];
        for (uint32_t e = 0; e < q->n_elements[member[k]]; e++) {
            if (q->met[of[e]] != stamp) {
                q->met[of[e]] = stamp;
                q->outside[of[e]] = q->size[of[e]];
            }
            if (q->outside[of[e]] > 0)
                q->outside[of[e]]--;
        }
    }

    // members' lists: elements that are left, the new one, neighbours that it does not cover
    for (uint32_t k = 0; k < n; k++) {
        uint32_t i = member[k], *of = q->adj + q->start[i], kept = 0;
        uint32_t n_elements = q->n_elements[i], length = q->length[i];
        uint64_t degree = n - 1;
        for (uint32_t e = 0; e < n_elements; e++) {
            if (q->outside[of[e]] == 0 || q->size[of[e]] == 0)
                continue; // absorbed, or covered by the new one
            degree += q->outside[of[e]];
            of[kept++] = of[e];
        }
        uint32_t place = kept, at = kept;
        for (uint32_t e = n_elements; e < length; e++) {
            if (q->mark[of[e]] == stamp || q->degree[of[e]] == NONE)
                continue;
            degree++;
            of[at++] = of[e];
        }
        // at least one entry has gone, p or an element that it absorbed: there is room for p
        of[at] = of[place];
        of[place] = p;
        q->n_elements[i] = place + 1;
        q->length[i] = at + 1;
        uint32_t most = q->n - step - 2;
        uint64_t before = (uint64_t)q->degree[i] + n - 1;
        degree = degree < before ? degree : before;
        unlink_node(q, i);
        link_node(q, i, degree < most ? (uint32_t)degree : most);
    }
    return true;
}

bool column_order(uint32_t n, const uint32_t *col_start, const uint32_t *row, uint32_t *order)
{
    Quotient q;
    bool ok = quotient_new(&q, n, col_start, row);
    for (uint32_t step = 0; ok && step < n; step++) {
        while (q.head[q.least] == NONE)
            q.least++;
        order[step] = q.head[q.least];
        ok = eliminate(&q, order[step], step);
    }
    quotient_free(&q);
    return ok;
}
