/* `greedy` in plain C, and a player that repeats noted answers: called by the engine of plain_c.py.

   records.h, which plain_c.py writes, has the records as the engine lays them out, and its numbers. */
#include "records.h"

#define EACH(bit, plane) for (uint64_t left = plane, bit; (bit = left & -left); left ^= bit)
#define NUMBER(bit) __builtin_ctzll(bit)

static int count(uint64_t once, uint64_t twice) {
    return __builtin_popcountll(once) + __builtin_popcountll(twice);
}

static int held(const View *view, uint64_t mask) {
    return count(view->hand_once & mask, view->hand_twice & mask);
}

static int best_rival(const View *view, int region) {
    return view->most_markers_of[region] == view->player ? view->second_most_markers[region]
                                                         : view->most_markers[region];
}

static int award(int markers, int rival, int first, int second, int shared) {
    if (markers > rival) return first;
    return markers == 0 ? 0 : markers == rival ? shared : second;
}

static int marker_gain(const View *view, int region) {
    int age = view->age, own = view->markers[region][view->player];
    int rival = best_rival(view, region);
    int first = view->prestige_tokens[region][age - 1] + view->coins_on_region[region];
    int second = age > 1 ? view->prestige_tokens[region][age - 2] : 0;
    int shared = (first + second) >> 1;
    if (view->players == 2 && age == view->ages) {
        if (rival == 0) first += second;
        second = 0;
        shared = first >> 1;
    }
    return award(own + 1, rival, first, second, shared) - award(own, rival, first, second, shared);
}

static int places(const View *view, int region, int power, int size) {
    const int8_t *markers = view->markers[region];
    int beaten = view->rules.both_markers ? markers[0] + markers[1] : markers[view->player];
    if (power == NO_MARKER || view->supply[view->player] <= 0) return 0;
    return size + (power == ONE_CARD_FEWER) >= beaten + view->rules.markers_needed;
}

static int power_prestige(const View *view, int slot, int color, int size) {
    int power = view->power[slot], home = view->home[slot], player = view->player;
    if (power == LARGEST_TOKEN && size > view->largest_size[home]) {
        int at_once = view->rules.largest_on_take[slot];
        if (view->largest_holder[home] == player) return at_once;
        return at_once + view->rules.largest_age[slot][view->age - 1];
    }
    if (power == SETTLEMENT_BOARD) {
        int settled = view->settlements[home][player], placed = count(settled, 0);
        const int16_t *worth = view->rules.settlement[slot];
        return settled >> color & 1 ? 0 : worth[placed + 1] - worth[placed];
    }
    if (power == SEA_TRACK) {
        int own = view->sea[home][player], rival = 0;
        for (int other = 0; other < view->players; other++)
            if (other != player && view->sea[home][other] > rival) rival = view->sea[home][other];
        return own <= rival && own + size > rival ? view->rules.sea_prestige[slot][view->age - 1] : 0;
    }
    if (power == COINS && view->coins_used[home] < view->rules.coins_count[slot]
        && view->markers[color][player] + 1 > best_rival(view, color))
        return view->rules.coins[slot][view->coins_used[home]];
    return 0;
}

static int party_prestige(const View *view, int leader, int size, int members) {
    int slot = leader / REGIONS, color = leader % REGIONS, power = view->power[slot];
    int scored = members + (power == SCORES_LARGER);
    int value = view->rules.party_points[scored < 6 ? scored : 6];
    if (places(view, color, power, size)) value += marker_gain(view, color);
    return value + power_prestige(view, slot, color, size);
}

static void play(const View *view, Move *move, int leader, uint64_t mask) {
    uint64_t once = view->hand_once & (mask | view->wild_cards);
    uint64_t twice = view->hand_twice & (mask | view->wild_cards);
    for (int size = count(once, twice); size > view->rules.party_limit; size--) {
        uint64_t spare = twice ? twice : once & ~(UINT64_C(1) << leader);
        spare &= -spare;
        once &= ~(spare & ~twice);
        twice &= ~spare;
    }
    *move = (Move){.kind = PARTY, .leader = leader, .once = once, .twice = twice};
}

static void take_or_draw(const View *view, Move *move) {
    int best_size = -1, largest = 0, most = -1, card = -1;
    uint64_t best_mask = 0, wild = view->pool_once & view->wild_cards;
    for (int i = 0; i < REGIONS + view->slots; i++) {
        uint64_t mask = i < REGIONS ? view->color_cards[i] : view->clan_cards[i - REGIONS];
        int size = held(view, mask &= ~view->wild_cards);
        if (size > largest) largest = size;
        if (size > best_size && view->pool_once & mask) best_size = size, best_mask = mask;
    }
    int joined = (wild ? largest : best_size) + held(view, view->wild_cards);
    if (wild) card = NUMBER(wild);
    else EACH(bit, view->pool_once & best_mask) {
        int other = NUMBER(bit);
        int kin = held(view, view->clan_cards[other / REGIONS] | view->color_cards[other % REGIONS]);
        if (kin > most) most = kin, card = other;
    }
    *move = card >= 0 && joined > 0 ? (Move){.kind = FROM_POOL, .choice = card}
                                    : (Move){.kind = FROM_DECK};
}

void greedy(const View *view, Move *move, Own *own) {
    int best = -1, best_value = -(1 << 30), wild = held(view, view->wild_cards);
    uint64_t best_mask = 0;
    EACH(bit, view->leaders) {
        int leader = NUMBER(bit);
        uint64_t mask = view->clan_cards[leader / REGIONS];
        uint64_t color = view->color_cards[leader % REGIONS] & ~view->wild_cards;
        int members = held(view, mask), in_color = held(view, color);
        if (in_color > members) members = in_color, mask = color;
        int value = party_prestige(view, leader, members + wild, members);
        if (value > best_value) best = leader, best_mask = mask, best_value = value;
    }
    int due = best_value >= own->parameters[0]
        || view->hand_cards[view->player] >= view->rules.hand_limit
        || (best_value > 0 && view->dragons_seen >= view->rules.last_dragon - 1);
    if (best >= 0 && due) play(view, move, best, best_mask);
    else take_or_draw(view, move);
}

static Move *answers;
static void (**noted)(const View *, Move *, Own *);

/* Begin with the first of the answers; `functions` are those that `note` asks, by decision. */
void begin(Move *room, void *functions) { answers = room, noted = functions; }

void note(const View *view, Move *move, Own *own) {
    noted[view->decision](view, move, own);
    *answers++ = *move;
}

void repeat(const View *view, Move *move, Own *own) { *move = *answers++; }
