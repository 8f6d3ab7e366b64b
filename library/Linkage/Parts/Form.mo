within Linkage.Parts;
type Form = enumeration(
  Box "Of length, width and height",
  Sphere "Of that diameter in all directions",
  Cylinder "Round about its length",
  File "As a CAD file has it") "Forms of a shape";
