"""Recurrent networks: cells, wrappers, loops over time."""

from .loops import bidirectional_dynamic_rnn, dynamic_rnn, raw_rnn, static_bidirectional_rnn, static_rnn  # noqa: F401
