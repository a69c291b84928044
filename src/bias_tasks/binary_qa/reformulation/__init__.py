"""Rewords yes/no questions by grammar, and checks rewordings (Khrapunova 2025, section 2.2)."""
