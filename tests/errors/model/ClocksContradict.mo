model ClocksContradict "y ticks every three tenths of a second, or every third"
  Clock u = Clock(1, 10);
  Real x = sample(time, u);
  Real y = subSample(x, 3);
  Real z;
equation
  when Clock(1, 3) then // error K02: the clock of 'y' contradicts
    z = y;
  end when;
end ClocksContradict;
