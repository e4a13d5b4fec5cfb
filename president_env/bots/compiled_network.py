# mypy: allow-untyped-defs, no-check-untyped-defs
"""The arithmetic of `policy.PolicyNetwork` for one observation at a time, compiled, for searches that ask it often.

Weights lie input by input, so that an input of zero, as most are behind thresholds and ReLU, costs nothing.
"""

import numpy as np
from numpy import float32
from numpy.typing import NDArray

from president_env.bots.policy import INPUTS, PARTS, PolicyNetwork
from president_env.engine.compiled import compiled, part

Arrays = tuple[NDArray[np.generic], ...]

TRUNK, POLICY, VALUE = range(len(PARTS))


def packed(network: PolicyNetwork | None) -> Arrays:
    """The network as the compiled functions read it; None is a network that must not be asked."""
    parts = [network.layers[part] if network else [] for part in PARTS]
    weights, layers, ends = [np.zeros(0, dtype=np.float32)], [], np.cumsum([0, *map(len, parts)])
    at = 0
    for weight, bias in (layer for these in parts for layer in these):
        layers.append((weight.shape[1], weight.shape[0], at))
        weights += [weight.T.astype(np.float32).ravel(), bias.astype(np.float32)]
        at += weight.size + bias.size
    kinds = (np.int64, np.int8, np.int64, np.float32)
    inputs = [network.tensors[name] if network else np.zeros(0) for name in INPUTS]
    return (
        *(np.ascontiguousarray(array, dtype=kind) for array, kind in zip(inputs, kinds, strict=True)),
        np.concatenate(weights),
        np.array(layers, dtype=np.int64).reshape(-1, 3),
        ends.astype(np.int64),
    )


def working_memory(network: PolicyNetwork | None, observation_size: int) -> Arrays:
    """Memory that one thread's calls need: the observation, activations before and after a layer, and which count."""
    widths = (
        [width for part in PARTS for weight, _ in network.layers[part] for width in weight.shape] if network else []
    )
    widest = max(widths, default=1)
    return (
        np.zeros(observation_size, dtype=np.int8),
        np.zeros((2, widest), dtype=np.float32),
        np.zeros(widest, dtype=np.int64),
    )


@compiled
def head_outputs(network, memory, head):
    """Work out what POLICY or VALUE makes of the observation in the memory. Returns the row of the memory's activations
    that it stands in, up to the next call."""
    ends = network[6]
    live = _inputs_written(network, memory)
    now = 0
    for layer in range(ends[TRUNK], ends[TRUNK + 1]):
        live = _layer_applied(network, memory, layer, now, live, True)
        now = 1 - now
    for layer in range(ends[head], ends[head + 1]):
        live = _layer_applied(network, memory, layer, now, live, layer + 1 < ends[head + 1])
        now = 1 - now
    return now


@part
def _inputs_written(network, memory):
    """Write the inputs that are not zero to the front, their indices beside them; how many they are."""
    bit_columns, thresholds, scaled_columns, scale = network[:4]
    observation, activations, indices = memory
    live, bits = 0, len(bit_columns)
    for k in range(bits):
        if observation[bit_columns[k]] >= thresholds[k]:
            activations[0, live] = float32(1.0)
            indices[live] = k
            live += 1
    for k in range(len(scaled_columns)):
        if observation[scaled_columns[k]]:
            activations[0, live] = observation[scaled_columns[k]] * scale[k]
            indices[live] = bits + k
            live += 1
    return live


@part
def _layer_applied(network, memory, layer, now, live, rectified):
    """One dense layer; if `rectified`, what is above zero comes to the front again. How many outputs count."""
    weights, (inputs, outputs, at) = network[4], network[5][layer]
    activations, indices = memory[1], memory[2]
    x, y = activations[now], activations[1 - now][:outputs]
    bias = at + inputs * outputs
    for j in range(outputs):
        y[j] = weights[bias + j]
    whole = live - live % 4
    for k in range(0, whole, 4):
        _four_added(weights, at, outputs, x[k : k + 4], indices[k : k + 4], y)
    for k in range(whole, live):
        start = at + indices[k] * outputs
        row = weights[start : start + outputs]
        for j in range(outputs):
            y[j] += x[k] * row[j]
    if not rectified:
        return outputs
    live = 0
    for j in range(outputs):
        if y[j] > 0:
            y[live] = y[j]
            indices[live] = j
            live += 1
    return live


@part
def _four_added(weights, at, outputs, x, inputs, y):
    """Add what four inputs bring to every output: one pass over the outputs instead of four."""
    a, b, c, d = at + inputs[0] * outputs, at + inputs[1] * outputs, at + inputs[2] * outputs, at + inputs[3] * outputs
    of_a, of_b, of_c, of_d = (
        weights[a : a + outputs],
        weights[b : b + outputs],
        weights[c : c + outputs],
        weights[d : d + outputs],
    )
    x_a, x_b, x_c, x_d = x[0], x[1], x[2], x[3]
    for j in range(outputs):
        y[j] += x_a * of_a[j] + x_b * of_b[j] + x_c * of_c[j] + x_d * of_d[j]
