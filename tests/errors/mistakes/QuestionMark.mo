model QuestionMark
  Real x = time > 1 ? 2 : 3;
end QuestionMark;
