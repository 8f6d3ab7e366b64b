model SelectiveInheritance
  model Base
    Real x = time;
    Real y = x;
  end Base;
  model Less
    extends Base(break y); // error F01: selective inheritance with 'break' (MLS 7.4) is not supported
  end Less;
  Less less;
end SelectiveInheritance;
