/* target.c -- the arm of robot.mo moves for a tenth of a second, on a Cortex-M7 or at home: the
 * states and the place of its tool as hexadecimal bytes, one number per line. */
#include "Robot.h"

#ifdef TARGET
/* Without a C library around it: what starts it, and how it says something (semihosting). */
extern uint32_t data_from[], data_begin[], data_end[], bss_begin[], bss_end[], stack_top[];
int main(void);

static int host(int operation, const void *argument)
{
    register int r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
}

static void put(const char *text)
{
    host(4, text);
}

__attribute__((noreturn)) void start(void)
{
    *(volatile uint32_t *)0xe000ed88 |= 0xf00000; /* the FPU */
    __asm__ volatile("dsb\nisb");
    for (uint32_t *from = data_from, *to = data_begin; to < data_end;)
        *to++ = *from++;
    for (uint32_t *to = bss_begin; to < bss_end;)
        *to++ = 0;
    if (main())
        put("failed\n");
    for (;;)
        host(0x18, (const void *)0x20026);
}

__attribute__((section(".vectors"), used)) static const void *const vectors[] = {stack_top,
                                                                                 (void *)start};
#else
#include <stdio.h>

static void put(const char *text)
{
    fputs(text, stdout);
}
#endif

static Robot_Instance robot;

static void put_bytes(const void *number, unsigned n)
{
    const unsigned char *byte = (const unsigned char *)number;
    char text[40], *to = text;
    for (unsigned k = n; k-- > 0;) {
        *to++ = "0123456789abcdef"[byte[k] >> 4];
        *to++ = "0123456789abcdef"[byte[k] & 15];
    }
    *to++ = '\n';
    *to = 0;
    put(text);
}

int main(void)
{
    static __typeof__(robot.u[0]) x[Robot_N_STATES], y[Robot_N_OUTPUTS], error, h;
    h = (__typeof__(h))0.002;
    Robot_defaults(&robot);
    int status = Robot_init(&robot, 0, x);
    for (int k = 0; k < 50 && !status; k++) {
        for (int i = 0; i < Robot_N_INPUTS; i++)
            robot.u[i] = (__typeof__(h))(8 - 2 * i) / (__typeof__(h))(1 << i);
        status = Robot_step(&robot, (__typeof__(h))k * h, h, x, &error);
    }
    status = status ? status : Robot_outputs(&robot, 50 * h, x, y);
    for (unsigned k = 0; k < Robot_N_STATES; k++)
        put_bytes(&x[k], sizeof x[k]);
    for (unsigned k = 0; k < Robot_N_OUTPUTS; k++)
        put_bytes(&y[k], sizeof y[k]);
    return status;
}
