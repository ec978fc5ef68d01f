"""Configure Sphinx for the documentation site, which `make docs` writes to build/docs."""

import os
from datetime import UTC, datetime

import ethnos_sim

# Notebooks are executed with the interpreter that builds the site.
os.environ["JUPYTER_PREFER_ENV_PATH"] = "1"

project = "ethnos-sim"
author = "the ethnos-sim authors"
moment = int(os.environ.get("SOURCE_DATE_EPOCH", datetime.now(tz=UTC).timestamp()))
project_copyright = f"{datetime.fromtimestamp(moment, tz=UTC).year}, {author}"
version = release = ethnos_sim.__version__

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_click",
]
exclude_patterns = ["examples", "figures"]

html_theme = "furo"
html_title = f"ethnos-sim {version}"
html_static_path: list[str] = []
# The sample page is part of the site, so that readers can try it without saving it.
html_extra_path = ["examples/report.html"]

myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence"]
nb_execution_mode = "force"
nb_execution_in_temp = True
nb_execution_raise_on_error = True
nb_execution_timeout = 300
nb_output_stderr = "remove-warn"

autodoc_typehints = "signature"
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
napoleon_use_rtype = False

# Blocks that show the form of a spec or a line need not be valid code of their language.
suppress_warnings = ["misc.highlighting_failure"]
