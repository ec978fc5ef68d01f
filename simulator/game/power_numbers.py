"""The numbers of the powers, for compiled code that compares them with `view.power[slot]`."""

from __future__ import annotations

from ethnos_sim.simulator.game.powers import Power

ANY_REGION = int(Power.ANY_REGION)
COINS = int(Power.COINS)
CUSTOM = int(Power.CUSTOM)
DRAWS_CARDS = int(Power.DRAWS_CARDS)
KEEPS_CARDS = int(Power.KEEPS_CARDS)
LARGEST_TOKEN = int(Power.LARGEST_TOKEN)
NO_MARKER = int(Power.NO_MARKER)
ONE_CARD_FEWER = int(Power.ONE_CARD_FEWER)
SCORES_LARGER = int(Power.SCORES_LARGER)
SEA_TRACK = int(Power.SEA_TRACK)
SECOND_PARTY = int(Power.SECOND_PARTY)
SETTLEMENT_BOARD = int(Power.SETTLEMENT_BOARD)
TIE_BREAK_TOKENS = int(Power.TIE_BREAK_TOKENS)
WILD = int(Power.WILD)
