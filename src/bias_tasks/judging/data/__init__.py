"""What judges under probes judge: public benchmarks of judges, the user's files, made-up rows."""
