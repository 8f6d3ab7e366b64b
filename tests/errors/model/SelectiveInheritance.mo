model SelectiveInheritance
  model Base
    Real x = time;
    Real y = x;
  end Base;
  model Less
    extends Base(break y); // error N50: is no model, block or connector
  end Less;
  Less less;
end SelectiveInheritance;
