"""Mutations of the deal, of recruits and of the cards of a party."""

from referee.cards import DRAGON, POWER_OF, Power, clan_of, color_of
from referee.mutations.registry import (
    Event,
    first_swap,
    mutation,
    other_card,
    set_if,
)

# The deal of an age.


@mutation("age", "number of the age")
def age_counted_wrong(event: Event, before: list[Event], trace: Event) -> bool:
    return set_if(True, event, age=event["age"] + 1)


@mutation("age", "first player")
def first_player_next_to_the_right_one(event: Event, before: list[Event], trace: Event) -> bool:
    seats = len(event["hands"])
    later = event["age"] > 1 and seats > 1
    return set_if(later, event, first_player=(event["first_player"] + 1) % seats)


@mutation("age", "starts with one card")
def first_hand_of_two(event: Event, before: list[Event], trace: Event) -> bool:
    event["hands"][0].append(event["pool"].pop())
    return True


@mutation("age", "first pool")
def pool_one_short(event: Event, before: list[Event], trace: Event) -> bool:
    event["deck"].append(event["pool"].pop())
    return True


@mutation("age", "R2")
def dragon_on_top(event: Event, before: list[Event], trace: Event) -> bool:
    deck = event["deck"]
    place = deck.index(DRAGON)
    deck[0], deck[place] = deck[place], deck[0]
    return True


@mutation("age", "dragons in the deck")
def dragon_missing(event: Event, before: list[Event], trace: Event) -> bool:
    event["deck"].remove(DRAGON)
    return True


@mutation("age", "conservation")
def card_changed_in_the_deck(event: Event, before: list[Event], trace: Event) -> bool:
    event["deck"][0] = other_card(event["deck"][0], trace)
    return True


@mutation("age", "conservation")
def card_missing_at_the_bottom(event: Event, before: list[Event], trace: Event) -> bool:
    places = [i for i, card in enumerate(event["deck"]) if card != DRAGON]
    if (len(event["deck"]) - trace["rules"]["dragons"]) % 2 == 0:
        return False
    event["deck"].pop(places[-1])
    return True


@mutation("age", "")
def top_of_the_deck_swapped(event: Event, before: list[Event], trace: Event) -> bool:
    return first_swap(event["deck"])


# Recruiting and passing.


@mutation("recruit", "clockwise")
def recruit_out_of_turn(event: Event, before: list[Event], trace: Event) -> bool:
    return set_if(trace["players"] > 1, event, player=(event["player"] + 1) % trace["players"])


@mutation("recruit", "deck's next card")
def another_card_than_the_top_one(event: Event, before: list[Event], trace: Event) -> bool:
    drawn = event["source"] == "deck" and event["card"]
    return set_if(drawn, event, card=drawn and other_card(event["card"], trace))


@mutation("recruit", "deck's next card")
def no_card_though_the_age_goes_on(event: Event, before: list[Event], trace: Event) -> bool:
    return set_if(event["source"] == "deck" and event["card"], event, card=None)


@mutation("recruit", "dragons met")
def recruit_meets_another_dragon(event: Event, before: list[Event], trace: Event) -> bool:
    return set_if(event["source"] == "deck", event, dragons=event["dragons"] + 1)


@mutation("recruit", "no dragons")
def dragon_from_the_pool(event: Event, before: list[Event], trace: Event) -> bool:
    return set_if(event["source"] == "pool", event, dragons=1)


@mutation("recruit", "")
def source_of_the_card_flipped(event: Event, before: list[Event], trace: Event) -> bool:
    flipped = {"pool": "deck", "deck": "pool"}[event["source"]]
    return set_if(event["card"], event, source=flipped, dragons=0)


@mutation("recruit", "recruit")
def card_that_is_not_in_the_pool(event: Event, before: list[Event], trace: Event) -> bool:
    pools = [e["pool"] for e in before if e["event"] == "age"]
    known = {card for pool in pools for card in pool}
    known |= {card for e in before for card in e.get("discarded", []) + e.get("cards", [])}
    known |= {e["released"] for e in before if e.get("released")}
    strange = other_card(event["card"], trace) if event["card"] else None
    return set_if(event["source"] == "pool" and strange not in known, event, card=strange)


@mutation("recruit", "R3")
def pass_instead_of_a_recruit(event: Event, before: list[Event], trace: Event) -> bool:
    player = event["player"]
    event.clear()
    event.update(event="pass", player=player)
    return True


# The cards of a party.


@mutation("party", "clockwise")
def party_out_of_turn(event: Event, before: list[Event], trace: Event) -> bool:
    follows = before[-1].get("again", False)
    several = trace["players"] > 1 and not follows
    return set_if(several, event, player=(event["player"] + 1) % trace["players"])


@mutation("party", "R4")
def wild_leader(event: Event, before: list[Event], trace: Event) -> bool:
    is_wild = POWER_OF[trace["edition"]]
    wild = [card for card in event["cards"] if is_wild[clan_of(card)] is Power.WILD]
    return set_if(wild, event, leader=wild[0] if wild else None)


@mutation("party", "leader is in the party")
def leader_from_elsewhere(event: Event, before: list[Event], trace: Event) -> bool:
    strange = other_card(event["leader"], trace)
    return set_if(strange not in event["cards"], event, leader=strange)


@mutation("party", "one clan or of one color")
def card_of_another_clan_and_color(event: Event, before: list[Event], trace: Event) -> bool:
    powers, leader = POWER_OF[trace["edition"]], event["leader"]
    for card in event["discarded"]:
        alike = clan_of(card) == clan_of(leader) or color_of(card) == color_of(leader)
        if not alike and powers[clan_of(card)] is not Power.WILD:
            event["discarded"].remove(card)
            event["cards"].append(card)
            return True
    return False


@mutation("party", "at least one card")
def party_of_no_cards(event: Event, before: list[Event], trace: Event) -> bool:
    event["cards"].clear()
    return True


@mutation("party", "")
def card_left_out_of_the_party(event: Event, before: list[Event], trace: Event) -> bool:
    spare = [card for card in event["cards"] if card != event["leader"]]
    if spare:
        event["cards"].remove(spare[0])
    return bool(spare)


@mutation("party", "played from hand")
def card_that_is_not_in_hand(event: Event, before: list[Event], trace: Event) -> bool:
    held = event["cards"] + event["kept"] + event["discarded"]
    strange = other_card(event["leader"], trace)
    if strange in held:
        return False
    event["cards"].append(strange)
    return True
