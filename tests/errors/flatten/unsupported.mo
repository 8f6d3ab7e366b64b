model Unsupported "what the language has and rung has not: each is named, none is passed over"
  function outside
    input Real x;
    output Real y;
    external "Java" y = outside(x); // error F32: external "Java"
  end outside;
  function firsts "a result whose size the model cannot know"
    input Integer n;
    output Real y[n];
  algorithm
    y := {i for i in 1:n};
  end firsts;
  function texts "an array of Strings that a loop makes longer"
    input Real x;
    output Real y;
  protected
    String all[:] = {""};
  algorithm
    while size(all, 1) < x loop // error F33: different sizes by a condition that depends on variables
      all := cat(1, all, {"a"});
    end while;
    y := size(all, 1);
  end texts;
  function say
    output String text;
    external "FORTRAN 77" say(text); // error F32: Strings that FORTRAN 77
  end say;
  Real x = sin(time);
  Real far = outside(x);
  Real near = texts(x);
  Real y[2] = firsts(integer(time)); // error F33: the size of 'y', a result of 'Unsupported.firsts', is known in a run only
equation
  when time > 1 then
    assert(outside(x) > 0, say());
  end when;
end Unsupported;
