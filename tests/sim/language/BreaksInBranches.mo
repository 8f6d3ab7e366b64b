// Assignments before a break count after the loop, also to variables that had known values before it:
// functions that stay calls against the number of primes up to 30, which is 10, and loops of a model. Arrays without
// values are filled in loops that read elements of earlier rounds. `and` and `or` guard subscripts.
// simulate: --stop 3.05 --interval 0.05
// ends: primes[1] 10 1e-9
// ends: primes[2] 10 1e-9
// ends: primes[3] 10 1e-9
// ends: primes[4] 10 1e-9
// ends: primes[5] 10 1e-9
// ends: primes[6] 10 1e-9
// ends: primes[7] 10 1e-9
// ends: filled 10 1e-9
// ends: sums[1] 870 1e-9
// ends: sums[2] 210 1e-9
// ends: sums[3] 4495 1e-9
// ends: sums[4] 4 1e-9
// ends: first[1] 31 1e-9
// ends: first[2] 31 1e-9
// ends: first[3] 31 1e-9
// ends: first[4] 31 1e-9
// ends: guarded[1] 1000 1e-9
// ends: guarded[2] 2 1e-9
// ends: found 7 1e-9
// ends: length 3 1e-9
// ends: place[1] 2 1e-9
// ends: place[2] 5 1e-9
// ends: large 1 1e-9
// moves: n 30
model BreaksInBranches
  function unrolled "a loop whose rounds are known"
    input Integer n;
    output Integer count = 0;
  protected
    Boolean isPrime;
    constant Integer f[3] = {2, 3, 5};
  algorithm
    for k in 2:n loop
      isPrime := true;
      for i in 1:3 loop
        if f[i]*f[i] > k then
          break;
        end if;
        if mod(k, f[i]) == 0 then
          isPrime := false;
          break;
        end if;
      end for;
      if isPrime then
        count := count + 1;
      end if;
    end for;
  end unrolled;
  function counted "one whose rounds are not"
    input Integer n;
    output Integer count = 0;
  protected
    Boolean isPrime;
  algorithm
    for k in 2:n loop
      isPrime := true;
      for p in 2:k - 1 loop
        if mod(k, p) == 0 then
          isPrime := false;
          break;
        end if;
      end for;
      if isPrime then
        count := count + 1;
      end if;
    end for;
  end counted;
  function whiled
    input Integer n;
    output Integer count = 0;
  protected
    Boolean isPrime;
    Integer p;
  algorithm
    for k in 2:n loop
      isPrime := true;
      p := 2;
      while p*p <= k loop
        if mod(k, p) == 0 then
          if p > 0 then
            isPrime := false;
          end if;
          break;
        end if;
        p := p + 1;
      end while;
      if isPrime then
        count := count + 1;
      end if;
    end for;
  end whiled;
  function grown "over an array whose size is known in a run only"
    input Integer n;
    output Integer count;
  protected
    Integer found[:] = fill(0, 0);
    Boolean isPrime;
  algorithm
    for k in 2:n loop
      isPrime := true;
      for p in found loop
        if p*p > k then
          break;
        end if;
        if mod(k, p) == 0 then
          isPrime := false;
          break;
        end if;
      end for;
      if isPrime then
        found := cat(1, found, {k});
      end if;
    end for;
    count := size(found, 1);
  end grown;
  function firstBeyond "the first k whose square is more than n + 10, and a list that a branch replaces"
    input Integer n;
    output Integer k = 0;
    output Integer size1 = 0;
  protected
    Integer list[:] = {1};
  algorithm
    for i in 1:n loop
      if i*i > n + 10 then
        k := i;
        list := {1, 2, 3};
        break;
      end if;
    end for;
    size1 := size(list, 1);
  end firstBeyond;
  function short "those found in an array of which each element is a variable"
    input Integer n;
    output Integer count = 0;
  protected
    Integer found[12];
    Boolean isPrime;
  algorithm
    for k in 2:n loop
      isPrime := true;
      for i in 1:count loop
        if mod(k, found[i]) == 0 then
          isPrime := false;
          break;
        end if;
      end for;
      if isPrime then
        count := count + 1;
        found[count] := k;
      end if;
    end for;
  end short;
  function long "those found in an array of many elements"
    input Integer n;
    output Integer count = 0;
  protected
    Integer found[100];
    Boolean isPrime;
  algorithm
    for k in 2:n loop
      isPrime := true;
      for i in 1:count loop
        if mod(k, found[i]) == 0 then
          isPrime := false;
          break;
        end if;
      end for;
      if isPrime then
        count := count + 1;
        found[count] := k;
      end if;
    end for;
  end long;
  function inRecord "those found in a record, by a loop that a guard ends"
    input Integer n;
    output Integer count = 0;
  protected
    record Found
      Integer last, at[12];
    end Found;
    Found found;
    Integer i;
  algorithm
    found.last := 0;
    for k in 2:n loop
      i := 1;
      while i <= found.last and mod(k, found.at[i]) <> 0 loop
        i := i + 1;
      end while;
      if i > found.last then
        found.last := i;
        found.at[i] := k;
      end if;
    end for;
    count := found.last;
  end inRecord;
  function sumsOf "2*sum(1:n - 1); of x of every other round; of sums of slices; and x of the round before"
    input Integer n;
    output Real s[4] = zeros(4);
  protected
    Real a[40], x, part[40], before;
  algorithm
    for k in 1:n loop
      a[k] := if k == 1 then 0 else a[k - 1] + 2*(k - 1);
      if mod(k, 2) == 0 then
        s[2] := s[2] + x;
      else
        x := k - 1;
      end if;
      part[k] := if k > 1 then sum(part[1:k - 1])*0 + k - 1 else 0;
      if k > 1 then
        s[3] := s[3] + sum(part[1:k]);
      end if;
      if k > 1 or k > n then
        s[4] := if mod(k, 5) == 0 then before else s[4];
      end if;
      before := mod(k, 5);
    end for;
    s[1] := if n > 0 then a[n] else 0;
  end sumsOf;
  function firstPositive "n + 1 if there is none, by a while loop; by its negation; of an array of varying size; by if"
    input Integer n;
    input Real a[30];
    output Integer first[4];
  protected
    Real b[n] = a[1:n];
  algorithm
    first[1] := 1;
    while first[1] <= 30 and a[first[1]] <= 0 loop
      first[1] := first[1] + 1;
    end while;
    first[2] := 1;
    while not (first[2] > 30 or a[first[2]] > 0) loop
      first[2] := first[2] + 1;
    end while;
    first[3] := 1;
    while first[3] <= n and b[first[3]] <= 0 loop
      first[3] := first[3] + 1;
    end while;
    first[4] := 0;
    for i in 0:n + 1 loop
      if i >= 1 and i <= n and b[i] <= 0 then
        first[4] := i + 1;
      elseif i < 1 or i > n or b[i] > 0 then
        first[4] := if i <= n and i > 0 and a[i] > 0 then -1 else first[4];
      end if;
    end for;
  end firstPositive;
  Integer n = integer(10*time + 0.01);
  Integer primes[7] = {unrolled(n), counted(n), whiled(n), grown(n), short(n), long(n), inRecord(n)}, found, length;
  Integer filled, list[12], first[4] = firstPositive(n, -fill(1 + time, 30));
  Real sums[4] = sumsOf(n), guarded[2], five[5] = {5, 4, 3, 2, 1};
  Integer place[2];
  Boolean large;
equation
  (found, length) = firstBeyond(n);
algorithm
  when sample(0, 0.05) then
    place := {0, 0};
    large := false;
    for i in 1:n loop
      for j in 1:n loop
        if i*j == 10 and j > i + 1 then
          place := {i, j};
          break;
        end if;
      end for;
      if place[2] == 5 then
        large := true;
        break;
      end if;
    end for;
    filled := 0;
    for k in 2:n loop
      large := true;
      for i in 1:filled loop
        if mod(k, list[i]) == 0 then
          large := false;
          break;
        end if;
      end for;
      if large then
        filled := filled + 1;
        list[filled] := k;
      end if;
    end for;
    large := place[2] == 5;
    guarded[2] := 0;
    while guarded[2] < 6 and five[integer(guarded[2]) + 1] > 3 loop
      guarded[2] := guarded[2] + 1;
    end while;
  end when;
algorithm
  guarded[1] := if n >= 1 and n <= 5 and five[n] > 0 then 1 else 1000;
end BreaksInBranches;
