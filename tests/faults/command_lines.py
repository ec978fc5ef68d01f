"""Command lines and specs with absurd values: the program answers in a sentence, and writes
nothing.
"""

from collections.abc import Callable

from faults.fault import Fault
from faults.ground import SPEC, Ground

LONG = "9" * 5000

#: Command lines, and the bad values that replace `{}`.
COMMANDS = (
    "match --games {}", "match --seed {}", "match --players {}", "play --game {}",
    "play --out x.jsonl --games {}", "sweep --games {} --out new", "sweep --seed {} --out new",
    "sweep --jobs {} --out new", "sweep --shard-games {} --out new",
    "sweep seats --set bear.on_take={} --out new", "strategies rate --games {}",
    "match --strategies greedy:patience={}",
)  # fmt: skip
VALUES = {
    "no number": "many", "below zero": "-1", "nan": "nan", "infinity": "inf", "1e400": "1e400",
    "5,000 digits": LONG, "a half": "0.5x", "an escape": "\x1b[2J",
    "nothing": "", "a path": "../../x",
}  # fmt: skip

#: Bad lines that replace a line of SPEC.
SPEC_LINES = {
    "seed = 5": ("seed = -1", "seed = 1e400", "seed = nan", f"seed = {LONG}", 'seed = "5"'),
    "games = 960": (
        "games = 0", "games = 100000000000000000000", "games = inf", "games_per_cell = true",
        "games = " + "[" * 3000,
    ),
    'name = "Tried"': ('name = "\\u001b[2J"', 'name = ""', 'name = "a\\nb"'),
    "clan_sets = { sample = 2 }": (
        "clan_sets = { all = true, seed = 5 }", "clan_sets = { sample = 1e300 }",
    ),
    '["greedy", "random"]': (
        '["random"], named = "\\u001b"', '["../../x"]', f'["greedy:patience={LONG}"]',
    ),
    '{ strategies = ["greedy"], players = [1] },': (
        '{ strategies = ["greedy"], players = [1] }, ["greedy", "random"],',
        '["greedy"], ["greedy", "greedy"],',
    ),
}  # fmt: skip

#: Command lines that are refused as they are.
LINES = (
    "match --strategies ,", "play --out spec.toml/x.jsonl",
    "sweep --games 100000000000000000000 --out new", "sweep --out /dev/null/x",
    "play --out /proc/none.html", "match --strategies " + "x" * 100_000,
)  # fmt: skip


def refused(line: str, codes: tuple[int, ...] = (1, 2)) -> Callable[[Ground], None]:
    """The command ends at once with a short sentence, and writes nothing."""

    def strike(ground: Ground) -> None:
        before = sorted(ground.inside.rglob("*"))
        ended = ground.run(*line.split(" "))
        assert ended.code in codes, ended
        assert ended.err.startswith("Error: "), ended.err
        assert "unknown command" not in ended.err, ended.err
        assert "no such option" not in ended.err.lower(), ended.err
        assert len(ended.err) < 4000, "it repeats all that it was given"
        assert "\x1b" not in ended.err
        assert sorted(ground.inside.rglob("*")) == before

    return strike


def spec_refused(line: str, instead: str) -> Callable[[Ground], None]:
    """A spec with a bad line is refused before anything is written."""

    def strike(ground: Ground) -> None:
        assert SPEC.count(line) >= 1
        ground.spec.write_text(SPEC.replace(line, instead, 1), encoding="utf-8")
        refused(f"sweep {ground.spec} --out new --quiet")(ground)

    return strike


FAULTS = [
    *(
        Fault("bad value", f"{command.format('...')}: {name}", refused(command.format(value)))
        for command in COMMANDS
        for name, value in VALUES.items()
    ),
    *(
        Fault("bad value", f"spec, {number}: {instead[:60]!r}", spec_refused(line, instead))
        for line, several in SPEC_LINES.items()
        for number, instead in enumerate(several)
    ),
    *(
        Fault("bad value", line[:60], refused(line), short=line.startswith("sweep --out data"))
        for line in LINES
    ),
]
