"""Scenes from whole rounds and matches: runs, going out, exchanges, scores."""

from __future__ import annotations

from tests.oracle.scene import Scene

RUNS = [
    Scene(
        "a run of pairs lets each of its players drop two cards",
        {"run_drop": True},
        "5C 5D 9C TC JC | 6C 6D 9D QC QD | 7C 7D KC KD",
        "0:55 1:66 2:77 0:drop 9 0:drop J 1:stop 2:drop K",
        {"phase": "drop", "seat": 2, "trick": [], "legal": "drop K, stop", "hands": {0: "TC", 1: "9D QC QD"}},
    ),
    Scene(
        "an equal play comes between, so there is no run",
        {"run_drop": True, "equal_rank": "legal"},
        "5C 7C 9C | 6C KC | 6D QD",
        "0:5 1:6 2:6 0:7",
        {"phase": "play", "seat": 1, "legal": "K, pass"},
    ),
    Scene(
        "jokers are in no run",
        {"run_drop": True, "joker": "wild", "jokers": 1, "ranks": "JQKA"},
        "KC JC | AC QC | * JD",
        "0:K 1:A 2:*",
        {"phase": "play", "seat": 0, "legal": "pass"},
    ),
    Scene(
        "where twos burn, the turned order begins with the ace",
        {"run_drop": True, "burn_twos": True, "revolution": True, "ranks": "JQKA2"},
        "JC JD JH JS AC AD | KC 2C | QC QD",
        "0:JJJJ 1:pass 2:pass 0:A 1:K 2:Q",
        {"phase": "drop", "seat": 0, "legal": "drop A, stop"},
    ),
    Scene(
        "a run counts where everybody else has passed or gone out",
        {"run_drop": True, "passing": "strict"},
        "5C 7C 9C | 6C | TD QD",
        "0:5 1:6 2:pass 0:7",
        {"phase": "drop", "seat": 0, "legal": "drop 9, stop", "places": [None, 1, None]},
    ),
    Scene(
        "the last drop ends the round at once",
        {"run_drop": True},
        "5C 7C 9C | 6C | TD QD",
        "0:5 1:6 2:pass 0:7 0:drop 9",
        {"over": True, "places": [2, 1, 3], "hands": {2: "TD QD"}},
    ),
]

GOING_OUT = [
    Scene(
        "two who go out with burns take the worst places in turn",
        {"burn_twos": True, "joker": "burn", "jokers": 1, "burn_finish_last": True},
        "5C 9C | 2C | * | 4C TC",
        "0:5 1:2 2:*",
        {"seat": 3, "places": [None, 4, 3, None]},
    ),
    Scene(
        "a clearing rank is no such burn",
        {"clearing_ranks": ("2",), "burn_finish_last": True},
        "5C 9C | 2C | 7C 8C",
        "0:5 1:2",
        {"seat": 2, "places": [None, 1, None]},
    ),
    Scene(
        "four of a kind led is no bomb, even if it burns as a quartet",
        {"bombs": True, "quartet": "on_turn", "burn_finish_last": True},
        "5C 5D 5H 5S | 2C 3C | 7C 8C",
        "0:5555",
        {"seat": 1, "trick": [], "places": [1, None, None]},
    ),
    Scene(
        "the 3 of clubs as a bomb on another 3 is an equal burn too",
        {"club3_bomb": "on_turn", "equal_rank": "burn", "equal_burn_finish_last": True},
        "3D 5C | 3C | 7D QD",
        "0:3 1:3!",
        {"seat": 2, "trick": [], "places": [None, 3, None]},
    ),
    Scene(
        "the 3 of clubs as a bomb on another rank is none",
        {"club3_bomb": "on_turn", "equal_rank": "burn", "equal_burn_finish_last": True},
        "4D 5C | 3C | 7D QD",
        "0:4 1:3!",
        {"seat": 2, "trick": [], "places": [None, 1, None]},
    ),
    Scene(
        "a quartet out of turn that equals the top play is an equal burn too",
        {"quartet": "any_time", "equal_rank": "burn", "equal_burn_finish_last": True},
        "9C 9D 5C | 4C 5D | 9H 9S | 7D QD",
        "0:99 2:99",
        {"seat": 3, "trick": [], "places": [None, None, 4, None]},
    ),
    Scene(
        "the 3 of clubs dropped last",
        {"run_drop": True, "club3_finish_last": True},
        "5C 3C | 6C TC | 7D QD",
        "0:5 1:6 2:7 0:drop 3",
        {"phase": "drop", "seat": 1, "places": [3, None, None]},
    ),
    Scene(
        "without vices the four at the table are president, neutral, neutral and bum",
        {"vice_roles": False, "scoring": "places"},
        "5C | 6C | 7D | 8C",
        "0:5 1:6 2:7",
        {"over": True, "roles": ["president", "neutral", "neutral", "bum"], "scores": [4, 3, 2, 1]},
    ),
]

EXCHANGES = [
    Scene(
        "a bum with a single card gives none, and gets none back",
        {"exchange": "any", "rounds": 2},
        "5C | 6C | 7D / 8C 9C | TC JC | 4C",
        "0:5 1:6",
        {"phase": "play", "seat": 2, "hands": {0: "8C 9C", 2: "4C"}},
    ),
    Scene(
        "the lowest go back by themselves, and may be those that came",
        {"exchange": "any", "exchange_return": "lowest", "rounds": 2},
        "5C | 6C | 7D / 8C 9C TC | QC JC KC | 3C 4C 5C",
        "0:5 1:6 2:give 5 2:give 3",
        {"phase": "play", "seat": 2, "hands": {0: "8C 9C TC", 2: "3C 4C 5C"}},
    ),
    Scene(
        "the best cards are jokers before twos",
        {"exchange": "best", "exchange_return": "none", "rounds": 2, "joker": "burn", "jokers": 1, "burn_twos": True},
        "5C | 6C | 7D / 8C 9C TC | QC JC KC | 3C 2C 2S *",
        "0:5 1:6",
        {"phase": "play", "seat": 2, "hands": {0: "8C 9C TC 2S *", 2: "3C 2C"}},
    ),
    Scene(
        "a joker is asked for, and a missed question is spent",
        {"exchange": "ask", "rounds": 2, "joker": "wild", "jokers": 2},
        "5C | 6C | 7D / 8C 9C TC | QC JC KC | 3C 2C 2S *",
        "0:5 1:6 0:ask * 0:ask AD",
        {"phase": "exchange", "seat": 0, "legal": "give 8, give 9, give T, give *", "hands": {2: "3C 2C 2S"}},
    ),
    Scene(
        "asked for are the cards of the deck, but none of which the asker has every copy",
        {"exchange": "ask", "rounds": 2, "ranks": "34", "suits": 3, "exchange_cards": (1, 1)},
        "3C | 4C | 4D / 3C 3D | 4C | 4D 4H",
        "0:3 1:4",
        {"phase": "exchange", "seat": 0, "legal": "ask 3H, ask 4C, ask 4D, ask 4H, stop"},
    ),
    Scene(
        "who stops first owes nothing",
        {"exchange": "ask", "rounds": 2},
        "5C | 6C | 7D / 8C 9C TC | QC JC KC | 3C 2C 2S",
        "0:5 1:6 0:stop",
        {"phase": "play", "seat": 2, "hands": {0: "8C 9C TC"}},
    ),
    Scene(
        "in the middle two cards of one rank change hands",
        {"exchange": "best", "exchange_return": "none", "middle_trade": True, "vice_roles": False, "rounds": 2},
        "5C | 6C | 7D | 8D / 3C | 9C 9S KC | 9D 9H | 4C",
        "0:5 1:6 2:7 1:give 9 2:give 9",
        {"phase": "play", "seat": 3, "hands": {1: "9C 9H KC", 2: "9D 9S"}},
    ),
    Scene(
        "both accept",
        {
            "exchange": "best",
            "exchange_return": "none",
            "middle_trade": True,
            "vice_roles": False,
            "haggle_rounds": 1,
            "rounds": 2,
        },
        "5C | 6C | 7D | 8D / 3C | 9C 9S KC | TD TH | 4C",
        "0:5 1:6 2:7 1:give K 2:give T 1:accept 2:accept",
        {"phase": "play", "seat": 3, "hands": {1: "9C 9S TH", 2: "TD KC"}},
    ),
    Scene(
        "after the last reject nothing is swapped",
        {
            "exchange": "best",
            "exchange_return": "none",
            "middle_trade": True,
            "vice_roles": False,
            "haggle_rounds": 2,
            "rounds": 2,
        },
        "5C | 6C | 7D | 8D / 3C | 9C 9S KC | TD TH | 4C",
        "0:5 1:6 2:7 1:give K 2:give T 1:reject 1:give 9 2:give T 1:accept 2:reject",
        {"phase": "play", "seat": 3, "hands": {1: "9C 9S KC", 2: "TD TH"}},
    ),
    Scene(
        "five in the middle swap from the outside in",
        {"exchange": "best", "exchange_return": "none", "middle_trade": True, "vice_roles": False, "rounds": 2},
        "3C | 4C | 5D | 6D | 7C | 8C | 9C / 3C | 4C | 5D | 6D | 7C | 8C | 9C",
        "0:3 1:4 2:5 3:6 4:7 5:8 1:give 4 5:give 8",
        {"phase": "trade", "seat": 2, "hands": {1: "8C", 5: "4C"}},
    ),
]

MATCHES = [
    Scene(
        "a tie is played off although the target is reached",
        {"scoring": "opponents_below", "target_score": 3, "rounds": None, "tiebreak": True},
        "3C | 4C | 5C / 3D KD | 4D | 5D 6D / 3D | 4D | 5D",
        "0:3 1:4 0:3 1:4 2:pass 0:pass 2:5 0:K",
        {"over": False, "round": 3, "scores": [3, 3, 0]},
    ),
    Scene(
        "without a tie the target ends the match",
        {"scoring": "opponents_below", "target_score": 2, "rounds": 5, "tiebreak": True, "dealer": 1},
        "3C | 4C | 5C",
        "0:3 1:4",
        {"over": True, "round": 1, "scores": [2, 1, 0], "dealer": 1},
    ),
    Scene(
        "two presidents after two rounds play a third",
        {"scoring": "presidencies", "rounds": 2, "tiebreak": True},
        "3C | 4C | 5C / 3D KD | 4C | 6C / 3D | 4D | 5D",
        "0:3 1:4 0:3 1:4 2:6",
        {"over": False, "round": 3, "scores": [1, 1, 0], "dealer": 0},
    ),
    Scene(
        "three at the table have no vice president to score",
        {"scoring": "president_two"},
        "3C | 4C | 5C",
        "0:3 1:4",
        {"over": True, "scores": [2, 0, 0], "seat": None, "legal": ""},
    ),
]

SCENES = [*RUNS, *GOING_OUT, *EXCHANGES, *MATCHES]
