"""Why a batch stops: the reasons for which a strategy's answer is not a legal move."""

from __future__ import annotations

NO_FAULT = 0
NO_ANSWER = 1
HAND_FULL = 2
NOT_IN_POOL = 3
NOT_IN_HAND = 4
EMPTY_PARTY = 5
WILD_LEADER = 6
LEADER_NOT_IN_PARTY = 7
MIXED_PARTY = 8
REGION_NOT_OPEN = 9
TOKEN_NOT_OPEN = 10
KEPT_TOO_MANY = 11
MUST_CHOOSE = 12
WRONG_KIND = 13
NOT_OFFERED = 14
LEADER_NOT_UP = 15
RESTRICTED_LEADER = 16
PARTY_TOO_LARGE = 17
NOT_AN_OPTION = 18
POWER_FAILED = 19

SENTENCES = {
    NO_ANSWER: "gave no answer",
    HAND_FULL: "recruited with a full hand",
    NOT_IN_POOL: "recruited a card that is not in the pool",
    NOT_IN_HAND: "used cards that are not in its hand",
    EMPTY_PARTY: "played a party without cards",
    WILD_LEADER: "let a wild card lead",
    LEADER_NOT_IN_PARTY: "named a leader that is not in the party",
    PARTY_TOO_LARGE: "played a party of more cards than one may have",
    MIXED_PARTY: "played a party that is neither of one clan nor of one color",
    REGION_NOT_OPEN: "chose a region that is not open to the marker",
    TOKEN_NOT_OPEN: "chose a tie-break token that is taken or above the party's size",
    KEPT_TOO_MANY: "kept more cards than the party has",
    MUST_CHOOSE: "declined where a choice must be made",
    NOT_OFFERED: "chose a card for or from Bruno that is not on offer",
    LEADER_NOT_UP: "chose a leader for Bruno that lies face down",
    RESTRICTED_LEADER: "let a card lead that its restriction forbids",
    NOT_AN_OPTION: "chose what the power that asks does not offer",
    POWER_FAILED: "played in a game whose power broke off",
    WRONG_KIND: "answered a different question than the one asked",
}
