/* SPDX-License-Identifier: BSD-3-Clause */
#include "fmi_instance.h"
FmiStatus fmi_state_get(FmiInstance *it, FmiState **state)
{
    (void)state;
    return fmi_fail(it, FMI_DISCARD, "the FMU does not say that it can");
}
FmiStatus fmi_state_set(FmiInstance *it, const FmiState *state)
{
    (void)state;
    return fmi_fail(it, FMI_DISCARD, "the FMU does not say that it can");
}
size_t fmi_state_size(const FmiState *state)
{
    (void)state;
    return 0;
}
FmiStatus fmi_state_read(FmiInstance *it, const void *bytes, size_t size, FmiState **state)
{
    (void)bytes;
    (void)size;
    (void)state;
    return fmi_fail(it, FMI_DISCARD, "the FMU does not say that it can");
}
FmiStatus fmi_directional(FmiInstance *it, const uint32_t *unknown, size_t n_unknown,
                          const uint32_t *known, size_t n_known, const double *seed,
                          double *sensitivity)
{
    (void)unknown;
    (void)n_unknown;
    (void)known;
    (void)n_known;
    (void)seed;
    (void)sensitivity;
    return fmi_fail(it, FMI_DISCARD, "the FMU does not say that it can");
}
FmiStatus fmi_adjoint(FmiInstance *it, const uint32_t *unknown, size_t n_unknown,
                      const uint32_t *known, size_t n_known, const double *seed,
                      double *sensitivity)
{
    (void)unknown;
    (void)n_unknown;
    (void)known;
    (void)n_known;
    (void)seed;
    (void)sensitivity;
    return fmi_fail(it, FMI_DISCARD, "the FMU does not say that it can");
}
