model UnknownFunction "No such function"
  Real x = sinus(time); // error: sinus
end UnknownFunction;
