model InputAssigned
  function twice
    input Real u;
    output Real y;
  algorithm
    u := 2*u;
    y := u;
  end twice;
  Real x = twice(time);
end InputAssigned;
