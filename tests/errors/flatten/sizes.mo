model Sizes
  parameter Real table[:, 2] = [1, 2; n, 4]; // error N13: the size of 'table' depends on itself
  final parameter Integer n = size(table, 1);
  parameter Real square[:, size(square, 1)] = [1, 2]; // error T32: [1, 2]
end Sizes;
