# The course's commands; `make` alone lists them. Anything else passes through ARGS, as in
#   make lab ARGS="--no-browser --port 8899"      make test ARGS="tests/test_attention.py -x"
# With ARGS, `make test` and `make check` run just these tests, whatever their tier.
# PYTHON names another Python 3.11 or newer, TORCH_INDEX another source of PyTorch (Linux).

PYTHON ?= python3
RUN := .venv/bin/python
PYTEST := $(RUN) -m pytest -n auto --dist loadgroup --no-loadscope-reorder --durations 10
SETUP = @command -v "$(PYTHON)" > /dev/null || { echo "The course needs Python 3.11 or newer, and \
there is no $(PYTHON) here. Get it from https://www.python.org/downloads/."; exit 1; }; \
"$(PYTHON)" tools/setup.py

# Only where it is given to make: systems have a variable of this name with lists in it.
SPOKEN = $(if $(filter line,$(origin LANGUAGE)),--language $(LANGUAGE))

.DEFAULT_GOAL := help
.PHONY: help setup lab doctor test check notebooks portable site slides screens results bench

help: ## list these commands
	@while IFS= read -r line; do case "$$line" in [a-z]*:*" ## "*) \
	printf 'make %-10s%s\n' "$${line%%:*}" "$${line#* ## }";; esac; done < Makefile

setup: ## make the environment in .venv, with everything the course needs
	$(SETUP)

lab: ## set up and open JupyterLab on your copies of the lessons and exercises (LANGUAGE=ko)
	$(SETUP) --quiet $(SPOKEN)
	@$(RUN) -m tutor lab $(SPOKEN) $(ARGS)

doctor: ## say what is wrong with the environment, if anything, and the cure
	$(SETUP) --quiet
	@$(RUN) -m tutor doctor $(ARGS)

test: ## set up, then check style, types and, in minutes, the behaviour of everything
	$(SETUP) --quiet --dev
	$(RUN) -m ruff check .
	$(RUN) -m ruff format --check .
	$(RUN) -m mypy
	$(RUN) -m deptry tutor notebooks solutions
	$(if $(ARGS),$(RUN) -m pytest $(ARGS),$(PYTEST) -m "not long")

check: test ## check all there is: what `make test` does, then the long tests
	$(if $(ARGS),,$(PYTEST) -m long)

notebooks: ## execute the lessons and solutions that changed, and make the exercises from them
	$(SETUP) --quiet --dev
	$(RUN) tools/notebooks.py refresh $(ARGS)

portable: ## execute lessons and solutions as on other processors, and compare with what they store
	$(SETUP) --quiet --dev
	$(RUN) tools/notebooks.py portable $(ARGS)

site: ## make pages and slides of the lessons that need no kernel and no network, in build/
	$(SETUP) --quiet --dev
	@$(RUN) tools/publish.py site $(ARGS)

slides: ## make the slides only
	$(SETUP) --quiet --dev
	@$(RUN) tools/publish.py slides $(ARGS)

screens: ## page through all slides at four sizes: type, cuts, empty presses (ARGS="--only 05")
	$(SETUP) --quiet --dev
	@$(RUN) tools/publish.py slides
	@$(RUN) -m tests.browser.screens $(ARGS)

results: ## measure and train again what the lessons show stored; hours (ARGS="NAME ..." for some)
	$(SETUP) --quiet --dev
	$(RUN) tools/results $(ARGS)

bench: ## measure the course beside its peers: a table of ratios (ARGS="--only slider", "--full")
	$(SETUP) --quiet --dev
	@$(RUN) -m benchmarks $(ARGS)
