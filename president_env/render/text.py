"""The table as text: what lies on it, who holds how many cards, who has which place, whose move it is.

Of a game all hands are shown, of a view the viewer's alone, and of its partner in the exchange the cards it has seen.
"""

import textwrap
from collections.abc import Sequence
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from president_env.cards import hand_text, rank_text
from president_env.game import Game
from president_env.moves import MoveTable
from president_env.rules import Rules

HIDDEN = "hidden"
WIDTH = 100
"""Where lines of moves are broken."""


def table_text(game: Game) -> str:
    """The game, or a seat's view of it, as some lines of text without a newline at the end."""
    parts = [_headline(game), _trick_line(game), "", *_seat_lines(game), "", *_event_lines(game), *_moves_lines(game)]
    return "\n".join(line.rstrip() for line in parts)


def _headline(game: Game) -> str:
    """Which round of how many, and who dealt and led it."""
    rules = game.rules
    told = [f"Round {game.round}{_end_of_match(rules, game.round)}", f"seat {game.dealer} dealt"]
    if game.leader_of_round is not None:
        told.append(f"seat {game.leader_of_round} led")
    if game.viewer is not None:
        told.append(f"seen by seat {game.viewer}")
    return " · ".join(told)


def _end_of_match(rules: Rules, number: int) -> str:
    if rules.rounds and number > rules.rounds:
        return " (tiebreak)"
    ends = [f" of {rules.rounds}"] if rules.rounds else []
    ends += [f" to {rules.target_score} points"] if rules.target_score else []
    return " or".join(ends)


def _trick_line(game: Game) -> str:
    plays = "   ".join(f"{seat}:{text}" for seat, text in game.trick)
    order = "   (2 low … 3 high)" if game.reversed else ""
    return f"Trick  {plays or 'empty'}{order}"


def _seat_lines(game: Game) -> list[str]:
    """A line per seat in columns; a column that says nothing is left out."""
    seats = range(game.rules.players)
    scored = game.rules.scoring != "none"
    columns = [
        ("", str.ljust, [">" if seat == game.seat else "" for seat in seats]),
        ("seat", str.rjust, [str(seat) for seat in seats]),
        ("role", str.ljust, [role or "" for role in game.roles]),
        ("points", str.rjust, [str(points) if scored else "" for points in game.scores]),
        ("place", str.rjust, [str(place or "") for place in game.places]),
        ("cards", str.rjust, [str(size) for size in game.hand_sizes]),
        ("", str.ljust, [_passing(game, seat) for seat in seats]),
        ("hand", str.ljust, [_hand(game, seat) for seat in seats]),
    ]
    padded = []
    for title, pad, cells in columns:
        width = max(map(len, (title, *cells)))
        if any(cells):
            padded.append([pad(text, width) for text in (title, *cells)])
    return ["  ".join(row) for row in zip(*padded, strict=True)]


def _passing(game: Game, seat: int) -> str:
    state, bit = game.state[0], 1 << seat
    return "out of the trick" if state["barred"] & bit else "passed" if state["passed"] & bit else ""


def _hand(game: Game, seat: int) -> str:
    hand = game.hand(seat)
    if hand is not None:
        return hand
    partner = int(game.state["partner"][0, game.viewer])
    known = hand_text(game.state["known"][0, seat]) if seat == partner else ""
    return f"{HIDDEN}, but for {known}" if known else HIDDEN if game.hand_sizes[seat] else ""


def _event_lines(game: Game) -> list[str]:
    """What is going on where it is not the plain play."""
    state, seat = game.state[0], game.seat
    lines = (
        [f"{int(np.bitwise_count(state['face_down']).sum())} cards lie face down."] if state["face_down"].any() else []
    )
    if game.phase == "offer":
        lines.append(f"Seat {seat} is offered a play out of turn; then comes seat {int(state['resume'])}.")
    elif game.phase == "drop":
        lines.append(f"Run: seat {seat} may drop up to {_cards(int(state['left']))}.")
    elif game.phase == "exchange":
        lines.append(_exchange_line(game))
    elif game.phase == "trade":
        lines += _trade_lines(game)
    elif game.phase == "play" and state["opening_rank"] >= 0:
        lines.append("The first play has to contain the opening card.")
    return lines


def _exchange_line(game: Game) -> str:
    state, seat = game.state[0], game.seat
    left, taking = int(state["left"]), state["stage"] < 2
    other = int(state["partner"][seat])
    if taking and game.rules.exchange == "ask":
        return f"Exchange: seat {seat} may ask seat {other} for {_cards(left)}."
    return f"Exchange: seat {seat} {'gives' if taking else 'returns'} {_cards(left)} to seat {other}."


def _trade_lines(game: Game) -> list[str]:
    state, seat = game.state[0], game.seat
    step = int(state["trade_step"])
    other = int(state["partner"][seat])
    better, worse = (seat, other) if step % 2 == 0 else (other, seat)
    offered: Sequence[int] = [int(rank) for rank in state["trade_offer"]]
    offers = [
        f"seat {who} offers {rank_text(rank)}" for who, rank in zip((better, worse), offered, strict=True) if rank >= 0
    ]
    told = f" ({', '.join(offers)})" if offers else ""
    return [f"Trade: seats {better} and {worse}{told}; seat {seat} {'offers a card' if step < 2 else 'answers'}."]


def _cards(number: int) -> str:
    return f"{number} card{'' if number == 1 else 's'}"


def _moves_lines(game: Game) -> list[str]:
    if game.over:
        return ["The match is over."]
    if not game.legal:
        return [f"Seat {game.seat} is to move."]
    return textwrap.wrap(f"Seat {game.seat} may: {moves_text(game.legal)}", WIDTH, subsequent_indent="    ")


def moves_text(legal: Sequence[str]) -> str:
    """Moves in a row, those of one word together: "pass, 7, 77" and "give 3 5 K"."""
    words = groupby(legal, key=lambda text: text.partition(" ")[0])
    rows = [(word, [text.partition(" ")[2] for text in texts]) for word, texts in words]
    return ", ".join(" ".join((word, *rest)).strip() for word, rest in rows)


def refusal_text(who: str, action: Any, mask: NDArray[Any], table: MoveTable) -> str:
    """Why an action is refused: what it was, and what is legal."""
    given = f"action {action!r}"
    if isinstance(action, int | np.integer) and not isinstance(action, bool) and 0 <= action < len(table):
        given = f"{table.text(int(action))!r} (id {action})"
    legal = ", ".join(f"{table.text(int(k))!r} (id {k})" for k in np.flatnonzero(mask))
    return f"{who} may not play {given}; legal are {legal}"
