"""What the page can and cannot say, and what it was made from."""

from __future__ import annotations

from ethnos_sim.experiments.designs.blank_clan import BLANK
from ethnos_sim.experiments.statistics.blocks import MIN_BLOCKS, MIN_EVENTS
from ethnos_sim.reports.evidence.evidence import Evidence
from ethnos_sim.reports.rendering.document import Block, Details, Items, Section, Text
from ethnos_sim.reports.rendering.labels import clan_label, setting_label
from ethnos_sim.reports.rendering.numbers import listed, whole
from ethnos_sim.reports.rendering.table import Row, Table, listing
from ethnos_sim.reports.sections.chapter import Chapter, counted_players
from ethnos_sim.reports.sections.solo_chapter import SoloChapter
from ethnos_sim.simulator.rules import load_rules
from ethnos_sim.strategies import list_strategies
from ethnos_sim.strategies.understanding import not_understood

DETAILS = "More limits, provenance and assumed values"


def limits(evidence: Evidence, chapters: list[Chapter], solo: SoloChapter) -> Section:
    """What matters most in a few sentences; the rest, provenance and assumed values below them.

    The first screen has to hold the tier list too, so most of it is collapsed.
    """
    blocks: list[Block] = []
    told = (
        partial_sentence(evidence),
        changed_rules_sentence(evidence),
        not_understood_sentence(evidence, blank=False),
    )
    for sentence in told:
        if sentence:
            blocks.append(Text(sentence, "warning"))
    blocks.append(Text(_in_short(chapters) if chapters else " ".join(solo.limits())))
    hidden: list[Block] = []
    if chapters:
        blank = not_understood_sentence(evidence, blank=True)
        statements = (*_statements(chapters), *([blank] if blank else []))
        hidden.append(Items((*statements, *solo.limits())))
    hidden.append(_provenance(evidence, chapters, solo))
    hidden += _assumed(evidence)
    blocks.append(Details(DETAILS, tuple(hidden), "limits-details"))
    return Section("limits", "Scope and limitations", tuple(blocks))


def _in_short(chapters: list[Chapter]) -> str:
    """The limits that no reader may miss."""
    words = chapters[0].rules.words
    return (
        f"These are computer players: every number holds for the strategies and {words.clan} sets "
        f"that played, and a {words.clan} that they misplay looks weak. All share one deck, so "
        f"what counts is who may lead a {words.clan}, not that it is in play. Intervals hold 95 "
        f"times in 100; what may be chance is called not settled."
    )


def partial_sentence(evidence: Evidence) -> str:
    """The mark of a sweep that is not complete; empty for a complete one."""
    planned = evidence.games_planned
    if evidence.games >= planned:
        return ""
    return (
        f"Partial sweep: {whole(evidence.games)} of {whole(planned)} planned games are played. "
        f"All numbers are of the games played so far."
    )


def changed_rules_sentence(evidence: Evidence) -> str:
    """The rule values that a variant or a setting changed; empty where none was."""
    changes = [
        f"{about.title}: {name} = {about.values[name]}"
        for (_, rules), about in evidence.rule_sets.items()
        for name in about.changed
        if not rules
    ]
    return f"Changed rules: {'; '.join(changes)}." if changes else ""


def not_understood_sentence(evidence: Evidence, *, blank: bool) -> str:
    """The clans whose values some strategies do not look at; empty where they see all of them.

    `strategies.understanding` says how that is decided. The blank clan, which is no clan of the
    game, is told of apart from the others.
    """
    found: dict[str, list[str]] = {}
    known = {strategy.name for strategy in list_strategies()}
    for (edition, name), about in evidence.rule_sets.items():
        if (name == BLANK) != blank:
            continue
        rules = load_rules(edition, overrides=about.values)
        for entry in evidence.strategies():
            if entry.split(":")[0] not in known:
                continue  # A strategy of the user's own, whose file this run was not given.
            for clan, new in not_understood(entry, rules).items():
                of_set = f" of {name}" if name else ""
                said = f"{clan_label(clan)}{of_set} ({', '.join(new)})"
                if blank:
                    said = f"the blank clan in the place of {clan_label(clan)}"
                found.setdefault(said, []).append(entry)
    if not found:
        return ""
    said = "; ".join(f"{clan}: {listed(names)}" for clan, names in found.items())
    return (
        "Not understood by strategies that were made for the printed rules and do not see what is "
        f"new: {said}. What the page says of these with them says how they misplay, not how strong "
        "they are; look-ahead plays the rules out and understands them."
    )


def overlooks_blank(evidence: Evidence, edition: str, strategy: str) -> bool:
    """Whether a strategy that is known here does not see that the blank clan's power is none."""
    about = evidence.rule_sets.get((edition, BLANK))
    if about is None or strategy not in {each.name for each in list_strategies()}:
        return False
    return bool(not_understood(strategy, load_rules(edition, overrides=about.values)))


def _statements(chapters: list[Chapter]) -> tuple[str, ...]:
    """What a careful reader has to know, in sentences."""
    words = chapters[0].rules.words
    wild = list(dict.fromkeys(clan_label(c.wild_clan) for c in chapters if c.wild_clan))
    statements = [
        f"All players draw from one deck, so the win rate of games with a {words.clan} in play is "
        f"always one in n and says nothing.",
        f"Restricted play asks what one player loses who may not lead a {words.clan}, while all "
        f"others may; forced play, what one gains who leads it whenever that is possible. Only one "
        f"seat changes, so the answer is a cause, for this strategy. Whoever may not lead a "
        f"{words.clan} has fewer ways to play, so power is rarely below 0; where it is, the "
        f"strategy leads the {words.clan} when it should not.",
        f"Win lift looks at who led the {words.clan}. It is association, not causal power: a "
        f"{words.clan} that is led late, by players who are ahead, or in large {words.parties} "
        f"looks strong without being the reason.",
        "Every number holds for the strategies that played. A strategy that misplays a "
        f"{words.clan} makes the {words.clan} look weak.",
        f"Where strategies of unequal strength meet, a {words.clan} also looks strong because the "
        "stronger strategy leads it more often; the tables by strategies show how much that is.",
        f"Inference is for the {words.clan} sets of this sweep, each weighing what it was played, "
        "and for new deals of them; not for sets that were not played.",
        f"An interval is shown from {MIN_BLOCKS} blocks of deals and {MIN_EVENTS} counted events "
        "on; without it a number carries a question mark and no verdict.",
    ]
    if wild:
        statements.append(
            f"A {' or '.join(wild)} never leads a {words.party}, so power, win lift and usage "
            f"say nothing of it."
        )
    return tuple(statements)


def _provenance(evidence: Evidence, chapters: list[Chapter], solo: SoloChapter) -> Table:
    """Where the numbers come from, as a table of two columns; stored as it is shown."""
    planned = whole(evidence.games_planned)
    rows = [("Games played", f"{whole(evidence.games)} of {planned} planned")]
    for plan in evidence.plans:
        about = f"plan {plan.plan_id}, seed {plan.seed}, ethnos-sim {plan.version}"
        rows.append((f"Sweep: {plan.name}", f"{whole(plan.games)} games planned, {about}"))
    rows.append(("Strategies", ", ".join(evidence.strategies())))
    for (_, name), rules in evidence.rule_sets.items():
        rows.append((f"Rules, {rules.title}{name and ', '}{name}", rules.rules_id))
    for chapter in chapters:
        sets = {
            clans
            for situation, sums in evidence.sets.items()
            if situation.setting == chapter.setting
            for clans in sums.sets
        }
        played = ", ".join(
            f"{players}: {whole(evidence.games_of(chapter.setting, players))}"
            for players in chapter.players
        )
        name = setting_label(chapter.rules, chapter.setting)
        clan_sets = f"{len(sets)} {chapter.rules.words.clan} sets"
        if played:
            rows.append((f"Games by players, {name}", f"{played} ({clan_sets})"))
        restricted = "; ".join(
            f"{chapter.describe(population)}: {whole(chapter.intervention_games(population))} "
            f"({counted_players(chapter.power_counts(population))})"
            for population in chapter.power_populations()
        )
        if restricted:
            rows.append((f"Games with one seat restricted or forced, {name}", restricted))
    for mode in solo.modes:
        lines = solo.evidence.of_mode(mode)
        played = whole(sum(sums.games for sums in lines.values()))
        rows.append(
            (f"Games in solo, {solo.difficulty(mode)}", f"{played} ({len(lines)} strategies)")
        )
    stored = [Row({"item": item, "content": content}) for item, content in rows]
    return listing("Provenance", stored, {"item": "What", "content": "Value"}, "provenance")


def _assumed(evidence: Evidence) -> list[Block]:
    """The component values in force that nobody states, by edition."""
    tables = []
    for (edition, rule_set), about in evidence.rule_sets.items():
        if rule_set:
            continue
        rules = load_rules(edition, overrides=about.values)
        rows = []
        for name in about.assumed:
            value = rules.values()[name]
            used = listed(str(part) for part in value) if isinstance(value, tuple) else str(value)
            labels = {"edition": about.edition, "rules": about.rule_set, "name": name, "used": used}
            rows.append(Row(labels | {"why": rules.provenance(name).source}))
        if rows:
            headings = {"name": "Value", "used": "Used here", "why": "Why"}
            caption = f"Assumed component values, {about.title}."
            tables.append(listing(caption, rows, headings, "assumed_values"))
    if not tables:
        return []
    text = (
        "The following component values are printed on parts of the game that no source states; "
        "they are this project's own choice. Numbers of the clans they belong to rest on them."
    )
    return [Text(text), *tables]
