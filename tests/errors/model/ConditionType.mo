model ConditionType "A condition must be Boolean"
  Real x = if 1.5 then 1 else 2; // error T03: Boolean
end ConditionType;
