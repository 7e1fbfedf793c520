"""The doctor of a program: `weft py --doctor PROGRAM` says what is wrong with its trainings, and which of its lines it comes from.

attach() is called before the program starts. Findings go to standard error as they are made; after the program comes a line of totals.
"""

import atexit
import json
import os
import sys

from . import _weft, hints_of_trainings, session, source_rules, targets

_FOLDER = os.path.dirname(os.path.abspath(__file__)) + os.sep
_LINKED = os.path.dirname(os.path.realpath(__file__)) + os.sep


def _place():
    """The innermost line of the program."""
    frame = sys._getframe(1)
    while frame is not None:
        name = frame.f_code.co_filename
        if not name.startswith((_FOLDER, _LINKED)):
            return name.encode("utf-8", "replace").decode("utf-8"), frame.f_lineno  # names of files may be any bytes
        frame = frame.f_back
    return "", 0


def _say(text):
    """Writes to standard error, which a program may have closed or replaced."""
    try:
        (sys.stderr or sys.__stderr__).write(text)
    except Exception:  # whatever the program's own stream raises
        pass


class Doctor:
    """Watches all sessions of this process. `tell`, if it is set, is called with each finding's object and its graph."""

    def __init__(self, program="", source=""):
        self.findings, self.tell, self._failed = [], None, False
        self._program, self._source = program, source_rules.find(source)
        self._core = _weft.Doctor(self._take)

    def _failure(self, error):
        """An error of the doctor's own, which must not become the program's."""
        if not self._failed:
            self._failed = True
            _say("weft: warning: the doctor does not see everything: %s: %s\n" % (type(error).__name__, error))

    def _take(self, text, finding, graph):
        try:
            self.findings.append(json.loads(finding))
            _say(text)
            if self.tell is not None:
                self.tell(self.findings[-1], graph)
        except Exception as e:
            self._failure(e)

    def say(self, code, words, file, line):
        """A finding of a rule that looks at Python."""
        try:
            from . import ops

            self._core.say(code, words, file, line, ops.get_default_graph())
        except Exception as e:
            self._failure(e)

    def _look_at_source(self):
        """Says what is wrong with a loop once it runs a session."""
        frame, lines = sys._getframe(1), set()
        while frame is not None:
            if frame.f_code.co_filename == self._program:
                lines.add(frame.f_lineno)
            frame = frame.f_back
        for found in [f for f in self._source if any(n in f.loop for n in lines)]:
            self._source.remove(found)
            self.say(found.code, found.words, self._program.encode("utf-8", "replace").decode("utf-8"), found.line)

    def look(self, plan):
        try:
            if self._source:
                self._look_at_source()
            plan.prepared.watch(self._core, *plan.names, *_place())
        except Exception as e:
            self._failure(e)

    def closed(self, of):
        ran, of._ran = of._ran, set()
        if of._remote:
            return
        try:
            self._core.afterwards(of._core, sorted(ran))
        except Exception as e:
            self._failure(e)

    def totals(self):
        t = self._core.totals()
        t["cost"] = t["extra"] / t["seconds"] if t["seconds"] > 0 else 0.0
        return t


def _report(doctor, path, program):
    for s in targets.open_sessions():
        doctor.closed(s)
    t = doctor.totals()
    count = len(doctor.findings)
    _say("doctor: %d finding%s, %d training%s, %d of %d steps measured, %.1f %% of their time, %.0f ms before the first\n"
         % (count, "" if count == 1 else "s", t["trainings"], "" if t["trainings"] == 1 else "s", t["measured"], t["steps"], 100 * t["cost"], 1000 * t["before"]))
    for why in t["not_watched"]:
        _say("doctor: not watched: %s\n" % why)
    if path:
        try:
            with open(path, "w", encoding="utf-8") as f:
                json.dump(dict(t, program=program, findings=doctor.findings), f)
        except OSError as e:
            _say("weft: %s: %s\n" % (path, e.strerror))


attached = None  # the Doctor of this program


def say(code, words):
    """A finding at the program's present line, if the doctor watches."""
    if attached is not None:
        attached.say(code, words, *_place())


def attach(path="", program="", source=""):
    """Watches this program. `path`: a file for the findings as JSON; `source`: its text."""
    global attached
    doctor = attached = Doctor(program, source)
    session.watch_training = doctor.look
    session.watch_trainings = doctor.closed  # in place of the hints, which are among its findings
    atexit.unregister(hints_of_trainings.at_exit)
    atexit.register(_report, doctor, os.path.abspath(path) if path else "", program)
