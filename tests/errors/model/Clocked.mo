model Clocked
  Real y = 2*x;
  Real x;
equation
  when Clock(0.1) then // error F30: clocks (MLS 16) are not supported
    x = sample(time); // error F30: clocks (MLS 16) are not supported
  end when;
end Clocked;
