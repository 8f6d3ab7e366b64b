model SquareBrackets
  Real x = sin[time];
end SquareBrackets;
