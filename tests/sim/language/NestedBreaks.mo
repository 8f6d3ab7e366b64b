// MLS 11.2.2.3, 11.2.4: several iterators are loops in one another, and break leaves the innermost: in sections and
// functions, expanded, unrolled and counted, against loops that are written one in the other
// simulate: --stop 1
// zero: error[1] 1e-12
// zero: error[2] 1e-12
// zero: error[3] 1e-12
// zero: error[4] 1e-12
// zero: error[5] 1e-12
// ends: known 2 1e-12
// ends: varies 4 1e-12
// ends: bound 4 1e-12
// ends: unrolled 306 1e-12
// ends: counted 599 1e-12
model NestedBreaks
  function unroll
    input Real n, x;
    input Boolean together;
    output Real s = 0;
  protected
    Real k = 0;
  algorithm
    while k < n loop
      k := k + 1;
    end while;
    if together then
      for i in 1:2, j in 1:3 loop
        if j > x then
          break;
        end if;
        s := s + 1;
        k := j;
      end for;
    else
      for i in 1:2 loop
        for j in 1:3 loop
          if j > x then
            break;
          end if;
          s := s + 1;
          k := j;
        end for;
      end for;
    end if;
    s := s + 100*k;
  end unroll;
  function count
    input Integer n;
    input Real x;
    input Boolean together;
    output Real s = 0;
  protected
    Real k = 0;
  algorithm
    while k < x loop
      k := k + 1;
    end while;
    if together then
      for i in 1:n, j in 1:i loop
        if j > x then
          break;
        end if;
        s := s + 1;
      end for;
    else
      for i in 1:n loop
        for j in 1:i loop
          if j > x then
            break;
          end if;
          s := s + 1;
        end for;
      end for;
    end if;
  end count;
  Integer n(start = 2, fixed = true);
  Real known, varies, bound, known2, varies2, bound2;
  Real unrolled = unroll(2, 3*time, true), counted = count(300, 2.5*time, true);
  Real error[5] = {known - known2, varies - varies2, bound - bound2, unrolled - unroll(2, 3*time, false),
    counted - count(300, 2.5*time, false)};
algorithm
  when time > 0.5 then
    n := 3;
  end when;
algorithm
  known := 0;
  for i in 1:2, j in 1:3 loop
    if j == 2 then
      break;
    end if;
    known := known + 1;
  end for;
  varies := 0;
  for i in 1:2, j in 1:3 loop
    if j > 2.5*time then
      break;
    end if;
    varies := varies + 1;
  end for;
  bound := 0;
  for i in 1:2, j in 1:n loop
    if bound > 3 then
      break;
    end if;
    bound := bound + 1;
  end for;
algorithm
  known2 := 0;
  for i in 1:2 loop
    for j in 1:3 loop
      if j == 2 then
        break;
      end if;
      known2 := known2 + 1;
    end for;
  end for;
  varies2 := 0;
  for i in 1:2 loop
    for j in 1:3 loop
      if j > 2.5*time then
        break;
      end if;
      varies2 := varies2 + 1;
    end for;
  end for;
  bound2 := 0;
  for i in 1:2 loop
    for j in 1:n loop
      if bound2 > 3 then
        break;
      end if;
      bound2 := bound2 + 1;
    end for;
  end for;
end NestedBreaks;
