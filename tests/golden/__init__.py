"""Games and move tables written down once, which later versions have to play and number in the same way."""
