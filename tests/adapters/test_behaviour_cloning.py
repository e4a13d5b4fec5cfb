"""Moves learned from recorded matches: the network comes to foretell them, and its file plays."""

import pytest

from president_env import Game, Rules
from president_env.bots.policy import PolicyBot
from tests.adapters.common import needs

needs("pyarrow")
pytest.importorskip("torch")

import pyarrow as pa  # noqa: E402 (only where it is installed)
import pyarrow.parquet as pq  # noqa: E402
import torch  # noqa: E402

from president_env.adapters import datasets  # noqa: E402
from training import behaviour_cloning, record  # noqa: E402
from training.ppo_single_file import Network  # noqa: E402

TINY = ["--epochs", "3", "--width", "32", "--minibatch", "64", "--rate", "3e-3", "--deals", "20"]


@pytest.fixture(scope="module")
def matches(tmp_path_factory):
    """A dataset of whole matches: three seats of easy, one of random."""
    path = tmp_path_factory.mktemp("data") / "matches.parquet"
    bots = ["easy", "random", "easy", "easy"]
    assert record.main(["--bots", *bots, "--matches", "30", "--out", str(path)]) == 0
    return path


def test_the_moves_of_a_player_are_learned_and_played(matches, tmp_path, capsys):
    out = tmp_path / "cloned.safetensors"
    assert behaviour_cloning.main([str(matches), "--player", "easy", *TINY, "--out", str(out)]) == 0
    said = capsys.readouterr().out
    assert "epoch 3" in said
    assert "against easy: reward" in said
    bot, rules = PolicyBot.load(out), Rules.preset("quebec")
    game = Game(rules, seed=5)
    while game.seat is not None:
        game.play(bot.act(game.view(game.seat), game.legal))  # an illegal move raises
    assert set(game.places) == {1, 2, 3, 4}
    again = tmp_path / "again.safetensors"
    assert behaviour_cloning.main([str(matches), "--player", "easy", *TINY, "--out", str(again)]) == 0
    assert again.read_bytes() == out.read_bytes()
    mixed = tmp_path / "mixed.parquet"
    bots = [str(out), "easy", str(out), "level1"]
    assert record.main(["--bots", *bots, "--matches", "3", "--out", str(mixed)]) == 0
    assert datasets.load(mixed).players == (str(out), "easy", "level1")


def test_the_loss_falls_on_matches_that_were_not_learned_from(matches):
    data = datasets.load(matches)
    training, testing = behaviour_cloning.samples_of(data, "easy")
    assert len(training) + len(testing) == (data["player"] == 0).sum()
    torch.manual_seed(1)
    network = Network(data.rules, data["action_mask"].shape[1], 32)
    options = behaviour_cloning.parsed([str(matches), *TINY])
    before, *_, after = behaviour_cloning.clone(network, training, testing, options)
    assert after.loss < 0.6 * before.loss
    assert after.accuracy > 0.8 > before.accuracy


def test_what_cannot_be_learned_from_is_refused_in_a_line(matches, tmp_path, capsys):
    few = tmp_path / "few.parquet"
    record.main(["--bots", "easy", "--matches", "3", "--rounds", "1", "--out", str(few)])
    out = ["--out", str(tmp_path / "new" / "policy.safetensors")]
    table = pq.read_table(matches)
    at = table.column_names.index("action")
    altered, empty = tmp_path / "altered.parquet", tmp_path / "empty.parquet"
    pq.write_table(table.set_column(at, "action", pa.array([9999] * len(table), "int32")), altered)
    pq.write_table(table.slice(0, 0), empty)
    for options, words in (
        ([str(altered)], "moves that were not legal"),
        ([str(empty)], "0 matches are too few"),
        ([str(matches), "--seed", str(2**70)], "--seed"),
        ([str(matches), "--deals", "-1"], "--deals -1"),
        ([str(matches), "--rate", "nan"], "--rate nan"),
        ([str(matches), "--player", "level9"], "players of this dataset are easy, random"),
        ([str(tmp_path / "none.parquet")], "no such dataset"),
        ([str(few)], "3 matches are too few"),
        ([str(matches), "--against", "eazy"], "did you mean 'easy'"),
        ([str(matches), "--epochs", "0"], "epochs: 0"),
        ([str(matches), "--out", str(tmp_path)], "is a folder"),
    ):
        assert behaviour_cloning.main([*out, *options]) == 2
        said = capsys.readouterr().err
        assert words in said
        assert said.count("\n") == 1
    assert not (tmp_path / "new").exists()
