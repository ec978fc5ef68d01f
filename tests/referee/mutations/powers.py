"""Mutations of step 1, the leaders' powers, the discard and the draw."""

from referee.cards import Power, color_of
from referee.mutations.registry import Event, first_swap, mutation, other, power_of, set_if

# Step 1.


@mutation("party", "R5")
def marker_not_placed(event: Event, before: list[Event], trace: Event) -> bool:
    return set_if(event["region"], event, region=None)


@mutation("party", "step 1")
def marker_where_the_party_is_too_small(event: Event, before: list[Event], trace: Event) -> bool:
    return set_if(event["region"] is None, event, region=color_of(event["leader"]))


@mutation("party", "step 1")
def marker_in_another_region(event: Event, before: list[Event], trace: Event) -> bool:
    free = power_of(event, trace) is Power.ANY_REGION
    region = event["region"]
    return set_if(region and not free, event, region=region and other(region, trace))


@mutation("party", "step 1")
def marker_of_a_no_marker_leader(event: Event, before: list[Event], trace: Event) -> bool:
    no_marker = power_of(event, trace) is Power.NO_MARKER
    return set_if(no_marker, event, region=color_of(event["leader"]))


# Powers.


@mutation("party", "sea track")
def one_space_too_far(event: Event, before: list[Event], trace: Event) -> bool:
    return set_if(event["sea"] is not None, event, sea=(event["sea"] or 0) + 1)


@mutation("party", "sea track")
def sea_move_of_another_leader(event: Event, before: list[Event], trace: Event) -> bool:
    return set_if(event["sea"] is None, event, sea=len(event["cards"]))


@mutation("party", "R11")
def more_extra_markers_than_symbols(event: Event, before: list[Event], trace: Event) -> bool:
    color = color_of(event["leader"])
    return set_if(event["sea"] is not None, event, sea_regions=[color] * 9)


@mutation("party", "extra sea markers")
def extra_marker_of_another_leader(event: Event, before: list[Event], trace: Event) -> bool:
    return set_if(event["sea"] is None, event, sea_regions=[color_of(event["leader"])])


@mutation("party", "R14")
def largest_token_flipped(event: Event, before: list[Event], trace: Event) -> bool:
    return set_if(True, event, largest=not event["largest"])


@mutation("party", "tie-break token")
def token_above_the_party_size(event: Event, before: list[Event], trace: Event) -> bool:
    taken = event["token"] is not None
    return set_if(taken, event, token=taken and max(event["token"], len(event["cards"]) + 1))


@mutation("party", "tie-break token")
def token_taken_twice(event: Event, before: list[Event], trace: Event) -> bool:
    size = len(event["cards"])
    taken = [e["token"] for e in before if e.get("token") and e["token"] <= size]
    fox = power_of(event, trace) is Power.TIE_BREAK_TOKENS
    return set_if(fox and taken, event, token=taken[0] if taken else None)


@mutation("party", "tie-break token")
def token_of_another_leader(event: Event, before: list[Event], trace: Event) -> bool:
    return set_if(power_of(event, trace) is not Power.TIE_BREAK_TOKENS, event, token=1)


@mutation("party", "settlement space")
def settlement_in_another_color(event: Event, before: list[Event], trace: Event) -> bool:
    color = event["settled"]
    return set_if(color, event, settled=color and other(color, trace))


@mutation("party", "settlement space")
def settlement_space_taken_twice(event: Event, before: list[Event], trace: Event) -> bool:
    color = color_of(event["leader"])
    mine = [e for e in before if e.get("player") == event["player"]]
    taken = color in [e.get("settled") for e in mine]
    monkey = power_of(event, trace) is Power.SETTLEMENT_BOARD
    return set_if(monkey and taken, event, settled=color)


@mutation("party", "settlement marker")
def settlement_of_another_leader(event: Event, before: list[Event], trace: Event) -> bool:
    monkey = power_of(event, trace) is Power.SETTLEMENT_BOARD
    return set_if(not monkey, event, settled=color_of(event["leader"]))


@mutation("party", "lowest coin")
def coin_not_placed(event: Event, before: list[Event], trace: Event) -> bool:
    return set_if(event["coin"] is not None, event, coin=None)


@mutation("party", "lowest coin")
def coin_of_a_higher_value(event: Event, before: list[Event], trace: Event) -> bool:
    return set_if(event["coin"] is not None, event, coin=(event["coin"] or 0) + 1)


@mutation("party", "lowest coin")
def coin_of_another_leader(event: Event, before: list[Event], trace: Event) -> bool:
    return set_if(power_of(event, trace) is not Power.COINS, event, coin=1)


@mutation("party", "R10")
def second_party_without_a_marker(event: Event, before: list[Event], trace: Event) -> bool:
    no_right = power_of(event, trace) is not Power.SECOND_PARTY or event["region"] is None
    rest = event["kept"] + event["discarded"]
    return set_if(no_right, event, again=True, kept=rest, discarded=[])


@mutation("party", "clockwise")
def second_party_not_announced(event: Event, before: list[Event], trace: Event) -> bool:
    again = event["again"]
    return set_if(again, event, again=False, kept=[], discarded=event["kept"])


@mutation("party", "R10: nothing is discarded")
def discard_before_the_second_party(event: Event, before: list[Event], trace: Event) -> bool:
    return set_if(event["again"], event, discarded=event["kept"][:1])


@mutation("party", "R10: the rest stays in hand")
def card_lost_before_the_second_party(event: Event, before: list[Event], trace: Event) -> bool:
    return bool(event["again"]) and bool(event["kept"].pop())


@mutation("party", "the same player goes on")
def second_party_of_another_player(event: Event, before: list[Event], trace: Event) -> bool:
    follows = before[-1].get("again", False)
    return set_if(follows, event, player=(event["player"] + 1) % trace["players"])


# The discard and the draw.


@mutation("party", "cards kept")
def card_kept_beyond_the_power(event: Event, before: list[Event], trace: Event) -> bool:
    if event["again"] or not event["discarded"]:
        return False
    most = len(event["cards"]) if power_of(event, trace) is Power.KEEPS_CARDS else 0
    missing = most + 1 - len(event["kept"])
    if len(event["discarded"]) < missing:
        return False
    event["kept"] += event["discarded"][:missing]
    del event["discarded"][:missing]
    return True


@mutation("party", "kept or discarded")
def discarded_card_lost(event: Event, before: list[Event], trace: Event) -> bool:
    return bool(event["discarded"]) and bool(event["discarded"].pop())


@mutation("party", "cards off the deck")
def drawn_one_too_few(event: Event, before: list[Event], trace: Event) -> bool:
    return len(event["drawn"]) > 1 and bool(event["drawn"].pop())


@mutation("party", "cards off the deck")
def drawn_one_too_many(event: Event, before: list[Event], trace: Event) -> bool:
    if event["drawn"]:
        event["drawn"].append(event["drawn"][0])
    return bool(event["drawn"])


@mutation("party", "cards off the deck")
def drawn_in_another_order(event: Event, before: list[Event], trace: Event) -> bool:
    return first_swap(event["drawn"])


@mutation("party", "cards drawn")
def drawn_by_another_leader(event: Event, before: list[Event], trace: Event) -> bool:
    raven = power_of(event, trace) is Power.DRAWS_CARDS
    return set_if(not raven, event, drawn=[event["leader"]])


@mutation("party", "dragons met")
def party_meets_another_dragon(event: Event, before: list[Event], trace: Event) -> bool:
    drew = event["drawn"] or power_of(event, trace) is not Power.DRAWS_CARDS
    return set_if(drew, event, dragons=event["dragons"] + 1)
