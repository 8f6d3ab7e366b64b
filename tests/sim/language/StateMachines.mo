// MLS 17: machines of the language against the model of their semantics (17.3.4), whose transitions
// are the same and whose conditions are drawn at random; the inner one is suspended and resumed
// simulate: --stop 400 --interval 1
// ends: wrong 0 0
// ends: wrongInner 0 0
// ends: wrongCount 0 0
// moves: visits 1000
model StateMachines
  record Transition
    Integer from;
    Integer to;
    Boolean immediate = true;
    Boolean reset = true;
    Boolean synchronize = false;
    Integer priority = 1;
  end Transition;
  block Semantics "without synchronize"
    parameter Integer nStates;
    parameter Transition t[:] "sorted, the highest priority last";
    input Boolean c[size(t, 1)];
    input Boolean active;
    input Boolean reset;
    Integer selectedState = if reset then 1 else previous(nextState);
    Integer immediate = max(if t[i].immediate and t[i].from == selectedState and c[i] then i else 0
      for i in 1:size(t, 1));
    Integer delayed(start = 0) =
      max(if not t[i].immediate and t[i].from == nextState and c[i] then i else 0
        for i in 1:size(t, 1));
    Integer fired = max(previous(delayed), immediate);
    Integer to = sum(if i == fired then t[i].to else 0 for i in 1:size(t, 1));
    Boolean resets = max(if i == fired and t[i].reset then 1 else 0 for i in 1:size(t, 1)) > 0;
    output Integer activeState = if reset then 1 elseif fired > 0 then to else selectedState;
    output Boolean activeReset = reset or fired > 0 and resets;
    Integer nextState(start = 1) = if active then activeState else previous(nextState);
    output Boolean activeResetStates[nStates] =
      {reset or previous(nextResetStates[i]) for i in 1:nStates};
    Boolean nextResetStates[nStates](each start = false) =
      {if active then activeState <> i and activeResetStates[i] else previous(nextResetStates[i])
        for i in 1:nStates};
  end Semantics;
  block Leaf "counts the ticks since its last reset"
    Integer n(start = 0);
  equation
    n = previous(n) + 1;
  end Leaf;
  block Outer
    outer Boolean c[7];
    outer Boolean isFalse;
    Leaf x, y, z;
  equation
    initialState(x);
    transition(x, y, c[1], immediate = false, priority = 3);
    transition(x, z, c[2], reset = false, priority = 2);
    transition(x, x, c[3] and c[4], immediate = false, priority = 1);
    transition(y, z, c[4]);
    transition(z, y, c[5], immediate = false, reset = false, priority = 2);
    transition(z, x, c[6], immediate = false);
    transition(y, x, isFalse, priority = 7);
  end Outer;
  Outer outer_;
  block Other
    Integer k(start = 0) = previous(k) + 1;
  end Other;
  Other other;
  inner Boolean isFalse = draw[9] < 0;
  inner Boolean c[7] = {mod(div(draw[i], 64), 7) < 2 for i in 1:7};
  Boolean leave = mod(div(draw[8], 64), 5) == 0, back = mod(div(draw[9], 64), 3) == 0;
  Boolean backReset = mod(div(draw[9], 256), 3) == 0;
  Integer draw[9](start = {11, 222, 33, 4444, 55, 666, 7777, 88, 99});
  Semantics top(nStates = 2, t = {Transition(1, 2), Transition(2, 1, false, false, false, 2),
    Transition(2, 1, true, true)}, c = {leave, back, backReset}, active = true, reset = first);
  Semantics inside(nStates = 3, t = {Transition(2, 1), Transition(1, 2, false), Transition(1, 3, true,
    false), Transition(1, 1, false), Transition(2, 3), Transition(3, 2, false, false),
    Transition(3, 1, false)},
    c = {isFalse, c[1], c[2], c[3] and c[4], c[4], c[5], c[6]},
    active = top.activeState == 1,
    reset = top.activeState == 1 and (top.activeReset or top.activeResetStates[1]));
  Boolean first = firstTick();
  Boolean on[3] = {activeState(outer_.x), activeState(outer_.y), activeState(outer_.z)};
  Integer is = if activeState(outer_) then 1 elseif activeState(other) then 2 else 0;
  Integer isInner = if on[1] then 1 elseif on[2] then 2 elseif on[3] then 3 else 0;
  Integer should = if inside.active then inside.activeState else 0;
  Integer n[3](each start = 0) = {if should == i then (if inside.activeReset or
    inside.activeResetStates[i] then 0 else previous(n[i])) + 1 else previous(n[i]) for i in 1:3};
  Integer wrong(start = 0) = previous(wrong) + (if is <> top.activeState then 1 else 0);
  Integer wrongInner(start = 0) = previous(wrongInner) + (if isInner <> should then 1 else 0);
  Integer wrongCount(start = 0) =
    previous(wrongCount) + abs(n[1] - outer_.x.n) + abs(n[2] - outer_.y.n) + abs(n[3] - outer_.z.n);
  Integer visits(start = 0) = previous(visits) + isInner * n[max(1, isInner)];
equation
  initialState(outer_);
  transition(outer_, other, leave);
  transition(other, outer_, back, immediate = false, reset = false, priority = 2);
  transition(other, outer_, backReset);
  when Clock(1, 1) then
    draw = {mod(1103 * previous(draw[i]) + 12345, 32768) for i in 1:9};
  end when;
end StateMachines;
