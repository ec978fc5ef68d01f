"""A check as JUnit XML: a test case for every signature and for every guarded number."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from ethnos_sim.reports.gate.checked import Checked, line_texts
from ethnos_sim.reports.gate.decision import FAIL, OPEN
from ethnos_sim.reports.gate.run import GateResult

_NOT_IN_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 cannot hold, not even escaped (its production 2, Char)."""


def as_junit(checked: Checked) -> str:
    """The XML text: a suite for the signatures, and one for each situation."""
    root = ElementTree.Element("testsuites", name="ethnos-sim check")
    if checked.signatures is not None:
        suite = ElementTree.SubElement(root, "testsuite", name="signatures")
        said = f"not the stored signature; what differs: {'; '.join(checked.signatures.causes)}"
        for place in checked.signatures.places:
            case = _case(suite, "signatures", place)
            if place in checked.changed:
                _problem(case, "failure", "changed", said)
        _count(suite)
    if checked.balance is not None:
        _balance(root, checked.balance)
    _count(root)
    ElementTree.indent(root)
    text: str = ElementTree.tostring(root, encoding="unicode", xml_declaration=False)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def _balance(root: ElementTree.Element, result: GateResult) -> None:
    """A suite for every situation, with its numbers."""
    suites: dict[str, ElementTree.Element] = {}
    for line in result.lines.iter_rows(named=True):
        texts, word = line_texts(line), line["word"]
        situation = texts["Situation"]
        if situation not in suites:
            suites[situation] = ElementTree.SubElement(root, "testsuite", name=_clean(situation))
        case = _case(suites[situation], situation, f"{line['estimand']} {line['name']}")
        said = (
            "stored {Stored}, now {Now}: {Difference}, margin {Margin}, adjusted p "
            "{p (adjusted)}, power {Power}"
        ).format_map(texts)
        if word == FAIL:
            _problem(case, "failure", "moved", said)
        elif word == OPEN and result.outcome == FAIL:
            _problem(case, "skipped", None, "the run ended with a failure elsewhere")
        elif word == OPEN:
            _problem(case, "failure", "undecided", said)
    for suite in suites.values():
        _count(suite)


def _case(suite: ElementTree.Element, group: str, name: str) -> ElementTree.Element:
    """A test case of a suite."""
    return ElementTree.SubElement(suite, "testcase", classname=_clean(group), name=_clean(name))


def _problem(case: ElementTree.Element, tag: str, kind: str | None, said: str) -> None:
    """Say that a test case failed or was skipped."""
    attributes = {"message": _clean(said)} | ({} if kind is None else {"type": kind})
    ElementTree.SubElement(case, tag, attributes)


def _count(element: ElementTree.Element) -> None:
    """Write how many test cases, failures and skips are below an element."""
    element.set("tests", str(sum(1 for _ in element.iter("testcase"))))
    for attribute, tag in (("failures", "failure"), ("skipped", "skipped")):
        element.set(attribute, str(sum(1 for _ in element.iter(tag))))


def _clean(text: str) -> str:
    """A text without what XML cannot hold; the writer escapes the rest."""
    return _NOT_IN_XML.sub("\N{REPLACEMENT CHARACTER}", text)
