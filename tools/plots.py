"""Draws the picture of `docs/results.md`: the plots of `bias_tasks.plots` of two simulated models.

It needs no network: `python tools/plots.py`.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

import matplotlib.pyplot as plt

from bias_tasks import answer_distribution_df, plots, results_df
from bias_tasks.cli import main

PICTURE = Path(__file__).parents[1] / "docs" / "plots.png"
MODELS = ("simulated/conformist", "simulated/first_option")


def draw(logs: Path) -> None:
    """Draw the three plots of the runs in a folder."""
    results, distribution = results_df(logs), answer_distribution_df(logs)
    _, axes = plt.subplots(1, 3, figsize=(15, 4), layout="constrained")
    plots.plot_headlines(results[~results["metric"].isin(["mbs", "format_std"])], axes[0])
    is_judge = (results["task"] == "judge_pairwise") & (results["model"] == MODELS[1])
    plots.plot_probe_effects(results[is_judge], axes[1])
    is_conformity = (distribution["task"] == "conformity") & (distribution["model"] == MODELS[0])
    plots.plot_answer_distribution(distribution[is_conformity].head(8), axes[2])
    plt.savefig(PICTURE, dpi=70)


if __name__ == "__main__":
    with TemporaryDirectory() as folder:
        for model in MODELS:
            logs = f"{folder}/{Path(model).name}"
            command = ["profile", "--model", model, "--display", "plain", "--log-dir", logs]
            main(command, standalone_mode=False)
        draw(Path(folder))
