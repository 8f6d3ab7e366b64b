model PiOfNoImport
  Real x = sin(2*pi*time);
end PiOfNoImport;
