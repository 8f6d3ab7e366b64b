model ConditionBehind
  Real x = 1 if time > 1 else 2;
end ConditionBehind;
