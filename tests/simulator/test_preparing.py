"""The kernel's tables agree with a second reading of rules and clans in Python."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from inside.simulator.preparing import stated, stated_fields
from inside.simulator.tables import hidden_record, view_records

from ethnos_sim.simulator import (
    MODES,
    NONE,
    SOLO,
    SOLO_CLANS,
    VIEW_DTYPE,
    Power,
    Rules,
    load_rules,
)

WORDS = (
    *("second", "first", "second+optional-marker", "first+ten-wild-wins"),
    *("first+first-alternative-tokens", "second+last_dragon=2", "second+ages_4_6=1"),
    *("first+cards_per_clan=6", "second+bruno.cards_each_age=false", "second+dog.scored=true"),
    *("second+bear.times_cards=2", "second+clans.phoenix=sea_track", "second+koi.symbols=[1,2]"),
    *("second+raccoon.coins=[]", "second+two_players.both_markers=false"),
)


def asked(rules: Rules) -> Iterator[tuple[int, str, list[str]]]:
    """Numbers of players, modes and clan sets that these rules allow."""
    random = np.random.default_rng(7)
    for mode in MODES:
        if mode in SOLO:
            if rules.solo_clans:
                yield 1, mode, [SOLO_CLANS[i] for i in random.permutation(len(SOLO_CLANS))]
            continue
        for players in range(2, 7):
            clans = random.permutation(rules.clans)[: rules.clans_in_play(players)]
            if sum(rules.number(clan, "times_cards") for clan in clans) <= 7:
                yield players, mode, [str(clan) for clan in clans]


def expected(rules: Rules, players: int, mode: str, clans: list[str]) -> np.ndarray:
    """The open record as `records.py` describes it, field by field."""
    (view,) = views = np.zeros(1, VIEW_DTYPE)
    slots = [clan for clan in clans for _ in range(rules.number(clan, "times_cards"))]
    planes = {
        clan: sum(0b111111 << 6 * n for n, of in enumerate(slots) if of == clan) for clan in clans
    }
    sides, ages = max(players, 2), rules.ages(players)
    wild = [clan for clan in clans if rules.power_of(clan) is Power.WILD]
    view["players"], view["hands"], view["ages"], view["slots"] = sides, players, ages, len(slots)
    view["solo"] = SOLO.get(mode, 0)
    for name in (
        "clan",
        "power",
        "slot_of_power",
        "largest_holder",
        "most_markers_of",
        "token_owner",
    ):
        view[name] = NONE
    for slot, clan in enumerate(slots):
        view["clan"][slot], view["power"][slot] = rules.clans.index(clan), rules.power_of(clan)
        view["home"][slot], view["clan_cards"][slot] = slots.index(clan), planes[clan]
    for clan in reversed(clans):
        power = rules.power_of(clan)
        view["slot_of_power"][power] = slots.index(clan)
        view["power_cards"][power] |= np.uint64(planes[clan])
        view["leaders_up"] |= 1 << slots.index(clan)
    view["all_cards"] = sum(planes.values())
    view["color_cards"] = [sum(1 << 6 * n + color for n in range(len(slots))) for color in range(6)]
    view["wild_cards"] = sum(planes[clan] for clan in wild)
    view["unscored_cards"] = sum(planes[clan] for clan in wild if not rules.number(clan, "scored"))
    tracks = sum(rules.power_of(clan) is Power.SEA_TRACK for clan in clans)
    view["supply"][:sides] = max(rules.number("markers") - 1 - tracks, 0)
    fill_rules(view["rules"], rules, players, mode, slots)
    return views


def fill_rules(record: Any, rules: Rules, players: int, mode: str, slots: list[str]) -> None:
    """Fill in the values that hold at a table (RULES_DTYPE)."""

    def put(name: str, value: Any, slot: int | None = None) -> None:
        if name in record.dtype.names:
            place = () if slot is None else (slot,)
            if isinstance(value, tuple):
                record[name][place][: len(value)] = value
                if f"{name}_count" in record.dtype.names:
                    record[f"{name}_count"][slot] = len(value)
            elif slot is None:
                record[name] = value
            else:
                record[name][slot] = value

    for name, field in rules.fields.items():
        if field.players[0] <= players <= field.players[1]:
            of_clan = [n for n, clan in enumerate(slots) if clan == name.partition(".")[0]]
            for slot in of_clan if field.powers else [None]:
                put(field.record, rules.value(name), slot)
    ages, tokens = rules.ages(players), rules.prestige_tokens(players)
    record["last_dragon"] = rules.ending_dragon
    record["copies"] = rules.number("cards_per_clan") // 6
    record["first_pool"] = rules.number("pool_per_player") * max(players, 2)
    record["prestige_tokens"][: len(tokens)], record["tokens_per_region"] = tokens, len(tokens) // 6
    for age in range(ages):
        paid = rules.pays(age + 1)
        record["pays"][age, : len(paid)] = paid
    if mode != "standard":
        record["pool_refill"] = rules.number("recruitment_pool")
    record["tokens_laid"] = bool(rules.numbers("tokens"))
    if mode in SOLO:
        record["bruno_cards"][ages if rules.number("bruno.cards_each_age") else 1 :] = 0
    for age, of_bruno in enumerate(record["bruno_cards"].tolist()):
        cards = len(slots) * rules.number("cards_per_clan")
        deck = cards - rules.cards_dealt(players) - of_bruno
        deck += rules.number("bruno.cards") if mode in SOLO else 0
        part = deck - rules.cards_above_dragons(deck)
        record["dragons_part"][age] = part + rules.number("dragons")


@pytest.mark.parametrize("word", WORDS)
def test_the_kernel_prepares_every_table_as_the_rules_say(word: str) -> None:
    rules = load_rules(word)
    tables = list(asked(rules))
    assert len(tables) >= 5
    for players, mode, clans in tables:
        (view,) = view_records(rules, players, mode, [clans])
        (told,) = expected(rules, players, mode, clans)
        differing = [
            name for name in view.dtype.names if not np.array_equal(view[name], told[name])
        ]
        assert view.tobytes() == told.tobytes(), (players, mode, clans, differing)


def test_tables_prepared_together_equal_tables_prepared_one_by_one() -> None:
    rules = load_rules("second")
    sets = [rules.clans[first : first + 6] for first in range(7)]
    alone = [view_records(rules, 4, "standard", [clans]).tobytes() for clans in sets]
    assert view_records(rules, 4, "standard", sets).tobytes() == b"".join(alone)


def test_a_new_hidden_record_is_empty() -> None:
    (hidden,) = hidden_record()
    assert hidden["ten_wild_winner"] == NONE
    assert (hidden["result"]["third_dragon"] == NONE).all()
    assert (hidden["seats"]["gave_up"] == NONE).all()
    hidden["ten_wild_winner"], hidden["result"]["third_dragon"] = 0, 0
    hidden["seats"]["gave_up"] = 0
    assert not any(hidden.tobytes())


@pytest.mark.parametrize("edition", ["first", "second"])
def test_the_layout_of_stated_values_has_the_place_of_every_value(edition: str) -> None:
    rules = load_rules(edition)
    values, clans = stated(rules)
    rows = stated_fields(rules)
    assert [row["name"] for row in rows] == list(rules.values())
    for row in rows:
        held = (values if row["clan"] is None else clans[row["clan"] :]).tobytes()
        value = rules.value(row["name"])
        numbers = value if isinstance(value, tuple) else (value,)
        assert np.frombuffer(held, "<i2", len(numbers), row["offset"]).tolist() == list(numbers)
        if row["count_offset"] is not None:
            assert np.frombuffer(held, "<i2", 1, row["count_offset"]) == len(numbers)
