"""Mutations of the refill, the end of an age, the end of the game and Chief Bruno."""

from referee.mutations.registry import Event, leads_of_bruno, mutation, other, other_card, set_if

# The Recruitment variant.


@mutation("refill", "R9")
def refill_of_another_player(event: Event, before: list[Event], trace: Event) -> bool:
    return set_if(trace["players"] > 1, event, player=(event["player"] + 1) % trace["players"])


@mutation("refill", "cards off the deck")
def refill_one_too_many(event: Event, before: list[Event], trace: Event) -> bool:
    event["cards"].append(next(iter(before[0]["pool"])))
    return True


@mutation("refill", "cards off the deck")
def refill_one_too_few(event: Event, before: list[Event], trace: Event) -> bool:
    return bool(event["cards"]) and bool(event["cards"].pop())


@mutation("refill", "dragons met")
def refill_meets_another_dragon(event: Event, before: list[Event], trace: Event) -> bool:
    return set_if(True, event, dragons=event["dragons"] + 1)


# The end of an age and of the game.


@mutation("age_end", "last dragon")
def last_dragon_of_another_player(event: Event, before: list[Event], trace: Event) -> bool:
    seats = len(event["prestige"])
    return set_if(True, event, third_dragon=(event["third_dragon"] + 1) % seats)


@mutation("age_end", "R15")
def board_not_emptied_after_the_last_age(event: Event, before: list[Event], trace: Event) -> bool:
    last = event["age"] == (2 if len(event["prestige"]) < 4 else 3)
    seats = range(len(event["prestige"]))
    no_board = event["emptied"] is None or not last
    return set_if(not no_board, event, emptied=[False for _ in seats])


@mutation("age_end", "boards emptied")
def board_of_nobody(event: Event, before: list[Event], trace: Event) -> bool:
    return set_if(event["emptied"], event, emptied=[*(event["emptied"] or []), True])


@mutation("age_end", "settlement boards: not in play")
def boards_emptied_without_the_clan(event: Event, before: list[Event], trace: Event) -> bool:
    return set_if(event["emptied"] is None, event, emptied=[True for _ in event["prestige"]])


@mutation("age_end", "prestige, settlement")
def settlement_award_without_the_clan(event: Event, before: list[Event], trace: Event) -> bool:
    return set_if(event["emptied"] is None, event, settlement=[0 for _ in event["prestige"]])


@mutation("game_end", "winners")
def another_winner(event: Event, before: list[Event], trace: Event) -> bool:
    losers = set(range(len(event["prestige"]))) - set(event["winners"])
    return set_if(losers, event, winners=[*losers][:1])


@mutation("game_end", "winners")
def shared_win(event: Event, before: list[Event], trace: Event) -> bool:
    losers = set(range(len(event["prestige"]))) - set(event["winners"])
    return set_if(losers, event, winners=sorted([*event["winners"], *losers]))


@mutation("game_end", "winners")
def no_winner(event: Event, before: list[Event], trace: Event) -> bool:
    return set_if(True, event, winners=[])


# Chief Bruno.


@mutation("bruno_gets", "Bruno's card", solo=True)
def bruno_gets_from_elsewhere(event: Event, before: list[Event], trace: Event) -> bool:
    sources = {"pool": "discard", "discard": "deck", "deck": "pool"}
    return set_if(True, event, source=sources[event["source"]])


@mutation("bruno_gets", "R20", solo=True)
def bruno_gets_one_more(event: Event, before: list[Event], trace: Event) -> bool:
    if event["source"] == "deck":
        return False
    event["cards"].append(event["cards"][0])
    return True


@mutation("bruno_gets", "R20", solo=True)
def bruno_gets_one_card_in_a_hard_game(event: Event, before: list[Event], trace: Event) -> bool:
    return len(event["cards"]) > 1 and bool(event["cards"].pop())


@mutation("bruno_gets", "Bruno's card", solo=True)
def bruno_gets_a_card_not_discarded(event: Event, before: list[Event], trace: Event) -> bool:
    if event["source"] != "discard":
        return False
    strange = other_card(event["cards"][0], trace)
    return set_if(strange not in before[-1]["discarded"], event, cards=[strange])


@mutation("bruno_gets", "", solo=True)
def bruno_meets_a_dragon(event: Event, before: list[Event], trace: Event) -> bool:
    return set_if(True, event, dragons=event["dragons"] + 1)


@mutation("bruno_party", "leftmost", solo=True)
def bruno_plays_another_column(event: Event, before: list[Event], trace: Event) -> bool:
    return set_if(True, event, column=other(event["column"], trace))


@mutation("bruno_party", "whole column", solo=True)
def bruno_leaves_a_card(event: Event, before: list[Event], trace: Event) -> bool:
    return len(event["cards"]) > 1 and bool(event["cards"].pop())


@mutation("bruno_party", "face-up", solo=True)
def bruno_leader_chosen_again(event: Event, before: list[Event], trace: Event) -> bool:
    led = [e["leader"] for e in trace["events"] if e["event"] == "bruno_party"]
    place = [e is event for e in trace["events"] if e["event"] == "bruno_party"].index(True)
    return set_if(place % 6, event, leader=led[place - 1])


@mutation("bruno_party", "region marker", solo=True)
def bruno_marker_flipped(event: Event, before: list[Event], trace: Event) -> bool:
    return set_if(True, event, region=None if event["region"] else event["column"])


@mutation("bruno_party", "sea track", solo=True)
def bruno_one_space_further(event: Event, before: list[Event], trace: Event) -> bool:
    return set_if(True, event, sea=(event["sea"] or 0) + 1)


@mutation("bruno_party", "R24", solo=True)
def bruno_extra_marker_dropped(event: Event, before: list[Event], trace: Event) -> bool:
    return bool(event["sea_regions"]) and bool(event["sea_regions"].pop())


@mutation("bruno_party", "R14", solo=True)
def bruno_largest_flipped(event: Event, before: list[Event], trace: Event) -> bool:
    return set_if(True, event, largest=not event["largest"])


@mutation("bruno_party", "R25", solo=True)
def bruno_extra_marker_where_he_wins(event: Event, before: list[Event], trace: Event) -> bool:
    leads = leads_of_bruno(event, trace)
    best = max(leads, key=lambda color: leads[color])
    event["sea_regions"][:1] = [best for _ in event["sea_regions"][:1]]
    return bool(event["sea_regions"]) and leads[best] > 0 and min(leads.values()) <= 0


@mutation("bruno_party", "R25", solo=True)
def bruno_coin_where_he_loses_most(event: Event, before: list[Event], trace: Event) -> bool:
    leads = leads_of_bruno(event, trace)
    worst = min(leads, key=lambda color: leads[color])
    value = event["coin"] and {"region": worst, "value": event["coin"]["value"]}
    better = leads[worst] < 0 <= max(leads.values())
    return set_if(value and better, event, coin=value)


@mutation("bruno_party", "R24", solo=True)
def bruno_settlement_declined(event: Event, before: list[Event], trace: Event) -> bool:
    return set_if(event["settled"], event, settled=None)


@mutation("bruno_party", "lowest coin", solo=True)
def bruno_coin_not_placed(event: Event, before: list[Event], trace: Event) -> bool:
    return set_if(event["coin"], event, coin=None)


@mutation("bruno_party", "cards off the deck", solo=True)
def bruno_draws_one_too_few(event: Event, before: list[Event], trace: Event) -> bool:
    return bool(event["drawn"]) and bool(event["drawn"].pop())


@mutation("bruno_party", "released", solo=True)
def nothing_released(event: Event, before: list[Event], trace: Event) -> bool:
    return set_if(event["released"], event, released=None)


@mutation("bruno_party", "the released card", solo=True)
def released_card_that_is_not_there(event: Event, before: list[Event], trace: Event) -> bool:
    strange = f"{event['leader']}:{event['column']}"
    no_raven = event["released"] and not event["drawn"]
    return set_if(no_raven, event, released=strange)


@mutation("bruno_party", "R26", solo=True)
def released_though_nothing_is_left(event: Event, before: list[Event], trace: Event) -> bool:
    card = event["cards"][0]
    return set_if(event["released"] is None, event, released=card, released_to="pool")


@mutation("bruno_party", "released card goes", solo=True)
def released_to_nowhere(event: Event, before: list[Event], trace: Event) -> bool:
    return set_if(event["released"], event, released_to=None)


@mutation("bruno_party", "released card goes", solo=True)
def released_to_hand_in_a_harder_game(event: Event, before: list[Event], trace: Event) -> bool:
    harder = trace["mode"] != "solo-easy"
    return set_if(event["released"] and harder, event, released_to="hand")


@mutation("age", "R21", solo=True)
def bruno_starts_with_two_cards(event: Event, before: list[Event], trace: Event) -> bool:
    event["deck"].append(event["columns"].pop())
    return True


@mutation("age_end", "R15", solo=True)
def bruno_board_not_emptied(event: Event, before: list[Event], trace: Event) -> bool:
    return set_if(True, event, emptied=[True, False])
