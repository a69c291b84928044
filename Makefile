# What a contributor runs. A machine needs Python 3.11 or newer, git and make; the rest goes into .venv.

VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed

# No hub look-ups: what these commands need is in the checkout or in the data cache.
export HF_HUB_OFFLINE := 1
export HF_DATASETS_OFFLINE := 1
# The tests start hundreds of processes: what one has compiled is kept for the others.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help demo test test-random outputs check style prose types layers imports conventions docs tables pictures constraints clean

help:
	@echo "make demo         the bias profile of a simulated model, offline: a small task of each family"
	@echo "make test         the tests"
	@echo "make test-random  the properties on many examples drawn anew"
	@echo "make outputs      whether the outputs on the pages are those of their commands, numbers included"
	@echo "make check        format, lint, prose, types, layers, declared imports, conventions of Inspect evaluations"
	@echo "make docs         the documentation site, into build/site"
	@echo "make tables       declared parameters and metrics, and worked cases, into the pages"
	@echo "make pictures     the pictures of the pages and the sample report; LOGS=FOLDER for the report of a real model"
	@echo "make constraints   resolve every dependency anew into constraints.txt"
	@echo "make clean        remove environments, logs and caches"

demo: $(INSTALLED)
	$(BIN)/bias-tasks link-lm-eval
	rm -rf logs/demo
	$(BIN)/bias-tasks profile --calls 1500 --model simulated/conformist --log-dir logs/demo

test: $(INSTALLED)
	$(BIN)/python -m pytest -n 2 --dist worksteal

test-random: $(INSTALLED)
	HYPOTHESIS_PROFILE=random $(BIN)/python -m pytest -n 2 -m hypothesis

# About 3 minutes. Logs of the calls would bury what differs.
outputs: $(INSTALLED)
	BIAS_TASKS_EXACT_OUTPUTS=1 $(BIN)/python -m pytest -n 2 --dist worksteal --show-capture=no tests/bias_tasks/test_page_commands.py tests/bias_tasks/frameworks/test_ci.py

# The longest stand first: `make -j2 check` runs two at a time.
check: types conventions docs style prose layers imports

types: $(INSTALLED)
	$(BIN)/mypy

conventions: $(INSTALLED)
	$(BIN)/inspect-evals-lint --preset single-eval --all

style: $(INSTALLED)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

# proselint.json excuses what tables and outputs of commands need: repeated words and straight quotes.
prose: $(INSTALLED)
	$(BIN)/proselint check --config proselint.json README.md CONTRIBUTING.md CHANGELOG.md docs/*.md

layers: $(INSTALLED)
	$(BIN)/lint-imports

# A package that only another one brings along can go with that one's next version.
imports: $(INSTALLED)
	$(BIN)/deptry src

# A broken link, a page that the navigation lacks or anything loaded from elsewhere fails it.
docs: $(INSTALLED)
	NO_MKDOCS_2_WARNING=true $(BIN)/mkdocs build --strict --quiet

tables: $(INSTALLED)
	$(BIN)/python tools/tables.py

# The real model's picture needs Chromium and logs: sh examples/real_model/run.sh coder FOLDER && make pictures LOGS=FOLDER/coder
pictures: $(INSTALLED)
	$(BIN)/python tools/pictures.py $(LOGS)

# setuptools by name: some dependencies need it, and Python 3.11 brings an old one that pip would keep.
constraints:
	@python="$$(sh tools/python.sh)" && "$$python" -m venv --clear $(VENV)-resolve
	$(VENV)-resolve/bin/python -m pip install --quiet --upgrade --editable '.[dev,docs]' setuptools
	$(VENV)-resolve/bin/python -m pip freeze --all --exclude-editable --exclude pip > constraints.txt

clean:
	rm -rf $(VENV) $(VENV)-resolve logs build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis

# Installs once, and again when a dependency changed. Most modules are never imported: none is compiled ahead.
$(INSTALLED): pyproject.toml constraints.txt tools/python.sh
	@python="$$(sh tools/python.sh)" && \
	echo "Installing into $(VENV) with $$($$python --version); the first time takes a few minutes." && \
	"$$python" -m venv $(VENV) && \
	$(BIN)/python -m pip install --quiet --no-compile --editable '.[dev,docs]' --constraint constraints.txt && \
	$(BIN)/bias-tasks link-lm-eval && \
	touch $@
