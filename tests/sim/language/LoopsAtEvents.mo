// MLS 11.2.3: while loops in when-statements: steps of Collatz' sequence from n, 1, 2, ..., pre(), elsewhen, memory;
// and in a section on a clock
// simulate: --stop 26.75
// ends: collatz.n 27 1e-12
// ends: collatz.steps 111 1e-12
// ends: collatz.most 111 1e-12
// ends: collatz.k 1 1e-12
// ends: memory.z 8.5 1e-12
// ends: memory.w 8.5 1e-12
// ends: memory.q 9 1e-12
// ends: clocked.h 0.369140625 1e-12
// ends: clocked.m 10 1e-12
// ends: waits.h 28.5 1e-12
model LoopsAtEvents
  model Collatz
    Integer n(start = 0, fixed = true), steps(start = 0, fixed = true), k(start = 0, fixed = true);
    Integer most(start = 0, fixed = true);
  algorithm
    when sample(0, 1) then
      n := pre(n) + 1;
      k := n;
      steps := 0;
      while k <> 1 loop
        if mod(k, 2) == 0 then
          k := div(k, 2);
        else
          k := 3*k + 1;
        end if;
        steps := steps + 1;
      end while;
      most := max(pre(most), steps);
    end when;
  end Collatz;
  model Memory "Values are those of the event before"
    discrete Real z(start = 1, fixed = true), w(start = 5, fixed = true);
    Integer q(start = 0, fixed = true);
  algorithm
    when sample(0.1, 1) then
      while z*z < time*2.7 loop
        z := z + 0.5;
        if z > 2 then
          w := z;
        end if;
      end while;
      q := pre(q) + 1;
    elsewhen time > 20.5 then
      while q > 3 loop
        q := q - 1;
      end while;
    end when;
  end Memory;
  model Clocked
    Real u = sample(1 + time, Clock(1));
    Real s(start = 0), r;
    Integer n(start = 0);
    Real h = hold(r), m = hold(n);
  algorithm
    n := 0;
    s := s + u;
    r := s;
    while r > 0.5 loop
      r := r/2;
      n := n + 1;
    end while;
  end Clocked;
  model Waits "The condition depends on the value at the tick before"
    Real u = sample(time, Clock(1));
    Real s(start = 0.5);
    Real h = hold(s);
  algorithm
    while s < 2 + u loop
      s := s + 1;
    end while;
  end Waits;
  Collatz collatz;
  Memory memory;
  Clocked clocked;
  Waits waits;
end LoopsAtEvents;
