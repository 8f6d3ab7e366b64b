model Comment
  Real x = 1; % wrong comment
end Comment;
