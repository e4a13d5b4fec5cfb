"""Run drop: three plays in a row that make a run clear the trick, and who made them may discard extra cards."""

from numpy import int64

from president_env.cards import JOKER
from president_env.engine.compiled import part
from president_env.engine.finish import finishes_last, place_taken, round_ended, table_cleared
from president_env.engine.order import stands_one_above
from president_env.engine.state import DROP, cards_spent, is_active, top_cards
from president_env.engine.turn import lead_taken


@part
def run_extended(g, p, seat, rank, below, turned):
    """Note a play for the run; `below` is the play before (-1: a lead). True if it completes a run of three."""
    if below >= 0 and stands_one_above(p, rank, below, turned):
        g["run_length"] += 1
    else:
        g["run_length"] = 0 if rank == JOKER else 1
    if g["run_length"] >= 3:
        g["drop_seats"][0] = g["run_seats"][0]
        g["drop_seats"][1] = g["run_seats"][1]
        g["drop_seats"][2] = seat
        return True
    g["run_seats"][0] = g["run_seats"][1]
    g["run_seats"][1] = seat
    return False


@part
def drops_begun(g, p, size):
    """Clear the trick of a run and let its players drop, in the order of their plays, each once."""
    table_cleared(g)
    seats = g["drop_seats"]
    g["completer"] = seats[2]
    if seats[2] == seats[0] or seats[2] == seats[1]:
        seats[2] = -1
    g["drop_size"] = size
    g["drop_index"] = -1
    _next_dropper(g, p)


@part
def _next_dropper(g, p):
    """The next seat of the run that is still active; after the last the lead goes left of the run's completer."""
    g["left"] = g["drop_size"]
    for index in range(int64(g["drop_index"]) + 1, 3):
        seat = int64(g["drop_seats"][index])
        if seat >= 0 and is_active(g, seat):
            g["phase"] = DROP
            g["drop_index"] = index
            g["seat"] = seat
            return
    left = (int64(g["completer"]) + 1) % int64(p["players"])
    g["left"] = 0
    lead_taken(g, p, left)


@part
def drops_stopped(g, p):
    """The seat gives up the rest of its own drops."""
    _next_dropper(g, p)


@part
def card_dropped(g, p, rank):
    """Discard one card of the rank. A seat can go out so; by `club3_finish_last` each drop counts by itself."""
    seat = int64(g["seat"])
    card = top_cards(g, seat, rank, 1)
    cards_spent(g, seat, rank, card)
    g["left"] -= 1
    if g["hand_size"][seat] == 0:
        place_taken(g, seat, finishes_last(p, rank, 0, card))
        if round_ended(g, p):
            return
        _next_dropper(g, p)
    elif g["left"] == 0:
        _next_dropper(g, p)
