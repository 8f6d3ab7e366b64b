within A. ; // error P01: expected the name of a package, found ';'
Real x; // error P01: expected a class, found 'Real'
model M
end M;
