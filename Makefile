# `make report` plays the bundled sweep and leaves a page to open, `make study` plays all bundled
# experiments (QUICK=--quick: a little of each); `make test` runs the tests, `make faults` tries every
# fault that the program has to survive (docs/results.md).
# Everything is installed into .venv, and again only when pyproject.toml or setup.py changes; what
# checks the pages' scripts comes with node into node_modules, and no user needs it.

VENV := .venv
BIN := $(VENV)/bin
SCRIPTS := reports/scripts
NPM := cd $(SCRIPTS) && PATH="$(CURDIR)/$(BIN):$$PATH" npm
# Python keeps what it made of modules in the environment, also where it may not beside them: a start
# takes three times as long without.
unexport PYTHONDONTWRITEBYTECODE
export PYTHONPYCACHEPREFIX := $(CURDIR)/$(VENV)/pycache
DIST := dist
BUILD = $(BIN)/python -m build $(addprefix --installer=,$(notdir $(wildcard $(BIN)/uv)))
FOR_ALL := NUMBA_CPU_NAME=x86-64-v3 NUMBA_CPU_FEATURES=
AHEAD := from ethnos_sim.strategies.compiling_ahead
PACKAGES := simulator strategies experiments reports

# uv installs in a fifth of the time of pip, which stands in where uv reaches no packages.
install = { $(BIN)/python -m pip install -qq uv \
    && $(BIN)/uv pip install --quiet --python $(BIN)/python --editable '$(1)'; } \
  || $(BIN)/python -m pip install -qq --editable '$(1)'

.PHONY: report study sample test coverage faults lint lock docs site pages dist bench clean

# The first page rests on a tenth of the games; the sweep then goes on to all of them.
report: $(VENV)/.installed
	@[ -e report/index.html ] || { \
	  $(BIN)/ethnos-sim sweep clan-win-rates --quick --out report/data && \
	  $(BIN)/ethnos-sim report report/data --out report/index.html && \
	  echo "A first look: open $(CURDIR)/report/index.html; the rest is played now"; }
	$(BIN)/ethnos-sim sweep clan-win-rates --out report/data
	$(BIN)/ethnos-sim report report/data --out report/index.html
	@echo "Open $(CURDIR)/report/index.html"

study: $(VENV)/.installed
	for spec in experiments/specs/bundled/*.toml; do \
	  name=$$(basename $$spec .toml); \
	  $(BIN)/ethnos-sim sweep $$name --out report/study/$$name $(QUICK) || exit; \
	done
	$(BIN)/ethnos-sim report report/study
	@echo "Open $(CURDIR)/report/study/report.html"

# The page that the repository shows, and the card of the README.
sample: $(VENV)/.installed-plot
	$(BIN)/ethnos-sim sweep clan-win-rates --out build/sample
	$(BIN)/ethnos-sim report build/sample --card docs/figures/card.svg
	cp build/sample/report.html docs/examples/report.html

test: $(VENV)/.installed-test
	$(BIN)/python -m pytest -n 2 --dist worksteal

# What the compiler takes cannot be counted line by line; the rest is.
coverage: $(VENV)/.installed-test
	$(BIN)/python -m coverage run --source ethnos_sim -m pytest -q
	$(BIN)/python -m coverage report --skip-covered

faults: $(VENV)/.installed-test
	FAULTS=all $(BIN)/python -m pytest -n 2 --dist worksteal tests/faults

lint: $(VENV)/.installed-test $(SCRIPTS)/node_modules/.installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	@rm -rf .typing && mkdir -p .typing/ethnos_sim
	@ln -s $(addprefix ../../,$(wildcard cli/*) $(PACKAGES)) .typing/ethnos_sim/
	MYPYPATH=.typing:tests/api $(BIN)/mypy -p ethnos_sim -m sample_project
	MYPYPATH=.typing $(BIN)/mypy benchmarks
	$(NPM) exec --silent -- biome ci --colors=off .. ../../tests
	$(NPM) exec --silent -- tsc

# What the action and the workflows install: the newest versions that pyproject.toml allows.
LOCK = printf 'setuptools>=77\nuv\n' | \
  $(BIN)/uv pip compile --universal --upgrade --quiet --no-header --no-annotate pyproject.toml -

lock: $(VENV)/.installed-test
	$(LOCK) --generate-hashes --output-file requirements.txt
	$(LOCK) --extra test --extra docs --output-file .github/constraints.txt

# Every notebook, command and line of code is executed, and a warning is an error; the site is built
# by one process beside those that execute the pages.
docs: $(VENV)/.installed-docs $(VENV)/.installed-test
	@$(MAKE) --no-print-directory -j2 -O site pages
	@echo "Open $(CURDIR)/build/docs/index.html"

site:
	$(BIN)/python -m sphinx -W --keep-going -q -b html docs build/docs

pages:
	$(BIN)/python docs/execute.py

# The same commit gives the same bytes, but for machine code: the wheel for x86-64-v3 carries that of
# all that ships, so that its first games wait for no compiler.
dist: $(VENV)/.installed-test
	SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct) $(BUILD) --outdir $(DIST) .
	[ "$$(uname -sm)" != "Linux x86_64" ] || { rm -rf build/lib* build/code \
	  && $(FOR_ALL) $(BIN)/python -c "$(AHEAD) import compile_all; compile_all()" \
	  && $(FOR_ALL) $(BIN)/python -c \
	    "$(AHEAD) import copy_cached_code; copy_cached_code('build/code')" \
	  && ETHNOS_SIM_MACHINE_CODE=build/code $(BUILD) --wheel --outdir $(DIST) .; }

bench: $(VENV)/.installed-bench
	$(BIN)/python benchmarks/throughput.py
	$(BIN)/python benchmarks/peers.py

clean:
	rm -rf $(VENV) .typing $(SCRIPTS)/node_modules build dist report *.egg-info .pytest_cache .mypy_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/.installed: pyproject.toml setup.py | $(BIN)/python
	$(call install,.)
	@touch $@

$(VENV)/.installed-%: pyproject.toml setup.py | $(BIN)/python
	$(call install,.[$*])
	@touch $@

$(SCRIPTS)/node_modules/.installed: $(SCRIPTS)/package.json $(VENV)/.installed-test
	$(NPM) install --silent
	@touch $@

# A command of the right name may still not run, or lack the module that makes environments.
$(BIN)/python:
	@for python in python3.13 python3.12 python3.11 python3; do \
	  if $$python -c 'import ensurepip, sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' \
	      2> /dev/null; then \
	    echo "$$python -m venv $(VENV)"; \
	    exec $$python -m venv $(VENV); \
	  fi; \
	done; \
	echo "Python 3.11, 3.12 or 3.13 with its venv module is needed, and none was found" >&2; exit 1
