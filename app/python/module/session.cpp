#include <pybind11/stl.h>

#include <csignal>

#include "module/graph_core.h"
#include "module/interpreter_lock.h"
#include "module/program_doctor.h"
#include "module/run_agent.h"
#include "module/watched_run.h"
#include "weft/gpus.h"
#include "weft/partial_run.h"
#include "weft/planned_memory.h"
#include "weft/server.h"
#include "weft/session.h"

// Sessions. A step runs without the interpreter lock; Ctrl-C cancels the step of the main thread.
namespace weft::python {
namespace {

std::atomic<const CancellationToken*> mainStep{nullptr};  // for the signal handler, which must not lock
struct sigaction pythonsHandler;

void onInterrupt(int signal) {
  if (const CancellationToken* token = mainStep.load()) token->cancel();
  if (pythonsHandler.sa_handler != SIG_DFL && pythonsHandler.sa_handler != SIG_IGN) pythonsHandler.sa_handler(signal);
}

// Python's own handler only records the signal; this one cancels the step first. A program may have replaced it since.
void catchInterrupts() {
  struct sigaction now;
  sigaction(SIGINT, nullptr, &now);
  if (now.sa_handler == onInterrupt || now.sa_handler == SIG_DFL || now.sa_handler == SIG_IGN) return;
  pythonsHandler = now;
  now.sa_handler = onInterrupt;
  sigaction(SIGINT, &now, nullptr);
}

bool onMainThread() {
  static const unsigned long id = PyLong_AsUnsignedLong(py::module_::import("threading").attr("main_thread")().attr("ident").ptr());
  return PyThread_get_thread_ident() == id;
}

struct SessionCore;

// The session takes the graph at its first run and follows the program's graph afterwards.
struct SessionCore {
  GraphCore* graph = nullptr;
  py::object graphObject;
  SessionOptions options;
  bool placesPruned = false;           ///< Only the nodes that a step needs must have an available device.
  std::shared_ptr<TaskServer> server;  ///< Owner of the session's resources; null: the session.
  std::unique_ptr<Session> session;
  int size = 0, revision = 0, placed = 0;
  bool closed = false;

  void follow() {
    if (session && size == graph->meta.graph.size() && revision == graph->revision) return;
    if (!graph->mistyped.empty()) raise(invalidArgument(graph->mistyped.begin()->second.second), graph);
    const Graph snapshot = graph->meta.graph;
    const bool revised = revision != graph->revision;
    size = snapshot.size();
    revision = graph->revision;
    if (!session) {
      session = valueOf(server ? server->session(snapshot, options) : Session::create(snapshot, options), graph);
    } else if (Status s = session->extend(snapshot); !s.ok()) {
      raise(s.error(), graph);
    }
    if (revised) placed = 0;
    if (!placesPruned && options.target.empty()) placeAll(snapshot);
  }

  /// Checks the placement of all nodes, including those that no step needs yet, as TensorFlow does.
  void placeAll(const Graph& nodes) {
    bool asks = false;
    for (int i = placed; i < nodes.size() && !asks; ++i) asks = nodes.node(i) && !nodes.node(i)->device.empty();
    if (asks) {
      if (auto all = session->placements(); !all.ok()) {
        size = -1;  // checked and refused again next time
        raise(all.error(), graph);
      }
    }
    placed = nodes.size();
  }
};

struct Prepared {
  Callable callable;
  std::shared_ptr<SessionCore> session;  // keeps the graph alive
  Doctor* doctor = nullptr;              // set with `watched`; it lives as long as the program
  std::shared_ptr<ProgramStep> watched;  // null: nobody watches
};

// Runs a step without the interpreter lock, cancellable by Ctrl-C on the main thread; raises its error.
template <typename F>
auto runCancellable(GraphCore* graph, RunOptions& options, F&& step) {
  const bool main = onMainThread();
  const CancellationToken* outer = nullptr;
  if (main) outer = mainStep.exchange(&options.cancellation);
  auto result = [&] {
    const InterpreterReleased released;
    const CancellableStep running(options.cancellation);
    return step(options);
  }();
  if (main) mainStep.store(outer);
  if (options.cancellation.cancelled() && PyErr_CheckSignals() != 0) throw py::error_already_set();
  if (!result.ok()) raise(result.error(), graph);
  return std::move(result).value();
}

py::list run(Prepared& p, py::handle feeds, int64_t timeoutMs, bool trace, py::handle metadata, std::string message, const py::dict& watches,
             py::object watcher) {
  std::vector<Tensor> values;
  for (py::handle f : feeds) values.push_back(py::isinstance<Tensor>(f) ? py::cast<Tensor>(f) : tensorFromArray(f, true));
  RunOptions options;
  options.timeoutMs = timeoutMs;
  options.trace = trace;
  options.message = std::move(message);
  RunReport report;
  WatchedRun watched(watches, std::move(watcher));
  const bool watching = !watches.empty();
  const RunAgent::Visit visit(watching ? std::shared_ptr<RunAgent>() : p.session->graph->agent, options);
  if (watching) options.controller = &watched;
  std::vector<Tensor> fetched;
  try {
    fetched = runCancellable(p.session->graph, options, [&](const RunOptions& o) {
      RunReport* const wanted = metadata.is_none() ? nullptr : &report;
      return p.watched ? p.watched->run(p.callable, values, o, wanted) : p.callable.run(values, o, wanted);
    });
  } catch (py::error_already_set&) {
    if (p.watched) p.doctor->tell();
    watched.rethrow();
    throw;
  }
  if (p.watched) p.doctor->tell();
  if (report.trace && !metadata.is_none()) metadata.attr("ParseFromString")(py::bytes(report.trace->toRunMetadata()));
  values.clear();
  py::list out(fetched.size());
  for (size_t i = 0; i < fetched.size(); ++i) {
    out[i] = arrayFromTensor(fetched[i]);
    fetched[i] = Tensor();
  }
  return out;
}

}  // namespace

void bindSession(py::module_& m) {
  catchInterrupts();
  m.def("catch_interrupts", &catchInterrupts, "Puts the handler that ends steps before the program's own SIGINT handler again.");
  py::class_<Prepared>(m, "Prepared", "Feeds and fetches that were looked up once.")
      .def("run", &run, py::arg("feeds"), py::arg("timeout_ms") = 0, py::arg("trace") = false, py::arg("metadata") = py::none(),
           py::arg("message") = py::bytes(), py::arg("watches") = py::dict(), py::arg("watcher") = py::none())
      .def(
          "watch",
          [](Prepared& p, Doctor& doctor, const std::vector<std::string>& feeds, const std::vector<std::string>& fetches,
             const std::vector<std::string>& targets, const std::string& file, int line) {
            p.doctor = &doctor;
            p.watched = doctor.know(*p.session->graph, *p.session->session, {feeds, fetches, targets, {}}, file, line);
          },
          "Lets the doctor look at the runs of these feeds, fetches and targets; `doctor` is never destroyed.")
      .def("explain", [](Prepared& p) { return p.callable.explain(); });
  py::class_<Doctor, std::unique_ptr<Doctor, py::nodelete>>(m, "Doctor", "What is wrong with the trainings of this program.")
      .def(py::init([](py::object call) { return new Doctor(std::move(call)); }))
      .def("afterwards", [](Doctor& d, SessionCore& s, const std::vector<int>& ran) { d.afterwards(*s.graph, s.session.get(), ran); })
      .def("say", &Doctor::say)
      .def("totals", &Doctor::totals);
  py::class_<TaskServer, std::shared_ptr<TaskServer>>(m, "TaskServer", "A task whose sessions have their variables in common.")
      .def(py::init([](std::string name, const std::map<std::string, int>& deviceCount) {
        SessionOptions options;
        options.deviceCount = deviceCount;
        return std::shared_ptr<TaskServer>(valueOf(TaskServer::create(std::move(name), std::move(options)), nullptr));
      }))
      .def("reset", [](TaskServer& s, const std::vector<std::string>& containers) {
        const InterpreterReleased released;
        s.reset(containers);
      });
  py::class_<ClusterServer>(m, "ClusterServer", "A task that other processes reach over the network.")
      .def(py::init([](const std::map<std::string, std::map<int, std::string>>& cluster, std::string job, int task, std::string listen,
                       std::shared_ptr<TaskServer> served) {
        ServerOptions options;
        options.cluster = cluster;
        options.job = std::move(job);
        options.task = task;
        options.listen = std::move(listen);
        options.served = std::move(served);
        return valueOf(
            [&] {
              const InterpreterReleased released;
              return ClusterServer::start(std::move(options));
            }(),
            nullptr);
      }))
      .def_property_readonly("target", &ClusterServer::target)
      .def("stop", [](ClusterServer& s) {
        const InterpreterReleased released;
        s.stop();
      });
  py::class_<SessionCore, std::shared_ptr<SessionCore>>(m, "SessionCore", "A session of a graph under construction.")
      .def(py::init([](py::object graph, const py::dict& options) {
        auto s = std::make_shared<SessionCore>();
        s->graph = &coreOf(graph);
        s->graphObject = std::move(graph);
        const auto given = [&](const char* key) { return options.contains(key); };
        if (given("threads")) s->options.threads = py::cast<int>(options["threads"]);
        if (given("soft_placement")) s->options.allowSoftPlacement = py::cast<bool>(options["soft_placement"]);
        if (given("log_placement")) s->options.logDevicePlacement = py::cast<bool>(options["log_placement"]);
        if (given("place_pruned")) s->placesPruned = py::cast<bool>(options["place_pruned"]);
        if (given("disabled_passes")) s->options.disabledPasses = py::cast<std::vector<std::string>>(options["disabled_passes"]);
        if (given("precision")) s->options.products = valueOf(precisionNamed(py::cast<std::string>(options["precision"])), nullptr);
        if (given("memory_limit")) s->options.memoryLimitBytes = valueOf(memoryLimitOf(py::cast<std::string>(options["memory_limit"])), s->graph);
        if (given("recomputation")) {
          const auto name = py::cast<std::string>(options["recomputation"]);
          s->options.recomputation = name == "never" ? Recomputation::Never : name == "hinted" ? Recomputation::Hinted : Recomputation::Cheap;
        }
        if (given("server")) s->server = py::cast<std::shared_ptr<TaskServer>>(options["server"]);
        if (given("target")) s->options.target = py::cast<std::string>(options["target"]);
        if (given("config")) s->options.config = py::cast<std::string>(options["config"]);
        if (given("timeout_ms")) s->options.operationTimeoutMs = py::cast<int64_t>(options["timeout_ms"]);
        if (given("device_count")) {
          for (const auto& [k, v] : py::cast<py::dict>(options["device_count"])) s->options.deviceCount[textFrom(k)] = py::cast<int>(v);
        }
        return s;
      }))
      .def("stale", [](SessionCore& s) { return !s.session || s.size != s.graph->meta.graph.size() || s.revision != s.graph->revision; })
      .def(
          "revised", [](SessionCore& s) { return s.session && s.revision != s.graph->revision; }, "Whether nodes changed that the session knows.")
      .def("follow", [](SessionCore& s) { s.follow(); })
      .def("prepare",
           [](const std::shared_ptr<SessionCore>& s, const std::vector<std::string>& feeds, const std::vector<std::string>& fetches,
              const std::vector<std::string>& targets) {
             s->follow();
             auto p = std::make_unique<Prepared>();
             p->callable = valueOf(s->session->prepare(feeds, fetches, targets), s->graph);
             p->session = s;
             return p;
           })
      .def("partial_setup",
           [](SessionCore& s, const std::vector<std::string>& feeds, const std::vector<std::string>& fetches, const std::vector<std::string>& targets) {
             s.follow();
             return valueOf(partialRunSetup(*s.session, feeds, fetches, targets), s.graph);
           })
      .def("partial_run",
           [](SessionCore& s, const std::string& handle, const py::list& feeds, const std::vector<std::string>& fetches) {
             std::vector<std::pair<std::string, Tensor>> values;
             for (py::handle f : feeds) {
               const py::tuple pair = py::reinterpret_borrow<py::tuple>(f);
               values.emplace_back(textFrom(pair[0]), tensorFromArray(pair[1], true));
             }
             if (!s.session) raise(invalidArgument("Must run 'setup' before performing partial runs!"), s.graph);
             RunOptions options;
             const auto got = runCancellable(s.graph, options, [&](const RunOptions&) { return partialRun(*s.session, handle, values, fetches); });
             py::list out;
             for (const Tensor& t : got) out.append(arrayFromTensor(t));
             return out;
           })
      .def("close",
           [](SessionCore& s) {
             s.closed = true;
             if (!s.session) return;
             const InterpreterReleased released;
             s.session->close();
           })
      .def("devices",
           [](SessionCore& s) {
             s.follow();
             return s.session->devices();
           })
      .def("placements",
           [](SessionCore& s) {
             s.follow();
             py::dict out;
             for (const Placement& p : valueOf(s.session->placements(), s.graph)) out[py::str(p.node)] = p.device;
             return out;
           })
      .def("variables", [](SessionCore& s) {
        s.follow();
        py::dict out;
        for (const auto& [name, value] : s.session->variables()) out[py::str(name)] = arrayFromTensor(value, false);
        return out;
      });
  m.def("reset_server", [](const std::string& target, const std::vector<std::string>& containers, int64_t timeoutMs) {
    SessionOptions options;
    options.operationTimeoutMs = timeoutMs;
    Status status;
    {
      const InterpreterReleased released;
      status = resetServer(target, containers, options);
    }
    if (!status.ok()) raise(status.error(), nullptr);
  });
  m.def("choose_gpus", [](const std::vector<int>& order) {
    if (const Status status = chooseGpus(order); !status.ok()) raise(status.error(), nullptr);
  });
  m.def("limit_gpu_memory", &limitGpuMemory);
  m.def("available_devices", [] {
    py::list out;
    for (const DeviceInfo& d : availableDevices()) out.append(py::make_tuple(d.name, d.type, d.description, d.memoryBytes));
    return out;
  });
  m.def("engine_version", &engineVersion);
  py::module_::import("atexit").attr("register")(py::cpp_function(&endSteps));
}

}  // namespace weft::python
