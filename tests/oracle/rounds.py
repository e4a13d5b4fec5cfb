"""A round from the first lead until every seat has a place: turns, offers, run drops, going out.

Each part asks its questions with ``yield`` and goes on with the answer, so it reads in the order of the table talk.
"""

from __future__ import annotations

from collections.abc import Generator

from tests.oracle.table import Play, Table
from tests.oracle.words import Question, Talk, ranks_held, take_rank

#: A part that asks questions and ends with the seat to act next, or None when the round is over.
ToNextSeat = Generator[Question, str, int | None]


def play_round(table: Table, leader: int) -> Talk:
    seat: int | None = leader
    while seat is not None:
        seat = yield from take_turn(table, seat)


def take_turn(table: Table, seat: int) -> ToNextSeat:
    """A seat on turn plays or, if there is a play to beat, passes."""
    plays = {play.text: play for play in table.plays_on_turn(seat)}
    may_pass = ["pass"] if table.trick else []
    answer = yield Question("play", seat, may_pass + list(plays))
    if answer != "pass":
        return (yield from make_play(table, plays[answer]))
    if table.rules["passing"] == "strict":
        table.barred.add(seat)
    following = next_to_act(table, after=seat, skips=0)
    return clear_and_lead(table, table.top.seat) if following is None else following


def next_to_act(table: Table, after: int, skips: int) -> int | None:
    """Walk clockwise to the next active seat that is not barred, past those skipped; None when the walk ends."""
    seat = table.left_of(after)
    while seat != table.top.seat:
        if table.is_active(seat) and seat not in table.barred:
            if skips == 0:
                return seat
            skips -= 1
        seat = table.left_of(seat)
    return None


def clear_and_lead(table: Table, seat: int) -> int:
    """The trick is cleared and a seat leads, or, if it has gone out, the next active seat to its left."""
    table.clear()
    return table.leader_after(seat)


def make_play(table: Table, play: Play) -> ToNextSeat:
    """Lay a play, on turn or out of turn, and do all that follows from it."""
    seat = play.seat
    burns = table.burns(play)
    skips = 1 if table.rules["equal_rank"] == "skip" and table.is_equal(play) else 0
    table.lay(play)
    if not table.hands[seat]:
        table.go_out(seat, worst=finishes_last(table, play.cards, burns))
    if table.is_round_over():
        return None
    if burns:
        return clear_and_lead(table, seat)
    if table.completes_run():
        return (yield from drop_after_run(table))
    following = next_to_act(table, after=seat, skips=skips)
    if following is None:
        return clear_and_lead(table, seat)
    return (yield from offer_round(table, seat, following))


def finishes_last(table: Table, last_cards: list[str], burns: set[str]) -> bool:
    """Whether the last cards of a seat, and the rules by which they burned, cost it the good place."""
    rules = table.rules
    by_burn = rules["burn_finish_last"] and burns & {"twos", "joker", "bomb", "3 of clubs"}
    by_equal_burn = rules["equal_burn_finish_last"] and "equal rank" in burns
    by_club3 = rules["club3_finish_last"] and "3C" in last_cards
    return bool(by_burn or by_equal_burn or by_club3)


def offer_round(table: Table, player: int, following: int) -> ToNextSeat:
    """Offer what may be played out of turn, clockwise, the seat that just played last; then the turn goes on."""
    for seat in table.seats_from(table.left_of(player)):
        if seat == following or seat in table.barred or not table.is_active(seat):
            continue
        plays = {play.text: play for play in table.plays_out_of_turn(seat)}
        if plays:
            answer = yield Question("offer", seat, ["pass", *plays])
            if answer != "pass":
                return (yield from make_play(table, plays[answer]))
    return following


def drop_after_run(table: Table) -> ToNextSeat:
    """The seats of the run, in the order of its plays and each once, may drop up to the size of one of the plays."""
    run = table.trick[-3:]
    table.clear()
    for seat in dict.fromkeys(play.seat for play in run):
        for _ in range(run[-1].size):
            if not table.is_active(seat):
                break
            answer = yield Question("drop", seat, [*(f"drop {rank}" for rank in ranks_held(table.hands[seat])), "stop"])
            if answer == "stop":
                break
            dropped = take_rank(table.hands[seat], answer.removeprefix("drop "))
            if not table.hands[seat]:
                table.go_out(seat, worst=finishes_last(table, [dropped], set()))
            if table.is_round_over():
                return None
    return table.leader_after(table.left_of(run[-1].seat))
