// Attributes of predefined types: own, of the type, of arrays element by element, of enumerations.
model Attributes
  type Length = Real(final unit = "m", min = 0, quantity = "Length");
  type Axis = Length[3](each displayUnit = "mm", start = {1, 2, 3});
  type Mode = enumeration(off "no", on "yes");
  parameter Real x0 = 2;
  Length a(start = x0, fixed = true, nominal = 10*x0) "with a comment";
  Axis b[2](each stateSelect = StateSelect.prefer);
  Length c[2, 2](start = {{1, 2}, {3, 4}}, each max = 9);
  parameter Mode mode = Mode.on;
  discrete Real d(start = 1);
  Integer i(min = 1, max = 3);
  String s = "text";
equation
  der(a) = 1;
  for k in 1:2 loop
    der(b[k]) = {1, 2, 3};
  end for;
  c = [a, 2*a; 3*a, 4*a];
  when time > 1 then
    d = if mode == Mode.on then 1 else 2;
  end when;
  i = 2;
end Attributes;
