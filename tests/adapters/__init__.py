"""Outside libraries, each on the real thing; skipped where the library is not installed."""
