"""A results file of lm-eval with a run of ours and one of others."""

import math


def harness_results(**changes):
    metrics = {"choice/acc": 0.5, "choice/acc_ci_low": 0.2, "choice/acc_ci_high": math.nan}
    metrics |= {"choice/acc_n": 4.0, "items": 4.0, "items_n": 4.0}
    record = {
        "family": "instruction_boundary",
        "task": "vanilla",
        "version": 1,
        "package": "0.3.0",
        "digest": "0123456789abcdef",
        "protocol": "published",
        "data": "mine.csv",
        "parameters": {"protocol": "published", "n": None},
        "changed": {"protocol": "published"},
        "notes": [],
        "provenance": [{"source": "file", "path": "mine.csv", "sha256": "f" * 64, "n": 4}],
    }
    return {
        "results": {
            "ib_vanilla_choice": {
                "name": "ib_vanilla_choice",
                "sample_len": 4,
                **{f"{name},none": value for name, value in metrics.items()},
                **{f"{name}_stderr,none": "N/A" for name in metrics},
            },
            "hellaswag": {"acc,none": 0.5},
        },
        "configs": {
            "ib_vanilla_choice": {
                "metadata": {"bias_tasks": record},
                "generation_kwargs": {"temperature": 0.0, "until": []},
                "num_fewshot": 0,
            },
            "hellaswag": {"metadata": {"version": 1.0}},
        },
        "config": {
            "model": "local-chat-completions",
            "model_args": {"model": "my/model", "api_key": "sesame"},
            "limit": 4,
        },
        "n-samples": {"ib_vanilla_choice": {"original": 40, "effective": 4}},
        "model_name": "my/model",
        "date": 0.0,
        "lm_eval_version": "0.4.13",
        **changes,
    }
