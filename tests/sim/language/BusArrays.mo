// MLS 9.1.3: arrays in buses whose size is that of the subscripts in all connected buses; elements
// without connection, and arrays of buses
// model: BusArrays.Whole
// simulate: --stop 1
// zero: error[1] 1e-12
// zero: error[2] 1e-12
// zero: error[3] 1e-12
// zero: error[4] 1e-9
// zero: error[5] 1e-12
// zero: error[6] 1e-12
package BusArrays
  connector RealOutput = output Real;
  connector RealInput = input Real;
  connector Flange
    Real phi;
    flow Real tau;
  end Flange;
  expandable connector Cylinder
  end Cylinder;
  expandable connector Empty
  end Empty;
  expandable connector Bus
    Real temperature[:];
    Flange shaft[:];
    Cylinder cylinder[:];
    Real fixed_[3];
  end Bus;
  block Source
    parameter Real k = 1;
    RealOutput y = k*time;
  end Source;
  model Sensor "in places of the bus that it does not declare"
    parameter Integer n = 1;
    Empty bus;
    Source speed(k = n), temperature(k = 10*n);
  equation
    connect(speed.y, bus.speed[n]);
    connect(temperature.y, bus.temperature[n]);
  end Sensor;
  model Display
    parameter Integer n = 1;
    Empty bus;
    RealInput speed, temperature;
  equation
    connect(bus.speed[n], speed);
    connect(bus.temperature[n], temperature);
  end Display;
  block User
    RealInput u;
    Real y = u;
  end User;
  model Turn
    Flange f;
  equation
    f.phi = 2*time;
  end Turn;
  model Brake
    Flange f;
  equation
    f.tau = 3*f.phi;
  end Brake;
  model Piston
    parameter Integer n = 1;
    Bus bus;
    Source pressure(k = n);
  equation
    connect(pressure.y, bus.cylinder[n].pressure);
  end Piston;
  model Whole
    Bus bus;
    Sensor sensor[2](n = {2, 5});
    Display display[2](n = {5, 2});
    Turn turn;
    Brake brake;
    Piston piston[2](n = {1, 3});
    Source y;
    User pressure, third;
    Real read[2] = bus.temperature[{5, 2}];
    Real error[6] = {display[1].speed - 5*time, display[2].temperature - 20*time,
      read[1] + read[2] - 70*time, brake.f.tau - 6*time, pressure.y - 3*time, third.y - time};
  equation
    connect(bus, sensor[1].bus);
    connect(sensor[2].bus, bus);
    for i in 1:2 loop
      connect(display[i].bus, bus);
      connect(piston[i].bus, bus);
    end for;
    connect(turn.f, bus.shaft[4]);
    connect(bus.shaft[4], brake.f);
    connect(bus.cylinder[3].pressure, pressure.u);
    connect(y.y, bus.fixed_[3]);
    connect(bus.fixed_[3], third.u);
  end Whole;
end BusArrays;
