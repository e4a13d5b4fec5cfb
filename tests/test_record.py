"""Records: written, read, played back, and what is wrong with bad ones."""

import json

import pytest

from president_env import Game, Rules
from president_env.record import FORMAT, read_record, write_record
from tests.scenes import play, table

pytestmark = pytest.mark.plain


@pytest.fixture
def game():
    """Two rounds of three, the first of them by hand, in the middle of the second."""
    game = table("quebec", "9C TD | TC | JC | QC", rounds=2, leader=0, seed=5)
    play(game, "0:9 1:T 2:J 3:Q")
    for _ in range(9):
        game.play(game.legal[0])
    return game


def wrong(record, **changes):
    return {**record, **changes}


def complaint(record) -> str:
    with pytest.raises(ValueError) as error:
        Game.replay(record)
    message = str(error.value)
    assert len(message.splitlines()) <= 2
    return message


def test_a_record_is_plain_json_and_says_everything(game):
    record = game.record()
    assert json.loads(json.dumps(record)) == record
    assert record["format"] == FORMAT == "president-game-1"
    assert list(record) == ["format", "rules", "seed", "leader", "given_deals", "deals", "moves", "places", "scores"]
    assert record["moves"][:4] == ["0:9", "1:T", "2:J", "3:Q"]
    assert record["rules"] == game.rules.to_dict()
    assert record["deals"] == game.deals


def test_a_record_plays_back(game):
    again = Game.replay(game.record())
    assert again.record() == game.record()
    assert (again.state == game.state).all()
    assert again.rules == game.rules


def test_the_record_of_a_game_from_a_seed_plays_back():
    game = Game(Rules.preset("butt", players=5), seed=12)
    while not game.over:
        game.play(game.legal[-1])
    assert Game.replay(game.record()).places == game.places


def test_a_record_survives_a_file(game, tmp_path):
    write_record(game, tmp_path / "game.json")
    assert read_record(tmp_path / "game.json") == game.record()
    assert [path.name for path in tmp_path.iterdir()] == ["game.json"]


def test_a_view_is_not_recorded(game):
    with pytest.raises(ValueError, match="this is the view of seat 2; only the game itself can be recorded"):
        game.view(2).record()


def test_a_move_that_is_not_legal_is_named(game):
    record = game.record()
    moves = ["0:9", "1:3", *record["moves"][2:]]
    assert complaint(wrong(record, moves=moves)) == (
        "record: move 2 is '1:3': seat 1 may not play '3'; legal are pass, T"
    )


def test_a_move_of_the_wrong_seat_is_named(game):
    record = game.record()
    moves = ["0:9", "2:J", *record["moves"][1:]]
    assert complaint(wrong(record, moves=moves)) == "record: move 2 is '2:J', but seat 1 is to move"


@pytest.mark.parametrize("move", ["", "T", 7, None, ["1", "T"]])
def test_a_move_that_is_none_is_named(game, move):
    record = game.record()
    assert "record: move 2 is " in complaint(wrong(record, moves=["0:9", move]))


def test_a_move_after_the_end_is_named():
    game = table("basic", "9C | TC | JC", leader=0)
    play(game, "0:9 1:T")
    record = game.record()
    assert "record: move 3 is '2:J', but seat None is to move" in complaint(
        wrong(record, moves=[*record["moves"], "2:J"])
    )


@pytest.mark.parametrize(
    ("name", "value"),
    [("places", [1, 2, 3, 4]), ("scores", [9, 9, 9, 9]), ("deals", [["9C TD", "TC", "JC", "QC"]])],
)
def test_a_result_that_differs_is_named(game, name, value):
    assert complaint(wrong(game.record(), **{name: value})).startswith(f"record: {name} are ")


def test_another_seed_leads_to_other_deals(game):
    assert "record: " in complaint(wrong(game.record(), seed=6))


@pytest.mark.parametrize("name", ["rules", "seed", "leader", "given_deals", "deals", "moves", "places", "scores"])
def test_a_missing_entry_is_named(game, name):
    record = game.record()
    del record[name]
    assert f"record: {name!r} is missing" in complaint(record)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("rules", "quebec"),
        ("seed", "5"),
        ("seed", True),
        ("seed", None),
        ("leader", "0"),
        ("given_deals", None),
        ("deals", {}),
        ("deals", [[1, 2, 3, 4]]),
        ("deals", ["9C TD"]),
        ("moves", "0:9"),
        ("places", None),
        ("scores", 0),
    ],
)
def test_an_entry_of_the_wrong_type_is_named(game, name, value):
    assert complaint(wrong(game.record(), **{name: value})).startswith(f"record: {name!r} ")


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("rules", {"players": 99}, "players"),
        ("rules", {"plaers": 4}, "did you mean 'players'"),
        ("seed", -1, "seed -1 is not a whole number"),
        ("leader", 4, "leader 4 is not at the table"),
        ("deals", [["9C TD", "TC", "JC"]], "round 1 gives 3 hands"),
        ("deals", [["9C 1D", "TC", "JC", "QC"]], "unknown card '1D'"),
    ],
)
def test_an_entry_that_says_nonsense_is_told_in_its_own_words(game, name, value, message):
    assert message in complaint(wrong(game.record(), **{name: value}))


@pytest.mark.parametrize("given", [-1, 3, 99])
def test_a_wrong_number_of_given_deals(game, given):
    assert "given_deals" in complaint(wrong(game.record(), given_deals=given))


def test_another_format_is_named(game):
    told = complaint(wrong(game.record(), format="president-game-9"))
    assert told == "record: the format is 'president-game-9'; this version reads 'president-game-1'"
    assert "the format is None" in complaint({})


@pytest.mark.parametrize("thing", [None, [], "record", 3])
def test_what_is_no_record_at_all(thing):
    assert complaint(thing) == f"record: a mapping is wanted, not {type(thing).__name__}"


# Files


def refusal(path) -> str:
    with pytest.raises(ValueError) as error:
        read_record(path)
    message = str(error.value)
    assert message.startswith(f"{path}: ")
    assert len(message.splitlines()) <= 2
    return message


def test_a_file_that_is_not_there(tmp_path):
    assert "there is no such file" in refusal(tmp_path / "game.json")


def test_a_folder(tmp_path):
    assert "cannot be read: Is a directory" in refusal(tmp_path)


def test_a_file_that_was_cut_off(game, tmp_path):
    path = tmp_path / "game.json"
    write_record(game, path)
    path.write_bytes(path.read_bytes()[:200])
    assert "not a record of a game, or cut off" in refusal(path)


@pytest.mark.parametrize("content", [b"", b"\xff\xfe\x00", b"moves: none"])
def test_a_file_of_something_else(tmp_path, content):
    path = tmp_path / "game.json"
    path.write_bytes(content)
    assert "not a record of a game, or cut off" in refusal(path)


def test_a_file_that_lacks_an_entry(game, tmp_path):
    path = tmp_path / "game.json"
    record = game.record()
    del record["seed"]
    path.write_text(json.dumps(record))
    assert "record: 'seed' is missing" in refusal(path)


def test_a_record_that_cannot_be_written_leaves_the_old_one(game, tmp_path):
    path = tmp_path / "game.json"
    write_record(game, path)
    before = path.read_bytes()
    with pytest.raises(ValueError, match="only the game itself"):
        write_record(game.view(0), path)
    assert path.read_bytes() == before
    with pytest.raises(OSError, match="missing"):
        write_record(game, tmp_path / "missing" / "game.json")


def test_a_file_nested_too_deep(tmp_path):
    path = tmp_path / "deep.json"
    path.write_text("[" * 200_000)
    with pytest.raises(ValueError, match="not a record of a game, or cut off"):
        read_record(path)
