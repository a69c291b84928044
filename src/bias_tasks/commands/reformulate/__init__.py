"""`bias-tasks reformulate`: rewordings of a whole data set, by grammar and by a model."""
