"""Solve a tiny deck with OpenSpiel's CFR+, and print how far the average policy is from an equilibrium.

    python examples/openspiel_cfr.py --players 2 --ranks 345 --suits 2 --iterations 20

NashConv is what the seats could gain, all together, by best responses; 0 is an equilibrium, and for two players CFR+
is known to reach one. The number of information states grows quickly: `--ranks 34567 --suits 1` is a small deck too.
Needs `pip install '.[openspiel]'`.
"""

import argparse
import time

import pyspiel
from open_spiel.python.algorithms import cfr, expected_game_score, exploitability

import president_env.adapters.openspiel  # noqa: F401 (registers the game)


def main() -> None:
    parser = argparse.ArgumentParser(description="Solve a tiny deck with CFR+.")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--ranks", default="345", help="the ranks of the deck")
    parser.add_argument("--suits", type=int, default=2)
    parser.add_argument("--iterations", type=int, default=20)
    parser.add_argument("--print-every", type=int, default=1, help="iterations between two lines")
    arguments = parser.parse_args()
    # seats see who deals: a dealer drawn by lot would make the tables as many times as large
    deck = {"ranks": arguments.ranks, "suits": arguments.suits, "dealer": 0}
    game = pyspiel.load_game("president", {"rules": "", "players": arguments.players, "overrides": deck})
    solver = cfr.CFRPlusSolver(game)
    start = time.perf_counter()
    for iteration in range(1, arguments.iterations + 1):
        solver.evaluate_and_update_policy()
        if iteration % arguments.print_every == 0 or iteration == arguments.iterations:
            conv = exploitability.nash_conv(game, solver.average_policy())
            print(f"iteration {iteration:4}  NashConv {conv:.6f}  {time.perf_counter() - start:6.1f} s", flush=True)
    policies = [solver.average_policy()] * arguments.players
    values = expected_game_score.policy_value(game.new_initial_state(), policies)
    print("value of each seat:", " ".join(f"{value:+.4f}" for value in values))


if __name__ == "__main__":
    main()
