"""tf.logging: messages with a level, on stderr."""

import collections
import logging as _logging
import sys
import threading
import time

from ..exports import export, export_value

DEBUG, INFO, WARN, ERROR, FATAL = 10, 20, 30, 40, 50
for _name in ("DEBUG", "INFO", "WARN", "ERROR", "FATAL"):
    export_value(globals()[_name], "logging." + _name)
_names = {FATAL: "FATAL", ERROR: "ERROR", WARN: "WARN", INFO: "INFO", DEBUG: "DEBUG"}
_lock = threading.Lock()
_logger = None


def get_logger():
    """The logger behind these functions."""
    global _logger
    with _lock:
        if _logger is None:
            _logger = _logging.getLogger("tensorflow")
            if not _logging.getLogger().handlers and not _logger.handlers:
                interactive = hasattr(sys, "ps1") or getattr(sys.flags, "interactive", False)
                handler = _logging.StreamHandler(sys.stdout if interactive else sys.stderr)
                handler.setFormatter(_logging.Formatter(_logging.BASIC_FORMAT, None))
                _logger.addHandler(handler)
        return _logger


@export("logging.log")
def log(level, msg, *args, **kwargs):
    get_logger().log(level, msg, *args, **kwargs)


@export("logging.debug")
def debug(msg, *args, **kwargs):
    get_logger().debug(msg, *args, **kwargs)


@export("logging.info")
def info(msg, *args, **kwargs):
    get_logger().info(msg, *args, **kwargs)


@export("logging.warn", "logging.warning")
def warning(msg, *args, **kwargs):
    get_logger().warning(msg, *args, **kwargs)


warn = warning


@export("logging.error")
def error(msg, *args, **kwargs):
    get_logger().error(msg, *args, **kwargs)


@export("logging.fatal")
def fatal(msg, *args, **kwargs):
    get_logger().fatal(msg, *args, **kwargs)


@export("logging.TaskLevelStatusMessage")
def TaskLevelStatusMessage(msg):
    error(msg)


@export("logging.flush")
def flush():
    for handler in get_logger().handlers:
        handler.flush()


@export("logging.vlog")
def vlog(level, msg, *args, **kwargs):
    log(level, msg, *args, **kwargs)


@export("logging.get_verbosity")
def get_verbosity():
    """The lowest level of messages that are shown."""
    return get_logger().getEffectiveLevel()


@export("logging.set_verbosity")
def set_verbosity(v):
    get_logger().setLevel(v)


_counts = collections.Counter()


@export("logging.log_every_n")
def log_every_n(level, msg, n, *args):
    """Logs the first and every n-th message of the calling line."""
    frame = sys._getframe(1)
    key = (frame.f_code.co_filename, frame.f_lineno)
    count = _counts[key]
    _counts[key] += 1
    log_if(level, msg, not count % n, *args)


@export("logging.log_first_n")
def log_first_n(level, msg, n, *args):
    frame = sys._getframe(1)
    key = (frame.f_code.co_filename, frame.f_lineno)
    count = _counts[key]
    _counts[key] += 1
    log_if(level, msg, count < n, *args)


@export("logging.log_if")
def log_if(level, msg, condition, *args):
    if condition:
        log(level, msg, *args)


def google2_log_prefix(level, timestamp=None, file_and_line=None):
    """The prefix of log lines in the format of the C++ log."""
    now = time.localtime(timestamp)
    return "%s%s" % (_names.get(level, "I")[0], time.strftime("%m%d %H:%M:%S", now))
