"""Draw the README's figure, light and dark: what each clan is worth to a seat that may lead it.

python docs/figures/clans.py [--games 200000]
"""

import argparse
import tempfile
from pathlib import Path

import matplotlib as mpl

from ethnos_sim import estimate, plot, sweep

FOLDER = Path(__file__).parent
MODES = {"light": "#1f2933", "dark": "#e6edf3"}


def main() -> None:
    """Play, estimate and draw."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200_000)
    spec = {
        "name": "The clans of the 2nd edition",
        "games": parser.parse_args().games,
        "players": [4],
        "clan_sets": {"sample": 12},
        "line_ups": [
            {"strategies": ["learned"]},
            {"strategies": ["learned"], "one_seat": "never_leads"},
        ],
    }
    with tempfile.TemporaryDirectory() as scratch:
        results = sweep(spec, scratch)
        found = estimate(results, "restricted_play", players=4, population="learned")
    for mode, ink in MODES.items():
        inks = dict.fromkeys(
            ("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color"), ink
        )
        with mpl.rc_context({**inks, "svg.hashsalt": "clans", "svg.fonttype": "none"}):
            axes = plot.intervals(found, label="name")
            axes.grid(color=ink, alpha=0.15)
            axes.set_xlabel(
                "percentage points of winning chance lost by a seat that may not lead it"
            )
            target = FOLDER / f"clans-{mode}.svg"
            axes.figure.savefig(target, transparent=True, metadata={"Date": None})


if __name__ == "__main__":
    main()
