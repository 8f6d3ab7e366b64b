model ClockedWhens "MLS 16.6, 16.2"
  Real x(start = 0);
  Real y(start = 0);
  Real z = f(time);
  function f
    input Real u;
    output Real y = previous(u); // error T05: 'previous' cannot be called in a function
  algorithm
  end f;
equation
  when Clock(0.1) then // error F05: no 'elsewhen'
    x = 1;
  elsewhen time > 1 then
    x = 2;
  end when;
  when Clock(0.1) then
    when time > 0.5 then // error F05: holds no other
      y = 1;
    end when;
  end when;
end ClockedWhens;
