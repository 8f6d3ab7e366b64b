model A
end A;
/* no end // error P05: this comment has no end
