"""Run drop: three plays in a row clear the trick, and who made them discards."""

import pytest

from tests.scenes import play, table

pytestmark = pytest.mark.plain

RULES = {"run_drop": True}


def test_three_plays_that_each_stand_one_above_the_one_before_clear_the_trick():
    game = table(None, "5D 4D KD | 6D 4H QD | 7D 4S JD | 8D TD", leader=0, **RULES)
    play(game, "0:5 1:6 2:7")
    assert (game.phase, game.trick, game.seat) == ("drop", [], 0)


def test_a_gap_makes_no_run():
    game = table(None, "5D 4D KD | 6D 4H QD | 8D 4S JD | 9D TD", leader=0, **RULES)
    play(game, "0:5 1:6 2:8")
    assert (game.phase, game.seat) == ("play", 3)


def test_after_a_gap_a_run_may_begin():
    game = table(None, "5D 4D KD | 7D 4H QD | 8D 4S JD | 9D TD 3D", leader=0, **RULES)
    play(game, "0:5 1:7 2:8 3:9")
    assert (game.phase, game.seat) == ("drop", 1)


def test_passes_between_the_plays_do_not_matter():
    game = table(None, "5D 7D 4D KD | 6D 4H QD | 4S JD", leader=0, **RULES)
    play(game, "0:5 1:6 2:pass 0:7")
    assert game.phase == "drop"


def test_an_equal_rank_between_breaks_the_run():
    game = table(None, "5D 4D KD | 6D 4H QD | 6H 4S JD | 7D TD 3D", leader=0, equal_rank="legal", **RULES)
    play(game, "0:5 1:6 2:6 3:7")
    assert (game.phase, game.seat) == ("play", 0)


def test_a_run_is_of_one_trick():
    game = table(None, "5D 7D 4D | 6D QD 3D | 4S JD", leader=0, **RULES)
    play(game, "0:5 1:6 2:pass 0:pass 1:3 2:4")
    assert (game.phase, game.trick) == ("play", [(1, "3"), (2, "4")])


def test_each_seat_of_the_run_drops_in_the_order_of_the_plays():
    game = table(None, "5D 4D KD 9D | 6D 4H QD 9H | 7D 4S JD 9S | 8D TD", leader=0, **RULES)
    play(game, "0:5 1:6 2:7")
    assert game.legal == ["drop 4", "drop 9", "drop K", "stop"]
    play(game, "0:drop 9 1:stop 2:drop J")
    assert game.hands == ["4D KD", "4H 9H QD", "4S 9S", "8D TD"]


def test_then_the_left_of_the_completer_leads():
    game = table(None, "5D 4D KD | 6D 4H QD | 7D 4S JD | 8D TD", leader=0, **RULES)
    play(game, "0:5 1:6 2:7 0:stop 1:stop 2:stop")
    assert (game.phase, game.seat, game.legal) == ("play", 3, ["8", "T"])


def test_up_to_the_size_of_one_of_the_plays():
    game = table(None, "5C 5D 4D KD QD 3D | 6C 6D 4H | 7C 7D 4S JD | 8D TD", leader=0, **RULES)
    play(game, "0:55 1:66 2:77 0:drop 4 0:drop K")
    assert game.seat == 1  # two and no more
    assert game.hand(0) == "3D QD"


def test_stop_gives_up_the_rest_of_the_own_drops_only():
    game = table(None, "5C 5D 4D KD QD 3D | 6C 6D 4H 9H KH | 7C 7D 4S JD | 8D TD", leader=0, **RULES)
    play(game, "0:55 1:66 2:77 0:drop 4 0:stop 1:drop 4 1:drop 9")
    assert (game.seat, game.hand(0), game.hand(1)) == (2, "3D QD KD", "KH")


def test_a_seat_that_made_two_of_the_plays_drops_once():
    game = table(None, "5D 7D 4D KD | 6D 4H QD | 4S JD", leader=0, **RULES)
    play(game, "0:5 1:6 2:pass 0:7 0:drop 4 1:drop 4")
    assert (game.phase, game.seat, game.trick) == ("play", 1, [])


def test_any_rank_may_be_dropped_jokers_too():
    game = table(None, "5D 4D * | 6D 4H QD | 7D 4S JD", leader=0, joker="wild", jokers=1, **RULES)
    play(game, "0:5 1:6 2:7")
    assert game.legal == ["drop 4", "drop *", "stop"]
    play(game, "0:drop *")
    assert game.hand(0) == "4D"


def test_a_seat_goes_out_by_dropping():
    game = table(None, "5D 4D | 6D 4H QD | 7D 4S JD | 8D TD", leader=0, **RULES)
    play(game, "0:5 1:6 2:7 0:drop 4")
    assert (game.places, game.phase, game.seat) == ([1, None, None, None], "drop", 1)


def test_with_its_hand_empty_before_its_drops_are_used_up_the_next_seat_drops():
    game = table(None, "5C 5D 4D | 6C 6D 4H QD | 7C 7D 4S JD | 8D TD", leader=0, **RULES)
    play(game, "0:55 1:66 2:77 0:drop 4")
    assert game.seat == 1


def test_a_seat_that_is_out_drops_nothing():
    game = table(None, "5D | 6D 4H QD | 7D 4S JD | 8D TD", leader=0, **RULES)
    play(game, "0:5 1:6 2:7")
    assert (game.phase, game.seat, game.places) == ("drop", 1, [1, None, None, None])


def test_nor_does_a_completer_who_is_out_and_the_next_active_seat_leads():
    game = table(None, "5D 4D KD | 6D 4H QD | 7D | 8D TD", leader=0, **RULES)
    play(game, "0:5 1:6 2:7 0:stop 1:stop")
    assert (game.phase, game.seat, game.places) == ("play", 3, [None, None, 1, None])


def test_a_round_ends_by_dropping():
    game = table(None, "5D 4D | 6D | 7D 8D", leader=0, **RULES)
    play(game, "0:5 1:6 2:7 0:drop 4")
    assert (game.over, game.places) == (True, [2, 1, 3])


def test_a_run_downwards_in_a_turned_order():
    game = table(None, "9C 9D 9H 9S QD 3D | JD 4H 5D | TD 4S 6D", leader=0, revolution=True, **RULES)
    play(game, "0:9999 1:pass 2:pass 0:Q 1:J 2:T")
    assert (game.phase, game.seat) == ("drop", 0)


def test_the_order_in_force_when_the_plays_were_made():
    # after the 8 the next is lower: 7 stands one above 8 then, and 8 one above 7 in the normal order after it
    game = table(None, "8D 3D KD | 7D 4H 5D | 8H 4S 6D", leader=0, reversing_ranks=["8"], **RULES)
    play(game, "0:8 1:7 2:8")
    assert (game.phase, game.seat) == ("drop", 0)


def test_one_above_among_the_ranks_of_the_deck():
    game = table(None, "5D 4D KD | 7D 4H QD | 8D 4S JD", leader=0, ranks="45789JQK", **RULES)
    play(game, "0:5 1:7 2:8")
    assert game.phase == "drop"


def test_a_burning_two_completes_no_run():
    game = table(None, "KD 4D 5D | AD 4H 6D | 2D 4S 7D", leader=0, burn_twos=True, **RULES)
    play(game, "0:K 1:A 2:2")
    assert (game.phase, game.seat, game.trick) == ("play", 2, [])


def test_a_two_that_does_not_burn_completes_one():
    game = table(None, "KD 4D 5D | AD 4H 6D | 2D 4S 7D", leader=0, **RULES)
    play(game, "0:K 1:A 2:2")
    assert game.phase == "drop"


def test_a_play_that_clears_by_another_rule_completes_none():
    game = table(None, "KD 4D 5D | AD 4H 6D | 2D 4S 7D", leader=0, clearing_ranks=["2"], **RULES)
    play(game, "0:K 1:A 2:2")
    assert (game.phase, game.seat, game.trick) == ("play", 2, [])


def test_jokers_alone_are_in_no_run():
    game = table(None, "AD 4D 5D | 2D 4H 6D | * 4S 7D", leader=0, joker="wild", jokers=1, **RULES)
    play(game, "0:A 1:2 2:*")
    assert game.phase == "play"


def test_a_play_with_wild_cards_is():
    game = table(None, "5C 5D 4D KD | 6D * 4H QD | 7C 7D 4S JD", leader=0, joker="wild", jokers=1, **RULES)
    play(game, "0:55 1:6* 2:77")
    assert game.phase == "drop"


def test_a_run_counts_where_nobody_is_left_to_act():
    game = table(None, "5D 7D 4D KD | 6D 4H QD", leader=0, **RULES)
    play(game, "0:5 1:6 0:7")
    assert game.phase == "drop"
    strict = table(None, "5D 7D 4D KD | 6D | 4S JD", leader=0, passing="strict", **RULES)
    play(strict, "0:5 1:6 2:pass 0:7")  # seat 1 is out and seat 2 barred
    assert (strict.phase, strict.seat) == ("drop", 0)


def test_dropped_cards_are_seen_by_all():
    game = table(None, "5D 4D KD | 6D 4H QD | 7D 4S JD | 8D TD", leader=0, **RULES)
    play(game, "0:5 1:6 2:7 0:drop K")
    assert game.view(3).history[-1] == (1, 0, "drop K")
    assert game.view(3).state[0]["played"][0].tolist() == game.state[0]["played"][0].tolist()
