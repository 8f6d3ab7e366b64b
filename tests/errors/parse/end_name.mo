model Outer
  model Inner
    Real x;
  end Iner; // error P03: expected 'end Inner' here, found 'end Iner'
  Real y;
end Outer;
