model CaseOfLetters
  Real J = 1;
  Real x = j;
  Real Osc = 2;
  Real y = osc;
end CaseOfLetters;
