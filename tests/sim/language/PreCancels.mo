// simulate: --stop 1
// methods: ida
// ends: c 7 0
model PreCancels "pre(a) cancels in what c becomes, which is the same as a + b"
  Integer a(start = 0, fixed = true), b(start = 4, fixed = true), c(start = 0, fixed = true);
equation
  when sample(0.1, 0.3) then
    a = pre(a) + 1;
  end when;
  when sample(0.05, 0.3) then
    b = pre(b) + 1;
  end when;
  when time > 0.38 then
    c = pre(a) + a + (b - pre(a));
  end when;
end PreCancels;
