/* reached.h -- what a block adds to the operations of a program that grows block by block.
 *
 * An operation that earlier blocks have reached already costs nothing more. Over all questions
 * together near-linear in the nodes of the program.
 */
#ifndef RUNG_ELIMINATE_BLOCK_REACHED_H
#define RUNG_ELIMINATE_BLOCK_REACHED_H

#include "ir/program.h"

typedef struct Reached {
    const ExprPool *p;
    Arena *mem;
    uint32_t *stamp; /* per node: number of the question that reached it last; REACHED_KEPT */
    uint32_t n;      /* nodes there is room for */
    uint32_t question;
    VEC(ExprId) stack;
} Reached;

Reached reached_new(const ExprPool *p, Arena *mem);
/* Begins a question: from now on nothing is reached but what was kept. */
void reached_begin(Reached *r);
/* Operations that the roots reach beyond what was reached since reached_begin. */
OpCount reached_more(Reached *r, uint32_t n, const ExprId *root);
/* What the roots reach costs nothing in later questions. */
void reached_keep(Reached *r, uint32_t n, const ExprId *root);
/* After the pool was rolled back from `before` nodes. */
void reached_forget(Reached *r, uint32_t before);

#endif
