model ClockedTwice "a clocked value is no continuous one"
  Real x = sample(time, Clock(0.1));
  Real y = sample(2*previous(x)); // error K05: what is clocked already cannot be sampled
end ClockedTwice;
