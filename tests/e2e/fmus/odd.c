/* odd.c -- an FMU 2.0 of co-simulation that is not of rung, written by hand: y' = u, by one
 * division of the step, so that y is exact for a constant u. Its Integer parameter `fault` makes it
 * misbehave from t = 0.5 on: 1 Discard, 2 Error, 3 Fatal, 4 a warning at each step, 5 NaN as
 * output, 6 it asks for the end; 7 the initialisation fails.
 */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

typedef void (*Logger)(void *, const char *, int, const char *, const char *, ...);
typedef struct Callbacks {
    Logger logger;
    void *(*allocate)(size_t, size_t);
    void (*release)(void *);
    void *finished, *environment;
} Callbacks;

typedef struct Odd {
    const Callbacks *callbacks;
    char name[80], label[80];
    double t, u, y;
    int fault, on, is_over;
} Odd;

static int tell(const Odd *it, int status, const char *text)
{
    it->callbacks->logger(it->callbacks->environment, it->name, status, "logStatusError",
                          "%s at %g", text, it->t);
    return status;
}

EXPORT const char *fmi2GetVersion(void)
{
    return "2.0";
}
EXPORT void *fmi2Instantiate(const char *name, int type, const char *guid, const char *resources,
                             const Callbacks *callbacks, int visible, int logging)
{
    (void)visible, (void)logging;
    if (type != 1 || strcmp(guid, "{odd}") != 0 || !resources)
        return NULL;
    Odd *it = calloc(1, sizeof *it);
    it->callbacks = callbacks;
    strncpy(it->name, name, sizeof it->name - 1);
    return it;
}
EXPORT void fmi2FreeInstance(void *c)
{
    free(c);
}
EXPORT int fmi2SetupExperiment(void *c, int has, double tolerance, double start, int has_stop,
                               double stop)
{
    (void)has, (void)tolerance, (void)has_stop, (void)stop;
    ((Odd *)c)->t = start;
    return 0;
}
EXPORT int fmi2EnterInitializationMode(void *c)
{
    return ((Odd *)c)->fault == 7 ? tell(c, 3, "no start") : 0;
}
EXPORT int fmi2ExitInitializationMode(void *c)
{
    (void)c;
    return 0;
}
EXPORT int fmi2Terminate(void *c)
{
    (void)c;
    return 0;
}
EXPORT int fmi2Reset(void *c)
{
    (void)c;
    return 3; // not supported
}
EXPORT int fmi2GetReal(void *c, const unsigned r[], size_t n, double v[])
{
    Odd *it = c;
    for (size_t k = 0; k < n; k++)
        v[k] = r[k] == 1 ? it->u : it->fault == 5 && it->t >= 0.5 ? NAN : it->y;
    return 0;
}
EXPORT int fmi2SetReal(void *c, const unsigned r[], size_t n, const double v[])
{
    Odd *it = c;
    for (size_t k = 0; k < n; k++)
        *(r[k] == 1 ? &it->u : &it->y) = v[k];
    return 0;
}
EXPORT int fmi2GetInteger(void *c, const unsigned r[], size_t n, int v[])
{
    (void)r;
    for (size_t k = 0; k < n; k++)
        v[k] = r[k] == 1 ? ((Odd *)c)->fault : (int)strlen(((Odd *)c)->label);
    return 0;
}
EXPORT int fmi2SetInteger(void *c, const unsigned r[], size_t n, const int v[])
{
    (void)r;
    for (size_t k = 0; k < n; k++)
        ((Odd *)c)->fault = v[k];
    return 0;
}
EXPORT int fmi2GetBoolean(void *c, const unsigned r[], size_t n, int v[])
{
    (void)r;
    for (size_t k = 0; k < n; k++)
        v[k] = ((Odd *)c)->on;
    return 0;
}
EXPORT int fmi2SetBoolean(void *c, const unsigned r[], size_t n, const int v[])
{
    (void)r;
    for (size_t k = 0; k < n; k++)
        ((Odd *)c)->on = v[k];
    return 0;
}
EXPORT int fmi2SetString(void *c, const unsigned r[], size_t n, const char *const v[])
{
    (void)r;
    for (size_t k = 0; k < n; k++)
        strncpy(((Odd *)c)->label, v[k], sizeof((Odd *)c)->label - 1);
    return 0;
}
EXPORT int fmi2GetDirectionalDerivative(void *c, const unsigned u[], size_t n, const unsigned k[],
                                        size_t m, const double s[], double d[])
{
    (void)c, (void)u, (void)n, (void)k, (void)m, (void)s, (void)d;
    return 3;
}
EXPORT int fmi2DoStep(void *c, double t, double h, int prior)
{
    Odd *it = c;
    (void)prior;
    if (t >= 0.5 && it->fault == 1)
        return tell(it, 2, "too long a step");
    if (t >= 0.5 && it->fault == 2)
        return tell(it, 3, "it is broken");
    if (t >= 0.5 && it->fault == 3)
        return tell(it, 4, "it is gone");
    if (t >= 0.5 && it->fault == 4)
        tell(it, 1, "it is warm");
    it->is_over = t >= 0.5 && it->fault == 6;
    if (it->is_over)
        return 2;
    it->y += it->on ? h * it->u : 0;
    it->t = t + h;
    return it->fault == 4 ? 1 : 0;
}
EXPORT int fmi2GetBooleanStatus(void *c, int kind, int *value)
{
    *value = kind == 3 && ((Odd *)c)->is_over;
    return 0;
}
EXPORT int fmi2GetRealStatus(void *c, int kind, double *value)
{
    *value = ((Odd *)c)->t;
    return kind == 2 ? 0 : 2;
}
