model TypographicQuotes
  parameter String label = “pump”;
end TypographicQuotes;
