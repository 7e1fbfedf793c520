"""Names and scopes as graphs, savers and collections handle them; the test for sessions."""

import re


def prepend_scope(name, scope):
    """`name` below `scope`; the marks "^" and "loc:@" stay in front."""
    if isinstance(name, bytes):
        return prepend_scope(name.decode(), scope).encode()
    if not scope:
        return name
    if scope.endswith("/"):
        scope = scope[:-1]
    return re.sub(r"([\^]|loc:@|^)(.*)", r"\1" + scope.replace("\\", r"\\") + r"/\2", name, count=1)


def strip_scope(name, scope):
    """`name` without the leading `scope`."""
    if isinstance(name, bytes):
        return strip_scope(name.decode(), scope).encode()
    if not scope:
        return name
    if scope.endswith("/"):
        scope = scope[:-1]
    return re.sub(r"([\^]|loc:@|^)" + re.escape(scope) + r"[\/]+(.*)", r"\1\2", name, count=1)


def is_session(what):
    """Whether `what` is a Session or wraps one (a debugger); monitored sessions do not count."""
    return any(c.__name__ in ("BaseSession", "SessionInterface", "Session", "InteractiveSession") for c in type(what).__mro__)


def as_text(value):
    """Bytes decoded to text; text unchanged."""
    return value.decode("utf-8") if isinstance(value, bytes) else value
