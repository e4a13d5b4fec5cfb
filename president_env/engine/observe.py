"""The compiled writer of observations.

It reads what the seat may know and nothing else, so that writing from a game and from the seat's view of it gives
the same bytes. Seats are relative: 0 is the observer, 1 its left neighbour. Rank rows have 14 columns whatever the
deck, which lets a row be written at once.
"""

from numpy import int64

from president_env.cards import NUM_RANKS
from president_env.engine.blocks import block_index
from president_env.engine.compiled import compiled, inlined, part
from president_env.engine.parameters import EXCHANGE_ASK
from president_env.engine.state import CLUB_THREE, DROP, EXCHANGE, OFFER, PLAY, TRADE, num_cards
from president_env.engine.words import (
    BYTES_OF_BITS,
    counts_of_masks,
    lanes_difference,
    lanes_of_bits,
    lanes_shown,
    lanes_sum,
    load_lanes,
    load_word,
    more_than,
    rotated_bits,
    rotated_bytes,
    store_lanes,
    store_row,
    store_word,
    zeros_written,
)
from president_env.features import NUM_FEATURES

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
RULES = block_index("rules")


@compiled
def observe(games, i, parameters, layout, seat, row, start):
    """Write what the seat sees of row i into the flat int8 array `row`, from byte `start` on.

    `layout` is `ObservationLayout.record`.
    """
    observation_written(games[i], parameters[0], layout[0], seat, row, start)


@part
def observation_written(g, p, o, seat, row, start):
    """The same for records. The common blocks are written whole, in the order in which they stand: words reach past
    the end of a block into what is written after it."""
    if o["players"] != p["players"]:
        zeros_written(row, start, int64(o["size"]))
    _turn_observed(g, p, o, seat, row, start)
    _seats_observed(g, p, o, seat, row, start)
    _trick_observed(g, p, o, seat, row, start)
    _cards_observed(g, p, o, seat, row, start)
    more = int64(o["more_at"])
    if more:
        zeros_written(row, start + more, int64(o["size"]) - more)
        if o["house"]:
            _house_rules_observed(g, p, o, seat, row, start)
        if g["last_place"][seat]:  # a round has been finished
            _later_round_observed(g, p, o, seat, row, start)
        if o["at"][RULES] >= 0:
            for k in range(NUM_FEATURES):
                row[start + int64(o["at"][RULES]) + k] = p["features"][k]


@inlined
def _later_round_observed(g, p, o, seat, row, start):
    if o["at"][SCORE] >= 0:
        _scores_observed(g, p, start + int64(o["at"][SCORE]), seat, row)
    if o["at"][PARTNER] >= 0:
        _exchange_observed(g, p, o, seat, row, start)
    if o["at"][TRADING] >= 0:
        _trade_observed(g, o, seat, row, start)


@part
def _house_rules_observed(g, p, o, seat, row, start):
    _order_observed(g, p, o, seat, row, start)
    _interrupts_observed(g, p, o, seat, row, start)
    if o["at"][RUN] >= 0:
        _run_observed(g, p, o, seat, row, start)


@inlined
def relative_seat(p, seat, other):
    """How many seats `other` sits to the left of `seat`."""
    away = int64(other) - seat
    return away + (int64(p["players"]) & (away >> 63))


@inlined
def seat_left_of(players, seat, steps):
    """The seat so many steps to the left, less than once round the table. No branch: where it wraps is a toss-up."""
    other = seat + steps - players
    return other + (players & (other >> 63))


@inlined
def _turn_observed(g, p, o, seat, row, start):
    phase, turn = int64(g["phase"]), int64(g["seat"])
    if phase == OFFER and turn != seat:
        phase, turn = PLAY, int64(g["resume"])
    playing = 1 if turn >= 0 else 0
    store_word(row, start + int64(o["at"][PHASE]), playing << (8 * (phase & 7)))
    store_word(row, start + int64(o["at"][TURN]), playing << (8 * relative_seat(p, seat, max(turn, 0))))


@inlined
def _seats_observed(g, p, o, seat, row, start):
    """Blocks of a number a seat."""
    players = int64(p["players"])
    store_word(row, start + int64(o["at"][HAND_SIZE]), rotated_bytes(load_word(g["hand_size"], 0), seat, players))
    store_word(row, start + int64(o["at"][PLACE]), rotated_bytes(load_word(g["place"], 0), seat, players))
    store_word(row, start + int64(o["at"][LAST_PLACE]), rotated_bytes(load_word(g["last_place"], 0), seat, players))
    store_word(row, start + int64(o["at"][PASSED]), BYTES_OF_BITS[rotated_bits(int64(g["passed"]), seat, players)])
    passed_on = start + int64(o["at"][PASSED_ON])
    for steps in range(players):
        other = seat_left_of(players, seat, steps)
        store_word(row, passed_on + 4 * steps, load_word(g["passed_on"], 4 * other) & 0xFFFFFFFF)


@inlined
def _trick_observed(g, p, o, seat, row, start):
    """The play to beat, without a branch: whether there is one is a toss-up."""
    on_trick = 1 if g["top_rank"] >= 0 else 0
    top_seat, top_rank = max(int64(g["top_seat"]), 0), max(int64(g["top_rank"]), 0)
    store_word(row, start + int64(o["at"][TOP_SEAT]), on_trick << (8 * relative_seat(p, seat, top_seat)))
    store_word(row, start + int64(o["at"][TOP_SIZE]), BYTES_OF_BITS[(1 << int64(g["top_size"])) >> 1])
    to_come = min(max(int64(p["rounds"]) - int64(g["round"]), 0), 127)
    store_word(row, start + int64(o["at"][ROUND]), min(int64(g["round"]), 127) | to_come << 8)
    store_row(row, start + int64(o["at"][TOP_RANK]), lanes_of_bits(on_trick << top_rank))


@inlined
def _cards_observed(g, p, o, seat, row, start):
    held = load_lanes(g["hand_count"], seat * NUM_RANKS)
    unseen = lanes_difference(lanes_difference(load_lanes(g["deck_count"], 0), load_lanes(g["gone"], 0)), held)
    at, levels = start + int64(o["at"][HAND]), int64(o["levels"])
    for k in range(levels):
        store_lanes(row, at, more_than(held, k))
        at += NUM_RANKS
    for k in range(levels):
        store_lanes(row, at, more_than(unseen, k))
        at += NUM_RANKS
    players = int64(p["players"])
    for steps in range(players):
        other = seat_left_of(players, seat, steps)
        store_row(row, at, load_lanes(g["played_count"], other * NUM_RANKS))
        at += NUM_RANKS


@part
def _order_observed(g, p, o, seat, row, start):
    if o["at"][BARRED] >= 0:
        for other in range(int64(p["players"])):
            row[start + int64(o["at"][BARRED]) + relative_seat(p, seat, other)] = int64(g["barred"]) >> other & 1
    if o["at"][ORDER] >= 0:
        row[start + int64(o["at"][ORDER])] = g["turned"]
        row[start + int64(o["at"][ORDER]) + 1] = g["revolution"]
    if o["at"][OPENING] >= 0:
        row[start + int64(o["at"][OPENING])] = g["opening_rank"] >= 0
    if o["at"][TOP_WILD] >= 0:
        row[start + int64(o["at"][TOP_WILD])] = g["top_wild"]


@part
def _interrupts_observed(g, p, o, seat, row, start):
    if o["at"][TRICK_COUNT] >= 0:
        store_row(row, start + int64(o["at"][TRICK_COUNT]), load_lanes(g["trick_count"], 0))
    if o["at"][CLUB3] >= 0:
        row[start + int64(o["at"][CLUB3])] = num_cards(int64(g["hands"][seat, 0]) & CLUB_THREE)
        gone = 0
        for other in range(int64(p["players"])):
            gone += num_cards(int64(g["played"][other, 0]) & CLUB_THREE)
        row[start + int64(o["at"][CLUB3]) + 1] = gone
    if o["at"][RESUME] >= 0 and g["phase"] == OFFER and g["seat"] == seat:
        row[start + int64(o["at"][RESUME]) + relative_seat(p, seat, g["resume"])] = 1


@part
def _run_observed(g, p, o, seat, row, start):
    run, players = start + int64(o["at"][RUN]), int64(o["players"])
    length = int64(g["run_length"])
    row[run] = length
    for back in range(2):
        other = max(int64(g["run_seats"][1 - back]), 0)
        row[run + 1 + back * players + relative_seat(p, seat, other)] = 1 if length > back else 0
    if g["phase"] == DROP:
        row[start + int64(o["at"][LEFT])] = g["left"]
        for index in range(int64(g["drop_index"]), 3):
            if g["drop_seats"][index] >= 0:
                row[start + int64(o["at"][DROPPERS]) + relative_seat(p, seat, g["drop_seats"][index])] = 1


@part
def _scores_observed(g, p, at, seat, row):
    for other in range(int64(p["players"])):
        row[at + relative_seat(p, seat, other)] = min(int64(g["scores"][other]), 127)


@inlined
def _counts_written(masks, at, row, to, shown):
    """Write the popcounts of 14 suit masks from byte `at` on; zeros where `shown` is 0 and not −1."""
    store_row(row, to, lanes_shown(counts_of_masks(load_lanes(masks, at)), shown))


@inlined
def _exchange_observed(g, p, o, seat, row, start):
    """Whose cards are shown is a toss-up, so it is worked out without branches."""
    partner = int64(g["partner"][seat])
    if g["phase"] == EXCHANGE:
        row[start + int64(o["at"][LEFT])] = g["left"]
        row[start + int64(o["at"][STAGE]) + int64(g["stage"])] = 1
    if partner >= 0:
        row[start + int64(o["at"][PARTNER]) + relative_seat(p, seat, partner)] = 1
        known = start + int64(o["at"][KNOWN])
        _counts_written(g["known"], partner * NUM_RANKS, row, known, -1)
        _counts_written(g["known"], seat * NUM_RANKS, row, known + NUM_RANKS, -1)
    for pair in range(2):
        at = pair * NUM_RANKS
        member = -((1 if seat == g["taker"][pair] else 0) | (1 if seat == g["giver"][pair] else 0))
        heard = -1 if p["exchange"] == EXCHANGE_ASK else member
        _counts_written(g["taken"], at, row, start + int64(o["at"][TAKEN]) + at, heard)
        if o["at"][RETURNED] >= 0:
            _counts_written(g["returned"], at, row, start + int64(o["at"][RETURNED]) + at, member)
        if p["exchange"] == EXCHANGE_ASK:
            _misses_observed(g, pair, start + int64(o["at"][MISSED]) + at, row)


@part
def _misses_observed(g, pair, at, row):
    asked = lanes_of_bits(int64(g["asked"][pair, 0]))
    for suit in range(1, 4):
        asked = lanes_sum(asked, lanes_of_bits(int64(g["asked"][pair, suit])))
    taken = counts_of_masks(load_lanes(g["taken"], pair * NUM_RANKS))
    store_row(row, at, lanes_difference(asked, taken))


@part
def _trade_observed(g, o, seat, row, start):
    """Step one-hot (4), tries, own offer, the other's once both are made, ranks shown by the partner and by itself."""
    if g["phase"] == TRADE:
        row[start + int64(o["at"][TRADING]) + int64(g["trade_step"])] = 1
        row[start + int64(o["at"][TRADING]) + 4] = min(int64(g["trade_tries"]), 127)
        if seat == g["seat"] or seat == g["partner"][int64(g["seat"])]:
            _offers_observed(g, start + int64(o["at"][TRADING]) + 5, seat, row)
    partner = int64(g["partner"][seat])
    if partner >= 0:
        shown = start + int64(o["at"][TRADING]) + 5 + 2 * NUM_RANKS
        store_row(row, shown, lanes_of_bits(int64(g["shown"][partner])))
        store_row(row, shown + NUM_RANKS, lanes_of_bits(int64(g["shown"][seat])))


@part
def _offers_observed(g, at, seat, row):
    better_moves = (int64(g["trade_step"]) & 1) == 0
    side = 0 if better_moves == (seat == g["seat"]) else 1
    own, other = int64(g["trade_offer"][side]), int64(g["trade_offer"][1 - side])
    if own >= 0:
        row[at + own] = 1
    if other >= 0 and g["trade_step"] >= 2:
        row[at + NUM_RANKS + other] = 1
