"""Draws the pictures of the pages and states the version in their descriptions.

`plots.png` shows `bias_tasks.plots` of two simulated models, `probe.png` the report of the first
run on the page of probes, and `report.png` the report of the logs in a folder:
`python tools/pictures.py [LOGS]`. Reports are photographed by Chromium. Without LOGS, or without
Chromium on the PATH, their pictures are kept.
"""

import re
import shutil
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory

import matplotlib.pyplot as plt
from inspect_ai import eval as inspect_eval
from PIL import Image

from bias_tasks import answer_distribution_df, plots, probe, results_df
from bias_tasks.cli import main

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
MODELS = ("simulated/conformist", "simulated/first_option")
CALLS = "1500"
"""Calls of a profile, for pictures within a minute."""
SUMS = "examples/sums.py"
PROBE_BIASES = {"first": 0.3, "typo": 0.4, "noise": 0.05}
"""The biases of the simulated model on the page of probes."""
REPORT_SIZE, PROBE_SIZE = (1240, 1440), (1100, 1300)
"""Width and height of a picture in pixels: the beginning of the report."""


def draw_plots(folder: Path) -> None:
    """Draw the three plots of the profiles of two simulated models."""
    for model in MODELS:
        logs = str(folder / Path(model).name)
        command = ["profile", "--calls", CALLS, "--model", model, "--display", "plain"]
        main([*command, "--log-dir", logs], standalone_mode=False)
    results, distribution = results_df(folder), answer_distribution_df(folder)
    _, axes = plt.subplots(1, 3, figsize=(15, 4), layout="constrained")
    plots.plot_headlines(results[~results["metric"].isin(["mbs", "format_std"])], axes[0])
    is_judge = (results["task"] == "judge_pairwise") & (results["model"] == MODELS[1])
    plots.plot_probe_effects(results[is_judge], axes[1])
    is_conformity = (distribution["task"] == "conformity") & (distribution["model"] == MODELS[0])
    plots.plot_answer_distribution(distribution[is_conformity].head(8), axes[2])
    plt.savefig(DOCS / "plots.png", dpi=70)
    _state_version("plots.png")


def draw_probe_report(chromium: str, folder: Path) -> None:
    """Photograph the report of the first run on the page of probes."""
    task = probe(task=f"{SUMS}@sums", probes="order,labels,typo,suggest,persona", n=100)
    model = f"simulated/{SUMS}@Calculator"
    inspect_eval(task, model=model, model_args=PROBE_BIASES, log_dir=str(folder))
    photograph_report(chromium, folder, "probe.png", PROBE_SIZE)


def photograph_report(chromium: str, logs: Path, picture: str, size: tuple[int, int]) -> None:
    """Write the report of a folder of logs, and the picture of its beginning."""
    with TemporaryDirectory() as folder:
        page, png = Path(folder, "report.html"), Path(folder, "report.png")
        main(["report", str(logs), "--out", str(page)], standalone_mode=False)
        options = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
        options += [f"--user-data-dir={folder}/profile", f"--window-size={size[0]},{size[1]}"]
        subprocess.run(
            [chromium, *options, f"--screenshot={png}", page.as_uri()],
            check=True,
            capture_output=True,
            timeout=120,
        )
        Image.open(png).convert("RGB").quantize(64).save(DOCS / picture, optimize=True)
    _state_version(picture)


def _state_version(picture: str) -> None:
    """State the package's version behind a picture's description on every page that shows it."""
    shown = re.compile(rf"!\[([^]]*?)(?: \(version [^)]*\))?\]\(((?:docs/)?{re.escape(picture)})\)")
    for page in (ROOT / "README.md", *DOCS.glob("*.md")):
        text = page.read_text(encoding="utf-8")
        dated = shown.sub(rf"![\1 (version {version('bias-tasks')})](\2)", text)
        page.write_text(dated, encoding="utf-8")


def draw_all(logs: Path | None) -> None:
    """Draw every picture that the machine and the given logs allow."""
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    with TemporaryDirectory() as folder:
        draw_plots(Path(folder))
    if chromium is None:
        print("kept: probe.png and report.png, which need Chromium")
        return
    with TemporaryDirectory() as folder:
        draw_probe_report(chromium, Path(folder))
    if logs is None:
        print("kept: report.png, which needs the logs of a real model")
    else:
        photograph_report(chromium, logs, "report.png", REPORT_SIZE)


if __name__ == "__main__":
    draw_all(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
