"""Draw a game as a picture: the table as one seat sees it, from a record.

    python examples/draw_table.py docs/images/table.json docs/images/table.png

The last position of the record is drawn, or with `--moves 40` the one after so many moves; the seat is the one to move,
or that of `--seat`. A record is what `president_env.record.write_record(game, path)` writes.
"""

import argparse
import io
import math
import sys
from pathlib import Path
from typing import Any

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Ellipse, FancyBboxPatch
from matplotlib.transforms import Affine2D

from president_env import Game
from president_env.files import write_whole
from president_env.record import read_record

WIDTH, HEIGHT = 16.0, 9.0
CARD_WIDTH, CARD_HEIGHT = 0.86, 1.22
CENTRE = (8.0, 5.35)
PAPER, INK, QUIET = "#f6f3ec", "#22262b", "#7b7f86"
FELT, RIM = "#256f54", "#6e4a2f"
RED, BLACK, BACK, GOLD = "#c0392b", "#22262b", "#2f4a7c", "#e3b23c"
SUITS = {"C": ("♣", BLACK), "D": ("♦", RED), "H": ("♥", RED), "S": ("♠", BLACK)}


def draw_table(game: Game, viewer: int) -> Figure:
    """The table as the seat sees it, which sits at the bottom; the others follow clockwise."""
    figure = Figure(figsize=(WIDTH, HEIGHT), facecolor=PAPER)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, WIDTH), ylim=(0, HEIGHT), aspect="equal")
    axes.axis("off")
    _felt(axes)
    view = game.view(viewer)
    for step in range(1, game.rules.players):
        _other_seat(axes, view, (viewer + step) % game.rules.players, step)
    _trick(axes, view, viewer)
    _own_seat(axes, view, viewer)
    _headline(axes, view)
    return figure


def _felt(axes: Axes) -> None:
    for width, height, drop, color in ((14.2, 6.5, 0.12, "#00000026"), (14.2, 6.5, 0, RIM), (13.8, 6.1, 0, FELT)):
        axes.add_patch(Ellipse((CENTRE[0], CENTRE[1] - drop), width, height, color=color, linewidth=0))
    axes.add_patch(Ellipse(CENTRE, 13.2, 5.5, fill=False, edgecolor="#4f9a7c", linewidth=1.4))


def _box(axes: Axes, x: float, y: float, width: float, height: float, color: str, **options: Any) -> None:
    """A rounded box around its middle."""
    style = f"round,pad=0,rounding_size={options.pop('rounding', 0.1)}"
    patch = FancyBboxPatch((x - width / 2, y - height / 2), width, height, boxstyle=style, facecolor=color, **options)
    axes.add_patch(patch)


def _card(axes: Axes, x: float, y: float, angle: float, text: str | None, scale: float = 1.0, order: int = 10) -> None:
    """A card around its middle: "TD", a joker "*", or None for its back."""
    turn = Affine2D().scale(scale).rotate_deg(angle).translate(x, y) + axes.transData
    shadow = Affine2D().translate(0.03, -0.04) + turn
    face = PAPER if text is None else "white"
    for color, transform, edge in (("#00000030", shadow, "none"), (face, turn, "#9a9a9a")):
        _box(
            axes, 0, 0, CARD_WIDTH, CARD_HEIGHT, color, edgecolor=edge, linewidth=0.7, transform=transform, zorder=order
        )
    if text is None:
        style = {"edgecolor": "#6f8ac0", "linewidth": 0.6, "hatch": "xxxx", "rounding": 0.06}
        _box(axes, 0, 0, CARD_WIDTH - 0.14, CARD_HEIGHT - 0.14, BACK, transform=turn, zorder=order, **style)
        return
    pip, color = ("★", GOLD) if text == "*" else SUITS[text[1]]
    rank = {"*": "", "T": "10"}.get(text[0], text[0])
    marks = ((rank, -0.27, 0.40, 17 if len(rank) == 1 else 14), (pip, -0.27, 0.13, 14), (pip, 0.12, -0.22, 30))
    for mark, dx, dy, size in marks:
        point = Affine2D().scale(scale).rotate_deg(angle).transform((dx, dy))
        axes.text(x + point[0], y + point[1], mark, color=color, fontsize=size * scale, rotation=angle, ha="center",
                  va="center", rotation_mode="anchor", weight="bold", zorder=order)  # fmt: skip


def _middle_of(step: int, players: int) -> tuple[float, float]:
    """Where the seat so many places to the viewer's left sits: clockwise round an ellipse."""
    angle = math.radians(-90 - 360 * step / players)
    return CENTRE[0] + 5.2 * math.cos(angle), CENTRE[1] + 0.2 + 2.3 * math.sin(angle)


def _other_seat(axes: Axes, view: Game, seat: int, step: int) -> None:
    middle_x, middle_y = _middle_of(step, view.rules.players)
    number = view.hand_sizes[seat]
    gap = min(0.2, 2.4 / max(number, 1))
    for k in range(number):
        spread = k - (number - 1) / 2
        x, y = middle_x + gap * spread, middle_y + 0.2 - 0.006 * spread * spread
        _card(axes, x, y, -2.2 * spread, None, scale=0.78, order=10 + k)
    _plate(axes, view, seat, middle_x, middle_y - 0.62)


def _plate(axes: Axes, view: Game, seat: int, x: float, y: float) -> None:
    """Name, role, points and what the seat has just done."""
    role = view.roles[seat]
    _box(axes, x, y, 3.0, 0.62, "#fffdf8", edgecolor="#d8d2c4", linewidth=0.8, zorder=40, rounding=0.16)
    title = f"player_{seat}{' (you)' if seat == view.viewer else ''}{f', {role}' if role else ''}"
    axes.text(x, y + 0.12, title, fontsize=12.5, weight="bold", color=INK, ha="center", va="center", zorder=41)
    told = [_count(view.hand_sizes[seat], "card")]
    if view.rules.scoring != "none":
        told.append(_count(view.scores[seat], "point"))
    if view.places[seat]:
        told = [f"out, place {view.places[seat]}"]
    elif int(view.state[0]["passed"]) >> seat & 1:
        told.append("passed")
    axes.text(x, y - 0.14, " · ".join(told), fontsize=11, color=QUIET, ha="center", va="center", zorder=41)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _trick(axes: Axes, view: Game, viewer: int) -> None:
    """The plays of the trick, the latest on the right; their suits are what the seats have played of the rank."""
    if not view.trick:
        axes.text(*CENTRE, "the table is empty", fontsize=16, color="#d6e8df", ha="center", va="center", style="italic")
        return
    plays = view.trick[-5:]
    spots = [(k - (len(plays) - 1) / 2) * 1.62 for k in range(len(plays))]
    for number, ((seat, text), offset) in enumerate(zip(plays, spots, strict=True)):
        cards = _cards_of_play(view, seat, text)
        for k, card in enumerate(cards):
            spread = k - (len(cards) - 1) / 2
            x, y = CENTRE[0] + offset + 0.34 * spread, CENTRE[1] - 0.28 - 0.04 * abs(spread)
            _card(axes, x, y, -7 * spread, card, scale=0.92, order=50 + 10 * number + k)
        latest = number == len(plays) - 1
        name = "you" if seat == viewer else f"player_{seat}"
        axes.text(CENTRE[0] + offset, CENTRE[1] - 1.16, f"{name}: {text}", fontsize=13, ha="center", va="center",
                  color=GOLD if latest else "#d6e8df", weight="bold" if latest else "normal", zorder=60)  # fmt: skip


def _cards_of_play(view: Game, seat: int, text: str) -> list[str]:
    """Cards to draw for a play. A move names no suits; spades leave a hand first, so those are taken that went last."""
    natural = [rank for rank in text if rank != "*"]
    if not natural:
        return ["*"] * len(text)
    played = int(view.state[0]["played"][seat]["3456789TJQKA2".index(natural[0])])
    suits = [suit for k, suit in enumerate("CDHS") if (played | played >> 4) >> k & 1]
    return [natural[0] + suit for suit in (suits * len(natural))[: len(natural)]] + ["*"] * text.count("*")


def _own_seat(axes: Axes, view: Game, viewer: int) -> None:
    cards = (view.hand(viewer) or "").split()
    gap = min(0.72, 9.0 / max(len(cards), 1))
    for k, card in enumerate(cards):
        spread = k - (len(cards) - 1) / 2
        x, y = WIDTH / 2 + gap * spread, 1.98 - 0.012 * spread * spread
        _card(axes, x, y, -1.6 * spread, card, scale=1.18, order=100 + k)
    _plate(axes, view, viewer, WIDTH / 2, 3.16)
    if view.legal:
        _moves(axes, view)


def _moves(axes: Axes, view: Game) -> None:
    """The legal moves as a row of chips."""
    chips = view.legal if len(view.legal) <= 14 else [*view.legal[:13], "…"]
    widths = [0.5 + 0.155 * len(text) for text in chips]
    title = "may play"
    x = WIDTH / 2 - (sum(widths) + 0.16 * (len(chips) - 1)) / 2 + 0.6
    axes.text(x - 0.2, 0.55, title, fontsize=13.5, color=QUIET, ha="right", va="center")
    for text, width in zip(chips, widths, strict=True):
        _box(axes, x + width / 2, 0.55, width, 0.5, INK, edgecolor="none", rounding=0.2, zorder=120)
        axes.text(x + width / 2, 0.54, text, fontsize=13.5, color="white", ha="center", va="center", weight="bold",
                  family="DejaVu Sans Mono", zorder=121)  # fmt: skip
        x += width + 0.16


def _headline(axes: Axes, view: Game) -> None:
    rounds = f" of {view.rules.rounds}" if view.rules.rounds else ""
    order = ", the order is turned" if view.reversed else ""
    axes.text(0.45, 8.62, f"Round {view.round}{rounds}{order}", fontsize=17, weight="bold", color=INK, va="center")


def main(argv: list[str] | None = None) -> int:
    """The command line; returns the exit status."""
    parser = argparse.ArgumentParser(description="Draw a game as a picture, from a record.")
    parser.add_argument("record", type=Path)
    parser.add_argument("picture", type=Path, help="a PNG file")
    parser.add_argument("--moves", type=int, help="draw the position after so many moves; by default the last")
    parser.add_argument("--seat", type=int, help="who looks; by default the seat to move")
    arguments = parser.parse_args(argv)
    try:
        game = _position(read_record(arguments.record), arguments.moves)
        viewer = game.seat if arguments.seat is None else arguments.seat
        with rc_context({"font.family": "DejaVu Sans", "hatch.linewidth": 0.6, "hatch.color": "#5c78b0"}):
            figure = draw_table(game, 0 if viewer is None else viewer)
            picture = io.BytesIO()
            figure.savefig(picture, format="png", dpi=100)
        write_whole(arguments.picture, picture.getvalue())
    except (ValueError, OSError) as error:
        print(f"draw_table: {error}", file=sys.stderr)
        return 2
    return 0


def _position(record: dict[str, Any], moves: int | None) -> Game:
    """The game of the record after so many moves."""
    whole = Game.replay(record)
    if moves is None or moves >= len(whole.history):
        return whole
    given = record["deals"][: record["given_deals"]]
    game = Game(whole.rules, seed=record["seed"], deals=given, leader=record["leader"])
    for _, _, text in whole.history[: max(moves, 0)]:
        game.play(text)
    return game


if __name__ == "__main__":
    sys.exit(main())
