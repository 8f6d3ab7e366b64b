/* coroutine.c -- where the ABI is known (x86-64 with ELF) a switch is six registers, 2 ns;
 * elsewhere it is swapcontext, which asks the kernel to set the signal mask each time. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "base/coroutine.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#define WITH_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WITH_SANITIZER 1
#endif
#endif
#if defined(WITH_SANITIZER)
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(__x86_64__) && defined(__ELF__) && defined(__LP64__)
#define BY_REGISTERS 1
#else
#include <ucontext.h>
#endif

enum { STACK = 8 << 20, GUARD = 64 << 10 };

/* Stacks lie at multiples of a page, so that the frames of several would share a few lines of the
 * cache: each begins so many bytes further down than the one before, within a page. */
enum { SHIFT = 576, SHIFTS = 7 };

struct Coroutine {
    void (*body)(void *user);
    void *user;
    char *memory; /* guard, then the stack, which grows down to it */
    size_t size;  /* of the stack without the shift */
    bool has_ended;
#if defined(BY_REGISTERS)
    void *here, *caller; /* stack pointers of the one that is not running */
#else
    ucontext_t here, caller;
#endif
#if defined(WITH_SANITIZER)
    void *fake; /* stacks as the sanitizer knows them */
    const void *caller_stack;
    size_t caller_size;
#endif
};

/* The one that begins: makecontext passes no pointers. */
static _Thread_local Coroutine *beginning;

static void leave(Coroutine *c);

static void begin(void)
{
    Coroutine *c = beginning;
#if defined(WITH_SANITIZER)
    __sanitizer_finish_switch_fiber(NULL, &c->caller_stack, &c->caller_size);
#endif
    c->body(c->user);
    c->has_ended = true;
    leave(c);
    abort(); // nobody resumes it
}

#if defined(BY_REGISTERS)

/* Saves what the ABI leaves to a function that is called, and the stack pointer in *from; goes on
 * where the stack `to` was left. Modes of rounding are the same everywhere. */
void coroutine_switch(void **from, void *to);
__asm__(".text\n"
        ".type coroutine_switch, @function\n"
        ".hidden coroutine_switch\n"
        ".globl coroutine_switch\n"
        "coroutine_switch:\n"
        "    pushq %rbp\n"
        "    pushq %rbx\n"
        "    pushq %r12\n"
        "    pushq %r13\n"
        "    pushq %r14\n"
        "    pushq %r15\n"
        "    movq %rsp, (%rdi)\n"
        "    movq %rsi, %rsp\n"
        "    popq %r15\n"
        "    popq %r14\n"
        "    popq %r13\n"
        "    popq %r12\n"
        "    popq %rbx\n"
        "    popq %rbp\n"
        "    ret\n"
        ".size coroutine_switch, . - coroutine_switch\n");

/* Whether the processor keeps return addresses a second time: then none can be made up. */
static bool has_shadow_stack(void)
{
    uint64_t pointer = 0; // unchanged without one
    __asm__ volatile("rdsspq %0" : "+r"(pointer));
    return pointer != 0;
}

static bool prepare(Coroutine *c)
{
    enum { SAVED = 6 };
    if (has_shadow_stack())
        return false;
    // as if begin() had been called, by nobody, with the stack aligned as calls leave it
    void **top = (void **)(void *)(c->memory + GUARD + c->size);
    void (*first)(void) = begin;
    *--top = NULL;
    *--top = *(void **)(void *)&first;
    for (int k = 0; k < SAVED; k++)
        *--top = NULL;
    c->here = top;
    return true;
}

static void to_body(Coroutine *c)
{
    coroutine_switch(&c->caller, c->here);
}

static void to_caller(Coroutine *c)
{
    coroutine_switch(&c->here, c->caller);
}

#else

static bool prepare(Coroutine *c)
{
    if (getcontext(&c->here))
        return false;
    c->here.uc_stack.ss_sp = c->memory + GUARD;
    c->here.uc_stack.ss_size = c->size;
    c->here.uc_link = NULL;
    makecontext(&c->here, begin, 0);
    return true;
}

static void to_body(Coroutine *c)
{
    swapcontext(&c->caller, &c->here);
}

static void to_caller(Coroutine *c)
{
    swapcontext(&c->here, &c->caller);
}

#endif

/* To the caller, for good after the end. */
static void leave(Coroutine *c)
{
#if defined(WITH_SANITIZER)
    __sanitizer_start_switch_fiber(c->has_ended ? NULL : &c->fake, c->caller_stack, c->caller_size);
#endif
    to_caller(c);
#if defined(WITH_SANITIZER)
    __sanitizer_finish_switch_fiber(c->fake, &c->caller_stack, &c->caller_size);
#endif
}

void coroutine_pause(Coroutine *c)
{
    leave(c);
}

bool coroutine_resume(Coroutine *c)
{
    if (c->has_ended)
        return false;
    beginning = c;
#if defined(WITH_SANITIZER)
    void *fake;
    __sanitizer_start_switch_fiber(&fake, c->memory + GUARD, STACK);
#endif
    to_body(c);
#if defined(WITH_SANITIZER)
    __sanitizer_finish_switch_fiber(fake, NULL, NULL);
#endif
    return !c->has_ended;
}

Coroutine *coroutine_new(void (*body)(void *user), void *user)
{
    Coroutine *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->body = body;
    c->user = user;
    static unsigned made;
    c->size = STACK - SHIFT * (size_t)(made++ % SHIFTS);
    void *memory = mmap(NULL, GUARD + STACK, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    c->memory = memory == MAP_FAILED ? NULL : memory;
    if (!c->memory || mprotect(c->memory, GUARD, PROT_NONE) || !prepare(c)) {
        coroutine_free(c);
        return NULL;
    }
    return c;
}

void coroutine_free(Coroutine *c)
{
    if (c && c->memory)
        munmap(c->memory, GUARD + STACK);
    free(c);
}
