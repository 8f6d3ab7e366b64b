model ModelOfType
  extends Real;
end ModelOfType;
