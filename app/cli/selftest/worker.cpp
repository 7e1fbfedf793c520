#include "cli/selftest/worker.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/selftest/golden_judge.h"
#include "cli/selftest/script_judge.h"
#include "cli/selftest/wire.h"

namespace weft::cli {
namespace {

/// Calls `begin(label)` before each case, so that a crash can be attributed to it.
void judgeItem(const JudgeItem& item, const JudgeOptions& options, const std::function<void(const std::string&)>& begin, const VerdictSink& sink) {
  if (item.kind == JudgeItem::Kind::Script) {
    begin(item.name);
    sink(item.name, judgeScript(item.path, options));
    return;
  }
  const auto records = readRecordFile(item.path);
  if (!records.ok()) {
    sink(item.name, Verdict{Verdict::Kind::Failed, {records.error().toString()}, {}});
    return;
  }
  for (size_t i = 0; i < records->size(); ++i) {
    begin(concat(item.name, "/record ", i));
    const auto golden = parseGoldenCase((*records)[i]);
    if (!golden.ok()) {
      sink(concat(item.name, "/record ", i), Verdict{Verdict::Kind::Failed, {golden.error().toString()}, {}});
      continue;
    }
    const std::string label = item.name + "/" + golden->name;
    begin(label);
    sink(label, judgeGolden(*golden, options));
  }
}

/// Writes one JSON document per line to a pipe.
class LineWriter {
 public:
  explicit LineWriter(int descriptor) : descriptor_(descriptor) {}
  void write(const nlohmann::json& json) {
    const std::string line = json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
    for (size_t done = 0; done < line.size();) {
      const ssize_t n = ::write(descriptor_, line.data() + done, line.size() - done);
      if (n <= 0) _exit(1);
      done += size_t(n);
    }
  }

 private:
  int descriptor_;
};

[[noreturn]] void childMain(const std::vector<JudgeItem>& items, size_t first, const JudgeOptions& options, int descriptor) {
  LineWriter out(descriptor);
  // Output of ops (Print, Assert, messages of libraries) must not mix with the judge's lines.
  if (const int null = open("/dev/null", O_WRONLY); null >= 0) dup2(null, STDOUT_FILENO);
  for (size_t i = first; i < items.size(); ++i) {
    judgeItem(
        items[i], options,
        [&](const std::string& label) {
          out.write({{"begin", label}});
        },
        [&](const std::string& label, const Verdict& v) {
          out.write({{"label", label}, {"kind", int(v.kind)}, {"complaints", v.complaints}, {"notes", v.notes}});
        });
    out.write({{"done", i}});
  }
  _exit(0);
}

/// Reads the child's lines until it ends or is silent for too long.
class ChildReader {
 public:
  ChildReader(int descriptor, int timeoutSeconds) : descriptor_(descriptor), timeoutMs_(timeoutSeconds * 1000) {}
  enum class Event { Line, End, Silence };
  Event next(std::string& line) {
    for (;;) {
      if (const size_t end = buffer_.find('\n'); end != std::string::npos) {
        line = buffer_.substr(0, end);
        buffer_.erase(0, end + 1);
        return Event::Line;
      }
      pollfd p{descriptor_, POLLIN, 0};
      const int ready = poll(&p, 1, timeoutMs_);
      if (ready < 0 && errno == EINTR && !interrupted()) continue;
      if (ready <= 0) return Event::Silence;
      char chunk[65536];
      const ssize_t n = read(descriptor_, chunk, sizeof chunk);
      if (n <= 0) return Event::End;
      buffer_.append(chunk, size_t(n));
    }
  }

 private:
  int descriptor_, timeoutMs_;
  std::string buffer_;
};

}  // namespace

void judgeHere(const std::vector<JudgeItem>& items, const JudgeOptions& options, const VerdictSink& sink) {
  for (const JudgeItem& item : items)
    judgeItem(
        item, options, [](const std::string&) {}, sink);
}

void judgeInChild(const std::vector<JudgeItem>& items, const JudgeOptions& options, int timeoutSeconds, const VerdictSink& sink) {
  size_t next = 0;
  while (next < items.size() && !interrupted()) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return sink("selftest", Verdict{Verdict::Kind::Failed, {"no pipe can be made"}, {}});
    const pid_t child = fork();
    if (child == 0) {
      close(ends[0]);
      childMain(items, next, options, ends[1]);
    }
    close(ends[1]);
    if (child < 0) return sink("selftest", Verdict{Verdict::Kind::Failed, {"no process can be made"}, {}});
    ChildReader reader(ends[0], timeoutSeconds);
    std::string line, current = items[next].name;
    bool open = false;  // whether `current` still waits for its verdict
    auto event = ChildReader::Event::End;
    while ((event = reader.next(line)) == ChildReader::Event::Line) {
      const nlohmann::json json = nlohmann::json::parse(line, nullptr, false);
      if (json.contains("begin")) {
        current = json["begin"];
        open = true;
      } else if (json.contains("done")) {
        next = json["done"].get<size_t>() + 1;
        open = false;
      } else if (json.contains("label")) {
        Verdict v{Verdict::Kind(json["kind"].get<int>()), json["complaints"], json["notes"]};
        sink(json["label"], v);
        open = false;
      }
    }
    if (event == ChildReader::Event::Silence) kill(child, SIGKILL);
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    if (next >= items.size() || interrupted()) break;
    // The child did not finish: its current case failed, and so did the rest of that file.
    std::string why = event == ChildReader::Event::Silence ? concat("no end after ", timeoutSeconds, " s")
                      : WIFSIGNALED(status)                ? concat("crashed: ", strsignal(WTERMSIG(status)))
                                                           : concat("ended with exit status ", WEXITSTATUS(status));
    if (items[next].kind == JudgeItem::Kind::Golden) why += "; the later records of this file were not judged";
    sink(open ? current : current + " and later", Verdict{Verdict::Kind::Failed, {why}, {}});
    ++next;
  }
}

}  // namespace weft::cli
