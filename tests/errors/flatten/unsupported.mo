model Unsupported "what the language has and rung has not: each is named, none is passed over"
  function outside
    input Real x;
    output Real y;
    external "Java" y = outside(x); // error F32: external "Java"
  end outside;
  function longest "an array that a loop makes longer"
    input Real x;
    output Real y;
  protected
    Real all[:] = {0};
  algorithm
    while sum(all) < x loop // error F33: different sizes by a condition that depends on variables
      all := cat(1, all, {1});
    end while;
    y := sum(all);
  end longest;
  function say
    output String text;
    external "FORTRAN 77" say(text); // error F32: Strings that FORTRAN 77
  end say;
  Real x = sin(time);
  Real far = outside(x);
  Real near = longest(x);
equation
  when time > 1 then
    assert(outside(x) > 0, say());
  end when;
end Unsupported;
