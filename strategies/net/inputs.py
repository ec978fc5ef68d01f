"""The net's inputs, read off the view: what the acting player would see after a candidate move.

Each function appends whole numbers (`quantisation`) to a list of inputs, of the table or of a
region, and returns the list's new `end`. The view shows the table before the move, and `Effects`
what the move changes. The player's *columns* are its inputs for the sea track, the largest party,
settlements, tokens and coins.
"""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.compiler import uncounted
from ethnos_sim.simulator.game import power_numbers as powers
from ethnos_sim.simulator.game.cards import count, popcount
from ethnos_sim.simulator.game.records import NONE, POWERS, REGIONS
from ethnos_sim.simulator.kernel.clans import slot_of
from ethnos_sim.strategies.net import layout as at
from ethnos_sim.strategies.net.facts import (
    BANKED,
    FREE_TOKEN,
    PAYS,
    RIVAL_SEA,
    RIVAL_SETTLEMENTS,
    RIVAL_TOKENS,
    TOTALS,
    home_of_power,
    region_index,
    sea_award,
)
from ethnos_sim.strategies.net.quantisation import (
    FEW,
    FINE,
    LAST_CARD_STEPS,
    MANY,
    MEAN_STEPS,
    PAY_STEPS,
    SCORE_STEPS,
    SET,
    clip,
    whole_steps,
)
from ethnos_sim.strategies.net.regions import AWARDS, paid_places, player_of_row, row_number
from ethnos_sim.strategies.net.vectors import (
    COLUMN_STEP,
    forbid_inlining,
    input_appender,
    step_index,
)
from ethnos_sim.strategies.toolkit.clock import cards_left
from ethnos_sim.strategies.toolkit.denial import next_player

#: Append an input of the table to a list.
put = input_appender(at.TABLE_UNITS)

#: Append an input of a region to a list.
put_regional = input_appender(at.REGION_UNITS)


@uncounted
def clamp(value, low, high):
    """A whole number, clamped to low ... high."""
    return min(max(value, low), high)


@uncounted
def scaled_by_pay(pay, value):
    """An input's value times a power's relative pay, which is `pay` / PAY_STEPS."""
    return clip((pay * value + PAY_STEPS // 2) // PAY_STEPS, MANY)


@uncounted
def put_clock(view, inputs, end, drawn, sign):
    """Append the inputs of the clock (`toolkit.clock`) after `drawn` more cards from the deck.

    With `sign` -1 all values are negative, so that they cancel inputs in the list.
    """
    forbid_inlining()
    left = max(cards_left(view) - drawn, 0.0)
    end = put(inputs, end, at.CLOCK + step_index(left, at.CLOCK_STEPS), sign)
    end = put(inputs, end, at.CLOCK + len(at.CLOCK_STEPS) + 1, sign * whole_steps(left, FINE))
    part = whole_steps(LAST_CARD_STEPS / (1.0 + left), LAST_CARD_STEPS)
    end = put(inputs, end, at.CLOCK + len(at.CLOCK_STEPS) + 2, sign * part)
    return end


@uncounted
def put_game_constants(view, facts, inputs, end):
    """Append the inputs of the table that stay the same in a game: players, clans, the rules."""
    end = put(inputs, end, at.PLAYERS + clamp(view.players, 2, 6) - 2, SET)
    if view.rules.pool_refill:
        end = put(inputs, end, at.RECRUITMENT, SET)
    for slot in range(view.slots):
        if has_printed_power(view, slot):
            end = put_clan_rules(view, facts, slot, inputs, end)
    end = put_rules(view, inputs, end)
    end = put(inputs, end, at.RIVALS + 6, clamp(view.players, 0, FEW))
    return end


@uncounted
def has_printed_power(view, slot):
    """Whether a slot is a clan's home slot, and the clan has a printed power."""
    return (view.power[slot] < POWERS) & (view.home[slot] == slot)


@uncounted
def put_table(view, facts, inputs, end):
    """Append the inputs that no move changes: time, clans that may not lead, rivals' hands."""
    player = view.player
    end = put(inputs, end, at.AGES_LEFT + clamp(view.ages - view.age, 0, 2), SET)
    dragons = view.dragons_seen + at.USUAL_DRAGONS - view.rules.last_dragon
    end = put(inputs, end, at.DRAGONS + clamp(dragons, 0, at.USUAL_DRAGONS - 1), SET)
    end = put_clock(view, inputs, end, 0.0, 1)
    for slot in range(view.slots):
        if view.clan_cards[slot] & view.may_lead == np.uint64(0) and has_printed_power(view, slot):
            power = np.int64(view.power[slot])
            if power != powers.WILD:
                end = put(inputs, end, at.BARRED + power, np.int64(facts[PAYS + slot]))
    cards = 0
    most = 0
    points = 0
    largest = 0
    following = next_player(view)
    of_next = 0
    for rival in range(view.players):
        if rival == player:
            continue
        hand = np.int64(view.hand_cards[rival])
        cards += hand
        most = max(most, hand)
        points += view.party_points[rival]
        group = largest_known_group(view, rival)
        largest = max(largest, group)
        if rival == following:
            of_next = group
    rivals = view.players - 1.0
    end = put(inputs, end, at.RIVALS, clip(np.int64(view.hand_cards[following]), MANY))
    end = put(inputs, end, at.RIVALS + 1, whole_steps(MEAN_STEPS * cards / rivals, FINE))
    end = put(inputs, end, at.RIVALS + 2, clip(most, MANY))
    end = put(inputs, end, at.RIVALS + 3, clip(of_next, MANY))
    end = put(inputs, end, at.RIVALS + 4, clip(largest, MANY))
    end = put(inputs, end, at.RIVALS + 5, whole_steps(MEAN_STEPS * points / rivals, FINE))
    return end


@uncounted
def put_difference(inputs, end, index, value, usual):
    """Append the difference of a rule value from the usual value, if they differ."""
    if value != usual:
        end = put(inputs, end, index, clip(np.int64(value) - usual, MANY))
    return end


@uncounted
def put_rules(view, inputs, end):
    """Append the rule values that no other input shows, as differences from the printed rules."""
    rules = view.rules
    for size in range(1, 7):
        points = at.USUAL_POINTS[size]
        end = put_difference(inputs, end, at.RULES + size - 1, rules.party_points[size], points)
    place = at.RULES + 6
    end = put_difference(inputs, end, place, rules.hand_limit, at.LARGEST_HAND)
    end = put_difference(inputs, end, place + 1, rules.party_limit, at.LARGEST_HAND)
    end = put_difference(inputs, end, place + 2, rules.dragons, at.USUAL_DRAGONS)
    end = put_difference(inputs, end, place + 3, rules.last_dragon, at.USUAL_DRAGONS)
    end = put_difference(inputs, end, place + 4, rules.markers_needed, 1)
    end = put_difference(inputs, end, place + 5, rules.first_pool, 2 * view.players)
    end = put_difference(inputs, end, place + 6, rules.copies, 2)
    if view.wild_cards != np.uint64(0) and view.unscored_cards == np.uint64(0):
        end = put(inputs, end, place + 7, at.SCORED_WILD)
    if view.slot_of_power[powers.LARGEST_TOKEN] != NONE:
        margin = rules.largest_margin[slot_of(view, powers.LARGEST_TOKEN)]
        end = put_difference(inputs, end, place + 8, margin, 1)
    if view.slot_of_power[powers.SEA_TRACK] != NONE:
        slot = slot_of(view, powers.SEA_TRACK)
        spaces = rules.sea_last_space[slot]
        end = put_difference(inputs, end, place + 9, spaces, at.USUAL_SPACES)
        end = put_difference(inputs, end, place + 10, rules.sea_each_symbol[slot], 1)
    return end


@uncounted
def put_clan_rules(view, facts, slot, inputs, end):
    """Append the rule values of the clan whose home slot is `slot`."""
    rules = view.rules
    power = np.int64(view.power[slot])
    end = put(inputs, end, at.IN_PLAY + power, np.int64(facts[PAYS + slot]))
    if rules.score_bonus[slot] != 0:
        end = put(inputs, end, at.SCORES_MORE + power, clip(np.int64(rules.score_bonus[slot]), FEW))
    if rules.marker_bonus[slot] != 0:
        more = clip(np.int64(rules.marker_bonus[slot]), FEW)
        end = put(inputs, end, at.COUNTS_MORE + power, more)
    if not rules.places_marker[slot]:
        end = put(inputs, end, at.PLACES_NONE + power, SET)
    if rules.needs_marker[slot]:
        end = put(inputs, end, at.NEEDS_MARKER + power, SET)
    return end


@uncounted
def largest_known_group(view, rival):
    """The size of the largest group, wild cards included, among a rival's known cards."""
    once = view.known_once[rival]
    if once == np.uint64(0):
        return np.int64(0)
    twice = view.known_twice[rival]
    best = np.int64(0)
    for i in range(REGIONS + view.slots):
        mask = view.color_cards[i] if i < REGIONS else view.clan_cards[i - REGIONS]
        mask |= view.wild_cards
        best = max(best, count(once & mask, twice & mask))
    return best


@uncounted
def put_lead(inputs, end, index, lead):
    """Append a lead in prestige; `index` counts from SCORE."""
    return put(inputs, end, at.SCORE + index, whole_steps(lead * SCORE_STEPS, FINE))


@uncounted
def put_score(view, facts, effects, inputs, end):
    """Append the leads over rivals if the age ended now, with its awards and without them."""
    best = -1e9
    second = -1e9
    total = 0.0
    best_banked = -1e9
    total_banked = 0.0
    region = max(effects.region, 0)
    now = region_index(region, 0, 0) + AWARDS
    then = region_index(region, effects.placed, effects.coin) + AWARDS
    sea = home_of_power(view, effects.slot, powers.SEA_TRACK)
    at_sea = np.int64(view.sea[sea, view.player])
    largest = home_of_power(view, effects.slot, powers.LARGEST_TOKEN)
    holder = np.int64(view.largest_holder[largest])
    loser = np.int64(0)  # the row of the rival who loses the largest party token
    if effects.largest_holder != holder and holder != NONE:
        loser = row_number(view, holder)
    own_total = 0.0
    for row in range(view.players):
        worth = float(facts[TOTALS + row])
        if effects.region != NONE:
            worth += facts[then + COLUMN_STEP * row] - facts[now + COLUMN_STEP * row]
        if effects.sea != at_sea:
            paying = paid_places(view, np.int64(view.age))
            worth += sea_award(view, paying, sea, player_of_row(view, row), effects.sea)
            worth -= sea_award(view, paying, sea, player_of_row(view, row), at_sea)
        if row == 0:
            own_total = worth + effects.banked
            continue
        banked = float(facts[BANKED + row])
        if row == loser:
            worth -= view.rules.largest_age[largest, view.age - 1]
            banked -= view.rules.largest_age[largest, view.age - 1]
        total += worth
        total_banked += banked
        best_banked = max(best_banked, banked)
        if worth > best:
            second = best
            best = worth
        else:
            second = max(second, worth)
    if view.players == 2:
        second = best
    rivals = view.players - 1.0
    own_banked = facts[BANKED] + effects.banked
    end = put_lead(inputs, end, 0, own_total - best)
    end = put_lead(inputs, end, 1, own_total - second)
    end = put_lead(inputs, end, 2, own_total - total / rivals)
    end = put_lead(inputs, end, 3, own_banked - best_banked)
    end = put_lead(inputs, end, 4, own_banked - total_banked / rivals)
    end = put(inputs, end, at.LEAD + step_index(own_total - best, at.LEAD_STEPS), SET)
    return end


@uncounted
def put_player(view, facts, effects, inputs, end):
    """Append the player's points and markers after a move, and the decisions that follow it."""
    player = view.player
    end = put(inputs, end, at.OWN, whole_steps(effects.points, FINE))
    supply = np.int64(view.supply[player]) - effects.placed
    end = put(inputs, end, at.OWN + 1, clip(supply, MANY))
    markers = effects.placed
    for region in range(REGIONS):
        markers += view.markers[region, player]
    end = put(inputs, end, at.OWN + 2, clip(markers, MANY))
    if effects.extra_markers > 0:
        end = put(inputs, end, at.PENDING + min(effects.extra_markers, 2), SET)
    if effects.second_party:
        end = put(inputs, end, at.PENDING, SET)
    if effects.party_played:
        end = put(inputs, end, at.PARTY, SET)
    return end


@uncounted
def changes_columns(view, slot):
    """Whether the power of a slot's clan changes the player's columns; False for slot -1."""
    if slot == NONE:
        return False
    power = np.int64(view.power[slot])
    return (
        (power == powers.SEA_TRACK)
        | (power == powers.LARGEST_TOKEN)
        | (power == powers.SETTLEMENT_BOARD)
        | (power == powers.TIE_BREAK_TOKENS)
        | (power == powers.COINS)
    )


@uncounted
def put_columns(view, facts, effects, inputs, end):
    """Append the player's columns: sea track, largest party, settlements, tokens and coins."""
    if view.slot_of_power[powers.SEA_TRACK] != NONE:
        end = put_sea_track(view, facts, effects, inputs, end)
    if view.slot_of_power[powers.LARGEST_TOKEN] != NONE:
        end = put_largest_party(view, facts, effects, inputs, end)
    if view.slot_of_power[powers.SETTLEMENT_BOARD] != NONE:
        slot = slot_of(view, powers.SETTLEMENT_BOARD)
        part = np.int64(facts[PAYS + slot])
        settled = popcount(np.uint64(view.settlements[slot, view.player]))
        if home_of_power(view, effects.slot, powers.SETTLEMENT_BOARD) == slot:
            settled = effects.settled
        end = put(inputs, end, at.SETTLEMENT + clamp(settled, 0, 6), part)
        rival = scaled_by_pay(part, np.int64(facts[RIVAL_SETTLEMENTS]))
        end = put(inputs, end, at.SETTLEMENT + 7, rival)
    if view.slot_of_power[powers.TIE_BREAK_TOKENS] != NONE:
        end = put(inputs, end, at.TOKENS, clip(effects.token, MANY))
        end = put(inputs, end, at.TOKENS + 1, clip(np.int64(facts[RIVAL_TOKENS]), MANY))
        end = put(inputs, end, at.TOKENS + 2, clip(np.int64(facts[FREE_TOKEN]), MANY))
    if view.slot_of_power[powers.COINS] != NONE:
        slot = slot_of(view, powers.COINS)
        laid = view.coins_used[slot] + (effects.coin > 0 and effects.slot == slot)
        if laid < view.rules.coins_count[slot]:
            coin = np.int64(view.rules.coins[slot, laid])
            end = put(inputs, end, at.COINS, clip(coin, MANY))
    return end


@uncounted
def put_largest_party(view, facts, effects, inputs, end):
    """Append the holder and size of the largest party token, of the first clan that has it."""
    slot = slot_of(view, powers.LARGEST_TOKEN)
    part = np.int64(facts[PAYS + slot])
    holder = np.int64(view.largest_holder[slot])
    size = np.int64(view.largest_size[slot])
    if home_of_power(view, effects.slot, powers.LARGEST_TOKEN) == slot:
        holder = effects.largest_holder
        size = effects.largest_size
    if holder == NONE:
        return put(inputs, end, at.LARGEST, part)
    is_mine = holder == view.player
    end = put(inputs, end, at.LARGEST + 2 - is_mine, part)
    return put(inputs, end, at.LARGEST + 4 - is_mine, scaled_by_pay(part, size))


@uncounted
def put_sea_track(view, facts, effects, inputs, end):
    """Append the player's space, lead, standing and distance to a symbol, on the first track."""
    slot = slot_of(view, powers.SEA_TRACK)
    part = np.int64(facts[PAYS + slot])
    mine = np.int64(view.sea[slot, view.player])
    if home_of_power(view, effects.slot, powers.SEA_TRACK) == slot:
        mine = effects.sea
    lead = mine - np.int64(facts[RIVAL_SEA])
    end = put(inputs, end, at.SEA, scaled_by_pay(part, mine))
    end = put(inputs, end, at.SEA + 1, scaled_by_pay(part, clamp(lead, -10, 10)))
    standing = np.int64(0)
    if mine > 0:
        standing = 3 + (lead > 0) + (lead > 4) - (lead < 0) - (lead < -4)
    end = put(inputs, end, at.SEA + 2 + standing, part)
    distance = np.int64(10)
    for i in range(view.rules.sea_symbols_count[slot]):
        if view.rules.sea_symbols[slot, i] > mine:
            distance = min(distance, np.int64(view.rules.sea_symbols[slot, i]) - mine)
    end = put(inputs, end, at.SEA + 8, scaled_by_pay(part, distance))
    return end


@uncounted
def put_common(view, inputs, end):
    """Append the inputs that are the same for all regions: ages left, the clock, players."""
    end = put_regional(inputs, end, at.MOMENT + clamp(view.ages - view.age, 0, 2), SET)
    end = put_regional(inputs, end, at.MOMENT + 3, whole_steps(float(cards_left(view)), FINE))
    end = put_regional(inputs, end, at.MOMENT + 4, clamp(view.players, 0, FEW))
    return end
