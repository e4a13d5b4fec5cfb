"""The compiled writer of observations.

It reads what the seat may know and nothing else, so that writing from a game and from the seat's view of it gives
the same bytes. Seats are relative: 0 is the observer, 1 its left neighbour. Rank rows have 14 columns whatever the
deck, which lets a row be written at once.
"""

from numpy import int64

from president_env.engine.blocks import LEVELS_AT, PLAYERS_AT, block_index
from president_env.engine.compiled import compiled
from president_env.engine.parameters import EXCHANGE_ASK
from president_env.engine.state import DROP, EXCHANGE, NUM_RANKS, OFFER, PLAY, TRADE, num_cards

PHASE, TURN = block_index("phase"), block_index("turn")
HAND, UNSEEN, PLAYED = block_index("hand"), block_index("unseen"), block_index("played")
HAND_SIZE, PLACE, LAST_PLACE = block_index("hand_size"), block_index("place"), block_index("last_place")
TOP_RANK, TOP_SIZE, TOP_SEAT = block_index("top_rank"), block_index("top_size"), block_index("top_seat")
TOP_WILD, TRICK_COUNT = block_index("top_wild"), block_index("trick_count")
PASSED, PASSED_ON, BARRED = block_index("passed"), block_index("passed_on"), block_index("barred")
ROUND, SCORE, ORDER, OPENING = (block_index(name) for name in ("round", "score", "order", "opening"))
CLUB3, RESUME, RUN, DROPPERS = (block_index(name) for name in ("club3", "resume", "run", "droppers"))
LEFT, STAGE, PARTNER, KNOWN = (block_index(name) for name in ("left", "stage", "partner", "known"))
TAKEN, RETURNED, MISSED, TRADING = (block_index(name) for name in ("taken", "returned", "missed", "trade"))


@compiled
def observe(games, i, parameters, offsets, seat, row):
    """Write what the seat sees of row i into `row`, (size,) int8. `offsets` is `ObservationLayout.offsets`."""
    g, p = games[i], parameters[0]
    row[:] = 0
    _cards_observed(g, offsets, seat, row)
    _seats_observed(g, p, offsets, seat, row)
    _trick_observed(g, p, offsets, seat, row)
    if offsets[BARRED] >= 0 or offsets[ORDER] >= 0 or offsets[OPENING] >= 0 or offsets[TOP_WILD] >= 0:
        _order_observed(g, p, offsets, seat, row)
    if offsets[TRICK_COUNT] >= 0 or offsets[CLUB3] >= 0 or offsets[RESUME] >= 0:
        _interrupts_observed(g, p, offsets, seat, row)
    if offsets[RUN] >= 0:
        _run_observed(g, p, offsets, seat, row)
    if offsets[LEFT] >= 0 and g["phase"] != TRADE and g["phase"] != PLAY:
        row[offsets[LEFT]] = g["left"]
    if offsets[PARTNER] >= 0:
        _exchange_observed(g, p, offsets, seat, row)
    if offsets[TRADING] >= 0:
        _trade_observed(g, p, offsets, seat, row)


@compiled
def relative_seat(p, seat, other):
    """How many seats `other` sits to the left of `seat`."""
    away = int64(other) - seat
    return away if away >= 0 else away + int64(p["players"])


@compiled
def _cards_observed(g, offsets, seat, row):
    levels = int64(offsets[LEVELS_AT])
    hand, unseen = int64(offsets[HAND]), int64(offsets[UNSEEN])
    for k in range(levels):
        for rank in range(NUM_RANKS):
            held = g["hand_count"][seat, rank]
            row[hand + rank] = held > k
            row[unseen + rank] = g["deck_count"][rank] - g["gone"][rank] - held > k
        hand += NUM_RANKS
        unseen += NUM_RANKS


@compiled
def _seats_observed(g, p, offsets, seat, row):
    players = int64(p["players"])
    played, passed_on = int64(offsets[PLAYED]), int64(offsets[PASSED_ON])
    passed = int64(g["passed"])
    score = int64(offsets[SCORE])
    other = seat
    for k in range(players):
        for rank in range(NUM_RANKS):
            row[played + rank] = g["played_count"][other, rank]
        for size in range(4):
            row[passed_on + size] = g["passed_on"][other, size]
        row[offsets[HAND_SIZE] + k] = g["hand_size"][other]
        row[offsets[PLACE] + k] = g["place"][other]
        row[offsets[LAST_PLACE] + k] = g["last_place"][other]
        row[offsets[PASSED] + k] = passed >> other & 1
        if score >= 0:
            row[score + k] = min(int64(g["scores"][other]), 127)
        played += NUM_RANKS
        passed_on += 4
        other = other + 1 if other + 1 < players else 0


@compiled
def _trick_observed(g, p, offsets, seat, row):
    phase, turn = int64(g["phase"]), int64(g["seat"])
    if phase == OFFER and turn != seat:
        phase, turn = PLAY, int64(g["resume"])
    if turn >= 0:
        row[offsets[PHASE] + phase] = 1
        row[offsets[TURN] + relative_seat(p, seat, turn)] = 1
    row[offsets[ROUND]] = min(int64(g["round"]), 127)
    if p["rounds"] > 0:
        row[offsets[ROUND] + 1] = min(max(int64(p["rounds"]) - int64(g["round"]), 0), 127)
    if g["top_rank"] >= 0:
        row[offsets[TOP_RANK] + int64(g["top_rank"])] = 1
        row[offsets[TOP_SIZE] + int64(g["top_size"]) - 1] = 1
        row[offsets[TOP_SEAT] + relative_seat(p, seat, g["top_seat"])] = 1


@compiled
def _order_observed(g, p, offsets, seat, row):
    if offsets[BARRED] >= 0:
        for other in range(int64(p["players"])):
            row[offsets[BARRED] + relative_seat(p, seat, other)] = int64(g["barred"]) >> other & 1
    if offsets[ORDER] >= 0:
        row[offsets[ORDER]] = g["turned"]
        row[offsets[ORDER] + 1] = g["revolution"]
    if offsets[OPENING] >= 0:
        row[offsets[OPENING]] = g["opening_rank"] >= 0
    if offsets[TOP_WILD] >= 0:
        row[offsets[TOP_WILD]] = g["top_wild"]


@compiled
def _interrupts_observed(g, p, offsets, seat, row):
    if offsets[TRICK_COUNT] >= 0:
        for rank in range(NUM_RANKS):
            row[offsets[TRICK_COUNT] + rank] = g["trick_count"][rank]
    if offsets[CLUB3] >= 0:
        row[offsets[CLUB3]] = num_cards(int64(g["hands"][seat, 0]) & 17)
        gone = 0
        for other in range(int64(p["players"])):
            gone += num_cards(int64(g["played"][other, 0]) & 17)
        row[offsets[CLUB3] + 1] = gone
    if offsets[RESUME] >= 0 and g["phase"] == OFFER and g["seat"] == seat:
        row[offsets[RESUME] + relative_seat(p, seat, g["resume"])] = 1


@compiled
def _run_observed(g, p, offsets, seat, row):
    run, players = int64(offsets[RUN]), int64(offsets[PLAYERS_AT])
    length = int64(g["run_length"])
    row[run] = length
    for back in range(min(length, 2)):
        row[run + 1 + back * players + relative_seat(p, seat, g["run_seats"][1 - back])] = 1
    if g["phase"] == DROP:
        for index in range(int64(g["drop_index"]), 3):
            if g["drop_seats"][index] >= 0:
                row[offsets[DROPPERS] + relative_seat(p, seat, g["drop_seats"][index])] = 1


@compiled
def _exchange_observed(g, p, offsets, seat, row):
    partner = int64(g["partner"][seat])
    if g["phase"] == EXCHANGE:
        row[offsets[STAGE] + int64(g["stage"])] = 1
    if partner >= 0:
        row[offsets[PARTNER] + relative_seat(p, seat, partner)] = 1
        for rank in range(NUM_RANKS):
            row[offsets[KNOWN] + rank] = num_cards(g["known"][partner, rank])
            row[offsets[KNOWN] + NUM_RANKS + rank] = num_cards(g["known"][seat, rank])
    for pair in range(2):
        member = seat == g["taker"][pair] or seat == g["giver"][pair]
        for rank in range(NUM_RANKS):
            at = pair * NUM_RANKS + rank
            taken = int64(g["taken"][pair, rank])
            if member or p["exchange"] == EXCHANGE_ASK:
                row[offsets[TAKEN] + at] = num_cards(taken)
            if member:
                row[offsets[RETURNED] + at] = num_cards(g["returned"][pair, rank])
            if offsets[MISSED] >= 0:
                asked = 0
                for suit in range(4):
                    asked += int64(g["asked"][pair, suit]) >> rank & 1
                row[offsets[MISSED] + at] = asked - num_cards(taken)


@compiled
def _trade_observed(g, p, offsets, seat, row):
    """Step one-hot (4), tries, own offer, the other's once both are made, ranks shown by the partner and by itself."""
    if g["phase"] == TRADE:
        row[offsets[TRADING] + int64(g["trade_step"])] = 1
        row[offsets[TRADING] + 4] = min(int64(g["trade_tries"]), 127)
        if seat == g["seat"] or seat == g["partner"][int64(g["seat"])]:
            _offers_observed(g, int64(offsets[TRADING]) + 5, seat, row)
    partner = int64(g["partner"][seat])
    if partner >= 0:
        shown = int64(offsets[TRADING]) + 5 + 2 * NUM_RANKS
        for rank in range(NUM_RANKS):
            row[shown + rank] = int64(g["shown"][partner]) >> rank & 1
            row[shown + NUM_RANKS + rank] = int64(g["shown"][seat]) >> rank & 1


@compiled
def _offers_observed(g, at, seat, row):
    better_moves = (int64(g["trade_step"]) & 1) == 0
    side = 0 if better_moves == (seat == g["seat"]) else 1
    own, other = int64(g["trade_offer"][side]), int64(g["trade_offer"][1 - side])
    if own >= 0:
        row[at + own] = 1
    if other >= 0 and g["trade_step"] >= 2:
        row[at + NUM_RANKS + other] = 1
