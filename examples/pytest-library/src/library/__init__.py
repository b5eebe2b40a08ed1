"""A small lending library: books, members, loans and fines."""
