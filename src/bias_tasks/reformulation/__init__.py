"""Rewords yes/no questions by grammar, and checks rewordings whoever made them."""
