"""Prepare tables: turn rules, clans, players and a mode into the records that games begin with.

Arguments are arrays of plain records, so that the engine in a page can run the same code.
"""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.compiler import compile_entry, kernel
from ethnos_sim.simulator.game import power_numbers as powers
from ethnos_sim.simulator.game.cards import bit, popcount
from ethnos_sim.simulator.game.records import (
    MAX_AGES,
    MAX_PLAYERS,
    MAX_SLOTS,
    NONE,
    REGIONS,
    TABLE_POWERS,
)
from ethnos_sim.simulator.kernel.memory import address_of, copy_number, fill_array
from ethnos_sim.simulator.preparing.rule_records import (
    CLAN_COPY_ROWS,
    FEWEST_PLAYERS,
    MOST_PLAYERS,
    NUMBER_COUNT,
    NUMBER_SIZE,
    SLOT_SIZE,
    SOURCE_OFFSET,
    SOURCE_STEP,
    TABLE_COPY_ROWS,
    TARGET_OFFSET,
)
from ethnos_sim.simulator.rules import SMALL_TABLE

#: How many of a player's markers show the score, and so cannot be placed.
SCORE_MARKERS = 1

#: How many of a player's markers stand on each sea track.
SEA_MARKERS = 1


@kernel
def copy_values(target, source, copy_rows, players, slot):
    """Copy the values that tables with this number of players use.

    Args:
        target: address of the table's values (RULES_DTYPE).
        source: address of the values as rules state them (VALUES_DTYPE or CLAN_DTYPE).
        copy_rows: how to copy each value (TABLE_COPY_ROWS or CLAN_COPY_ROWS).
        players: the number of players; 1 is solo.
        slot: the slot that a clan's values are copied to; 0 for the table's values.
    """
    for row in range(len(copy_rows)):
        if copy_rows[row, FEWEST_PLAYERS] <= players <= copy_rows[row, MOST_PLAYERS]:
            to = target + copy_rows[row, TARGET_OFFSET] + slot * copy_rows[row, SLOT_SIZE]
            size = copy_rows[row, NUMBER_SIZE]
            for i in range(copy_rows[row, NUMBER_COUNT]):
                origin = source + copy_rows[row, SOURCE_OFFSET] + i * copy_rows[row, SOURCE_STEP]
                copy_number(to + i * size, size, origin)


@kernel
def write_prestige_tokens(rules, values, players):
    """Write the prestige tokens of a table with this number of players; return their number."""
    rules.tokens_laid = values.tokens_count > 0
    if rules.tokens_laid:
        for i in range(values.tokens_count):
            rules.prestige_tokens[i] = values.tokens[i]
        return np.int64(values.tokens_count)
    tokens = np.int64(values.prestige_tokens_base_count)
    for i in range(tokens):
        rules.prestige_tokens[i] = values.prestige_tokens_base[i]
    if players > SMALL_TABLE:
        for i in range(values.prestige_tokens_four_plus_count):
            rules.prestige_tokens[tokens + i] = values.prestige_tokens_four_plus[i]
        tokens += values.prestige_tokens_four_plus_count
    return tokens


@kernel
def resolve_values(rules, values, table, ages):
    """Fill `rules` with a table's values: copy most, compute those that depend on the mode."""
    players = np.int64(table.players)
    copy_values(address_of(rules), address_of(values), TABLE_COPY_ROWS, players, 0)
    if rules.last_dragon == 0:
        rules.last_dragon = values.dragons
    rules.copies = values.cards_per_clan // REGIONS
    rules.first_pool = values.pool_per_player * max(players, 2)
    rules.tokens_per_region = write_prestige_tokens(rules, values, players) // REGIONS
    for place in range(MAX_AGES):
        rules.pays[0, place] = values.pays_age_1[place]
        rules.pays[1, place] = values.pays_age_2[place] if ages > 1 else 0
        rules.pays[2, place] = values.pays_age_3[place] if ages > 2 else 0
    if table.recruitment:
        rules.pool_refill = values.recruitment_pool
    if table.solo:
        with_cards = ages if values.bruno_cards_each_age else 1
        for age in range(with_cards, MAX_AGES):
            rules.bruno_cards[age] = 0


@kernel
def write_clan(view, clan, clan_number, first_slot, players):
    """Write a clan's cards, values and custom power to its slots; return the next free slot.

    A clan with twice or three times the cards takes two or three slots, from `first_slot` on.
    """
    power = np.int64(clan.power)
    view.leaders_up |= 1 << first_slot
    if view.slot_of_power[power] == NONE:
        view.slot_of_power[power] = first_slot
    after = first_slot + clan.times_cards
    plane = np.uint64(0)
    for card in range(REGIONS * first_slot, REGIONS * after):
        plane |= bit(card)
        view.color_cards[card % REGIONS] |= bit(card)
    view.all_cards |= plane
    view.power_cards[power] |= plane
    if power == powers.WILD:
        view.wild_cards |= plane
        if not clan.scored:
            view.unscored_cards |= plane
    view.moments |= clan.moments
    for slot in range(first_slot, after):
        view.clan[slot] = clan_number
        view.power[slot] = power
        view.home[slot] = first_slot
        view.clan_cards[slot] = plane
        view.power_moments[slot] = clan.moments
        view.power_name[slot] = clan.power_name
        view.power_code[slot] = clan.power_code
        copy_values(address_of(view.rules), address_of(clan), CLAN_COPY_ROWS, players, slot)
    return after


@kernel
def write_table_powers(view, values):
    """Write the custom powers that belong to the table, from index MAX_SLOTS on."""
    for i in range(TABLE_POWERS):
        if values.moments[i] == 0:
            break
        view.table_powers += 1
        view.table_moments |= values.moments[i]
        view.power_moments[MAX_SLOTS + i] = values.moments[i]
        view.power_name[MAX_SLOTS + i] = values.power_name[i]
        view.power_code[MAX_SLOTS + i] = values.power_code[i]
    view.moments |= view.table_moments


@kernel
def write_dragon_parts(view, parts, players):
    """Write, for each age, how many cards the deck's last part has, dragons included.

    The ally cards left after the deal are cut into `parts` equal parts, the last one rounded up
    (R2, R41). The dragons are shuffled into the last part.
    """
    rules = view.rules
    cards = popcount(view.all_cards) * rules.copies
    for age in range(MAX_AGES):
        dealt = players * rules.first_cards + rules.first_pool + rules.bruno_cards[age]
        rules.dragons_part[age] = (cards - dealt + parts - 1) // parts + rules.dragons


@kernel
def write_view(view, values, clans, table):
    """Write the open record of a table before the first age; `view` must be all zeros."""
    players = np.int64(table.players)
    view.hands = players
    view.players = max(players, 2)
    view.solo = table.solo
    view.ages = values.ages_4_6 if players > SMALL_TABLE else values.ages_2_3
    fill_array(view.clan, NONE)
    fill_array(view.power, NONE)
    fill_array(view.slot_of_power, NONE)
    resolve_values(view.rules, values, table, np.int64(view.ages))
    slots = 0
    tracks = 0
    for i in range(table.clan_count):
        number = np.int64(table.clans[i])
        slots = write_clan(view, clans[number], number, slots, players)
        tracks += clans[number].power == powers.SEA_TRACK
    view.slots = slots
    write_dragon_parts(view, np.int64(values.dragons_in), players)
    write_table_powers(view, values)
    fill_array(view.largest_holder, NONE)
    fill_array(view.most_markers_of, NONE)
    fill_array(view.token_owner, NONE)
    for side in range(view.players):
        view.supply[side] = max(values.markers - SCORE_MARKERS - SEA_MARKERS * tracks, 0)


def _prepare_tables(values, clans, tables, views, hiddens):
    """Fill the records with which games begin, for tables that share the same rules.

    Args:
        values: the rules' values (shape (1,), VALUES_DTYPE).
        clans: the rules' clans, by number (CLAN_DTYPE).
        tables: the tables (TABLE_DTYPE); it is not checked that they fit the rules.
        views: filled with the open record of each table (VIEW_DTYPE).
        hiddens: filled with equal hidden records, which fit every table (HIDDEN_DTYPE).
    """
    fill_array(views, 0)
    fill_array(hiddens, 0)
    for i in range(tables.size):
        write_view(views[i], values[0], clans, tables[i])
    for i in range(hiddens.size):
        hiddens[i].ten_wild_winner = NONE
        fill_array(hiddens[i].result.last_dragon, NONE)
        for side in range(MAX_PLAYERS):
            hiddens[i].seats[side].gave_up = NONE
    return np.int64(tables.size)


prepare_tables = compile_entry(_prepare_tables, "compiling the preparation of tables")
