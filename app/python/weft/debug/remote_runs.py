"""Runs of a program's steps under the IDE's debugger: breakpoints at nodes and tensors, values, continuing.

The reporter announces stops. While a step is paused, the IDE's requests arrive on a separate socket, debug.sock in the program's folder, one line of JSON
each way. The engine's side is _weft.RunAgent.
"""

import _thread
import atexit
import json
import os
import socket
import time

from .. import _weft

_PAUSE = 0.01  # seconds between two polls


class RemoteRuns:
    def __init__(self, reporter, folder):
        self._reporter = reporter
        self._folder = folder
        self._agents = {}       # number of the graph -> RunAgent
        self._points = {}       # number -> JSON of its breakpoints
        self._counts = {}       # number of the graph -> its number of steps
        self._break = False
        self.stopping = lambda: None  # called when the next step will stop
        path = os.path.join(folder, "debug.sock")
        self._server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._server.bind(path)
        self._server.listen(1)
        self._telling = _thread.allocate_lock()
        self._telling.acquire()
        _thread.start_new_thread(self._serve, ())
        _thread.start_new_thread(self._tell, ())
        atexit.register(self._end)

    def set_points(self, number, points):
        self._points[number] = json.dumps(points)
        if number in self._agents:
            self._agents[number].set_breakpoints(self._points[number])

    def stop_soon(self):
        """Pauses the step running under the debugger; False if none is running: then the next one pauses."""
        if any([a.pause_now() for a in self._agents.values()]):
            return True
        self._break = True
        return False

    def cancel_stop(self):
        self._break = False

    def detach(self, number, run):
        if number in self._agents:
            self._agents[number].detach(run)

    def let_all_go(self):
        """Resumes all steps and disables stops, because no IDE is left to continue them."""
        self._break = False
        self._points.clear()
        for agent in list(self._agents.values()):
            agent.set_breakpoints("[]")
            agent.detach(0)

    def prepare(self, graph, number):
        """Called before a step of a graph; returns whether it might stop."""
        agent = self._agents.get(number)
        if agent is None:
            if not self._break and self._points.get(number, "[]") == "[]":
                self._counts[number] = self._counts.get(number, 0) + 1
                return False
            agent = self._agents[number] = _weft.RunAgent(number, self._folder, self._counts.get(number, 0))
            agent.set_breakpoints(self._points.get(number, "[]"))
            _weft.debug_graph(graph, agent)
        if self._break:
            self._break = False
            self.stopping()
            agent.break_next()
        return agent.wants()

    def _tell(self):
        while True:
            news = _weft.debug_news()
            if news is None:
                self._telling.release()
                return
            graphs, lines = news
            for number, text in lines:
                self._reporter.send({"event": "log", "text": text})
            for number in graphs:
                news = self._agents[number].news() if number in self._agents else ""
                if news:
                    self._reporter.send_text('{"event": "run", "graph": %d, "state": %s}' % (number, news))
            time.sleep(_PAUSE)

    def _end(self):
        """Makes threads that wait in the engine return before the interpreter ends."""
        _weft.debug_end()
        self._telling.acquire(timeout=2)

    def _serve(self):
        connection, _ = self._server.accept()
        with connection.makefile("rwb") as stream:
            for line in stream:
                try:
                    request = json.loads(line)
                    agent = self._agents.get(request["graph"])
                    answer = agent.request(line.decode()) if agent else '{"error": "No step of this graph was debugged."}'
                except Exception as e:  # an unreadable request must not end the connection
                    request, answer = {}, json.dumps({"error": "%s: %s" % (type(e).__name__, e)})
                stream.write(b'{"id": %d, "answer": %s}\n' % (request.get("id", 0), answer.encode()))
                stream.flush()
