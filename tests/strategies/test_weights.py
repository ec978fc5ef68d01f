"""Weight arrays: numbers of a file that a strategy's code gets, and that belong to its identity."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from inside.experiments import strategy_hashes
from inside.strategies import encode_arrays, read_arrays
from kit.custom import strategy_text
from seated import play_seats

from ethnos_sim.simulator import load_rules
from ethnos_sim.strategies import LineUp, StrategyError, load_strategy_file

RULES = load_rules("second")

STRATEGY = '''
@strategy(weights="NAME.npz", weights_size=3)
def NAME(view, weights):
    """Plays a party from a size on."""
    party = largest_party(view)
    if hand_is_full(view) or party.size >= weights[view.age - 1]:
        return play(party)
    return draw()
'''


@pytest.fixture
def declared(in_one_place: Callable[[str, str], Path]) -> Callable[..., Path]:
    """Return a function that loads a strategy with weights beside it; it returns their path.

    Changes of the strategy's text are pairs of what is replaced and what is put in its place.
    """

    def declare(name: str, *changes: tuple[str, str], **arrays: list[float]) -> Path:
        text = strategy_text(STRATEGY, name)
        for before, after in changes:
            text = text.replace(before, after)
        path = in_one_place(f"{name}.py", text)
        weights = path.with_suffix(".npz")
        given = arrays or {"any": [2, 3, 4]}
        weights.write_bytes(encode_arrays({key: np.array(given[key]) for key in given}))
        load_strategy_file(path)
        return weights

    return declare


def prestige(text: str, deals: int = 40) -> np.ndarray:
    """The prestige of every seat in seeded games of four."""
    return play_seats(RULES, [text, "greedy"], seed=5, deals=deals).seats["prestige"]


def test_a_strategy_may_ask_for_whole_numbers(declared) -> None:
    changes = (
        ("@strategy", "def in_thirds(weights):\n    return (3 * weights).astype('i2')\n@strategy"),
        ("weights_size=3", "weights_size=3, quantise=in_thirds"),
        ("party.size >=", "3 * party.size >="),
    )
    declared("whole", *changes, any=[1, 4 / 3, 2 + 1 / 9])
    (entry,) = LineUp.parse(["whole"], 1, RULES).entries
    assert entry.weights is not None
    assert (entry.weights.dtype, entry.weights.tolist()) == (np.int16, [3, 4, 6])
    assert LineUp.parse(["whole"], 1, RULES).entries[0].weights is entry.weights
    assert prestige("whole", deals=4).any()


def test_a_strategy_plays_by_the_numbers_of_its_file(declared) -> None:
    declared("reader", any=[1, 1, 1])
    other = f"reader:weights={declared('waiter', any=[5, 5, 5])}"
    assert (prestige(other) == prestige("waiter")).all()
    assert (prestige("reader") != prestige("waiter")).any()


def test_weights_cannot_be_written_to(declared) -> None:
    declared("writer", ("    party =", "    weights[0] = 3.0\n    party ="))
    with pytest.raises(StrategyError, match=r"writer\.py:"):
        LineUp.parse(["writer"], 1, RULES).seats()


def test_the_most_specific_array_of_a_file_is_used(declared) -> None:
    declared("chosen", any=[1, 1, 1], second=[2, 2, 2], **{"second-4": [3, 3, 3]})
    first = load_rules("first")
    settings = [(RULES, 4), (RULES, 3), (first, 4)]
    arrays = [LineUp.parse(["chosen"], n, rules).entries[0].weights for rules, n in settings]
    assert [array[0] for array in arrays if array is not None] == [3, 2, 1]


def test_the_hash_of_a_strategy_covers_its_weights(declared, tmp_path: Path) -> None:
    weights = declared("known")
    before = strategy_hashes(["known"])["known"]
    other = tmp_path / "other.npz"
    other.write_bytes(encode_arrays({"any": np.ones(3)}))
    assert strategy_hashes([f"known:weights={other}"]) != {f"known:weights={other}": before}
    weights.write_bytes(encode_arrays({"any": np.ones(3)}))
    assert strategy_hashes(["known"])["known"] != before


def test_arrays_are_written_as_the_same_bytes_in_any_order(tmp_path: Path) -> None:
    arrays = {"second": np.arange(5.0), "first": np.zeros((2, 2))}
    assert encode_arrays(arrays) == encode_arrays(dict(reversed(arrays.items())))
    path = tmp_path / "a.npz"
    path.write_bytes(encode_arrays(arrays))
    arrays_of = {name: array.tolist() for name, array in read_arrays(path).items()}
    assert arrays_of == {"first": [0.0] * 4, "second": [0.0, 1.0, 2.0, 3.0, 4.0]}


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (None, "No such file"),
        (b"no weights", "holds no weights"),
        (b"PK\x03\x04 broken", "holds no weights"),
        (encode_arrays({"any": np.zeros(2)}), "has 2 numbers, and strategy 'wrong' needs 3"),
        (encode_arrays({"any": np.array([1, np.nan, 2])}), "not finite"),
        (encode_arrays({"first": np.zeros(3)}), r"for first, none for second \(or any\)"),
    ],
)
def test_a_bad_file_is_refused_in_one_sentence(
    declared, tmp_path: Path, content: bytes | None, sentence: str
):
    declared("wrong")
    path = tmp_path / "bad.npz"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(StrategyError, match=sentence) as raised:
        LineUp.parse([f"wrong:weights={path}"], 1, RULES)
    assert "\n" not in str(raised.value)


def test_weights_that_a_strategy_does_not_declare_are_refused(declared) -> None:
    with pytest.raises(StrategyError, match="declare their file"):
        declared("bare", ('weights="bare.npz", weights_size=3', ""))
    with pytest.raises(StrategyError, match="has no parameter 'weights'"):
        LineUp.parse(["greedy:weights=x.npz"], 1, RULES)
