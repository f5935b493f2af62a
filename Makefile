# Everything runs in .venv, which the first target that needs it makes. `make` alone lists the targets.
PYTHON ?= $(shell python3.11 -c 'import sys; print(sys.executable)' 2>/dev/null || echo python3)
CONSTRAINTS ?= constraints.txt
CONFIG ?= configs/tanglewoods_quick.yaml
ARGS ?=
JOBS ?= 2

VENV := .venv
BIN := $(VENV)/bin
INSTALL := $(BIN)/python -m pip install --disable-pip-version-check --quiet $(if $(CONSTRAINTS),-c $(CONSTRAINTS))
HEADLESS := SDL_VIDEODRIVER=dummy SDL_AUDIODRIVER=dummy MPLBACKEND=Agg WANDB_MODE=offline

# Pages that are generated as a whole keep the form that their programs give them.
MARKDOWN := README.md CONTRIBUTING.md CHANGELOG.md $(filter-out docs/results.md docs/dice_commit_findings.md,$(wildcard docs/*.md))

.DEFAULT_GOAL := help
.PHONY: help train test bench bench-solver bench-training soak newest-numba lint format docs site notebooks sheet results clean distclean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-15s %s\n", $$1, $$2}'

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "deckwood needs Python 3.11 or newer: make PYTHON=/path/to/python")'
	$(PYTHON) -m venv $(VENV)

# One stamp for each set of extras, so that each is installed once, and again when what it needs changes.
$(VENV)/.train: pyproject.toml constraints.txt | $(BIN)/python
	$(INSTALL) -e '.[train,render]'
	@touch $@

$(VENV)/.dev: pyproject.toml constraints.txt | $(BIN)/python
	$(INSTALL) -e '.[train,render,dev]'
	@touch $@ $(VENV)/.train

$(VENV)/.docs: pyproject.toml constraints.txt | $(BIN)/python
	$(INSTALL) -e '.[train,render,docs]'
	@touch $@ $(VENV)/.train

train: $(VENV)/.train ## train an agent on Tanglewoods and compare it with the baselines (CONFIG=..., ARGS='--seed 1')
	$(BIN)/python train.py $(CONFIG) $(ARGS)

test: $(VENV)/.dev ## run the tests (ARGS='-k tanglewoods'; JOBS=0 in one process, as a debugger needs)
	$(HEADLESS) $(BIN)/python -m pytest -n $(JOBS) --dist loadfile $(ARGS)

bench: $(VENV)/.dev ## measure the speed of the engine
	$(HEADLESS) $(BIN)/python benchmarks/run.py $(ARGS)

bench-solver: $(VENV)/.dev ## measure how fast fights are solved (ARGS='--page docs/solver.md')
	$(BIN)/python benchmarks/solver.py $(ARGS)

bench-training: $(VENV)/.dev ## measure training beside stock MaskablePPO and the network alone (ARGS='--n-steps 16')
	$(BIN)/python benchmarks/training.py $(ARGS)

soak: $(VENV)/.dev ## play every game, option and deck with all invariants (ARGS='--minutes 30 --seed 1')
	$(HEADLESS) $(BIN)/python -m tests.soak $(ARGS)

newest-numba: $(VENV)/.dev ## try Numba's newest release: whether compiled rules still play the same games
	$(PYTHON) -m venv $(VENV)-newest
	$(VENV)-newest/bin/python -m pip install --quiet --upgrade -e '.[train,render,dev]' numba
	DECKWOOD_ANY_NUMBA=1 $(HEADLESS) $(VENV)-newest/bin/python -m pytest tests/core/test_jit.py tests/test_golden.py

lint: $(VENV)/.dev ## check style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mdformat --check $(MARKDOWN)
	$(BIN)/mypy

format: $(VENV)/.dev ## put the sources into the project's style
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/mdformat $(MARKDOWN)

docs: $(VENV)/.dev ## regenerate the tables in docs/ from the specs and decks
	$(HEADLESS) $(BIN)/python -m deckwood.docs

site: $(VENV)/.docs ## build the documentation into build/site
	$(HEADLESS) $(BIN)/python -m sphinx -b html -W --keep-going -q -c docs . build/site

notebooks: $(VENV)/.docs ## run docs/notebooks and store their outputs (ARGS=docs/notebooks/train.ipynb)
	$(HEADLESS) $(BIN)/jupyter-execute --inplace --timeout=900 $(if $(ARGS),$(ARGS),docs/notebooks/*.ipynb)

sheet: $(VENV)/.train ## regenerate docs/sheet/ and the findings: the dice to commit (about ten minutes; ARGS=--redraw solves nothing)
	$(HEADLESS) $(BIN)/python -m deckwood_agents.studies.sheet $(ARGS)

results: $(VENV)/.train ## play what is missing of docs/results.md and write it anew (slow agents take hours; ARGS='--agents random expert --runs runs/NAME')
	$(HEADLESS) $(BIN)/python -m deckwood_agents.results $(ARGS)

clean: ## remove caches and builds (keeps .venv and training runs)
	rm -rf build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis .coverage htmlcov
	find . -name __pycache__ -type d -not -path './$(VENV)/*' -prune -exec rm -rf {} +

distclean: clean ## remove .venv too
	rm -rf $(VENV)
