/* base_parameters.h -- the combinations of parameters that matter (Gautier and Khalil 1990).
 *
 * The rows of inverse dynamics (regressor.h) are linear in some of the parameters, such as masses
 * and inertias, or in products of these with others of the same component: mass times centre of
 * mass. One column of numbers stands for each of those products: its coefficients at random points.
 * Columns that depend on others linearly, with coefficients made of numbers and the remaining
 * parameters (geometry), can be told from these at no motion; such a parameter matters through the
 * others' combinations alone:
 *
 *     row = (I_1 + m_2*l^2)*phi_1'' + ...     columns I_1: phi_1'', m_2: l^2*phi_1''
 *                                             base parameter I_1 + m_2*l^2
 *
 * Ranks are those of residues modulo two primes at random points. Coefficients are reconstructed:
 * where they depend on geometry as polynomials or quotients of polynomials of low degree, from
 * their values at random geometries, and compared at further ones.
 */
#ifndef RUNG_ELIMINATE_FORMS_BASE_PARAMETERS_H
#define RUNG_ELIMINATE_FORMS_BASE_PARAMETERS_H

#include "eliminate/forms/regressor.h"

typedef enum FactorForm { FACTOR_PLAIN, FACTOR_COS, FACTOR_SIN } FactorForm;

/* A power of a parameter, its cosine or sine; several make a product. */
typedef struct Factor {
    uint32_t parameter; /* of the Regressor */
    uint32_t power;
    FactorForm form;
} Factor;

typedef struct Monomial {
    int64_t num, den; /* a number in front */
    uint32_t n;
    Factor *factor;
} Monomial;

typedef struct Polynomial {
    uint32_t n;
    Monomial *term;
} Polynomial;

/* The product of a column: a parameter that is linear in the rows, times others of its component.
 */
typedef struct Product {
    uint32_t linear; /* parameter of the Regressor */
    uint32_t n;
    Factor *factor;
    bool is_zero;  /* its column is: it does not matter */
    uint32_t lead; /* of a base parameter: its number; else UINT32_MAX */
} Product;

typedef struct Share {
    uint32_t product;
    bool is_known;      /* as numerator over denominator */
    Polynomial over;    /* no terms: 1 */
    Polynomial factor;  /* of the product, in the base parameter */
    uint32_t n_depends; /* otherwise: the geometry it depends on */
    uint32_t *depends;
} Share;

/* product[lead] + sum of factor * product over the shares. */
typedef struct BaseParameter {
    uint32_t lead;
    uint32_t n;
    Share *share;
} BaseParameter;

typedef enum ParameterRole {
    ROLE_LINEAR,   /* asked for                                              */
    ROLE_FACTOR,   /* asked for in products with a linear one                */
    ROLE_GEOMETRY, /* taken as known                                         */
    ROLE_IDLE,     /* rows hold it, but do not depend on it                  */
} ParameterRole;

typedef struct BaseParameters {
    Regressor *r;
    ParameterRole *role; /* per parameter of the Regressor */
    bool *matters;       /* likewise */
    bool is_as_given;    /* geometry has the values of the model */
    uint32_t n_products;
    Product *product;
    uint32_t n;
    BaseParameter *base;
    uint32_t n_restricting; /* rows that hold no linear parameter: they restrict the motion, which
                               is not taken into account */
    bool has_no_point;      /* all points divide by zero: nothing was found */
    uint32_t too_many;      /* number of products if above the limit; else 0 */
} BaseParameters;

enum { BASE_PRODUCTS_MOST = 2500 };

typedef struct BaseQuestion {
    bool as_given;        /* geometry has the values of the model; else any */
    const bool *is_known; /* per parameter of the Regressor: taken as known; NULL: none */
    bool any_owner; /* factors may be of another component than the parameters they stand with, and
                       others may carry parameters, as gravity does a first moment */
} BaseQuestion;

BaseParameters base_parameters_find(Regressor *r, const BaseQuestion *q, Arena *mem);

/* The roles alone, per parameter of r, any_owner being set; NULL: all points divide by
 * zero. A slope of all rows per parameter. */
const ParameterRole *base_parameters_roles(Regressor *r, Arena *mem);

#endif
