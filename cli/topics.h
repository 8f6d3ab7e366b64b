/* topics.h -- subjects of `rung help TOPIC`; the man page of their command contains them. */
#ifndef RUNG_CLI_TOPICS_H
#define RUNG_CLI_TOPICS_H

typedef struct Topic {
    const char *name;
    const char *command; /* to which it belongs */
    const char *title;
    const char *text;
} Topic;

const Topic *topic_at(int k); /* NULL behind the last */
const Topic *topic_find(const char *name);

#endif
