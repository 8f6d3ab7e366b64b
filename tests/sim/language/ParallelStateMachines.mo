// MLS 17.3.7: the example of the specification; its transition out of the parallel machines written
// with activeState() and as a synchronized one; outputs of states that are connected (17.3.6), in two
// clocks; ticksInState() and timeInState()
// simulate: --stop 60 --interval 1
// zero: difference 0
// zero: wrong 0
// ends: a.state1.stateX.i 21 0
// ends: a.state1.stateY.j 14 0
// ends: signal.z 31 0
model ParallelStateMachines
  block Machine
    parameter Boolean sync = false;
    inner Integer v(start = 0);

    State1 state1;
    State2 state2;
  equation
    initialState(state1);
    transition(state1, state2,
        sync or activeState(state1.stateD) and activeState(state1.stateY),
        immediate = false, synchronize = sync);
    transition(state2, state1, v >= 20, immediate = false);

  public
    block State1
      inner Integer count(start = 0);
      inner outer output Integer v;

      block StateA
        outer output Integer v;
      equation
        v = previous(v) + 2;
      end StateA;
      StateA stateA;

      block StateB
        outer output Integer v;
      equation
        v = previous(v) - 1;
      end StateB;
      StateB stateB;

      block StateC
        outer output Integer count;
      equation
        count = previous(count) + 1;
      end StateC;
      StateC stateC;

      block StateD
      end StateD;
      StateD stateD;

    equation
      initialState(stateA);
      transition(stateA, stateB, v >= 6, immediate = false);
      transition(stateB, stateC, v == 0, immediate = false);
      transition(stateC, stateA, true, immediate = false, priority = 2);
      transition(stateC, stateD, count >= 2, immediate = false);

    public
      block StateX
        outer input Integer v;
        Integer i(start = 0);
        Integer w; // = v;
      equation
        i = previous(i) + 1;
        w = v;
      end StateX;
      StateX stateX;

      block StateY
        Integer j(start = 0);
      equation
        j = previous(j) + 1;
      end StateY;
      StateY stateY;

    equation
      initialState(stateX);
      transition(stateX, stateY, stateX.i > 20,
                 immediate = false, reset = false);
    end State1;

    block State2
      outer output Integer v;
    equation
      v = previous(v) + 5;
    end State2;
  end Machine;
  Machine a, b(sync = true);
  Integer difference = abs(a.v - b.v) + abs(a.state1.count - b.state1.count);
  block Signal
    connector Out = output Integer;
    block Count
      parameter Integer by;
      Out y;
      Integer n(start = 0) = previous(n) + by;
    equation
      y = n;
    end Count;
    block Show
      connector In = input Integer;
      In u;
    end Show;
    Count up(by = 1), down(by = -1);
    Show show;
    Out z;
  equation
    connect(up.y, z);
    connect(down.y, z);
    connect(z, show.u);
    initialState(up);
    transition(up, down, ticksInState() > 3, immediate = true);
    transition(down, up, timeInState() > 1.5, immediate = false, reset = false);
    assert(show.u == z, "one signal");
  end Signal;
  Signal signal;
  Integer k(start = -1) = previous(k) + 1, m = mod(k, 6);
  Integer wrong = signal.z - (if m < 3 then 3 * div(k, 6) + m + 1 else 2 - m);
end ParallelStateMachines;
