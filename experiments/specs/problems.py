"""Everything that is wrong with a spec, each with its path in the file, in one error.

A user who mends a spec should not have to run it again to learn of the next mistake.
"""

from __future__ import annotations

import typing
from collections.abc import Iterable, Sequence
from typing import Any

from pydantic import BaseModel, ValidationError

from ethnos_sim.simulator.errors import WrongInput, nearest

SpecPath = tuple[str | int, ...]


class SpecError(WrongInput):
    """A spec that cannot be played. `problems` holds a sentence for each mistake, with its path."""

    def __init__(self, source: str, problems: Sequence[str]) -> None:
        """Keep the sentences; the message is all of them, a line each, after the spec's name."""
        self.source = source
        self.problems = tuple(problems)
        super().__init__("\n".join(f"{source}: {problem}" for problem in problems))

    def __reduce__(self) -> tuple[type[SpecError], tuple[str, tuple[str, ...]]]:
        """Survive the way back from a worker process with the sentences apart."""
        return type(self), (self.source, self.problems)


class Problems(ValueError):
    """Several mistakes found by one check: (path below what was checked, sentence) each."""

    def __init__(self, problems: Iterable[tuple[SpecPath, str]]) -> None:
        """Keep the mistakes in the order in which they were found."""
        self.problems = tuple(problems)
        super().__init__("; ".join(sentence for _, sentence in self.problems))


Model = typing.TypeVar("Model", bound=BaseModel)


def validated(model: type[Model], content: object, unknown: Sequence[str], source: str) -> Model:
    """What a file says as a model.

    Args:
        model: what it has to be.
        content: what it says, without keys that the model does not know.
        unknown: a sentence for each of those.
        source: what to call it in errors.

    Raises:
        SpecError: with a sentence for everything that is wrong.
    """
    try:
        found = model.model_validate(content)
    except ValidationError as error:
        raise SpecError(source, [*unknown, *problems_of(error, content)]) from error
    if unknown:
        raise SpecError(source, unknown)
    return found


def problems_of(error: ValidationError, raw: object) -> list[str]:
    """A sentence for every mistake that pydantic found, each beginning with its path.

    Args:
        error: what validating `raw` raised.
        raw: what was validated, to tell paths as they stand in the file.
    """
    sentences = []
    for entry in error.errors():
        location: SpecPath = entry["loc"]
        cause = entry.get("ctx", {}).get("error")
        if isinstance(cause, Problems):
            found = [(location + path, sentence) for path, sentence in cause.problems]
        else:
            found = [(location, _sentence(dict(entry)))]
        sentences += [f"{_written(path, raw)}: {sentence}" for path, sentence in found]
    return sentences


def _sentence(entry: dict[str, Any]) -> str:
    """One of pydantic's errors in our words."""
    kind = entry["type"]
    if kind == "missing":
        return "is missing"
    if kind == "value_error":
        return str(entry["ctx"]["error"])
    said = str(entry["msg"])
    given = entry["input"]
    shown = f", not {given!r}" if isinstance(given, str | int | float | bool) else ""
    return f"{said[0].lower()}{said[1:]}{shown}"


def split_unknown_keys(raw: Any, model: type[BaseModel] | None) -> tuple[Any, list[str]]:
    """A spec without the keys that its tables do not have, and a sentence for each of those.

    They are told apart from the other mistakes, so that a misspelled key hides none of these.
    """
    return _without_unknown(raw, model, ())


def _without_unknown(
    raw: Any, model: type[BaseModel] | None, path: SpecPath
) -> tuple[Any, list[str]]:
    """As `split_unknown_keys`, for what stands at a path."""
    if model is None or not isinstance(raw, dict | list):
        return raw, []
    problems: list[str] = []
    if isinstance(raw, list):
        items = []
        for place, item in enumerate(raw):
            kept, found = _without_unknown(item, model, (*path, place))
            items.append(kept)
            problems += found
        return items, problems
    fields = {field.alias or name: field for name, field in model.model_fields.items()}
    table = {}
    for key, value in raw.items():
        if key in fields:
            inner = _model_in(fields[key].annotation)
            table[key], found = _without_unknown(value, inner, (*path, key))
            problems += found
        else:
            where = _written((*path, key), None)
            problems.append(f"{where}: there is no such key{nearest(key, fields)}")
    return table, problems


def _model_in(annotation: Any) -> type[BaseModel] | None:
    """The model inside an annotation such as `list[Model]` or `Model | None`, if there is one."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    models = (_model_in(part) for part in typing.get_args(annotation))
    return next((model for model in models if model is not None), None)


def _written(path: SpecPath, raw: object) -> str:
    """A path as the user wrote the spec: `line_ups[0][1]`, or `spec` for the whole.

    A step that the file does not have, because a table was given in a shorter form, is left out.
    """
    text = ""
    for step in path:
        if isinstance(step, int) and isinstance(raw, dict):
            continue
        if isinstance(step, int):
            text += f"[{step}]"
            raw = raw[step] if isinstance(raw, list) and step < len(raw) else None
        elif not isinstance(raw, list):
            text += f".{step}" if text else step
            raw = raw.get(step) if isinstance(raw, dict) else None
    return text or "spec"
