"""What a judge's verdicts under probes come to; knows no host."""
