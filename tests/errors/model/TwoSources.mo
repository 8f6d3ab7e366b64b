model TwoSources "An input can be given by one output only"
  connector Output = output Real;
  connector Input = input Real;
  block Source
    Output y = time;
  end Source;
  block Sink
    Input u;
  end Sink;
  Source one;
  Source two;
  Sink sink;
equation
  connect(one.y, sink.u);
  connect(two.y, sink.u); // error F02: both 'one.y' and 'two.y' give the value
end TwoSources;
