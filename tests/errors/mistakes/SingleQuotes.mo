model SingleQuotes
  parameter String label = 'pump';
  Real x = time;
end SingleQuotes;
