"""Items of judge bias tasks: bias-core, public benchmarks of judges, and users' files."""
