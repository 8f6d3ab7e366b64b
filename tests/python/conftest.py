"""What the tests of the package share: small models whose trajectories are known."""
import pytest

import rung

DECAY = """
model Decay "a quantity decays"
  parameter Real k(unit = "1/s", min = 0) = 1 "rate";
  parameter Integer n = 1 "copies, structural";
  parameter Real c[2](each unit = "m") = {2, 3};
  parameter Boolean on = true;
  Real x(start = 1, fixed = true, unit = "m") "what is left";
  Real y[n](each start = 2, each fixed = true);
  output Real less(unit = "m") = -x "the same, with its sign changed";
equation
  der(x) = if on then -k*x else 0;
  der(y) = -k*y;
end Decay;
"""

# an integral of an input, and the end of a run by an assertion
CART = """
model Cart
  input Real force(unit = "N", start = 0);
  input Boolean brake(start = false);
  parameter Real m(unit = "kg") = 2;
  parameter Real limit = 1e3;
  output Real v(start = 0, fixed = true, unit = "m/s");
equation
  m*der(v) = if brake then 0 else force;
  assert(v < limit, "too fast");
end Cart;
"""


@pytest.fixture(scope="session")
def decay():
    return rung.Model(text=DECAY)


@pytest.fixture(scope="session")
def cart():
    return rung.Model(text=CART)


@pytest.fixture(scope="session")
def decayed(decay):
    return decay.simulate(stop=2, tolerance=1e-9)
