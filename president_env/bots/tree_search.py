# mypy: allow-untyped-defs, no-check-untyped-defs
"""Tree search over information sets: the race of `monte_carlo`, with a tree of the seat's own later decisions in it.

1. An iteration draws a world, a plausible one as `belief` has it, and plays out every candidate that is still in the
   race, so that all meet the same cards.
2. The other seats move by the rules of conduct, each by what it would know in that world.
3. Where the seat itself is to move again it comes to a node: the candidate, its own moves since, and the table that it
   faces (the play to beat, who still holds cards). Whatever the world, it chooses by what the node has taught so far,
   so it never plays by cards that it cannot see. At `depth` nodes the tree ends.
4. A node chooses as PUCT does: the mean reward of a move, and a bonus for what a prior likes and few visits have tried.
   The prior is the move of the rules of conduct, or a policy's probabilities, mixed with all moves alike.
5. The first visit to a node ends the tree: from there the seat plays on by the policy for some decisions, if there is
   one, then by the rules of conduct, until it has its place. The policy's value of the node may stand in for that
   reward, or be mixed with it.
6. The reward is noted along the path and enters the race of the candidates, which ends when it is decided.
"""

import math

import numpy as np
from numpy import float64, int64

from president_env.bots.belief import plausible_world_drawn
from president_env.bots.compiled_network import POLICY, VALUE, head_outputs
from president_env.bots.levels import LEVEL3, WEIGHTS
from president_env.bots.monte_carlo import (
    candidates_listed,
    race_begun,
    race_won,
    reward_noted,
    view_taken,
    world_ends_race,
)
from president_env.bots.playout import conducted_move, played_out
from president_env.engine.compiled import allocating, compiled, part
from president_env.engine.match import move_applied
from president_env.engine.observe import observation_written
from president_env.engine.state import DEAL, OVER

HOW = np.dtype(
    [
        ("depth", "i8"),  # own decisions that the tree holds on a path
        ("explore", "f8"),  # weight of the bonus in PUCT
        ("value_weight", "f8"),  # share of the policy's value in the reward of a leaf
        ("policy_moves", "i8"),  # own decisions behind the tree that the policy makes; 0 without a policy
        ("has_policy", "i8"),
        ("draws", "i8"),  # worlds drawn for one that is searched, the most plausible likeliest
    ]
)
EDGES = 1 << 16
MOST_EDGES = EDGES // 2
"""When so many are used the tree grows no more."""
MOST_DEPTH = 16
MOST_GUIDED_MOVES = 4096
UNIFORM = 0.5
"""Share of the prior that all legal moves have alike."""
NEW_PRIOR = 0.1
"""Prior of a move that was not legal at the first visit of its node: cards on the table may differ in what a node
leaves out."""
NODE = 4095
"""In place of an action: the row of the node itself."""
MARK = 0x7FFFFFFFFFFFFFF


def empty_tree():
    """Memory of a tree: a hash table of (node, action), and which of its rows are used, the number of them last."""
    return (
        np.zeros(EDGES, dtype=np.int64),  # keys, 0 is free
        np.zeros(EDGES, dtype=np.int64),  # visits
        np.zeros(EDGES),  # sums of rewards
        np.zeros(EDGES),  # priors
        np.zeros(MOST_EDGES + 1, dtype=np.int64),
    )


@part
def _stirred(mark, number):
    mark = ((mark ^ (number * 0x9E3779B1)) * 0x2545F491) & MARK
    return mark ^ (mark >> 29)


@part
def _tree_emptied(tree):
    keys, used = tree[0], tree[4]
    for k in range(used[MOST_EDGES]):
        keys[used[k]] = 0
    used[MOST_EDGES] = 0


@part
def _edge(tree, node, action):
    """The row of the move at the node, a new one if need be; −1 if the tree is full."""
    keys, visits, sums, priors, used = tree
    key = _stirred(node, action + 1) | 1
    row = (key >> 8) % EDGES
    while keys[row] != 0 and keys[row] != key:
        row = (row + 1) % EDGES
    if keys[row] == 0:
        if used[MOST_EDGES] == MOST_EDGES:
            return -1
        keys[row] = key
        visits[row] = 0
        sums[row] = 0.0
        priors[row] = NEW_PRIOR
        used[used[MOST_EDGES]] = row
        used[MOST_EDGES] += 1
    return row


@part
def _node_faced(g, path):
    """The mark of the information set of the seat to move: its moves on the path, and the table that it faces."""
    node = _stirred(path, (int64(g["top_rank"]) + 1) | int64(g["top_size"]) << 8 | int64(g["phase"]) << 16)
    return _stirred(node, int64(g["active"]) | int64(g["left"]) << 8 | (int64(g["trade_step"]) & 15) << 16)


@part
def _shares_written(g, p, guide):
    """List the legal moves of the seat to move, and how the model likes each: shares of 1. How many there are."""
    how, layout, network, memory, actions, shares = guide[:6]
    number = candidates_listed(g, p, actions)
    if number < 2:
        shares[0] = 1.0
        return number
    if how[0]["has_policy"]:
        observation_written(g, p, layout[0], int64(g["seat"]), memory[0], 0)
        logits = memory[1][head_outputs(network, memory, POLICY)]
        highest, total = logits[actions[0]], 0.0
        for k in range(1, number):
            highest = max(highest, logits[actions[k]])
        for k in range(number):
            shares[k] = math.exp(logits[actions[k]] - highest)
            total += shares[k]
        for k in range(number):
            shares[k] /= total
    else:
        conducted = conducted_move(g, p, WEIGHTS[LEVEL3])
        for k in range(number):
            shares[k] = 1.0 if actions[k] == conducted else 0.0
    return number


@part
def _liked_move(g, p, guide):
    """The move of the seat to move that the model likes best; −1 if there is none."""
    actions, shares = guide[4], guide[5]
    number, best = _shares_written(g, p, guide), 0
    for k in range(1, number):
        if shares[k] > shares[best]:
            best = k
    return actions[best] if number else -1


@part
def _node_made(g, p, guide, node):
    """Give the legal moves at a new node their priors; False if the tree has no room for them."""
    actions, shares, tree = guide[4:]
    number = _shares_written(g, p, guide)
    for k in range(number):
        row = _edge(tree, node, actions[k])
        if row < 0:
            return False
        tree[3][row] = (1.0 - UNIFORM) * shares[k] + UNIFORM / number
    return True


@part
def _chosen_edge(guide, node, number):
    """The move that PUCT chooses among the listed ones at a node, and its row in the tree, −1 if that is full."""
    how, actions, tree = guide[0], guide[4], guide[6]
    visits, sums, priors = tree[1], tree[2], tree[3]
    total, gained = 0, 0.0
    for k in range(number):
        row = _edge(tree, node, actions[k])
        if row < 0:
            return actions[k], -1
        total += visits[row]
        gained += sums[row]
    mean = gained / total if total else 0.0
    bonus = how[0]["explore"] * math.sqrt(total + 1.0)
    best, best_row, most = -1, -1, -1e9
    for k in range(number):
        row = _edge(tree, node, actions[k])
        score = sums[row] / visits[row] if visits[row] else mean
        score += bonus * priors[row] / (1 + visits[row])
        if score > most:
            best, best_row, most = actions[k], row, score
    return best, best_row


@part
def _tree_move(g, p, guide, path):
    """What the seat to move chooses in the tree: (action, its row or −1, whether the tree goes on behind it)."""
    actions, tree = guide[4], guide[6]
    number = candidates_listed(g, p, actions)
    if number < 2:
        return actions[0] if number else -1, -1, True
    node = _node_faced(g, path)
    mark = _edge(tree, node, NODE)
    new = mark >= 0 and tree[1][mark] == 0
    if mark < 0 or (new and not _node_made(g, p, guide, node)):
        return actions[0], -1, False
    tree[1][mark] = 1
    action, row = _chosen_edge(guide, node, number)
    return action, row, row >= 0 and not new


@allocating
def _line_played(g, p, moves, guide, seat, path):
    """Play a world on behind a candidate; the reward of the seat, which is noted along its path in the tree."""
    how, layout, network, memory, tree = guide[0][0], guide[1], guide[2], guide[3], guide[6]
    rows = np.empty(MOST_DEPTH, dtype=np.int64)
    length, in_tree, policy_moves = 0, how["depth"] > 0, int64(how["policy_moves"])
    share, value = 0.0, 0.0
    for _ in range(MOST_GUIDED_MOVES):
        if g["place"][seat] or g["phase"] == DEAL or g["phase"] == OVER:
            break
        action = -1
        if g["seat"] != seat:
            action = conducted_move(g, p, WEIGHTS[LEVEL3])
        elif in_tree:
            action, row, in_tree = _tree_move(g, p, guide, path)
            if row >= 0:
                rows[length] = row
                length += 1
                in_tree = in_tree and length < how["depth"]
            path = _stirred(path, action)
            if how["value_weight"] > 0.0 and not in_tree:
                observation_written(g, p, layout[0], seat, memory[0], 0)
                share, value = how["value_weight"], float64(memory[1][head_outputs(network, memory, VALUE), 0])
                if share >= 1.0:
                    break
        elif policy_moves > 0:
            policy_moves -= 1
            action = _liked_move(g, p, guide)
        if action < 0:
            break
        move_applied(g, p, moves[action])
    reward = value
    if share < 1.0:
        place = played_out(g, p, moves, WEIGHTS[LEVEL3], seat)
        reward = share * value + (1.0 - share) * (1.0 - 2.0 * (place - 1) / (int64(p["players"]) - 1))
    for k in range(length):
        tree[1][rows[k]] += 1
        tree[2][rows[k]] += reward
    return reward


@compiled
def tree_begun(games, row, parameters, seed, space, guide, views):
    """Begin the search of a row. Whether there is anything to choose.

    `space` is that of a `SearchSpace`; `guide` is (how to search as HOW, layout, network, its memory, room for actions
    and shares, tree), the same for every call of a search.
    """
    view_taken(games, row, parameters, seed, space, views)
    _tree_emptied(guide[6])
    return race_begun(views, 0, parameters[0], space)


@allocating
def tree_searched(parameters, moves, most_playouts, space, guide, views):
    """Go on until the race is decided or so many more playouts are made. Whether it goes on."""
    actions, alive, _, _, counts, puzzle, ways, trans, rng, scratch = space
    p, seat, number = parameters[0], int64(views[0]["viewer"]), counts[0]
    rewards, draws = np.zeros(number), int64(guide[0][0]["draws"])
    playouts = 0
    while playouts < most_playouts:
        plausible_world_drawn(puzzle[0], counts[2], views, p, ways, trans, rng, scratch, draws)
        for c in range(number):
            if not alive[c]:
                continue
            scratch[1] = scratch[0]
            move_applied(scratch[1], p, moves[actions[c]])
            rewards[c] = _line_played(scratch[1], p, moves, guide, seat, _stirred(NODE, actions[c]))
            playouts += 1
            reward_noted(space, rewards, c)
        if world_ends_race(space):
            return False
    return True


@compiled
def tree_decided(parameters, space, guide, views):
    """The action that wins, in doubt the one that the model likes best."""
    if space[4][0] == 1:
        return space[0][0]
    return race_won(space, _liked_move(views[0], parameters[0], guide))
