#include <algorithm>
#include <deque>
#include <set>

#include "module/graph_core.h"
#include "module/interpreter_lock.h"
#include "module/run_agent.h"
#include "support/debug_wire.h"
#include "weft/cond_var.h"

namespace weft::python {
namespace {

constexpr size_t kMostLines = 5000;

// Notifications of all agents, read by the single thread that sends them.
struct PendingUpdates {
  Mutex mutex;
  CondVar there;
  std::set<int> changed WEFT_GUARDED_BY(mutex);
  std::deque<std::pair<int, std::string>> lines WEFT_GUARDED_BY(mutex);
  bool ending WEFT_GUARDED_BY(mutex) = false;
};
PendingUpdates& pendingUpdates() {
  static PendingUpdates* instance = new PendingUpdates;  // threads may still wait while the interpreter ends
  return *instance;
}

std::string dumped(const nlohmann::json& json) { return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace); }

}  // namespace

void RunAgent::makeDebugger(bool stopAtEntry) {
  Debugger::Options options;
  options.stopAtEntry = stopAtEntry;
  options.changed = [graph = graph_] {
    const MutexLock lock(pendingUpdates().mutex);
    pendingUpdates().changed.insert(graph);
    pendingUpdates().there.notify_one();
  };
  options.log = [graph = graph_](const std::string& line) {
    const MutexLock lock(pendingUpdates().mutex);
    if (pendingUpdates().lines.size() < kMostLines) pendingUpdates().lines.emplace_back(graph, line);
    pendingUpdates().there.notify_one();
  };
  debugger_ = std::make_shared<Debugger>(std::move(options));
  for (const Breakpoint& b : breakpoints_) debugger_->setBreakpoint(b).ok();  // breakpoints that do not parse are ignored; the IDE has checked them
}

void RunAgent::setBreakpoints(const std::string& text) { setPoints(nlohmann::json::parse(text)); }

void RunAgent::setPoints(const nlohmann::json& points) {
  std::vector<Breakpoint> list;
  for (const nlohmann::json& b : points) list.push_back(breakpointFromJson(b));
  const MutexLock lock(mutex_);
  // Breakpoints arrive on two paths; setting the same ones again would reset their counts.
  std::string written = points.dump();
  if (written == points_) return;
  points_ = std::move(written);
  idle_ = false;
  if (debugger_) {
    for (const Breakpoint& old : breakpoints_) {
      if (std::none_of(list.begin(), list.end(), [&](const Breakpoint& b) { return b.id == old.id; })) debugger_->removeBreakpoint(old.id);
    }
    for (const Breakpoint& b : list) debugger_->setBreakpoint(b).ok();
  }
  breakpoints_ = std::move(list);
}

void RunAgent::breakNext() {
  const MutexLock lock(mutex_);
  idle_ = false;
  breakNext_ = true;
}

bool RunAgent::pauseNow() {
  const MutexLock lock(mutex_);
  if (!busy_ || idle_) return false;
  debugger_->pause();
  return true;
}

void RunAgent::detach(int64_t run) {
  const MutexLock lock(mutex_);
  if (run != 0 && run != run_) return;
  idle_ = true;
  breakNext_ = false;
  gone_ = true;
  if (busy_) debugger_->detach();
}

std::string RunAgent::request(const std::string& text) {
  const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  if (const auto points = json.find("points"); json.is_object() && points != json.end() && points->is_array()) setPoints(*points);
  std::shared_ptr<Debugger> debugger;
  {
    const MutexLock lock(mutex_);
    if (!debugger_) makeDebugger(false);
    debugger = debugger_;
  }
  return dumped(serveDebugger(*debugger, json, folder_));
}

std::string RunAgent::news() {
  std::shared_ptr<Debugger> debugger;
  int64_t run = 0;
  {
    const MutexLock lock(mutex_);
    if (!debugger_) return {};
    debugger = debugger_;
    run = run_;
  }
  const DebugView view = debugger->view();
  {
    const MutexLock lock(mutex_);
    if (!shown_ && view.phase != DebugPhase::Stopped) return {};
    shown_ = view.phase != DebugPhase::Ended;
  }
  nlohmann::json hits = nlohmann::json::array();
  for (const Breakpoint& b : debugger->breakpoints()) hits.push_back({b.id, b.hits});
  return dumped({{"run", run}, {"view", viewToJson(view)}, {"hits", std::move(hits)}});
}

bool RunAgent::wantsLocked() {
  if (busy_ || idle_) return false;
  if (breakNext_) return true;
  if (!debugger_ || gone_) return std::any_of(breakpoints_.begin(), breakpoints_.end(), [](const Breakpoint& b) { return b.enabled; });
  return debugger_->wantsStep(run_ + 1);
}

bool RunAgent::wants() {
  const MutexLock lock(mutex_);
  return wantsLocked();
}

RunAgent::Visit::Visit(const std::shared_ptr<RunAgent>& agent, RunOptions& options) {
  if (!agent) return;
  RunAgent& a = *agent;
  const MutexLock lock(a.mutex_);
  const bool wanted = a.wantsLocked();
  if (!a.busy_) ++a.run_;
  if (!wanted) return;
  if (!a.debugger_ || a.gone_ || a.breakNext_) a.makeDebugger(a.breakNext_);
  a.gone_ = false;
  a.breakNext_ = false;
  a.busy_ = true;
  a.debugger_->setStep(a.run_);
  options.controller = a.debugger_.get();
  agent_ = &a;
}

RunAgent::Visit::~Visit() {
  if (!agent_) return;
  const MutexLock lock(agent_->mutex_);
  agent_->busy_ = false;
}

void bindDebug(py::module_& m) {
  // None of these releases the interpreter lock: Python would kill a thread inside C++ that reacquires the lock during finalization. The debugger is locked
  // only briefly, and never by a thread that waits for Python.
  py::class_<RunAgent, std::shared_ptr<RunAgent>>(m, "RunAgent", "Runs of one graph under the IDE's debugger.")
      .def(py::init<int, std::string, int64_t>())
      .def_property_readonly("graph", &RunAgent::graph)
      .def("set_breakpoints", &RunAgent::setBreakpoints)
      .def("break_next", &RunAgent::breakNext)
      .def("pause_now", &RunAgent::pauseNow)
      .def("detach", &RunAgent::detach)
      .def("request", &RunAgent::request)
      .def("news", &RunAgent::news)
      .def("wants", &RunAgent::wants);
  m.def(
      "debug_graph", [](py::handle graph, const std::shared_ptr<RunAgent>& agent) { coreOf(graph).agent = agent; }, py::arg("graph"),
      py::arg("agent").none(true), "Lets an agent into the runs of a graph.");
  m.def(
      "debug_news",
      []() -> py::object {
        std::set<int> changed;
        std::deque<std::pair<int, std::string>> lines;
        {
          const InterpreterReleased released;
          PendingUpdates& updates = pendingUpdates();
          const MutexLock lock(updates.mutex);
          updates.there.wait(updates.mutex,
                             [&]() WEFT_REQUIRES(updates.mutex) { return updates.ending || !updates.changed.empty() || !updates.lines.empty(); });
          changed.swap(updates.changed);
          lines.swap(updates.lines);
        }
        if (changed.empty() && lines.empty()) return py::none();
        py::list graphs, texts;
        for (const int g : changed) graphs.append(g);
        for (const auto& [graph, line] : lines) texts.append(py::make_tuple(graph, line));
        return py::make_tuple(graphs, texts);
      },
      "Waits until agents have something to tell: graphs whose runs changed, and lines of log points. None: after debug_end(), when all was told.");
  m.def(
      "debug_end",
      [] {
        const MutexLock lock(pendingUpdates().mutex);
        pendingUpdates().ending = true;
        pendingUpdates().there.notify_all();
      },
      "The program ends: debug_news() does not wait any more.");
  m.def(
      "read_tensor_file", [](const std::string& path) { return arrayFromTensor(valueOf(readTensorFile(path)), false); }, "The array in a file of the IDE's.");
  // Python calls it between two instructions of the main thread, even in an endless loop.
  m.def("call_in_main_thread", [](py::object function) {
    PyObject* owned = function.release().ptr();
    const int failed = Py_AddPendingCall(
        [](void* f) -> int {
          PyObject* result = PyObject_CallNoArgs(static_cast<PyObject*>(f));
          Py_DECREF(static_cast<PyObject*>(f));
          if (!result) return -1;
          Py_DECREF(result);
          return 0;
        },
        owned);
    if (failed) Py_DECREF(owned);
    return failed == 0;
  });
}

}  // namespace weft::python
