// Assignments before a break count after the loop, also to variables that had known values before it:
// functions that stay calls against the number of primes up to 30, which is 10, and loops of a model.
// simulate: --stop 3.05 --interval 0.05
// ends: primes[1] 10 1e-9
// ends: primes[2] 10 1e-9
// ends: primes[3] 10 1e-9
// ends: primes[4] 10 1e-9
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
  Integer n = integer(10*time + 0.01);
  Integer primes[4] = {unrolled(n), counted(n), whiled(n), grown(n)}, found, length;
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
  end when;
end BreaksInBranches;
