package Modes
  type Mode = enumeration(Off, Running);
  model LiteralMisspelt
    parameter Mode a = Mode.Runing;
  end LiteralMisspelt;
end Modes;
model LiteralMisspelt
  extends Modes.LiteralMisspelt;
end LiteralMisspelt;
