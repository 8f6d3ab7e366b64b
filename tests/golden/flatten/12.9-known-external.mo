model KnownExternal "external functions on Strings that are known: the plain ones are evaluated"
  type Order = enumeration(Less, Equal, Greater);
  function length
    input String text;
    output Integer n;
    external "C" n = ModelicaStrings_length(text);
  end length;
  function substring
    input String text;
    input Integer first;
    input Integer last;
    output String part;
    external "C" part = ModelicaStrings_substring(text, first, last);
  end substring;
  function compare
    input String a;
    input String b;
    input Boolean exact = true;
    output Order order;
    external "C" order = ModelicaStrings_compare(a, b, exact);
  end compare;
  function skip
    input String text;
    input Integer from = 1;
    output Integer at;
    external "C" at = ModelicaStrings_skipWhiteSpace(text, from);
  end skip;
  function resource "MLS 13.5"
    input String uri;
    output String path;
    external "C" path = rung_resource(uri);
  end resource;
  parameter String group = "Yd11";
  constant Integer n = length(group);
  constant String last = substring(group, 3, 99) + substring(group, 0, 1) + substring("", 1, 1);
  Real x[length(group)] = ones(n);
  Real star = 1 if substring(group, 1, 1) == "Y";
  constant Order order[4] = {compare("a", "b"), compare("b", "a"), compare("A", "a", false),
    compare("A", "a")};
  constant Integer at[3] = {skip("  x"), skip("x  ", 2), skip("")};
  constant String file = resource("file:///data/table.txt"), path = resource("data/table.txt");
  // Linkage is found, where does not matter
  constant Boolean found = compare(resource("modelica://Linkage/data.txt"), "modelica://Linkage/data.txt") <> Order.Equal;
  constant Boolean inside = compare(resource("modelica://Linkage.Parts/x"), resource("modelica://Linkage/Parts/x")) == Order.Equal;
  constant Boolean missing = compare(resource("modelica://NoPackage/x"), "modelica://NoPackage/x") == Order.Equal;
end KnownExternal;
