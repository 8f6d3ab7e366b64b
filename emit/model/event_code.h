/* event_code.h -- the part of a model that runs at events: sections `events` (left minus right
 * sides of relations) and `event` (all variables that may change there), and their tables. */
#ifndef RUNG_EMIT_MODEL_EVENT_CODE_H
#define RUNG_EMIT_MODEL_EVENT_CODE_H

#include "emit/code/code.h"
#include "emit/model/table.h"

/* The values computed at events, in parts that can be evaluated one by one (event_parts.h): part p
 * has the roots first[p] .. first[p + 1], and so on. */
typedef struct EventParts {
    uint32_t n;           /* 0: in one piece */
    uint32_t *first;      /* n + 1: of `root` */
    Root *root;           /* part by part     */
    uint32_t *first_read; /* n + 1: of `read` */
    uint32_t *read;   /* memory, ascending in a part; without values that change between events */
    uint32_t *nature; /* n: bits of RungPartNature */
    uint32_t *first_state; /* n + 1: of `state`        */
    uint32_t *state;       /* those that it reads, ascending in a part */
} EventParts;

typedef struct EventTables {
    const Program *g;
    Coder *code;
    Arena *mem;
    const char *id;
    const uint8_t *leaf;        /* LeafKind per variable */
    const uint32_t *leaf_index; /* its place             */
    uint32_t part;              /* roots of a part at least; 0: there are none */
    EventParts *relations, *values;
} EventTables;

/* The function `name` that calls <name>_part_0 and so on, which exist; and `<name>_parts`, the
 * table of them. */
void event_put_parts(const EventTables *e, const char *name, const EventParts *parts);
void event_parts_table(const EventTables *e, Tables *t, const char *of, const EventParts *parts);

bool event_exists(const Program *g);
bool event_has_delays(const Program *g);
uint32_t event_n_delays(const Program *g);
uint32_t event_n_relations(const Program *g);
/* Both sections; false after an error. `first` as in coder_section. They allocate constants, so
 * section update must come later. */
bool event_sections(const EventTables *e, const char *first);
/* A row of RungMemory, its texts left out. */
typedef struct EventRow {
    uint32_t kind, is_strict, is_exact, start_in, interval_in, is_driving, lag_in, particle,
        is_string;
    double start, interval, shift, factor, per;
} EventRow;

EventRow *event_rows(const EventTables *e); /* n_memory */
/* The state that action k sets; RUNG_NONE if it sets none. */
uint32_t event_state(const EventTables *e, uint32_t k);
/* `static const RungEvents event_table`, and the tables that it points to. */
void event_tables(const EventTables *e, Tables *tables);

#endif
