/* verification.h -- the program and its residual form put into the equations of the model, with
 * exact numbers (eliminate/verify/verify.h).
 *
 * The equations are those of a second flattening, in a pool that merges nothing: a mistake of the
 * pool would be made once only.
 */
#ifndef RUNG_STUDY_VERIFICATION_H
#define RUNG_STUDY_VERIFICATION_H

#include "eliminate/verify/verify.h"
#include "translate/compilation.h"

#include <stdio.h>

typedef struct VerificationRequest {
    Request translation; /* states are those of the default: redundant ones satisfy the equations on
                            the constraints alone                                           */
    uint32_t points;     /* of each kind; 0: four modulo primes, sixteen where there are
                            conditions, three in fractions                                  */
    bool in_fractions;   /* large models, too, where digits become more with each operation */
} VerificationRequest;

typedef struct Verification {
    Compilation *c;    /* the program, with all forms that methods need; NULL: none */
    Compilation *flat; /* the equations                                             */
    VerifyReport program;
    uint32_t n_residuals;    /* 0: there is no residual form, or the program fails        */
    VerifyReport residual;   /* with accelerations that are random numbers               */
    const char *only_method; /* whose derivatives alone are checked, in a model of many states;
                                NULL: those of all methods                                     */
} Verification;

/* An error of the translation is printed; whether the program holds is in the reports. */
Exit verification_make(const VerificationRequest *r, Verification *out, Arena *mem);
/* Equations, program and points for other checkers (eliminate/verify/certificate.h). */
void verification_certificate(const Verification *v, FILE *f);
void verification_free(Verification *v);

#endif
