"""The table as text, as a person reads it."""

from textwrap import dedent

import pytest

from president_env.president_v0 import env, raw_env
from president_env.render.text import moves_text, table_text
from president_env.single import President
from tests.scenes import play, table


def drawn(text: str) -> str:
    return dedent(text).strip("\n")


def test_a_trick_with_hands_sizes_and_passes():
    game = table("quebec", "3C 8D KH | 4C 9S | 5C 5D JS QH | 6C TD", leader=0, dealer=1)
    play(game, "0:3 1:4 2:pass 3:6")
    assert table_text(game) == drawn("""
        Round 1 of 3 · seat 1 dealt · seat 0 led
        Trick  0:3   1:4   3:6

           seat  points  cards  hand
        >     0       0      2  8D KH
              1       0      1  9S
              2       0      4  5C 5D JS QH
              3       0      1  TD

        41 cards lie face down.
        Seat 0 may: pass, 8, K
    """)


def test_a_view_shows_its_own_hand_alone():
    game = table("prezident", "3C 8D KH | 4C 9S | 5C 5D JS QH", leader=0, dealer=1)
    play(game, "0:3 1:pass")
    assert table_text(game.view(0)) == drawn("""
        Round 1 of 1 · seat 1 dealt · seat 0 led · seen by seat 0
        Trick  0:3

           seat  points  cards                    hand
              0       0      2                    8D KH
              1       0      2  out of the trick  hidden
        >     2       0      4                    hidden

        Seat 2 is to move.
    """)


def test_places_roles_and_the_exchange_with_what_its_seats_know():
    game = table("quebec", "3C | 4C | 5C | 6C 7C", "3D 2S | 4D 7H | 5D 8H | 6D AD KD", leader=0)
    play(game, "0:3 1:4 2:5")
    assert table_text(game.view(3)) == drawn("""
        Round 2 of 3 · seat 3 dealt · seen by seat 3
        Trick  empty

           seat  role            points  cards  hand
        >     0  president            3      4  hidden, but for KD AD
              1  vice president       2      3  hidden
              2  vice bum             1      1  hidden
              3  bum                  0      1  6D

        Exchange: seat 0 returns 2 cards to seat 3.
        Seat 0 is to move.
    """)
    assert "Seat 0 may: give 3 K A 2" in table_text(game)


def test_places_while_playing_and_at_the_end():
    game = table("basic", "3C | 4C 5C | 6C TD", leader=0, dealer=1)
    play(game, "0:3 1:4 2:6")
    assert table_text(game) == drawn("""
        Round 1 of 1 · seat 1 dealt · seat 0 led
        Trick  0:3   1:4   2:6

           seat  place  cards  hand
              0      1      0
        >     1             1  5C
              2             1  TD

        47 cards lie face down.
        Seat 1 may: pass
    """)
    play(game, "1:pass 2:T")
    assert table_text(game) == drawn("""
        Round 1 of 1 · seat 1 dealt · seat 0 led
        Trick  empty

        seat  role       place  cards  hand
           0  president      1      0
           1  bum            3      1  5C
           2  neutral        2      0

        47 cards lie face down.
        The match is over.
    """)


def test_an_offer_is_told_to_its_seat_and_not_to_the_next():
    game = table("butt", "5C 6S | 6D 7C | 8C 5H 5S 5D 9C | TC JC", leader=0, opening_card_forced=False)
    play(game, "0:5")
    assert "Seat 2 is offered a play out of turn; then comes seat 1.\nSeat 2 may: pass, 555" in table_text(game)
    assert table_text(game.view(1)).endswith("\n\nSeat 1 may: pass, 6, 7")
    assert table_text(game.view(3)).endswith("\n\nSeat 1 is to move.")


def test_drops_asks_trades_and_cards_face_down():
    game = table("house", "3C 4D KD AD | 4C QD QS | 5C TC | JH", leader=0)
    play(game, "0:3 1:4 2:5")
    assert table_text(game).endswith("Run: seat 0 may drop up to 1 card.\nSeat 0 may: drop 4 K A, stop")
    game = table("butt", "3C | 3D 4D | 4C 5D 5C", "9C 9H 5D 3D | 4D KC 8S 8D | 7C 7D QD QS", deal="equal")
    play(game, "0:3 1:pass 2:4 1:pass 2:55")
    assert "Exchange: seat 0 may ask seat 1 for 2 cards." in table_text(game)
    assert max(map(len, table_text(game).splitlines())) <= 100
    neutral = "3C | 4C | 5C | 6C | 7C | 8C TC"
    hands = "3D TD JD | 4D TH JH | 5D TS JS | 6D QC QD | 7D QH QS | 8D KC KD"
    game = table("quebec", neutral, hands, middle_trade=True, haggle_rounds=1, exchange_return="none", leader=0)
    play(game, "0:3 1:4 2:5 3:6 4:7")
    assert table_text(game).splitlines()[-2] == "Trade: seats 2 and 3; seat 2 offers a card."
    play(game, "2:give 5 3:give Q")
    assert table_text(game).splitlines()[-2:] == [
        "Trade: seats 2 and 3 (seat 2 offers 5, seat 3 offers Q); seat 2 answers.",
        "Seat 2 may: accept, reject",
    ]
    assert "Trade: seats 2 and 3; seat 2 answers." in table_text(game.view(0))
    assert "2 cards lie face down." in table_text(raw_game("butt", players=5, deal="equal"))
    game = table("butt", "3C 4D | 3D 4C | 6C 5D", leader=0)
    assert "The first play has to contain the opening card." in table_text(game)


def raw_game(preset, **arguments):
    played = raw_env(preset, **arguments)
    played.reset(seed=0)
    return played.game


def test_a_turned_order_is_told_beside_the_trick():
    game = table("norwegian", "8C 9D | TC 5C | 6C 3D", leader=0, reversing_ranks=["8"])
    play(game, "0:8")
    assert "Trick  0:8   (2 low … 3 high)\n" in table_text(game)


@pytest.mark.parametrize(
    ("rules", "told"),
    [
        ({"rounds": 5}, "Round 1 of 5 "),
        ({"rounds": None, "target_score": 7}, "Round 1 to 7 points "),
        ({"rounds": 4, "target_score": 7}, "Round 1 of 4 or to 7 points "),
    ],
)
def test_the_end_of_the_match_is_told(rules, told):
    assert table_text(table("quebec", "3C | 4C | 5C | 6C", **rules)).startswith(told)


def test_moves_of_one_word_stand_together():
    assert moves_text(["pass", "7", "77", "ask 3C", "ask 2S", "stop"]) == "pass, 7, 77, ask 3C 2S, stop"


def test_environments_return_the_table_or_print_it(capsys):
    played = env("basic", players=3, render_mode="ansi")
    played.reset(seed=1)
    assert played.render() == table_text(played.unwrapped.game)
    single = President("basic", players=3, seat=1, render_mode="ansi")
    single.reset(seed=1)
    assert single.render() == table_text(single.game.view(1))
    assert capsys.readouterr().out == ""
    printed = President("basic", players=3, seat=1, render_mode="human")
    printed.reset(seed=1)
    assert capsys.readouterr().out == table_text(printed.game.view(1)) + "\n\n"
    printed_table = env("basic", players=3, render_mode="human")
    printed_table.reset(seed=1)
    printed_table.step(first_legal(printed_table))
    assert capsys.readouterr().out.count("Round 1") == 2


def first_legal(played):
    return int(played.last()[0]["action_mask"].argmax())


def test_without_a_render_mode_there_is_nothing_to_see():
    played = raw_env("basic")
    played.reset(seed=1)
    with pytest.warns(UserWarning, match="without a render_mode"):
        assert played.render() is None
    single = President("basic")
    single.reset(seed=1)
    with pytest.warns(UserWarning, match="without a render_mode"):
        assert single.render() is None
