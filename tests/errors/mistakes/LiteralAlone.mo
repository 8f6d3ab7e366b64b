model LiteralAlone
  type Mode = enumeration(Off, Running);
  Mode mode = Running;
end LiteralAlone;
