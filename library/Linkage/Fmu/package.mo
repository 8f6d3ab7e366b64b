within Linkage;
package Fmu "Functional Mock-up Units as parts of a model"
  class Unit "An FMU that is unpacked and loaded"
    extends ExternalObject;
    function constructor
      input String file "The archive";
      input String identifier "Of its binary";
      input String token "GUID, or instantiation token";
      input Integer version "Of FMI: 2 or 3";
      input Integer use "1 of co-simulation, 2 wants to know of accepted steps, or their sum";
      input Integer n_states "Continuous states";
      input Integer n_indicators "Event indicators";
      input Real tolerance "Of its own method, 0 its own";
      input Integer reference[:] "Value references of all groups";
      input Integer kind[size(reference, 1)] "Types of these variables";
      input Integer first[:] "Where each group begins, and the end of the last one";
      input String names "Of these variables, in lines";
      output Unit unit;
      external "C" unit = rung_fmu_new(file, identifier, token, version, use, n_states,
        n_indicators, tolerance, reference, size(reference, 1), kind, size(kind, 1), first,
        size(first, 1), names)
        annotation(Include = "#include \"fmi_unit.h\"", Library = {"zip", "dl"});
    end constructor;
    function destructor
      input Unit unit;
      external "C" rung_fmu_free(unit)
        annotation(Include = "#include \"fmi_unit.h\"", Library = {"zip", "dl"});
    end destructor;
  end Unit;
  function start "Parameters, initialisation and the first events"
    input Unit unit;
    input Real t;
    input Real parameters[:];
    input String texts;
    input Real inputs[:];
    input Real discreteInputs[:];
    input Integer out "Group of the results of co-simulation";
    input Integer n "Results: states, or values of the group";
    output Real count;
    output Real next "Time of the next event";
    output Real y[n];
    external "C" rung_fmu_start(unit, t, parameters, size(parameters, 1), texts, inputs,
      size(inputs, 1), discreteInputs, size(discreteInputs, 1), out, count, next, y, size(y, 1))
      annotation(Include = "#include \"fmi_unit.h\"", Library = {"zip", "dl"});
  end start;
  function event "Event iteration of model exchange"
    input Unit unit;
    input Real t;
    input Real number "Of this call";
    input Real x[:];
    input Real inputs[:];
    input Real discreteInputs[:];
    output Real count;
    output Real next "Time of the next event";
    output Real quit "1 where the FMU asks for the end";
    output Real x_new[size(x, 1)];
    external "C" rung_fmu_event(unit, t, number, x, size(x, 1), inputs, size(inputs, 1),
      discreteInputs, size(discreteInputs, 1), count, next, quit, x_new, size(x_new, 1))
      annotation(Include = "#include \"fmi_unit.h\"", Library = {"zip", "dl"});
  end event;
  function step "Co-simulation from the time of the last call to t"
    input Unit unit;
    input Real t;
    input Real number "Of this call";
    input Real inputs[:] "During the step";
    input Integer out "Group of the results";
    input Integer n "Results";
    output Real count;
    output Real quit "1 where the FMU asks for the end";
    output Real y[n];
    external "C" rung_fmu_step(unit, t, number, inputs, size(inputs, 1), out, count, quit, y,
      size(y, 1))
      annotation(Include = "#include \"fmi_unit.h\"", Library = {"zip", "dl"});
  end step;
  function rates "Derivatives of the states"
    input Unit unit;
    input Real t;
    input Real x[:];
    input Real inputs[:];
    input Real count;
    output Real rate[size(x, 1)];
    external "C" rung_fmu_rates(unit, t, x, size(x, 1), inputs, size(inputs, 1), count, rate,
      size(rate, 1))
      annotation(Include = "#include \"fmi_unit.h\"", Library = {"zip", "dl"});
  end rates;
  function values "Continuous values of a group"
    input Unit unit;
    input Real t;
    input Real x[:];
    input Integer input_group "Of the inputs, those that the values depend on";
    input Real inputs[:];
    input Real count;
    input Integer out "Group of the results";
    input Integer n "Results";
    output Real y[n];
    external "C" rung_fmu_values(unit, t, x, size(x, 1), input_group, inputs, size(inputs, 1), out,
      count, y, size(y, 1))
      annotation(Include = "#include \"fmi_unit.h\"", Library = {"zip", "dl"});
  end values;
  function indicators "Event indicators"
    input Unit unit;
    input Real t;
    input Real x[:];
    input Real inputs[:];
    input Real count;
    input Integer n "Results";
    output Real z[n];
    external "C" rung_fmu_indicators(unit, t, x, size(x, 1), inputs, size(inputs, 1), count, z,
      size(z, 1))
      annotation(Include = "#include \"fmi_unit.h\"", Library = {"zip", "dl"});
  end indicators;
  function held "Values of a group that change at events alone"
    input Unit unit;
    input Real count;
    input Integer out "Group of the results";
    input Integer n "Results";
    output Real y[n];
    external "C" rung_fmu_held(unit, out, count, y, size(y, 1))
      annotation(Include = "#include \"fmi_unit.h\"", Library = {"zip", "dl"});
  end held;
  function asks "1 from the time at which the FMU has asked for an event, else 0"
    input Unit unit;
    input Real t;
    input Real count;
    output Real y;
    external "C" y = rung_fmu_asks(unit, t, count)
      annotation(Include = "#include \"fmi_unit.h\"", Library = {"zip", "dl"});
  end asks;
  function ratesWithSlopes "Derivatives of the states, with directional derivatives"
    input Unit unit;
    input Real t;
    input Real x[:];
    input Real inputs[:];
    input Real count;
    output Real rate[size(x, 1)];
    external "C" rung_fmu_rates(unit, t, x, size(x, 1), inputs, size(inputs, 1), count, rate,
      size(rate, 1))
      annotation(Include = "#include \"fmi_unit.h\"", Library = {"zip", "dl"});
    annotation(derivative(noDerivative = unit, noDerivative = count) = slopesOfRates);
  end ratesWithSlopes;
  function slopesOfRates
    input Unit unit;
    input Real t;
    input Real x[:];
    input Real inputs[:];
    input Real count;
    input Real der_t;
    input Real der_x[size(x, 1)];
    input Real der_inputs[size(inputs, 1)];
    output Real der_rate[size(x, 1)];
    external "C" rung_fmu_slopes(unit, t, x, size(x, 1), 1, inputs, size(inputs, 1), 5, count,
      der_t, der_x, size(der_x, 1), der_inputs, size(der_inputs, 1), der_rate, size(der_rate, 1))
      annotation(Include = "#include \"fmi_unit.h\"", Library = {"zip", "dl"});
  end slopesOfRates;
  function factors "Derivatives of single values by single states, which parameters alone determine"
    input Unit unit;
    input Real count;
    input Integer out "Group of the values";
    input Integer row[:] "Values, from 0";
    input Integer state[size(row, 1)] "States, from 0";
    output Real factor[size(row, 1)];
    external "C" rung_fmu_factors(unit, count, out, row, size(row, 1), state, size(state, 1),
      factor, size(factor, 1))
      annotation(Include = "#include \"fmi_unit.h\"", Library = {"zip", "dl"});
  end factors;
  function asInteger "An Integer that is given as a Real"
    input Real x;
    output Integer y;
  algorithm
    y := integer(x + 0.5);
    annotation(Inline = true);
  end asInteger;
  annotation(
    Icon(graphics = {
      Rectangle(extent = {{-100, -100}, {100, 100}}, lineColor = {38, 58, 92},
        fillColor = {238, 242, 248}, fillPattern = FillPattern.Solid, radius = 20),
      Text(extent = {{-90, 50}, {90, -50}}, textString = "FMU")}),
    Documentation(info = "<html>
<p>The class that <code>rung import X.fmu</code> writes calls these functions. An FMU of co-simulation makes
a step at each communication point, with its inputs as they were after the last one; an FMU of model
exchange is solved with the other equations.</p>
</html>"));
end Fmu;
