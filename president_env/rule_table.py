"""Every field of the rules, documented once: defaults, values, and what each value does.

A value's sentence is said by `Rules.describe()` where it is in force, so it is written for the people at the table.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from president_env.cards import MAX_JOKERS, NUM_SUITS, RANKS
from president_env.rule_fields import MAX_COUNT, FieldDoc

if TYPE_CHECKING:
    from president_env.rules import Rules

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_RANK_NAMES = dict(zip("TJQKA", ("10", "jack", "queen", "king", "ace"), strict=True))
_SUIT_NAMES = ("clubs", "diamonds", "hearts", "spades")
_BURNS = ("burn_twos", "joker=burn", "bombs", "club3_bomb")


def _count(number: int, noun: str) -> str:
    word = _NUMBERS[number] if number < len(_NUMBERS) else str(number)
    return f"{word} {noun}" if number == 1 else f"{word} {noun}s"


def _listed(words: Sequence[str], last: str = "and") -> str:
    return f" {last} ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _one_of(ranks: Sequence[str]) -> str:
    """ "a 5, an 8 or an ace" """
    names = [_RANK_NAMES.get(rank, rank) for rank in ranks]
    return _listed([f"{'an' if name in ('8', 'ace') else 'a'} {name}" for name in names], "or")


def _decks(rules: "Rules") -> str:
    jokers = f", {_count(rules.jokers, 'joker')} among them" if rules.jokers else ""
    return f"The cards are {_count(rules.num_decks, 'deck')}, {rules.num_cards} cards in all{jokers}."


def _ranks(rules: "Rules") -> str:
    if rules.ranks == RANKS:
        return ""
    return f"The ranks of the deck are {' '.join(rules.ranks)}, in this order, and no others."


def _suits(rules: "Rules") -> str:
    if rules.suits == NUM_SUITS:
        return ""
    return f"Every rank has {_count(rules.suits, 'suit')}: {_listed(_SUIT_NAMES[: rules.suits])}."


def _first_leader(rules: "Rules") -> str:
    if isinstance(rules.first_leader, int):
        return f"Seat {rules.first_leader} leads the first round."
    return FIELDS["first_leader"].choices[rules.first_leader]


def _clearing_ranks(rules: "Rules") -> str:
    if not rules.clearing_ranks:
        return ""
    turns = rules.revolution or rules.reversing_ranks
    beats = ", but where the order is turned round it has to beat the top play like any other" if turns else ""
    return f"A play of {_one_of(rules.clearing_ranks)} clears the table at once, and its player leads again{beats}."


def _reversing_ranks(rules: "Rules") -> str:
    if not rules.reversing_ranks:
        return ""
    both = " During a revolution it turns the order back." if rules.revolution else ""
    return f"A play of {_one_of(rules.reversing_ranks)} turns the order of the ranks round.{both}"


def _next_leader(rules: "Rules") -> str:
    return FIELDS["next_leader"].choices[rules.later_leader]


def _vice_roles(rules: "Rules") -> str:
    vice = "the second is vice president, the last but one vice bum"
    middle = _count(rules.players - (4 if rules.has_vice_roles else 2), "neutral seat")
    neutral = "" if middle.startswith("no ") else f", with {middle} between"
    between = f"{vice}, " if rules.has_vice_roles else ""
    return f"The first seat out is president, {between}and the last is bum{neutral}."


def _exchange_cards(rules: "Rules") -> str:
    bum, vice = (_count(number, "card") for number in rules.exchange_cards)
    second = f", and the vice bum owes the vice president {vice}" if rules.has_vice_roles else ""
    return f"The bum owes the president {bum}{second}; a giver always keeps a card."


def _rounds(rules: "Rules") -> str:
    if rules.rounds is None:
        return ""
    return f"The match is {_count(rules.rounds, 'round')} long."


def _target_score(rules: "Rules") -> str:
    if rules.target_score is None:
        return ""
    start = "It ends sooner if" if rules.rounds is not None else "The match ends when"
    return f"{start} a seat has {_count(rules.target_score, 'point')} at the end of a round."


def _haggle_rounds(rules: "Rules") -> str:
    if not rules.haggle_rounds:
        return "The swap is done without a word."
    return (
        "Both see the two offered ranks and say yes or no, the better place first; a no brings new offers, and after "
        f"{_count(rules.haggle_rounds, 'offer')} without a yes from both nothing is swapped."
    )


_TABLE = (
    FieldDoc(
        name="players",
        family="table",
        default=4,
        doc="How many seats the table has.",
        low=2,
        high=8,
        says=lambda rules: f"{_count(rules.players, 'player').capitalize()} sit at the table.",
    ),
    FieldDoc(
        name="decks",
        family="table",
        default=1,
        doc="How many decks are shuffled together.",
        choices={1: "One deck.", 2: "Two decks.", "auto": "One deck, two at seven and eight players."},
        says=_decks,
    ),
    FieldDoc(
        name="jokers",
        family="table",
        default=0,
        doc="How many jokers are in the deck, in all; they need a `joker` rule.",
        low=0,
        high=MAX_JOKERS,
        says=lambda rules: "",
    ),
    FieldDoc(
        name="ranks",
        family="table",
        default=RANKS,
        kind="deck",
        doc="The ranks in the deck; fewer make a small game.",
        says=_ranks,
    ),
    FieldDoc(
        name="suits",
        family="table",
        default=NUM_SUITS,
        doc="How many suits the deck has, the first of clubs, diamonds, hearts, spades.",
        low=1,
        high=NUM_SUITS,
        says=_suits,
    ),
    FieldDoc(
        name="deal",
        family="table",
        default="all",
        doc="How the cards are dealt, one at a time from the left of the dealer.",
        choices={
            "all": "All cards are dealt, so that some hands may be one card larger.",
            "equal": "Every hand is dealt the same number of cards; those left over lie face down all round.",
        },
    ),
    FieldDoc(
        name="dealer",
        family="table",
        default=None,
        doc="Who deals the first round; later the bum deals.",
        choices={None: "Chance names the first dealer; later the bum deals."},
        low=0,
        says=lambda rules: (
            FIELDS["dealer"].choices[None]
            if rules.dealer is None
            else f"Seat {rules.dealer} deals the first round; later the bum deals."
        ),
    ),
    FieldDoc(
        name="first_leader",
        family="lead",
        default=0,
        doc="Who leads the first round.",
        choices={
            "3C": "The holder of the 3 of clubs leads the first round; if nobody has it, the next card in order decides.",
            "3S": "The holder of the 3 of spades leads the first round; if nobody has it, the next card in order decides.",
            "left_of_dealer": "The seat on the dealer's left leads the first round.",
        },
        low=0,
        says=_first_leader,
    ),
    FieldDoc(
        name="opening_card_forced",
        family="lead",
        default=False,
        doc="Whether the play that opens the round must contain the card that named its leader.",
        choices={False: "", True: "Who leads because of that card must play it in the opening play."},
    ),
    FieldDoc(
        name="next_leader",
        family="lead",
        default="auto",
        doc="Who leads the rounds after the first.",
        choices={
            "bum": "The bum of the last round leads the next.",
            "president": "The president of the last round leads the next.",
            "opening": "Later rounds are led as the first one is.",
            "auto": "The bum leads the next round if there is an exchange, otherwise it is led as the first one is.",
        },
        needs=("has_later_rounds",),
        says=_next_leader,
    ),
    FieldDoc(
        name="passing",
        family="turn",
        default="soft",
        doc="What a pass costs.",
        choices={
            "soft": "A pass costs that one turn; you may play when your turn comes round again.",
            "strict": "Who passes is out of the trick until the table is cleared.",
        },
    ),
    FieldDoc(
        name="equal_rank",
        family="turn",
        default="illegal",
        doc="What a play of the same rank and size as the top play does.",
        choices={
            "illegal": "A play must have the same size as the top play and a higher rank.",
            "legal": "A play must have the same size as the top play and the same or a higher rank.",
            "skip": "A play must have the same size as the top play and the same or a higher rank; an equal rank skips "
            "the next seat that would act, which does not count as its pass.",
            "burn": "A play must have the same size as the top play and the same or a higher rank; an equal rank burns "
            "the trick, and its player leads again.",
        },
    ),
    FieldDoc(
        name="revolution",
        family="order",
        default=False,
        doc="Whether four or more cards in one play turn the order of the ranks round.",
        choices={
            False: "",
            True: "Four or more of a kind in one play turn the order round, 3 high and 2 low, until the round ends or "
            "the same happens again; the trick goes on.",
        },
    ),
    FieldDoc(
        name="reversing_ranks",
        family="order",
        default=(),
        kind="ranks",
        doc='Ranks whose play turns the order of the ranks round for a while ("going down"), usually the 8.',
        says=_reversing_ranks,
    ),
    FieldDoc(
        name="reversal_lasts",
        family="order",
        default="next_play",
        doc="How long a reversing rank turns the order round.",
        choices={
            "next_play": "That holds for the very next play only, which has to be lower.",
            "trick": "That holds until the trick is cleared; every further play of such a rank turns the order once more.",
        },
        needs=("reversing_ranks",),
    ),
    FieldDoc(
        name="clearing_ranks",
        family="clear",
        default=(),
        kind="ranks",
        doc="Ranks that clear the table when they are played, usually the 2.",
        says=_clearing_ranks,
    ),
    FieldDoc(
        name="burn_twos",
        family="clear",
        default=False,
        doc="Whether twos leave the order of the ranks and burn instead.",
        choices={
            False: "",
            True: "Twos have no rank, they burn: one burns singles and pairs, two burn triples, three burn fours, always "
            "one less than the size; on an empty table any number of twos burns.",
        },
    ),
    FieldDoc(
        name="joker",
        family="clear",
        default="off",
        doc="What jokers do; a deck with jokers needs a rule for them.",
        choices={
            "off": "",
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
            False: "",
            True: "Four or more of a kind are a bomb: they may be played on any trick, whatever its size and rank, and "
            "burn it. On an empty table they are an ordinary lead.",
        },
    ),
    FieldDoc(
        name="quartet",
        family="clear",
        default="off",
        doc="Whether completing four of a kind in the trick burns it.",
        choices={
            "off": "",
            "on_turn": "When four or more cards of a rank lie in the trick it burns for whoever completed them; on your "
            "turn you may always add exactly the natural cards that are missing to four.",
            "any_time": "When four or more cards of a rank lie in the trick it burns for whoever completed them; you may "
            "add exactly the natural cards that are missing to four at any time, out of turn too.",
        },
    ),
    FieldDoc(
        name="club3_bomb",
        family="clear",
        default="off",
        doc="Whether the 3 of clubs is a bomb; then it does not open the game.",
        choices={
            "off": "",
            "on_turn": "The 3 of clubs burns anything, an empty table too, when its holder is on turn.",
            "any_time": "The 3 of clubs burns anything, an empty table too, and its holder need not wait for a turn.",
        },
    ),
    FieldDoc(
        name="wild_sixes",
        family="clear",
        default=False,
        doc="Whether sixes are wild.",
        choices={
            False: "",
            True: "A six stands for any rank beside at least one natural card; sixes without one are just sixes.",
        },
    ),
    FieldDoc(
        name="run_drop",
        family="run",
        default=False,
        doc="Whether a run of three plays clears the table and lets its players drop extra cards.",
        choices={
            False: "",
            True: "Three plays in a row in one trick, each one rank above the one before, clear the table. Each of their "
            "players may then drop extra cards of any rank, up to the size of one of the plays, and the lead goes to the "
            "left of the player who completed the run.",
        },
    ),
    FieldDoc(
        name="burn_finish_last",
        family="out",
        default=False,
        doc="Whether going out with a burn by twos, a joker or a bomb takes the worst free place.",
        choices={False: "", True: "Who goes out by burning with twos, a joker or a bomb takes the worst free place."},
        needs=_BURNS,
    ),
    FieldDoc(
        name="equal_burn_finish_last",
        family="out",
        default=False,
        doc="Whether going out with a burn by equal rank takes the worst free place.",
        choices={False: "", True: "Who goes out by burning with an equal play takes the worst free place."},
        needs=("equal_rank=burn",),
    ),
    FieldDoc(
        name="club3_finish_last",
        family="out",
        default=False,
        doc="Whether going out with the 3 of clubs takes the worst free place.",
        choices={False: "", True: "Whose last play or drop contains the 3 of clubs takes the worst free place."},
    ),
    FieldDoc(
        name="vice_roles",
        family="out",
        default=True,
        doc="Whether there are a vice president and a vice bum, from four players on.",
        choices={False: "There are only a president and a bum.", True: "From four players on there are vice roles."},
        says=_vice_roles,
    ),
    FieldDoc(
        name="exchange",
        family="exchange",
        default="off",
        doc="Whether and how the bums give cards to the presidents before each round but the first.",
        choices={
            "off": "",
            "best": "Before each later round the bums give their highest cards.",
            "any": "Before each later round the bums give cards of their own choice.",
            "ask": "Before each later round the presidents ask for cards by name, one at a time; who holds the card "
            "gives it, and a question that misses is used up.",
        },
        needs=("has_later_rounds",),
    ),
    FieldDoc(
        name="exchange_cards",
        family="exchange",
        default=(2, 1),
        kind="pair",
        doc="How many cards the bum owes the president, and the vice bum the vice president.",
        low=1,
        high=2 * NUM_SUITS * len(RANKS) + MAX_JOKERS,
        needs=("later_exchange",),
        says=_exchange_cards,
    ),
    FieldDoc(
        name="exchange_return",
        family="exchange",
        default="choice",
        doc="What is given back for the cards that were taken.",
        choices={
            "choice": "As many cards as were taken are given back, of the taker's choice.",
            "lowest": "As many cards as were taken are given back, the taker's lowest.",
            "none": "Nothing is given back.",
        },
        needs=("later_exchange",),
    ),
    FieldDoc(
        name="middle_trade",
        family="exchange",
        default=False,
        doc="Whether the neutral seats swap a card each after the exchange.",
        choices={
            False: "",
            True: "Then the neutral seats swap one card each, the best placed with the worst placed and so inwards; "
            "an odd one out keeps its cards.",
        },
        needs=("later_exchange",),
    ),
    FieldDoc(
        name="haggle_rounds",
        family="exchange",
        default=0,
        doc="How many offers a pair of neutral seats may make before its trade is off; 0: the swap is just done.",
        low=0,
        high=MAX_COUNT,
        needs=("middle_trade",),
        says=_haggle_rounds,
    ),
    FieldDoc(
        name="rounds",
        family="match",
        default=1,
        doc="How many rounds a match has.",
        choices={None: "Only the target score ends the match."},
        low=1,
        high=MAX_COUNT,
        says=_rounds,
    ),
    FieldDoc(
        name="target_score",
        family="match",
        default=None,
        doc="The score that ends the match, at the end of the round in which a seat reaches it.",
        choices={None: "Only the number of rounds ends the match."},
        low=1,
        high=MAX_COUNT,
        says=_target_score,
    ),
    FieldDoc(
        name="scoring",
        family="match",
        default="none",
        doc="The points that a round brings.",
        choices={
            "places": "The first of a round gets as many points as there are players, every place after it one less, "
            "the last one point.",
            "opponents_below": "A round brings a point for every opponent who finished later.",
            "president_two": "A round brings the president two points and the vice president one.",
            "presidencies": "A round brings the president one point.",
            "none": "No points are counted.",
        },
    ),
    FieldDoc(
        name="tiebreak",
        family="match",
        default=False,
        doc="Whether more rounds are played while the top score is shared at the end.",
        choices={False: "", True: "While the top score is shared at the end, one more round is played."},
    ),
)

FIELDS: dict[str, FieldDoc] = {doc.name: doc for doc in _TABLE}
"""Every field by name, in the order of the game."""
