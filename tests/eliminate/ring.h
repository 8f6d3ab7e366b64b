/* Hinges in rings that the frontend cuts (MLS 9.4), as text: classes of a model. */
#ifndef RUNG_TESTS_ELIMINATE_RING_H
#define RUNG_TESTS_ELIMINATE_RING_H

/* residue: of the connection that closes a ring, of angles a.phi and b.phi. */
#define RING_CLASSES(residue)                                                                      \
    "record Angle Real phi;\n"                                                                     \
    "  function equalityConstraint input Angle a, b; output Real r[1];\n"                          \
    "  algorithm r := {" residue "}; end equalityConstraint; end Angle;\n"                         \
    "connector Flange Angle r; flow Real t; end Flange;\n"                                         \
    "model Ground Flange b; equation Connections.root(b.r); b.r.phi = 0; end Ground;\n"            \
    "partial model Joint Flange a, b;\n"                                                           \
    "  Real q(stateSelect = StateSelect.prefer), w(stateSelect = StateSelect.prefer);\n"           \
    "equation Connections.branch(a.r, b.r);\n"                                                     \
    "  b.r.phi = a.r.phi + q; w = der(q); a.t + b.t = 0; end Joint;\n"                             \
    "model Hinge extends Joint; equation der(w) = b.t; end Hinge;\n"                               \
    "model Light extends Joint; equation b.t = 0; end Light;\n"

#endif
