"""tensorflow.python.training.tensorboard_logging: log messages that are also written into event files."""

import time

from .. import protos
from ..platform import tf_logging as logging

DEBUG, INFO, WARN, ERROR, FATAL = "DEBUG", "INFO", "WARN", "ERROR", "FATAL"

_LEVELS = {DEBUG: "DEBUGGING", INFO: "INFO", WARN: "WARN", ERROR: "ERROR", FATAL: "FATAL"}  # names in LogMessage
_verbosity = WARN
_not_set = object()
_summary_writer = _not_set  # None: messages are only logged


def _number(level):
    if level not in _LEVELS:
        raise ValueError("Level %s is not a valid tensorboard_logging level" % level)
    return protos.LogMessage.Level.Value(_LEVELS[level])


def get_verbosity():
    return _verbosity


def set_verbosity(verbosity):
    """Messages below this level are not written into event files; they are still logged."""
    global _verbosity
    _number(verbosity)
    _verbosity = verbosity


def set_summary_writer(summary_writer):
    """The FileWriter that gets messages. It has to be set before the first message; None writes none."""
    global _summary_writer
    _summary_writer = summary_writer


def _clear_summary_writer():
    set_summary_writer(_not_set)


def log(level, message, *args):
    if _summary_writer is _not_set:
        raise RuntimeError("Must call set_summary_writer before doing any logging from tensorboard_logging")
    if _number(level) >= _number(_verbosity) and _summary_writer:
        event = protos.Event(wall_time=time.time())
        event.log_message.level, event.log_message.message = _number(level), message % args
        _summary_writer.add_event(event)
    logging.log(getattr(logging, level), message, *args)


def debug(message, *args):
    log(DEBUG, message, *args)


def info(message, *args):
    log(INFO, message, *args)


def warn(message, *args):
    log(WARN, message, *args)


def error(message, *args):
    log(ERROR, message, *args)


def fatal(message, *args):
    log(FATAL, message, *args)
