"""One error with all problems of a spec and their paths in the file.

A user who corrects a spec should not have to run it again to learn of the next mistake.
"""

from __future__ import annotations

import typing
from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails, InitErrorDetails, PydanticCustomError

from ethnos_sim.simulator.utilities.errors import SpecError, nearest
from ethnos_sim.simulator.utilities.reading import check_size

SpecPath = tuple[str | int, ...]
Problem = tuple[SpecPath, str]
"""A path below the checked value, and a sentence that says what is wrong there."""

Model = typing.TypeVar("Model", bound=BaseModel)


def refuse(problems: Iterable[Problem]) -> None:
    """Raise a ValidationError with all problems, without repetitions; do nothing without any."""
    errors = [
        InitErrorDetails(
            type=PydanticCustomError("spec", "{said}", {"said": said}), loc=path, input=None
        )
        for path, said in dict.fromkeys(problems)
    ]
    if errors:
        raise ValidationError.from_exception_data("spec", errors)


def validated(model: type[Model], content: Mapping[str, object], source: str) -> Model:
    """The content of a file as a model.

    Args:
        model: the model.
        content: the content of the file.
        source: the name that errors give the file.

    Raises:
        SpecError: the content is wrong; the error has a sentence for every problem.
    """
    try:
        check_size(content)
    except ValueError as error:
        raise SpecError(source, [str(error)]) from error
    try:
        return model.model_validate(content)
    except ValidationError as error:
        raise SpecError(source, _sentences(error, model, content)) from error


def _sentences(
    error: ValidationError, model: type[BaseModel], content: Mapping[str, object]
) -> list[str]:
    """A sentence for every mistake, beginning with its path; unknown keys hide no other mistake."""
    errors = error.errors(include_url=False)
    unknown = [entry for entry in errors if entry["type"] == "extra_forbidden"]
    problems = [
        f"{_path_text(entry['loc'], content)}: {_sentence(entry, model)}"
        for entry in unknown or errors
    ]
    if unknown:
        try:
            model.model_validate(content, extra="ignore")
        except ValidationError as others:
            problems += _sentences(others, model, content)
    return problems


def _sentence(entry: ErrorDetails, model: type[BaseModel]) -> str:
    kind, said, given = entry["type"], entry["msg"], entry["input"]
    if kind == "missing":
        return "is missing"
    if kind == "extra_forbidden":
        return f"there is no such key{nearest(str(entry['loc'][-1]), _keys(model, entry['loc']))}"
    if kind == "value_error":
        return str(entry["ctx"]["error"])
    if kind == "spec":
        return said
    shown = f", not {given!r}" if isinstance(given, str | int | float | bool) else ""
    return f"{said[0].lower()}{said[1:]}{shown}"


def _keys(model: type[BaseModel], path: SpecPath) -> list[str]:
    for step in path[:-1]:
        field = _fields(model).get(str(step))
        model = model if field is None else _model_in(field.annotation) or model
    return list(_fields(model))


def _fields(model: type[BaseModel]) -> dict[str, FieldInfo]:
    return {field.alias or name: field for name, field in model.model_fields.items()}


def _model_in(annotation: Any) -> type[BaseModel] | None:
    """The model inside an annotation such as `list[Model]` or `Model | None`, if there is one."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    models = (_model_in(part) for part in typing.get_args(annotation))
    return next((model for model in models if model is not None), None)


def _path_text(path: SpecPath, raw: object) -> str:
    """A path as text in the form of the user's file: `line_ups[0][1]`, or `spec` for the whole.

    A step that the file's own form lacks is left out: an index into a table, a key into a list.
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
