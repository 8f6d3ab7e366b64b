model UnknownFunction "No such function"
  Real x = sinus(time); // error N20: sinus
end UnknownFunction;
