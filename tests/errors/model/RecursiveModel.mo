model RecursiveModel "Contains itself"
  Real x = 1;
  RecursiveModel inside; // error F04
end RecursiveModel;
