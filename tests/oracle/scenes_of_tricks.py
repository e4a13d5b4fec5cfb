"""Scenes from single tricks: leaders, turns, order, clears, offers, wild cards."""

from __future__ import annotations

from tests.oracle.scene import Scene

NOTATION = [
    Scene("spades go first, clubs last", {}, "8C 8D 8H 8S KD | 4D | 5D", "0:88", {"hands": {0: "8C 8D KD"}}),
    Scene(
        "of two copies of a card both leave before the next suit",
        {"decks": 2},
        "8D 8H 8S 8S KD | 4D | 5D",
        "0:888",
        {"hands": {0: "8D KD"}},
    ),
]

LEADERS = [
    Scene(
        "after the missing 3 of spades come the clubs, the diamonds, the hearts",
        {"first_leader": "3S"},
        "3H 4C | 9C TC | 3D JC",
        "",
        {"seat": 2, "legal": "3, J"},
        leader=None,
    ),
    Scene(
        "of two holders the first from the dealer's left leads",
        {"first_leader": "3C", "decks": 2, "dealer": 1, "opening_card_forced": True},
        "3C 4D | 3C 5D | 6D 7D",
        "",
        {"seat": 0, "dealer": 1, "legal": "3"},
        leader=None,
    ),
    Scene(
        "the other holder, made to lead by hand, is not bound",
        {"first_leader": "3C", "decks": 2, "dealer": 1, "opening_card_forced": True},
        "3C 4D | 3C 5D | 6D 7D",
        "",
        {"seat": 1, "legal": "3, 5"},
        leader=1,
    ),
    Scene(
        "the forced card may have wild cards beside it",
        {"first_leader": "3C", "opening_card_forced": True, "joker": "wild", "jokers": 2},
        "3C 3D 5C * * | 4D | 5D",
        "0:3**",
        {"seat": 1, "hands": {0: "3D 5C"}},
    ),
    Scene(
        "with nothing but jokers on the table the first holder of one leads",
        {"first_leader": "3C", "opening_card_forced": True, "joker": "wild", "jokers": 4, "dealer": 0},
        "* | * * | *",
        "",
        {"seat": 1, "legal": "*, **"},
        leader=None,
    ),
    Scene(
        "the bomb may be the forced 3 of clubs",
        {"first_leader": "3S", "opening_card_forced": True, "club3_bomb": "on_turn"},
        "3C 3D 9D | 4D 5D | 6D 7D",
        "",
        {"legal": "3, 33, 3!"},
        leader=None,
    ),
    Scene(
        "without an exchange the second round opens like the first, and its leader is bound",
        {"first_leader": "3C", "opening_card_forced": True, "rounds": 2},
        "9C | TC | JC / 5C 6C | 3D 7C | 8C 9C",
        "0:9 1:T",
        {"round": 2, "dealer": 2, "seat": 1, "legal": "3"},
    ),
    Scene(
        "a president who leads is not bound",
        {"first_leader": "3C", "opening_card_forced": True, "next_leader": "president", "rounds": 2},
        "9C | TC | JC / 3C 6C | 3D 7C | 8C 9C",
        "0:9 1:T",
        {"round": 2, "seat": 0, "legal": "3, 6", "roles": ["president", "neutral", "bum"]},
    ),
]

TURNS = [
    Scene(
        "who was skipped has not passed",
        {"equal_rank": "skip", "passing": "strict"},
        "5C KC KD | 5D 9D TD | 8D 9H | 7D QD",
        "0:5 1:5 3:7 0:pass 1:pass",
        {"seat": 2, "legal": "8, 9, pass"},
    ),
    Scene(
        "a strict pass holds to the end of the trick and no longer",
        {"passing": "strict"},
        "5C KC 3D | 5D 9D 4D | 8D 9H 6D",
        "0:5 1:pass 2:8 0:K 2:pass 0:3",
        {"seat": 1, "places": [1, None, None], "legal": "4, 5, 9, pass"},
    ),
    Scene(
        "the lead of a seat that is out falls to its left, to one that had passed too",
        {"passing": "strict"},
        "8C KC | 5D KD | 8D 9H | 9D TH",
        "1:5 2:pass 3:pass 0:8 1:K 0:pass",
        {"seat": 2, "trick": [], "places": [None, 1, None, None], "legal": "8, 9"},
        leader=1,
    ),
    Scene(
        "an equal play changes nothing where it is merely legal",
        {"equal_rank": "legal"},
        "5C 5D KD | 5H 5S 6C | 6D 6H",
        "0:55 1:55",
        {"seat": 2, "legal": "66, pass", "trick": [(0, "55"), (1, "55")]},
    ),
]

ORDER = [
    Scene(
        "under a reversal for the trick a second eight turns it back",
        {"equal_rank": "legal", "reversing_ranks": ("8",), "reversal_lasts": "trick"},
        "8C 4C | 8D 4D | 7C 9C",
        "0:8 1:8",
        {"seat": 2, "reversed": False, "legal": "9, pass"},
    ),
    Scene(
        "a reversal for one play is over with that play",
        {"reversing_ranks": ("8",)},
        "8C 4C | 6D 4D | 5C 9C",
        "0:8 1:6",
        {"seat": 2, "reversed": False, "legal": "9, pass"},
    ),
    Scene(
        "four eights turn the order twice, so not at all",
        {"reversing_ranks": ("8",), "revolution": True},
        "8C 8D 8H 8S 3C | 9C 9D 9H 9S 3D | 7C 7D 7H 7S",
        "0:8888",
        {"seat": 1, "reversed": False, "legal": "9999, pass"},
    ),
    Scene(
        "a burn takes the reversal for the trick with it",
        {"reversing_ranks": ("8",), "reversal_lasts": "trick", "joker": "burn", "jokers": 1},
        "8C 4C | * 4D | 7C 9C",
        "0:8 1:*",
        {"seat": 1, "trick": [], "reversed": False, "legal": "4"},
    ),
    Scene(
        "an equal four burns and turns the order back",
        {"revolution": True, "equal_rank": "burn", "decks": 2},
        "4C 4D 4H 4S 5C | 4C 4D 4H 4S 6C | 7C 7D",
        "0:4444 1:4444",
        {"seat": 1, "trick": [], "reversed": False, "legal": "6"},
    ),
    Scene(
        "a joker is above the lowest of a turned order",
        {"revolution": True, "joker": "wild", "jokers": 1},
        "4C 4D 4H 4S 3C 5D | * 6C 2C | 7C 7D",
        "0:4444 1:pass 2:pass 0:3",
        {"seat": 1, "reversed": True, "legal": "*, pass"},
    ),
]

CLEARS = [
    Scene(
        "a clearing rank that is led clears too",
        {"clearing_ranks": ("2",)},
        "2C 4C | 5C 6C | 7C 8C",
        "0:2",
        {"seat": 0, "trick": [], "legal": "4"},
    ),
    Scene(
        "a wild card in a clearing play",
        {"clearing_ranks": ("9",), "joker": "wild", "jokers": 1},
        "8C 8D 4C | 9C * 6C | 7C TC",
        "0:88 1:9*",
        {"seat": 1, "trick": [], "legal": "6"},
    ),
    Scene(
        "four twos burn five of a kind",
        {"burn_twos": True, "decks": 2},
        "5C 5C 5D 5H 5S KC | 2C 2C 2D 2H 2S AC | 4C 4D",
        "0:55555",
        {"seat": 1, "legal": "2222, pass"},
    ),
    Scene(
        "twos go with a wild card only as a bomb",
        {"burn_twos": True, "bombs": True, "joker": "wild", "jokers": 1},
        "9C 4C | 2C 2D 2H KC * | 4D 4H",
        "0:9",
        {"legal": "2, 222*, K, *, pass"},
    ),
    Scene(
        "twos are led without wild cards",
        {"burn_twos": True, "bombs": True, "joker": "wild", "jokers": 1},
        "2C 2D 2H * | 9C 4C | 4D 4H",
        "",
        {"legal": "2, 22, 222, *"},
    ),
    Scene(
        "one burning joker at a time",
        {"joker": "burn", "jokers": 3},
        "5C 5D 9C | * * * 4C | 6D 6H",
        "0:55",
        {"seat": 1, "legal": "*, pass"},
    ),
    Scene(
        "a bomb of two sevens and two jokers",
        {"bombs": True, "joker": "wild", "jokers": 2},
        "KC KD 4C | 7C 7D * * 9C | 6D 6H",
        "0:KK 1:77**",
        {"seat": 1, "trick": [], "legal": "9"},
    ),
    Scene(
        "the quartet needs all the cards that are missing, and no other number",
        {"quartet": "on_turn"},
        "7C 9C | 7D 7H 4C | 6D 6H",
        "0:7",
        {"seat": 1, "legal": "pass"},
    ),
    Scene(
        "a pair completes the quartet where equal plays are illegal",
        {"quartet": "on_turn"},
        "7C 7D 9C | 7H 7S 4C | 6D 6H",
        "0:77 1:77",
        {"seat": 1, "trick": [], "legal": "4"},
    ),
    Scene(
        "a quartet of four seats burns for the last of them, and nobody is skipped",
        {"quartet": "on_turn", "equal_rank": "skip"},
        "9C 4C 5C | 9D 4D | 9H 5D | 9S KD",
        "0:9 1:9 3:9 1:pass 2:9",
        {"seat": 2, "trick": [], "legal": "5"},
    ),
    Scene(
        "the 3 of clubs bombs a trick of four",
        {"club3_bomb": "on_turn", "first_leader": "left_of_dealer"},
        "KC KD KH KS 4C | 3C 3D 9C | 6D 6H",
        "0:KKKK 1:3!",
        {"seat": 1, "trick": [], "hands": {1: "3D 9C"}},
    ),
]

OFFERS = [
    Scene(
        "two bombs of clubs are offered from the left of the player, himself last, the next seat not at all",
        {"club3_bomb": "any_time", "decks": 2},
        "3C 9D TD | 4C 5C | 3C JC | 6C 7C",
        "0:9 2:pass",
        {"phase": "offer", "seat": 0, "legal": "3!, pass"},
    ),
    Scene(
        "after the declines the next seat is on turn",
        {"club3_bomb": "any_time", "decks": 2},
        "3C 9D TD | 4C 5C | 3C JC | 6C 7C",
        "0:9 2:pass 0:pass",
        {"phase": "play", "seat": 1, "legal": "pass"},
    ),
    Scene(
        "who bombs out of turn leads",
        {"club3_bomb": "any_time"},
        "9D TD | 4C 5C | 3C JC | 6C 7C",
        "0:9 2:3!",
        {"phase": "play", "seat": 2, "trick": [], "legal": "J"},
    ),
    Scene(
        "who passed for good is offered nothing",
        {"club3_bomb": "any_time", "passing": "strict"},
        "9D TD | 3C 5C | TC JC | 6C 7C",
        "0:9 1:pass 2:T",
        {"phase": "play", "seat": 3, "legal": "pass"},
    ),
    Scene(
        "the last cards of a hand complete a quartet out of turn, and the lead goes on to the left",
        {"quartet": "any_time"},
        "9C TD | 4C 5C | 9D 9H 9S | 6C 7C",
        "0:9 2:999",
        {"phase": "play", "seat": 3, "trick": [], "places": [None, None, 1, None], "legal": "6, 7"},
    ),
    Scene(
        "the seat that is skipped may still be offered",
        {"quartet": "any_time", "equal_rank": "skip"},
        "5C TD | 5D 6D | 5H 5S 7D | 8D 9D",
        "0:5 1:5",
        {"phase": "offer", "seat": 2, "legal": "55, pass"},
    ),
]

WILD = [
    Scene(
        "of one suit only, a play still has up to four cards",
        {"suits": 1, "joker": "wild", "jokers": 4},
        "7C * * * * | 8C | 9C",
        "",
        {"legal": "7, 7*, 7**, 7***, *, **, ***, ****"},
    ),
    Scene(
        "a wild six is spent before a joker",
        {"wild_sixes": True, "joker": "wild", "jokers": 1},
        "6D 7D 9C * | 8C | 9D",
        "0:7*",
        {"hands": {0: "9C *"}, "trick": [(0, "7*")]},
    ),
    Scene(
        "four jokers bomb",
        {"joker": "wild", "jokers": 4, "bombs": True},
        "8C 8D KD | * * * * 4C | 9D 9H",
        "0:88 1:****",
        {"seat": 1, "trick": [], "legal": "4"},
    ),
    Scene(
        "an equal joker skips",
        {"joker": "wild", "jokers": 2, "equal_rank": "skip"},
        "* 8D | * 5D | 6D 7D | 9D TD",
        "0:* 1:*",
        {"seat": 3, "legal": "pass"},
    ),
    Scene(
        "natural sixes complete a quartet of sixes",
        {"wild_sixes": True, "quartet": "on_turn"},
        "6C 8D | 7D KD | 6D 6H 6S 5D",
        "0:6 1:K",
        {"seat": 2, "legal": "666, pass"},
    ),
]

SCENES = [*NOTATION, *LEADERS, *TURNS, *ORDER, *CLEARS, *OFFERS, *WILD]
