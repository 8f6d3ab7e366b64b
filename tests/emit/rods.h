/* rods.h -- a model with a parameter that follows another, an input and an output, for tests of the
 * C of its derivatives. */
#ifndef RUNG_TESTS_EMIT_RODS_H
#define RUNG_TESTS_EMIT_RODS_H

/* Two rods in a row, forces kept: a linear loop for accelerations and forces. */
static const char rods[] =
    "model M\n"
    "  parameter Real k = 0.3, L = 1 + k; input Real u; output Real e = k*w1^2 + u*p2;\n"
    "  Real p1(start = 0.1), p2(start = 0.3), w1, w2, z1, z2, ax1, ay1, ax2, ay2;\n"
    "  Real fx1, fy1, fx2, fy2;\n"
    "equation\n"
    "  der(p1) = w1; der(p2) = w2; der(w1) = z1 - k*w1; der(w2) = z2 + sin(u)*L;\n"
    "  ax1 = -z1*sin(p1) - w1^2*cos(p1); ay1 = z1*cos(p1) - w1^2*sin(p1);\n"
    "  ax2 = ax1 - z2*sin(p2) - w2^2*cos(p2); ay2 = ay1 + z2*cos(p2) - w2^2*sin(p2);\n"
    "  ax1 = fx1 - fx2; ay1 + 9.81 = fy1 - fy2;\n"
    "  ax2 = fx2; ay2 + 9.81 = fy2;\n"
    "  cos(p1)*fy1 = sin(p1)*fx1; cos(p2)*fy2 = sin(p2)*fx2;\n"
    "end M;\n";

#endif
