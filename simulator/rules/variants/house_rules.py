"""House rules that are no number: custom powers of the table, which bundled variants name."""

from ethnos_sim.simulator.custom_powers import count, draw_cards, power
from ethnos_sim.simulator.game.records import FROM_DECK


@power("two_if_empty")
def after_recruit(game, player, card):
    """A player who recruits from the deck while the pool is empty draws one more card."""
    if count(game.pool_once, game.pool_twice) == 0 and game.last_kind[player] == FROM_DECK:
        draw_cards(game, player, 1)
