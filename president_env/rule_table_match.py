"""The fields between rounds and of the match: exchange, rounds, scores; `rule_table` has those of a round."""

from president_env import rule_words as words
from president_env.cards import MAX_JOKERS, NUM_SUITS, RANKS
from president_env.rule_fields import MAX_COUNT, FieldDoc

MATCH_TABLE = (
    FieldDoc(
        name="exchange",
        family="exchange",
        default="off",
        doc="Whether the bums give cards to the presidents before every round but the first, and which cards.",
        choices={
            "off": "No cards are exchanged.",
            "best": "Before each later round cards change hands: the giver's highest ones.",
            "any": "Before each later round cards change hands: those that the giver chooses.",
            "ask": "Before each later round cards change hands: those that the taker asks for by name, one after "
            "another, and that the giver holds; a miss uses up a question.",
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
        says=words.exchange_cards,
        needs=("has_exchange",),
    ),
    FieldDoc(
        name="exchange_return",
        family="exchange",
        default="choice",
        doc="What is given back for the cards that were taken.",
        choices={
            "choice": "The taker gives back as many cards as it took, of its choice.",
            "lowest": "The taker gives back as many cards as it took, its lowest.",
            "none": "Nothing is given back.",
        },
        needs=("has_exchange",),
    ),
    FieldDoc(
        name="middle_trade",
        family="exchange",
        default=False,
        doc="Whether the neutral seats swap a card each after the exchange.",
        choices={
            False: "Neutral seats keep their cards.",
            True: "Then the neutral seats swap one card each, the best placed with the worst placed and so inwards; an "
            "odd one out keeps its cards.",
        },
        needs=("has_exchange",),
    ),
    FieldDoc(
        name="haggle_rounds",
        family="exchange",
        default=0,
        doc="How many offers two neutral seats have to agree on a swap; with 0 the first offer is taken.",
        low=0,
        high=MAX_COUNT,
        says=words.haggle_rounds,
        needs=("middle_trade",),
    ),
    FieldDoc(
        name="rounds",
        family="match",
        default=1,
        doc="How many rounds a match has.",
        choices={None: "Only the target score ends the match."},
        low=1,
        high=MAX_COUNT,
        says=words.rounds,
    ),
    FieldDoc(
        name="target_score",
        family="match",
        default=None,
        doc="The score that ends the match, after the round in which a seat reaches it.",
        choices={None: "Only the number of rounds ends the match."},
        low=1,
        high=MAX_COUNT,
        says=words.target_score,
        needs=("has_later_rounds",),
    ),
    FieldDoc(
        name="scoring",
        family="match",
        default="none",
        doc="The points that a round brings.",
        choices={
            "places": "A round brings its last seat one point, and every place before it one more.",
            "opponents_below": "A round brings a seat one point for every opponent who finished later.",
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
        choices={
            False: "Seats may share the top score.",
            True: "While the top score is shared at the end, one more round is played.",
        },
        needs=("has_later_rounds",),
    ),
)
