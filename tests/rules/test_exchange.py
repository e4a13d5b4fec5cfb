"""Between two rounds: cards owed, named and returned."""

import pytest

from tests.scenes import play, table

pytestmark = pytest.mark.plain

FOUR = "9C | TC | JC | QC"
"""0:9 1:T 2:J makes seat 0 president, 1 vice president, 2 vice bum, 3 bum."""
THREE = "9C | TC | JC"


def second_round(hands, **rules):
    """Round 2 with these hands, seat 0 president and the last seat bum."""
    players = hands.count("|") + 1
    first = FOUR if players == 4 else THREE if players == 3 else "9C | TC | JC | QC | KC"
    game = table(None, first, hands, leader=0, **{"rounds": 2, "next_leader": "bum", **rules})
    play(game, " ".join(f"{seat}:{rank}" for seat, rank in enumerate("9TJQ"[: players - 1])))
    return game


class TestBest:
    RULES = {"exchange": "best", "exchange_return": "none"}

    def test_the_bum_gives_two_and_the_vice_bum_one_by_themselves(self):
        game = second_round("3C 4C 5C | 6C 7C 8C | 9D TD JD | KD AD 2D", **self.RULES)
        assert game.hands == ["3C 4C 5C AD 2D", "6C 7C 8C JD", "9D TD", "KD"]
        assert (game.phase, game.history[-1]) == ("play", (1, 2, "J"))  # no moves

    def test_the_deals_are_the_hands_before(self):
        game = second_round("3C 4C 5C | 6C 7C 8C | 9D TD JD | KD AD 2D", **self.RULES)
        assert game.deals[1] == ["3C 4C 5C", "6C 7C 8C", "9D TD JD", "KD AD 2D"]

    def test_the_joker_is_the_highest_card_and_spades_go_first(self):
        game = second_round("3C 4C | 6C 7C | 5D 2C 2S *", joker="burn", jokers=1, **self.RULES)
        assert game.hands == ["3C 4C 2S *", "6C 7C", "5D 2C"]

    def test_the_order_of_the_play_does_not_matter(self):
        rules = {"burn_twos": True, "reversing_ranks": ["A"], **self.RULES}
        game = second_round("3C 4C | 6C 7C | 5D KD AD 2C", **rules)
        assert game.hand(0) == "3C 4C AD 2C"

    def test_the_numbers_can_be_others(self):
        game = second_round("3C | 6C | 9D TD JD QD | JH QH KD AD", exchange_cards=(1, 3), **self.RULES)
        assert game.hands == ["3C AD", "6C TD JD QD", "9D", "JH QH KD"]

    def test_a_giver_keeps_a_card(self):
        game = second_round("3C 4C | 6C 7C | 9D | KD AD", **self.RULES)
        assert game.hands == ["3C 4C AD", "6C 7C", "9D", "KD"]

    def test_without_vices_only_president_and_bum(self):
        game = second_round("3C 4C | 6C 7C | 9D TD | KD AD 2D", vice_roles=False, **self.RULES)
        assert game.hands == ["3C 4C AD 2D", "6C 7C", "9D TD", "KD"]

    def test_there_is_none_before_the_first_round(self):
        assert table(None, "9C TC | JC QC | KC AC", exchange="best").hands == ["9C TC", "JC QC", "KC AC"]


class TestReturns:
    HANDS = "3C 4C 5C | 6C 7C 8C | 9D TD JD | KD AD 2D"

    def test_the_taker_gives_back_as_many_as_it_took_of_all_it_holds(self):
        game = second_round(self.HANDS, exchange="best", exchange_return="choice")
        assert (game.phase, game.seat) == ("exchange", 0)
        assert game.legal == ["give 3", "give 4", "give 5", "give A", "give 2"]
        play(game, "0:give A 0:give 3")
        assert (game.hand(0), game.hand(3)) == ("4C 5C 2D", "3C KD AD")

    def test_first_the_president_then_the_vice_president_then_the_play(self):
        game = second_round(self.HANDS, exchange="best", exchange_return="choice")
        play(game, "0:give 4 0:give 3")
        assert (game.phase, game.seat) == ("exchange", 1)
        play(game, "1:give J")
        assert (game.phase, game.seat, game.hand(2)) == ("play", 3, "9D TD JD")

    def test_lowest_by_itself(self):
        game = second_round(self.HANDS, exchange="best", exchange_return="lowest")
        assert game.hands == ["5C AD 2D", "7C 8C JD", "6C 9D TD", "3C 4C KD"]
        assert (game.phase, game.seat) == ("play", 3)

    def test_lowest_of_all_it_holds_by_the_normal_order(self):
        game = second_round("AC 2C | 6C | 4D 5D 3D", exchange="any", exchange_return="lowest", burn_twos=True)
        play(game, "2:give 3 2:give 5")
        assert game.hands == ["AC 2C", "6C", "3D 4D 5D"]

    def test_a_joker_is_the_last_to_go_back(self):
        rules = {"joker": "wild", "jokers": 1, "exchange_return": "lowest"}
        game = second_round("* | 6C | 4D 5D 3D", exchange="best", **rules)
        assert game.hands == ["*", "6C", "3D 4D 5D"]

    def test_spades_go_back_first(self):
        game = second_round("3C 3H 3S 9D | 6C | 4D KD AD", exchange="best", exchange_return="lowest")
        assert game.hands == ["3C 9D KD AD", "6C", "3H 3S 4D"]


class TestAny:
    RULES = {"exchange": "any", "exchange_return": "none"}

    def test_the_bum_picks_one_card_at_a_time(self):
        game = second_round("3C 4C | 6C 7C | 9D TD | KD AD 2D", **self.RULES)
        assert (game.phase, game.seat, game.legal) == ("exchange", 3, ["give K", "give A", "give 2"])
        play(game, "3:give K")
        assert (game.seat, game.legal, game.hand(0)) == (3, ["give A", "give 2"], "3C 4C KD")

    def test_then_the_vice_bum(self):
        game = second_round("3C 4C | 6C 7C | 9D TD | KD AD 2D", **self.RULES)
        play(game, "3:give K 3:give 2 2:give 9")
        assert game.hands == ["3C 4C KD 2D", "6C 7C 9D", "TD", "AD"]
        assert game.phase == "play"

    def test_then_the_returns_and_what_was_taken_may_go_back(self):
        game = second_round("3C 4C | 6C 7C | 9D TD | KD AD 2D", exchange="any", exchange_return="choice")
        play(game, "3:give K 3:give A 2:give 9")
        assert (game.seat, game.legal) == (0, ["give 3", "give 4", "give K", "give A"])
        play(game, "0:give K 0:give A")
        assert game.seat == 1
        play(game, "1:give 9")
        assert game.hands == ["3C 4C", "6C 7C", "9D TD", "KD AD 2D"]

    def test_the_spade_of_a_rank_goes_and_a_joker_may(self):
        game = second_round("3C 4C | 6C 7C | 9C 9S TD *", joker="burn", jokers=1, **self.RULES)
        play(game, "2:give 9 2:give *")
        assert game.hands == ["3C 4C 9S *", "6C 7C", "9C TD"]

    def test_who_holds_no_more_than_it_owes_owes_all_but_one(self):
        game = second_round("3C 4C | 6C 7C | 9D | KD 2D", **self.RULES)
        play(game, "3:give K")
        assert (game.phase, game.hands) == ("play", ["3C 4C KD", "6C 7C", "9D", "2D"])


class TestAsk:
    RULES = {"exchange": "ask", "exchange_return": "none", "ranks": "9TJQKA", "suits": 4}

    def test_every_card_of_the_deck_may_be_named_but_those_the_asker_holds(self):
        game = second_round("9D TC | JC | QD KD AD", **self.RULES)
        assert (game.phase, game.seat) == ("exchange", 0)
        asks = [f"ask {rank}{suit}" for suit in "CDHS" for rank in "9TJQKA"]
        assert game.legal == [ask for ask in asks if ask not in ("ask 9D", "ask TC")] + ["stop"]

    def test_the_giver_hands_it_over_if_it_has_it(self):
        game = second_round("9D TC | JC | QD KD AD", **self.RULES)
        play(game, "0:ask KD")
        assert game.hands == ["9D TC KD", "JC", "QD AD"]

    def test_a_miss_uses_up_a_question(self):
        game = second_round("9D TC | JC | QD KD AD", **self.RULES)
        play(game, "0:ask KC 0:ask AD")
        assert (game.phase, game.hands) == ("play", ["9D TC AD", "JC", "QD KD"])

    def test_a_card_is_not_asked_for_twice(self):
        game = second_round("9D TC | JC | QD KD AD", **self.RULES)
        play(game, "0:ask KC")
        assert "ask KC" not in game.legal
        assert "ask KD" in game.legal

    def test_the_asker_may_stop_at_once_or_later(self):
        game = second_round("9D TC | JC | QD KD AD", **self.RULES)
        play(game, "0:stop")
        assert (game.phase, game.hand(0)) == ("play", "9D TC")
        game = second_round("9D TC | JC | QD KD AD", **self.RULES)
        play(game, "0:ask QD 0:stop")
        assert (game.phase, game.hand(0)) == ("play", "9D TC QD")

    def test_president_then_vice_president_then_the_returns(self):
        rules = {**self.RULES, "exchange_return": "choice"}
        game = second_round("9D TC | JC JD | QD QC | KD AD AC", **rules)
        play(game, "0:ask KD 0:ask AS")
        assert (game.seat, "ask KD" in game.legal) == (1, True)  # asked for by the other asker only
        play(game, "1:ask QC")
        assert (game.phase, game.seat, game.legal) == ("exchange", 0, ["give 9", "give T", "give K"])
        play(game, "0:give 9")  # one was taken, one goes back
        assert (game.seat, game.legal) == (1, ["give J", "give Q"])
        play(game, "1:give J")
        assert game.hands == ["TC KD", "JC QC", "JD QD", "9D AC AD"]
        assert game.phase == "play"

    def test_who_took_nothing_gives_nothing_back(self):
        game = second_round("9D TC | JC | QD KD AD", **{**self.RULES, "exchange_return": "choice"})
        play(game, "0:ask KC 0:ask AC")
        assert game.phase == "play"

    def test_the_lowest_go_back_by_themselves(self):
        game = second_round("9D TC | JC | QD KD AD", **{**self.RULES, "exchange_return": "lowest"})
        play(game, "0:ask KD 0:stop")
        assert game.hands == ["TC KD", "JC", "9D QD AD"]

    def test_a_giver_of_few_cards_may_be_asked_for_all_but_one(self):
        game = second_round("9D TC | JC | QD KD", **self.RULES)
        play(game, "0:ask KC")
        assert game.phase == "play"

    def test_a_giver_of_one_card_is_not_asked(self):
        game = second_round("9D TC | JC | QD", **self.RULES)
        assert game.phase == "play"

    def test_a_joker_is_asked_for_once(self):
        game = second_round("9D TC | JC | QD * *", joker="wild", jokers=2, **self.RULES)
        play(game, "0:ask *")
        assert (game.hand(0), game.hand(2)) == ("9D TC *", "QD *")
        assert "ask *" not in game.legal

    def test_of_two_decks_one_copy_is_handed_over(self):
        game = second_round("9D TC | JC | QD QD AC", decks=2, **self.RULES)
        play(game, "0:ask QD")
        assert (game.hand(0), game.hand(2)) == ("9D TC QD", "QD AC")

    def test_of_two_decks_a_card_held_once_may_be_asked_for_and_one_held_twice_not(self):
        game = second_round("9D TC TC | JC | QD KD AD", decks=2, **self.RULES)
        assert "ask 9D" in game.legal
        assert "ask TC" not in game.legal

    def test_all_jokers_in_hand_are_not_asked_for(self):
        game = second_round("9D * * | JC | QD KD AD", joker="wild", jokers=2, **self.RULES)
        assert "ask *" not in game.legal


def test_cards_that_one_deck_has_once_and_the_hands_twice_change_hands_too():
    game = second_round("9D KS | TC | KS AD 3D", exchange="best", exchange_return="none")
    assert game.hands == ["9D KS KS AD", "TC", "3D"]


class TestWhoKnowsWhat:
    HANDS = "3C 4C 5C | 6C 7C 8C | 9D TD JD | KD AD 2D"

    def test_the_two_seats_know_the_cards_and_the_others_that_there_were_some(self):
        game = second_round(self.HANDS, exchange="any", exchange_return="none")
        play(game, "3:give K 3:give 2 2:give 9")
        told = {seat: [text for _, _, text in game.view(seat).history[-3:]] for seat in range(4)}
        assert told == {
            0: ["give K", "give 2", "give ?"],
            1: ["give ?", "give ?", "give 9"],
            2: ["give ?", "give ?", "give 9"],
            3: ["give K", "give 2", "give ?"],
        }

    def test_the_table_hears_question_and_answer(self):
        game = second_round(self.HANDS, exchange="ask", exchange_return="none")
        play(game, "0:ask KD 0:ask 9D")
        assert [text for _, _, text in game.view(1).history[-2:]] == ["ask KD", "ask 9D"]
        taken = game.rules, game.view(1).state[0]["taken"][0]
        assert int(taken[1][10]) != 0  # the king
        assert game.view(1).hand_sizes == [4, 3, 3, 2]

    def test_the_receiver_knows_where_its_card_is_until_it_is_played(self):
        game = second_round(self.HANDS, exchange="best", exchange_return="lowest")
        view = game.view(3)
        assert view.hands == [None, None, None, "3C 4C KD"]
        assert int(view.state[0]["known"][0][11]) != 0  # the ace that it gave
        assert int(game.view(1).state[0]["known"][0][11]) == 0
        play(game, "3:K 0:A")
        assert int(game.view(3).state[0]["known"][0][11]) == 0
