// model: RedeclaredByTwoWays.Pair
// simulate: --stop 1
// zero: off 1e-12
// moves: second.cycle.y 0.5
package RedeclaredByTwoWays "A final modification in a redeclaration that is handed on, with a constraint's own (MLS 7.2.6, 7.3.2)"
  record Data
    parameter Real use = 1;
  end Data;
  partial model PartialCycle
    parameter Real q;
    parameter Boolean heats = false;
    Real y = q*time;
  end PartialCycle;
  model Tabled
    extends PartialCycle(final q = data.use);
    replaceable parameter Data data;
  end Tabled;
  model Machine
    replaceable model Cycle = PartialCycle(q = 0) constrainedby PartialCycle;
    Cycle cycle;
  end Machine;
  model Modular
    extends Machine(redeclare model Cycle = Heating);
    replaceable model Heating = PartialCycle(q = 0) constrainedby PartialCycle(final heats = true);
  end Modular;
  model Table
    extends Modular(redeclare model Heating = Tabled(final data = chosen));
    replaceable parameter Data chosen constrainedby Data;
  end Table;
  model Pair
    Table first;
    Table second(redeclare Data chosen(use = 5));
    Real off = abs(first.cycle.y - time) + abs(second.cycle.y - 5*time) + (if second.cycle.heats then 0 else 1);
  end Pair;
end RedeclaredByTwoWays;
