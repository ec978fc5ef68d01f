"""What every number means: the estimands by key, for the page's last section and the tables.

docs/statistics.md says the same at length, with derivations and citations; a test holds the keys of
both together.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Definition:
    """An estimand: its title, what it says to a reader, its formula, and how its interval is made.

    `formula` uses: n players; w a player's part of the win (1, or a fraction of a shared win).
    """

    title: str
    meaning: str
    formula: str
    interval: str


_BLOCKS = "jackknife over blocks of deals, t with (blocks − 1) degrees of freedom"
_SEATS = (
    "simultaneous over the seats: jackknife over blocks of deals with Bonferroni; Goodman's "
    "multinomial intervals where every game has a deal of its own"
)

DEFINITIONS = {
    "shapley_share": Definition(
        "Share of a change",
        "How much one of several changes between the editions adds to a headline number, averaged "
        "over all orders in which the changes could be made. The shares add up to the difference.",
        "mean over all orders of (number with the change and those before it − number with those "
        "before it alone)",
        _BLOCKS,
    ),
    "restricted_play": Definition(
        "Power (restricted play)",
        "What leading the clan is worth to one player: a fair share less the winning chance of a "
        "seat that may not lead it, while all others may. The restricted seat is rotated, and each "
        "strategy of the line-up is restricted in turn.",
        "1/n − sum of w of the restricted seat / games with the clan in play",
        _BLOCKS,
    ),
    "forced_play": Definition(
        "Power when forced (forced play)",
        "The winning chance of a seat that leads the clan whenever it can, less a fair share.",
        "sum of w of the forced seat / games with the clan in play − 1/n",
        _BLOCKS,
    ),
    "clan_spread": Definition(
        "Spread of the clans",
        "How far apart the clans are: the standard deviation of power (or win lift) over the "
        "clans, without what chance adds.",
        "root of the variance over clans, its bias removed by the jackknife; cut at 0",
        f"of the variance: {_BLOCKS}; ends cut at 0, then roots",
    ),
    "win_lift": Definition(
        "Win lift",
        "How much more often a party led by the clan belongs to the game's winner than any party "
        "does, in fair shares: +0.10 means a tenth of a fair share (1/n) more. Only games with "
        "the clan in play. Association under the strategies that played, not cause.",
        "n × sum of w over the clan's parties / the clan's parties − n × sum of w over all "
        "parties / all parties",
        _BLOCKS,
    ),
    "usage": Definition(
        "Usage",
        "Share of all parties that the clan leads, over games with the clan in play.",
        "parties led by the clan / all parties",
        _BLOCKS,
    ),
    "usage_winners": Definition(
        "Winners' usage",
        "Share of the winners' parties that the clan leads, over games with the clan in play.",
        "sum of w over the clan's parties / sum of w over all parties",
        _BLOCKS,
    ),
    "usage_losers": Definition(
        "Losers' usage",
        "Share of the losers' parties that the clan leads, over games with the clan in play.",
        "sum of (1 − w) over the clan's parties / sum of (1 − w) over all parties",
        _BLOCKS,
    ),
    "usage_gap": Definition(
        "Usage gap",
        "Winners' usage less losers' usage in the same games, in percentage points.",
        "winners' usage − losers' usage",
        _BLOCKS,
    ),
    "led_per_game": Definition(
        "Parties a game",
        "Parties led by the clan in a game that has it in play, all players together.",
        "parties led by the clan / games with the clan in play",
        _BLOCKS,
    ),
    "seat_edge": Definition(
        "Seat edge",
        "Winning chance of the seat that acts first, second … in the first age, less a fair share.",
        "sum of w of the seat / games − 1/n",
        _SEATS,
    ),
    "prestige_source": Definition(
        "Prestige by source",
        "Mean final prestige of a winner and of a loser from each source. Prestige from coins is "
        "what they added to awards in the regions.",
        "winners: sum of w × prestige / sum of w; losers: sum of (1 − w) × prestige / sum of "
        "(1 − w)",
        _BLOCKS,
    ),
    "strategy_share": Definition(
        "Win share of a strategy",
        "Winning chance of a seat that the strategy holds in its line-up; 1/n is par.",
        "sum of w over its seats / seats it held",
        _BLOCKS,
    ),
    "skill": Definition(
        "Skill share",
        "Winning chance of one stronger strategy against a weaker one in all other seats; 1/n "
        "would mean that skill decides nothing.",
        "sum of w of the stronger strategy / games",
        _BLOCKS,
    ),
    "comeback": Definition(
        "Comeback chance by deficit",
        "Winning chance of a seat that is so many points behind the leader after an age that is "
        "not the last; a deficit of 0 is the leader's.",
        "sum of w over the seats so far behind / those seats",
        _BLOCKS,
    ),
    "game_shape": Definition(
        "Shape of the game",
        "Turns a game, parties a seat, cards a party, games with a shared win; mean prestige of a "
        "seat and its standard deviation within a game; first less second place (margin); how "
        "often nobody who led after an age led after the next (changes of the lead); the winning "
        "chance of a player who has the most prestige after an age (players tied for the lead "
        "count each), and of one 6 or more points behind after the last age but one (comeback).",
        "means and shares over games, seats or parties; spread: root of the mean variance within "
        "games",
        f"{_BLOCKS}; Wilson for shared wins where every game has a deal of its own",
    ),
    "presence": Definition(
        "Presence",
        "What changes for the whole table when a deck holds the clan in place of the average clan, "
        "whoever leads it. For the sets that were played.",
        "a(X) of the least-squares fit: outcome of a set = constant + sum of a over its clans + "
        "sum of b over its pairs; the a of all clans add up to 0",
        _BLOCKS,
    ),
    "presence_pair": Definition(
        "Pair of clans",
        "What two clans in one deck change together beyond what each changes by itself. For the "
        "sets that were played.",
        "b(X, Y) of the same fit; the b of each clan add up to 0",
        f"{_BLOCKS}; p adjusted by Benjamini and Hochberg over all pairs and outcomes of a table",
    ),
    "outlier_set": Definition(
        "Outlier set",
        "A deck that plays otherwise than its clans let expect one by one: what is expected, what "
        "was found first, the best guess from both, and what fresh deals gave.",
        "expected = constant + sum of a; best guess = expected + (first − expected) × variance "
        "between sets / (variance between sets + variance of the first estimate)",
        f"{_BLOCKS}; of the best guess empirical Bayes, with the variance left to the set",
    ),
    "solo_win_rate": Definition(
        "Win rate against Bruno",
        "Share of the solo games that the player wins; a shared win counts half.",
        "sum of w / games",
        "Wilson: every game has a deal of its own",
    ),
    "solo_gain": Definition(
        "Gain on the same deals",
        "Win rate of one strategy less another's, both on the same deals at one difficulty.",
        "sum over deals of (w − w of the other) / deals",
        "Student's t over deals",
    ),
    "solo_margin": Definition(
        "Margin over Bruno",
        "The player's prestige at the end of a solo game less Bruno's, on average.",
        "sum of (prestige − Bruno's prestige) / games",
        _BLOCKS,
    ),
    "solo_prestige": Definition(
        "Prestige by source, solo",
        "Mean prestige of the player and of Bruno at the end of a solo game from each source.",
        "sum of prestige / games",
        _BLOCKS,
    ),
    "solo_columns": Definition(
        "Columns played",
        "How often a game sees Bruno play his column of each color.",
        "parties from the column / games",
        _BLOCKS,
    ),
    "solo_leaders": Definition(
        "Leaders, solo",
        "Share of a side's parties that each clan leads; Bruno's leaders are the player's choice "
        "among the clans whose setup card lies face up.",
        "parties led by the clan / parties of the side",
        _BLOCKS,
    ),
    "same_strategy_null": Definition(
        "Check: one strategy in all seats",
        "Where all seats play alike, each place of the line-up must win a fair share.",
        "sum of w of the place / games − 1/n; expected 0",
        _BLOCKS,
    ),
    "chair_null": Definition(
        "Check: place at the table",
        "The first player is drawn at random, so each place at the table must win a fair share.",
        "sum of w of the place / games − 1/n; expected 0",
        _BLOCKS,
    ),
    "shard_halves": Definition(
        "Check: first shards against last",
        "Every shard holds equal shares of all cells, so mean turns and margins of the first half "
        "of a sweep's shards must agree with the second half.",
        "mean of the first half − mean of the second; expected 0",
        _BLOCKS,
    ),
    "deck_draws": Definition(
        "Check: cards drawn in an age",
        "Ally cards that leave the deck in an age; their mean follows from the deck alone, "
        "whatever the strategies do.",
        "expected with three dragons: top half + 3 (N + 1) / 4 − 3, N = bottom half + 3",
        _BLOCKS,
    ),
}
