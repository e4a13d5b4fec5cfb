"""A play: its cards leave the hand, then what it turns, burns, finishes and passes on."""

from numpy import int64

from president_env.cards import JOKER, SIX, TWO
from president_env.engine.compiled import part
from president_env.engine.finish import BURN, CLEAR, EQUAL, finishes_last, place_taken, round_ended
from president_env.engine.offers import offers_made
from president_env.engine.order import order_turned_by, settle_order
from president_env.engine.parameters import EQUAL_BURN, EQUAL_SKIP, JOKER_BURN
from president_env.engine.run_drop import drops_begun, run_extended
from president_env.engine.state import CLUB_THREE, TOP_CARDS, cards_spent, num_held, top_cards
from president_env.engine.turn import lead_taken, next_to_act


@part
def _natural_cards(g, seat, rank, number):
    """The cards of the rank that a play of so many spends; a forced opening card is among them."""
    if rank == g["opening_rank"]:
        opening = int64(g["opening_card"])
        others = int64(g["hands"][seat, rank]) & ~opening
        return opening | int64(TOP_CARDS[others, number - 1])
    return top_cards(g, seat, rank, number)


@part
def _wild_spent(g, seat, rank, wild, wild_sixes):
    """Spend wild cards beside the rank, sixes before jokers."""
    sixes = min(wild, num_held(g, seat, SIX)) if wild_sixes and rank != SIX else 0
    if sixes:
        cards_spent(g, seat, SIX, top_cards(g, seat, SIX, sixes))
    if wild > sixes:
        cards_spent(g, seat, JOKER, top_cards(g, seat, JOKER, wild - sixes))


@part
def burns_of(g, p, rank, size, wild):
    """What the play clears the trick by (BURN, EQUAL, CLEAR together), as the table lies before it; 0 for nothing."""
    on_trick = g["top_rank"] >= 0
    burns = 0
    if p["burn_twos"] and rank == TWO and wild == 0:
        burns |= BURN
    if p["joker"] == JOKER_BURN and rank == JOKER:
        burns |= BURN
    if p["bombs"] and on_trick and size >= 4:
        burns |= BURN
    if p["equal_rank"] == EQUAL_BURN and rank == g["top_rank"] and size == g["top_size"]:
        burns |= EQUAL
    if p["quartet"] and int64(g["trick_count"][rank]) + size >= 4:
        burns |= CLEAR
    if (int64(p["clearing_ranks"]) >> rank) & 1:
        burns |= CLEAR
    return burns


@part
def cards_played(g, p, seat, rank, size, wild):
    """The seat plays `size` cards of the rank, `wild` of them wild; on turn or out of turn."""
    cards = _natural_cards(g, seat, rank, size - wild)
    cards_spent(g, seat, rank, cards)
    if wild:
        _wild_spent(g, seat, rank, wild, p["wild_sixes"])
    burns = burns_of(g, p, rank, size, wild)
    below, turned = int64(g["top_rank"]), int64(g["turned"])
    equal = rank == below and size == g["top_size"]
    g["top_rank"] = rank
    g["top_size"] = size
    g["top_wild"] = wild
    g["top_seat"] = seat
    g["trick_count"][rank] += size
    g["trick_plays"] += 1
    g["passed"] = 0
    order_turned_by(g, p, rank, size)
    settle_order(g, p)
    if _play_settled(g, p, seat, rank, burns, cards):
        return
    if p["run_drop"] and run_extended(g, p, seat, rank, below, turned):
        drops_begun(g, p, size)
        return
    skips = 1 if equal and p["equal_rank"] == EQUAL_SKIP else 0
    after = next_to_act(g, p, seat, skips)
    if after < 0:
        lead_taken(g, p, seat)
    else:
        offers_made(g, p, after)


@part
def club3_bombed(g, p, seat):
    """The seat plays the 3 of clubs as a bomb, on anything; on a single 3 it may burn by equal rank as well."""
    copies = int64(g["hands"][seat, 0]) & CLUB_THREE
    club3 = copies & -copies
    burns = BURN | (burns_of(g, p, 0, 1, 0) & EQUAL)
    cards_spent(g, seat, 0, club3)
    _play_settled(g, p, seat, 0, burns, club3)


@part
def _play_settled(g, p, seat, rank, burns, cards):
    """Going out and burns after a play with these natural cards; True if the round is over or the trick cleared."""
    g["opening_rank"] = -1
    if g["hand_size"][seat] == 0:
        place_taken(g, seat, finishes_last(p, rank, burns, cards))
        if round_ended(g, p):
            return True
    if burns:
        lead_taken(g, p, seat)
        return True
    return False
