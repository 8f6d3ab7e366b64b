model SubscriptOutOfRange "The array has three elements"
  Real x[3] = {1, 2, 3};
  Real y = x[4]; // error T05
end SubscriptOutOfRange;
