#include "base/thread.h"

#include "base/bug.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

static void *begin(void *task)
{
    const Task *t = task;
    t->run(t->data);
    return NULL;
}

void thread_both(Task here, Task beside)
{
    pthread_t thread;
    bool is_beside = pthread_create(&thread, NULL, begin, &beside) == 0;
    here.run(here.data);
    if (!is_beside)
        beside.run(beside.data);
    else if (pthread_join(thread, NULL) != 0)
        bug("thread: it does not come to its end");
}
