"""Guesses at hidden cards agree with everything seen, and all possible deals are equally likely."""

from collections import Counter

import numba
import numpy as np
import pytest
from inside.simulator.game import HIDDEN_DTYPE, TURN
from inside.simulator.kernel import guess_hidden_cards
from scipy import stats
from watching import cards_in, watch

from ethnos_sim.simulator import DRAGON, OWN_DTYPE, SOLO_CLANS, load_rules


@numba.njit
def guess_into(views: np.ndarray, owns: np.ndarray, hiddens: np.ndarray) -> int:
    """Make one guess for a view; return the size of the deck's bottom half."""
    guess_hidden_cards(views[0], owns[0], hiddens[0])
    return np.int64(views[0].rules.dragons_part[views[0].age - 1])


def turns(edition: str, players: int, clans: tuple[str, ...], mode: str) -> list[np.ndarray]:
    """Views at a player's turns in real games."""
    names = "greedy,random" if players > 1 else "greedy"
    views = watch(load_rules(edition), names, players, clans, 3, mode)
    return [view for view in views if view["decision"] == TURN]


TABLES = [
    ("second", 2, ("bear", "deer", "fox", "koi", "owl"), "standard"),
    ("first", 4, ("halfling", "skeleton", "elf", "wizard", "orc", "troll"), "standard"),
    ("second", 6, ("raccoon", "dog", "red_panda", "raven", "owl", "tiger"), "recruitment"),
    ("second", 1, SOLO_CLANS, "solo-regular"),
]


@pytest.mark.parametrize(("edition", "players", "clans", "mode"), TABLES)
def test_a_guess_agrees_with_everything_that_the_player_has_seen(edition, players, clans, mode):
    owns = np.zeros(1, OWN_DTYPE)
    for view in turns(edition, players, clans, mode):
        hiddens = np.zeros(1, HIDDEN_DTYPE)
        bottom = guess_into(np.array([view]), owns, hiddens)
        hidden = hiddens[0]
        guesser = int(view["player"])
        hands = [
            cards_in(hidden["hands_once"][player], hidden["hands_twice"][player])
            for player in range(view["hands"])
        ]
        assert hands[guesser] == cards_in(view["hand_once"], view["hand_twice"])
        for player, hand in enumerate(hands):
            known = cards_in(view["known_once"][player], view["known_twice"][player])
            assert hand.total() == view["hand_cards"][player]
            assert known <= hand
        order = hidden["deal"]["order"][view["age"] - 1][: view["deck_cards"]].tolist()
        assert order.count(DRAGON) == view["rules"]["dragons"] - view["dragons_seen"]
        assert DRAGON not in order[: max(len(order) - bottom, 0)]
        everything = Counter(card for card in order if card != DRAGON)
        for hand in hands:
            everything += hand
        for name in ("pool", "played", "columns"):
            everything += cards_in(view[f"{name}_once"], view[f"{name}_twice"])
        copies = int(view["rules"]["copies"])
        assert everything == Counter(dict.fromkeys(cards_in(view["all_cards"], 0), copies))


@pytest.mark.parametrize("each_age", ["true", "false"])
def test_dragons_lie_below_the_middle_of_the_ages_first_deck(
    each_age: str,
) -> None:
    """Bruno's cards are dealt before the halves are made, in ages in which he gets any (R2)."""
    rules = load_rules("second", overrides=f"bruno.cards_each_age={each_age}")
    owns, hiddens = np.zeros(1, OWN_DTYPE), np.zeros(1, HIDDEN_DTYPE)
    decks = {}
    for view in watch(rules, "greedy", 1, SOLO_CLANS, 3, "solo-regular"):
        dragons = int(view["rules"]["dragons"])
        cards = decks.setdefault(int(view["age"]), int(view["deck_cards"])) - dragons
        bottom = guess_into(np.array([view]), owns, hiddens)
        assert bottom == cards - cards // 2 + dragons
    assert len(decks) == 2
    assert (decks[1] == decks[2]) == (each_age == "true")


def test_every_unseen_card_is_equally_likely_in_a_rival_hand_and_on_top_of_the_deck() -> None:
    """Chi-square tests at 0.1 % each, with a fixed seed, compare the counts."""
    views = turns("second", 4, ("bear", "deer", "fox", "koi", "owl", "dog"), "standard")
    view = next(v for v in views if v["hand_cards"].max() >= 4 and v["dragons_seen"] == 0)
    owns = np.zeros(1, OWN_DTYPE)
    owns[0]["random_state"] = 12345
    guesser = int(view["player"])
    rival = next(p for p in range(4) if p != guesser and view["hand_cards"][p] > 0)
    known = cards_in(view["known_once"][rival], view["known_twice"][rival])
    in_hand: Counter[int] = Counter()
    on_top: Counter[int] = Counter()
    unseen: Counter[int] = Counter()
    for _ in range(20_000):
        hiddens = np.zeros(1, HIDDEN_DTYPE)
        guess_into(np.array([view]), owns, hiddens)
        hidden = hiddens[0]
        order = hidden["deal"]["order"][view["age"] - 1][: view["deck_cards"]].tolist()
        in_hand += cards_in(hidden["hands_once"][rival], hidden["hands_twice"][rival]) - known
        on_top[order[0]] += 1
        if not unseen:
            unseen = Counter(card for card in order if card != DRAGON)
            for player in range(4):
                if player != guesser:
                    seen = cards_in(view["known_once"][player], view["known_twice"][player])
                    hand = cards_in(hidden["hands_once"][player], hidden["hands_twice"][player])
                    unseen += hand - seen
    on_top.pop(DRAGON, None)
    for counts in (in_hand, on_top):
        cards = sorted(unseen)
        expected = np.array([unseen[card] for card in cards]) / unseen.total() * counts.total()
        result = stats.chisquare([counts[card] for card in cards], expected)
        assert counts.total() > 0
        assert result.pvalue > 0.001
