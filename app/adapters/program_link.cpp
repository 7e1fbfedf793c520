#include "adapters/program_link.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <QCoreApplication>
#include <atomic>
#include <cstring>

#include "adapters/engine_graph.h"
#include "support/debug_wire.h"
#include "weft/mutex.h"

namespace weft::app {
namespace {

using Json = nlohmann::json;

constexpr int kShortMs = 400;   // for commands: the answering thread may wait for the interpreter lock
constexpr int kLongMs = 20000;  // for values, which are read on threads of tasks

Error gone() { return unavailable(QCoreApplication::translate("ProgramLink", "The Python program does not respond.").toStdString()); }
Error ended() { return abortedError(QCoreApplication::translate("ProgramLink", "The Python program has ended.").toStdString()); }
Error held() { return failedPrecondition(QCoreApplication::translate("ProgramLink", "The Python program is suspended; resume it first.").toStdString()); }

std::string dumped(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

}  // namespace

/// Asks one question at a time over a socket and waits for its answer.
class DebugLine {
 public:
  DebugLine(const std::string& folder, const std::string& name) : folder(folder) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string path = folder + "/" + name;
    if (path.size() >= sizeof address.sun_path) return;
    std::memcpy(address.sun_path, path.c_str(), path.size());
    fd_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd_ >= 0 && ::connect(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) close();
  }
  ~DebugLine() { close(); }

  Result<Json> ask(Json request, int patienceMs) {
    if (isHeld) return held();
    const MutexLock lock(mutex_);
    if (fd_ < 0) return ended();
    const int64_t id = ++id_;
    request["id"] = id;
    const std::string line = dumped(request) + "\n";
    for (size_t sent = 0; sent < line.size();) {
      const ssize_t n = ::send(fd_, line.data() + sent, line.size() - sent, MSG_NOSIGNAL);
      if (n <= 0) {
        close();
        return ended();
      }
      sent += size_t(n);
    }
    for (;;) {
      WEFT_LET(const std::string text, readLine(patienceMs));
      const Json json = Json::parse(text, nullptr, false);
      if (!json.is_object()) return gone();
      const auto of = json.find("id");
      if (of == json.end() || !of->is_number_integer() || of->get<int64_t>() != id) continue;  // a late answer to a question that timed out
      const auto answer = json.find("answer");
      if (answer == json.end() || !answer->is_object()) return gone();
      if (answer->contains("error")) return errorFromJson(*answer);
      return *answer;
    }
  }

  void setPoints(int graph, Json list) {
    const MutexLock lock(pointsMutex_);
    points_[graph] = std::move(list);
  }
  /// Null if none were ever set.
  Json points(int graph) const {
    const MutexLock lock(pointsMutex_);
    const auto found = points_.find(graph);
    return found == points_.end() ? Json() : found->second;
  }

  const std::string folder;
  std::atomic<bool> isHeld{false};

 private:
  void close() WEFT_REQUIRES(mutex_) {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
  }
  Result<std::string> readLine(int patienceMs) WEFT_REQUIRES(mutex_) {
    for (;;) {
      if (const size_t end = rest_.find('\n'); end != std::string::npos) {
        std::string line = rest_.substr(0, end);
        rest_.erase(0, end + 1);
        return line;
      }
      pollfd p{fd_, POLLIN, 0};
      if (::poll(&p, 1, patienceMs) <= 0) return gone();
      char bytes[65536];
      const ssize_t n = ::recv(fd_, bytes, sizeof bytes, 0);
      if (n <= 0) {
        close();
        return ended();
      }
      rest_.append(bytes, size_t(n));
    }
  }

  mutable Mutex pointsMutex_;
  std::map<int, Json> points_ WEFT_GUARDED_BY(pointsMutex_);
  Mutex mutex_;
  int fd_ WEFT_GUARDED_BY(mutex_) = -1;  // this and all below: guarded by mutex_
  int64_t id_ WEFT_GUARDED_BY(mutex_) = 0;
  std::string rest_ WEFT_GUARDED_BY(mutex_);
};

/// Debugs the steps of one graph in a program.
class RemoteDebugger final : public DebugControl {
 public:
  RemoteDebugger(int graph, std::shared_ptr<DebugLine> line, std::function<void(int, qint64)> detach, std::function<void()> pause)
      : graph_(graph), line_(std::move(line)), detach_(std::move(detach)), pause_(std::move(pause)) {}

  void take(DebugView view, int64_t run, std::vector<Breakpoint> hits) {
    std::function<void()> changed;
    {
      const MutexLock lock(mutex_);
      view_ = std::move(view);
      run_ = run;
      hits_ = std::move(hits);
      changed = changed_;
    }
    if (changed) changed();
  }
  /// Nothing more arrives: the program has ended or was replaced.
  void end() {
    detach_ = nullptr;
    pause_ = nullptr;
    DebugView last = view();
    if (last.phase == DebugPhase::Ended) return;
    last.phase = DebugPhase::Ended;
    take(std::move(last), run(), breakpoints());
  }
  /// A debugger for the next step, which takes over this one's state; this one ends.
  std::shared_ptr<RemoteDebugger> next() {
    auto fresh = std::make_shared<RemoteDebugger>(graph_, line_, detach_, pause_);
    fresh->take(view(), run(), breakpoints());
    setChanged({});
    end();
    return fresh;
  }
  void setChanged(std::function<void()> changed) {
    const MutexLock lock(mutex_);
    changed_ = std::move(changed);
  }

  // Breakpoints are sent to the program together with all others of the document.
  Result<int> setBreakpoint(Breakpoint breakpoint) override { return breakpoint.id; }
  void removeBreakpoint(int) override {}
  std::vector<Breakpoint> breakpoints() const override {
    const MutexLock lock(mutex_);
    return hits_;
  }
  Status command(DebugCommand command) override { return go({{"ask", commandWord(command)}}); }
  Status stepBack(int64_t ops) override { return go({{"ask", "back"}, {"count", ops}}); }
  Status goToIteration(int64_t iteration) override { return go({{"ask", "iteration"}, {"count", iteration}}); }
  Status runTo(const std::string& place) override { return go({{"ask", "to"}, {"place", place}}); }
  void pause() override {
    if (pause_) pause_();
  }
  void stop() override { detach(); }
  void detach() override {
    if (detach_) detach_(graph_, run());
  }
  DebugView view() const override {
    const MutexLock lock(mutex_);
    return view_;
  }
  Result<DebugValue> value(const std::string& tensor) const override { return read({{"ask", "value"}, {"tensor", tensor}}); }
  Result<DebugValue> previousRunValue(const std::string& tensor) const override { return read({{"ask", "previous"}, {"tensor", tensor}}); }
  DebugHistory history(const std::string& tensor) const override {
    DebugHistory out;
    const auto answer = ask({{"ask", "past"}, {"tensor", tensor}}, kLongMs);
    if (!answer.ok()) {
      out.earlier = answer.error();
      return out;
    }
    try {
      out.earlier = valueFromJson(answer->at("earlier"), line_->folder);
      for (const Json& m : answer->at("moments"))
        out.moments.push_back({m.at(0).get<int64_t>(), m.at(1).get<double>(), m.at(2).get<double>(), m.at(3).get<double>(), m.at(4).get<bool>()});
    } catch (const Json::exception&) {
      out.earlier = gone();
    }
    return out;
  }
  Result<std::string> evaluate(const std::string& expression) const override {
    WEFT_LET(const Json answer, ask({{"ask", "evaluate"}, {"expression", expression}}, kShortMs));
    const auto words = answer.find("text");
    if (words == answer.end() || !words->is_string()) return gone();
    return words->get<std::string>();
  }
  Status setValue(const std::string& tensor, const Tensor& value) override {
    DebugValue v;
    v.tensor = value;
    const Json file = valueToJson(v, line_->folder);
    if (file.contains("error")) return errorFromJson(file);
    WEFT_TRY(ask({{"ask", "set"}, {"tensor", tensor}, {"value", file}}, kLongMs).status());
    return refresh();
  }
  Status clearValue(const std::string& tensor) override {
    WEFT_TRY(ask({{"ask", "clear"}, {"tensor", tensor}}, kLongMs).status());
    return refresh();
  }
  Autopsy autopsy(const std::string& tensor) const override {
    Autopsy none;
    const auto answer = ask({{"ask", "autopsy"}, {"tensor", tensor}}, kLongMs);
    if (!answer.ok()) {
      none.summary = answer.error().message;
      return none;
    }
    try {
      return autopsyFromJson(*answer);
    } catch (const Json::exception&) {
      none.summary = gone().message;
      return none;
    }
  }

 private:
  int64_t run() const {
    const MutexLock lock(mutex_);
    return run_;
  }
  Result<Json> ask(Json request, int patienceMs) const {
    request["graph"] = graph_;
    return line_->ask(std::move(request), patienceMs);
  }
  Result<DebugValue> read(Json request) const {
    WEFT_LET(const Json answer, ask(std::move(request), kLongMs));
    return valueFromJson(answer, line_->folder);
  }
  Status go(Json request) {
    if (Json points = line_->points(graph_); !points.is_null()) request["points"] = std::move(points);
    // The program may finish its last step and exit before it has answered.
    if (Status s = ask(std::move(request), kShortMs).status(); !s.ok() && s.code() != Code::Aborted) return s;
    const MutexLock lock(mutex_);
    if (view_.phase == DebugPhase::Stopped) view_.phase = DebugPhase::Running;
    return {};
  }
  Status refresh() {
    WEFT_LET(const Json answer, ask({{"ask", "view"}}, kShortMs));
    try {
      DebugView now = viewFromJson(answer);
      const MutexLock lock(mutex_);
      view_ = std::move(now);
    } catch (const Json::exception&) {
      return gone();
    }
    return {};
  }

  const int graph_;
  const std::shared_ptr<DebugLine> line_;
  std::function<void(int, qint64)> detach_;  // called on the GUI thread, as is pause_
  std::function<void()> pause_;
  mutable Mutex mutex_;
  DebugView view_ WEFT_GUARDED_BY(mutex_);  // this and all below: guarded by mutex_
  int64_t run_ WEFT_GUARDED_BY(mutex_) = 0;
  std::vector<Breakpoint> hits_ WEFT_GUARDED_BY(mutex_);
  std::function<void()> changed_ WEFT_GUARDED_BY(mutex_);
};

ProgramLink::ProgramLink(const QString& folder, const QString& socket) : line_(std::make_shared<DebugLine>(folder.toStdString(), socket.toStdString())) {}

ProgramLink::~ProgramLink() {
  for (const auto& [graph, debugger] : graphs_) debugger->end();
}

bool ProgramLink::take(int graph, const QByteArray& message, StepEvent* stepEvent) {
  try {
    const Json json = Json::parse(message.begin(), message.end());
    const Json& state = json.at("state");
    DebugView view = viewFromJson(state.at("view"));
    std::vector<Breakpoint> hits;
    for (const Json& h : state.at("hits")) {
      Breakpoint b;
      b.id = h.at(0).get<int>();
      b.hits = h.at(1).get<int64_t>();
      hits.push_back(std::move(b));
    }
    *stepEvent = {view.phase == DebugPhase::Stopped, view.phase == DebugPhase::Ended, state.at("run").get<qint64>()};
    auto& debugger = graphs_[graph];
    if (!debugger) debugger = std::make_shared<RemoteDebugger>(graph, line_, detach_, pause_);
    debugger->take(std::move(view), stepEvent->run, std::move(hits));
    return true;
  } catch (const Json::exception&) {
    return false;
  }
}

std::shared_ptr<DebugJob> ProgramLink::job(int graph, GraphContentsPtr contents, std::function<void()> changed) {
  const auto found = graphs_.find(graph);
  if (found == graphs_.end()) return nullptr;
  found->second = found->second->next();
  found->second->setChanged(std::move(changed));
  return DebugJob::ofProgram(std::move(contents), found->second);
}

void ProgramLink::setPoints(int graph, const QByteArray& list) { line_->setPoints(graph, Json::parse(list.begin(), list.end(), nullptr, false)); }

void ProgramLink::setHeld(bool held) { line_->isHeld = held; }

}  // namespace weft::app
