"""Make the command line of a measurement from the parameters of its function.

    if __name__ == "__main__":
        run(measure)

Positional parameters become arguments, keyword-only parameters become options. A tuple takes
several words, a `bool` is a flag, and a `Literal` lists its choices. The module's docstring is the
help.
"""

from __future__ import annotations

import argparse
import inspect
import sys
from collections.abc import Callable
from types import UnionType
from typing import Any, Literal, get_args, get_origin


def run(measure: Callable[..., int | None]) -> None:
    """Call a measurement with the arguments of the command line, and exit with its result."""
    about = inspect.getdoc(inspect.getmodule(measure))
    parser = argparse.ArgumentParser(
        description=about, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for parameter in inspect.signature(measure, eval_str=True).parameters.values():
        _add_parameter(parser, parameter)
    sys.exit(measure(**vars(parser.parse_args())))


def _add_parameter(parser: argparse.ArgumentParser, parameter: inspect.Parameter) -> None:
    """Add a parameter as an argument or an option of its type."""
    kind = parameter.annotation
    settings: dict[str, Any] = {}
    if get_origin(kind) is tuple:
        settings["nargs"] = "+"
    if get_origin(kind) in (tuple, UnionType):
        kind = get_args(kind)[0]
    if kind is bool:
        settings["action"] = "store_true"
    elif get_origin(kind) is Literal:
        settings["choices"] = get_args(kind)
    else:
        settings["type"] = kind
    if parameter.default is not parameter.empty:
        settings["default"] = parameter.default
    if parameter.kind is parameter.KEYWORD_ONLY:
        parser.add_argument(f"--{parameter.name.replace('_', '-')}", **settings)
    else:
        if "default" in settings:
            settings["nargs"] = "?"
        parser.add_argument(parameter.name, **settings)
