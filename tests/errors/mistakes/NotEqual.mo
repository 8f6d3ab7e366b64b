model NotEqual
  Boolean b = 1 != 2;
end NotEqual;
