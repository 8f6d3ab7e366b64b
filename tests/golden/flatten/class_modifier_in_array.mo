// A redeclared class brings its own modifier; arrays around do not split it, those inside do (MLS 7.2.5)
model ClassModifierInArray
  model Leaf
    parameter Real h = 1;
  end Leaf;
  model Tree
    Leaf leaf[3];
    parameter Real w = 1;
  end Tree;
  model Place
    replaceable model Plant = Leaf constrainedby Leaf;
    replaceable Plant plant;
  end Place;
  model Wood
    replaceable model Plant = Tree;
    Plant plant[2];
  end Wood;
  model Land
    Place place;
    Wood wood;
  end Land;
  parameter Real a = 4;
  Land one[2](place(redeclare each model Plant = Leaf(h = a)), each wood(plant(leaf(h = {{1, 2, 3}, {5, 6, 7}}))));
  Land two[2](each place(redeclare model Plant = Leaf(h = 2*a)),
    wood(redeclare each model Plant = Tree(leaf(h = {a, 8, 9}), w = 10), plant(w = {{11, 12}, {13, 14}})));
  Place three[2](redeclare each Leaf plant(h = a));
  Place four[2](redeclare Leaf plant(h = {15, 16}));
end ClassModifierInArray;
