"""Every field of the rules, documented once: its default, its values, and what each value does.

Here are the fields of a round, and `FIELDS`, which is all of them; those of the match are in `rule_table_match`.

`Rules.describe()` says the sentence of a value that is in force, so it is written for the people at the table.
"""

from president_env import rule_words as words
from president_env.cards import MAX_JOKERS, NUM_SUITS, RANKS
from president_env.rule_fields import FieldDoc
from president_env.rule_table_match import MATCH_TABLE

_HIGHER = "To beat the top play, lay as many cards of a higher rank"
_HIGHER_OR_EQUAL = "To beat the top play, lay as many cards of a higher rank or of the same"
_OPENING = "leads the first round; if that card was not dealt, the next one in order decides."
_QUARTET = "Four or more cards of a rank in one trick burn it for whoever completes them"
_CLUB3 = "The 3 of clubs burns anything, an empty table too,"

_ROUND_TABLE = (
    FieldDoc(
        name="players",
        family="table",
        default=4,
        doc="How many seats the table has.",
        low=2,
        high=8,
        says=words.players,
    ),
    FieldDoc(
        name="decks",
        family="table",
        default=1,
        doc="How many decks are shuffled together.",
        choices={1: "One deck.", 2: "Two decks.", "auto": "One deck, two at seven and eight players."},
        says=words.decks,
    ),
    FieldDoc(
        name="jokers",
        family="table",
        default=0,
        doc="How many jokers the cards hold, all decks together.",
        low=0,
        high=MAX_JOKERS,
    ),
    FieldDoc(
        name="ranks",
        family="table",
        default=RANKS,
        kind="deck",
        doc="The ranks in the deck; fewer make a small game.",
        says=words.ranks,
    ),
    FieldDoc(
        name="suits",
        family="table",
        default=NUM_SUITS,
        doc="How many suits the deck has: the first so many of clubs, diamonds, hearts, spades.",
        low=1,
        high=NUM_SUITS,
        says=words.suits,
    ),
    FieldDoc(
        name="deal",
        family="table",
        default="all",
        doc="How many cards are dealt, one at a time from the left of the dealer.",
        choices={
            "all": "All cards are dealt, so some hands may be one card larger.",
            "equal": "Every hand gets the same number of cards; those left over lie face down, unseen all round.",
        },
    ),
    FieldDoc(
        name="dealer",
        family="table",
        default=None,
        doc="Who deals the first round; later the bum deals.",
        choices={None: "Chance decides who deals."},
        low=0,
        says=words.dealer,
    ),
    FieldDoc(
        name="first_leader",
        family="lead",
        default=0,
        doc="Who leads the first round.",
        choices={
            "3C": f"The holder of the 3 of clubs {_OPENING}",
            "3S": f"The holder of the 3 of spades {_OPENING}",
            "left_of_dealer": "The seat on the dealer's left leads the first round.",
        },
        low=0,
        says=words.first_leader,
    ),
    FieldDoc(
        name="opening_card_forced",
        family="lead",
        default=False,
        doc="Whether a leader who was found by a card must play it at once.",
        choices={
            False: "The leader may open with any cards.",
            True: "Who leads because of that card must play it in the opening play.",
        },
    ),
    FieldDoc(
        name="next_leader",
        family="lead",
        default="auto",
        doc="Who leads the rounds after the first.",
        choices={
            "bum": "The bum of the last round leads the next.",
            "president": "The president of the last round leads the next.",
            "opening": "Later rounds are led as the first one is, after any exchange.",
            "auto": "The bum leads if there is an exchange, otherwise later rounds are led as the first one is.",
        },
        resolved="later_leader",
        needs=("has_later_rounds",),
    ),
    FieldDoc(
        name="passing",
        family="turn",
        default="soft",
        doc="What a pass costs.",
        choices={
            "soft": "A pass costs that one turn; when your turn comes round again you may play.",
            "strict": "Who passes is out of the trick until the table is cleared.",
        },
    ),
    FieldDoc(
        name="equal_rank",
        family="turn",
        default="illegal",
        doc="What a play of the same rank and size as the top play does.",
        choices={
            "illegal": f"{_HIGHER}.",
            "legal": f"{_HIGHER_OR_EQUAL}.",
            "skip": f"{_HIGHER_OR_EQUAL}; the same rank takes the next seat's turn, which does not count as its pass.",
            "burn": f"{_HIGHER_OR_EQUAL}; the same rank burns the trick, and its player leads again.",
        },
    ),
    FieldDoc(
        name="revolution",
        family="order",
        default=False,
        doc="Whether four or more cards in one play turn the order of the ranks round.",
        choices={
            False: "No number of cards turns the order round.",
            True: "Four or more cards in one play turn the order round, 3 high and 2 low, until the round ends or "
            "such a play turns it back; the trick goes on.",
        },
    ),
    FieldDoc(
        name="reversing_ranks",
        family="order",
        default=(),
        kind="ranks",
        doc='Ranks that turn the order of the ranks round for a while ("going down"), usually the 8.',
        says=words.reversing_ranks,
    ),
    FieldDoc(
        name="reversal_lasts",
        family="order",
        default="next_play",
        doc="How long a reversing rank turns the order round.",
        choices={
            "next_play": "It stays turned for the very next play only.",
            "trick": "It stays turned until the trick is cleared; each further play of such a rank turns it once more.",
        },
        needs=("reversing_ranks",),
    ),
    FieldDoc(
        name="clearing_ranks",
        family="clear",
        default=(),
        kind="ranks",
        doc="Ranks that clear the table when they are played, usually the 2.",
        says=words.clearing_ranks,
    ),
    FieldDoc(
        name="burn_twos",
        family="clear",
        default=False,
        doc="Whether twos leave the order of the ranks and burn instead.",
        choices={
            False: "Twos have a rank like other cards, the highest.",
            True: "Twos have no rank, they burn: one 2 burns a single or a pair, two burn a triple, three burn four of "
            "a kind, and so on; on an empty table any number of them burns.",
        },
    ),
    FieldDoc(
        name="joker",
        family="clear",
        default="off",
        doc="What jokers do; there are either jokers and a rule for them, or neither.",
        choices={
            "off": "There are no jokers.",
            "burn": "A single joker burns any trick, and an empty table too.",
            "wild": "A joker stands for any rank beside at least one natural card; jokers alone are a rank above all "
            "others, in either order.",
        },
    ),
    FieldDoc(
        name="bombs",
        family="clear",
        default=False,
        doc="Whether four or more of a kind burn any trick.",
        choices={
            False: "Four of a kind beat nothing but lower fours.",
            True: "Four or more of a kind are a bomb: they burn any trick, whatever its size and rank. On an empty "
            "table they are an ordinary lead.",
        },
    ),
    FieldDoc(
        name="quartet",
        family="clear",
        default="off",
        doc="Whether completing four of a kind in a trick burns it.",
        choices={
            "off": "It does not matter how many cards of a rank lie in a trick.",
            "on_turn": f"{_QUARTET}. On your turn you may always add exactly the natural cards missing to four.",
            "any_time": f"{_QUARTET}. At any time, even out of turn, you may add exactly the natural cards missing "
            "to four.",
        },
    ),
    FieldDoc(
        name="club3_bomb",
        family="clear",
        default="off",
        doc="Whether the 3 of clubs is a bomb; the bomb does not name the first leader.",
        choices={
            "off": "The 3 of clubs is a 3.",
            "on_turn": f"{_CLUB3} on its holder's turn.",
            "any_time": f"{_CLUB3} on its holder's turn or out of turn.",
        },
    ),
    FieldDoc(
        name="wild_sixes",
        family="wild",
        default=False,
        doc="Whether sixes are wild.",
        choices={
            False: "Sixes are sixes.",
            True: "A six stands for any rank beside at least one natural card; sixes without one are just sixes.",
        },
    ),
    FieldDoc(
        name="run_drop",
        family="run",
        default=False,
        doc="Whether a run of three plays clears the table and lets its players drop extra cards.",
        choices={
            False: "Runs do nothing.",
            True: "Three plays in a row in one trick, each exactly one rank above the play before it, clear the table. "
            "Each of their players may then drop cards of any rank, up to the size of one of the plays, and the lead "
            "goes to the left of the player who completed the run.",
        },
    ),
    FieldDoc(
        name="burn_finish_last",
        family="out",
        default=False,
        doc="Whether going out with a burn by twos, a joker or a bomb takes the worst free place.",
        choices={
            False: "Who goes out with such a burn takes the best free place.",
            True: "Who goes out by burning with twos, a joker or a bomb takes the worst free place.",
        },
        needs=("burn_twos", "joker=burn", "bombs", "club3_bomb"),
    ),
    FieldDoc(
        name="equal_burn_finish_last",
        family="out",
        default=False,
        doc="Whether going out with a burn by equal rank takes the worst free place.",
        choices={
            False: "Who goes out with such a burn takes the best free place.",
            True: "Who goes out by burning with an equal rank takes the worst free place.",
        },
        needs=("equal_rank=burn",),
    ),
    FieldDoc(
        name="club3_finish_last",
        family="out",
        default=False,
        doc="Whether going out with the 3 of clubs takes the worst free place.",
        choices={
            False: "Who goes out with the 3 of clubs takes the best free place.",
            True: "Whose last play or drop contains the 3 of clubs takes the worst free place.",
        },
    ),
    FieldDoc(
        name="vice_roles",
        family="out",
        default=True,
        doc="Whether there are a vice president and a vice bum.",
        choices={False: "There are only a president and a bum.", True: "From four players on there are vice roles."},
        says=words.roles,
    ),
)

FIELDS: dict[str, FieldDoc] = {doc.name: doc for doc in (*_ROUND_TABLE, *MATCH_TABLE)}
"""Every field by name, in the order of the game."""
