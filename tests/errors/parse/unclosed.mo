model Unclosed
  model Inner
    Real x;
  end Inner;
  Real y; // error P03: expected 'end Unclosed' before the end of the file
