"""Draws the pictures of the pages, and states the version in their descriptions.

`python tools/pictures.py [LOGS]`, which is `make pictures [LOGS=FOLDER]`, writes into `docs`:

- `sample_report.html`: the report of the bias profiles of two simulated models
- `plots.png`: `bias_tasks.plots` of the same profiles
- `probe.png`: the report of the first run on the page of probes
- `report.png`: the report of the bias profile of a real model, from the logs in LOGS

Chromium photographs the reports. Without Chromium on the PATH, the last two pictures are kept, and
`report.png` also without LOGS. The README shows `report.png` of the model `coder`, which answers
about 450 prompts on a CPU after downloading 490 MB:

    sh examples/real_model/run.sh coder FOLDER && make pictures LOGS=FOLDER/coder
"""

import re
import shutil
import subprocess
import sys
from contextlib import chdir
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory

import matplotlib.pyplot as plt
from inspect_ai import eval as inspect_eval
from PIL import Image, ImageOps

from bias_tasks import answer_distribution_df, plots, probe, results_df
from bias_tasks.cli import main

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
MODELS = ("simulated/conformist", "simulated/first_option")
CALLS = "1500"
"""Calls of a profile, for pictures within a few minutes."""
SUMS = "examples/sums.py"
PROBE_BIASES = {"first": 0.3, "typo": 0.4, "noise": 0.05}
"""The biases of the simulated model on the page of probes."""
REPORT_WIDTH, PROBE_WIDTH = 1240, 1100
"""Width of a picture in pixels."""
WINDOW_HEIGHT, MARGIN = 4000, 24
"""Height of the window, and of what a picture keeps below the last line, in pixels."""
END_OF_FINDINGS, END_OF_PROBES = '<details class="legend">', '<section id="details">'
"""What follows the last thing that a picture shows, in the report's HTML."""


def run_profiles(folder: Path) -> None:
    """Run the profiles of two simulated models."""
    for model in MODELS:
        logs = str(folder / Path(model).name)
        command = ["profile", "--calls", CALLS, "--model", model, "--display", "plain"]
        main([*command, "--log-dir", logs], standalone_mode=False)


def write_sample_report(folder: Path) -> None:
    """Write the report of both profiles, from its folder: the report names the logs' paths."""
    with chdir(folder.parent):
        write_report(Path(folder.name), DOCS / "sample_report.html")


def write_report(logs: Path, page: Path) -> None:
    """Write the report of a folder of logs."""
    main(["report", str(logs), "--out", str(page)], standalone_mode=False)


def draw_plots(folder: Path) -> None:
    """Draw the three plots of the profiles of two simulated models."""
    results, distribution = results_df(folder), answer_distribution_df(folder)
    _, axes = plt.subplots(1, 3, figsize=(15, 4), layout="constrained")
    plots.plot_headlines(results[~results["metric"].isin(["mbs", "format_std"])], axes[0])
    is_judge = (results["task"] == "judge_pairwise") & (results["model"] == MODELS[0])
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
    photograph_report(chromium, folder, "probe.png", PROBE_WIDTH, END_OF_PROBES)


def photograph_report(chromium: str, logs: Path, picture: str, width: int, end: str) -> None:
    """Draw the report of a folder of logs, from its beginning to `end` in its HTML."""
    with TemporaryDirectory() as folder:
        page, png = Path(folder, "report.html"), Path(folder, "report.png")
        write_report(logs, page)
        shown, found, _ = page.read_text(encoding="utf-8").partition(end)
        if not found:
            raise SystemExit(f"{picture}: the report of {logs} has no {end}")
        page.write_text(shown, encoding="utf-8")
        options = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
        options += [f"--user-data-dir={folder}/profile", f"--window-size={width},{WINDOW_HEIGHT}"]
        subprocess.run(
            [chromium, *options, f"--screenshot={png}", page.as_uri()],
            check=True,
            capture_output=True,
            timeout=120,
        )
        image = Image.open(png).convert("RGB")
        _, _, _, last_line = ImageOps.invert(image).getbbox()  # the background is white
        image = image.crop((0, 0, width, min(last_line + MARGIN, image.height)))
        image.quantize(64).save(DOCS / picture, optimize=True)
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
        logs_of_profiles = Path(folder, "logs")
        run_profiles(logs_of_profiles)
        write_sample_report(logs_of_profiles)
        draw_plots(logs_of_profiles)
    if chromium is None:
        print("kept: probe.png and report.png, which need Chromium")
        return
    with TemporaryDirectory() as folder:
        draw_probe_report(chromium, Path(folder))
    if logs is None:
        print("kept: report.png, which needs the logs of a real model")
    else:
        photograph_report(chromium, logs, "report.png", REPORT_WIDTH, END_OF_FINDINGS)


if __name__ == "__main__":
    draw_all(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
