model PartialUsed
  Parts.OnePort a;
end PartialUsed;
