/// weft-arguments: calls every op with arguments that make no sense (README.md says how they are made and what counts as wrong).
///
///     weft-arguments [--calls N | --long] [--seed S] [--op NAME…] [--from A --to B] [--call K] [--describe]
///     weft-arguments --advisories [--call K] [--describe]
///     … --outcomes          says what each call comes to
///     … --write FOLDER      writes the calls as files, for another judge
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <functional>
#include <iostream>
#include <map>
#include <set>

#include "advisories.h"
#include "mutation.h"
#include "support/sanitized.h"
#include "tensor/allocator.h"
#include "tensor/guarded_memory.h"
#include "trial.h"

namespace {

using namespace weft;
using namespace weft::arguments;

constexpr int kPatienceMs = 20'000;            ///< A call that says nothing for so long hangs.
constexpr double kLongest = 2;                 ///< Seconds of processor time that a call may take, for each 16 MB that its tensors take.
constexpr size_t kMemory = size_t(512) << 20;  ///< Limit for tensors.
constexpr int kMostDeaths = 6;                 ///< Of one op; its other calls are then left.

struct Options {
  int calls = 200, only = -1;
  uint64_t seed = 1;
  size_t from = 0, to = size_t(-1);
  bool describe = false, advisories = false, outcomes = false;
  std::string folder;  ///< Where calls are written to.
  std::set<std::string> ops;
};

uint64_t hashOf(std::string_view text) {
  uint64_t h = 1469598103934665603ull;
  for (const char c : text) h = (h ^ uint8_t(c)) * 1099511628211ull;
  return h;
}

/// Runs calls in child processes, one after another. `load` runs in the child and returns the source of call number k.
struct Work {
  std::string name;
  int calls = 0;
  std::function<std::function<Call(int)>()> load;
};

/// Call number `k` of an op: the same every time.
Call makeCall(const std::vector<Call>& bases, const OpRecord& record, uint64_t seed, int k) {
  Dice dice(hashOf(record.name) ^ (seed << 40) ^ uint64_t(k));
  Call call = bases[size_t(k) % bases.size()];
  if (k >= int(bases.size())) spoil(dice, call);
  return call;
}

/// INTERNAL where TensorFlow 1.15 says INTERNAL in the same words.
bool saidByTensorFlow(const std::string& message) {
  for (const char* words :
       {"Invalid variable reference.", "only supports NHWC tensor format for now", "JPEG encoding failed", "only integer div and mod should have errors",
        "Values and indices must be equal", "Mismatching ranks: shape =", "out of bounds: shape =", "rejection sampler failed to accept a sample"}) {
    if (message.find(words) != std::string::npos) return true;
  }
  // SparseToSparseSetOperation: "indices[0, 1] expected < 4, got 1000."
  return message.find("indices[") != std::string::npos && message.find("] expected < ") != std::string::npos;
}

/// Ends the process on purpose, or waits for another: nothing that can be tried in a child that has to answer.
bool left(const std::string& op) { return op == "Abort"; }

int answers = -1;  ///< Where a dying child says where it dies.

/// Writes the addresses of the active calls relative to the engine's library (for addr2line), then dies of the same signal.
void dying(int signal) {
  void* frames[24];
  const int n = backtrace(frames, 24);
  char line[600] = "trace";
  size_t at = 5;
  for (int i = 2; i < n && at < sizeof line - 64; ++i) {
    Dl_info info{};
    if (!dladdr(frames[i], &info) || !info.dli_fname || !std::strstr(info.dli_fname, "libweft-engine")) continue;
    at += size_t(std::snprintf(line + at, sizeof line - at, " %lx", long(static_cast<char*>(frames[i]) - static_cast<char*>(info.dli_fbase)) - 1));
  }
  line[at++] = '\n';
  (void)!write(answers, line, at);
  ::signal(signal, SIG_DFL);
  raise(signal);
}

/// On a separate stack: an exhausted stack cannot run a handler.
void watchForDeath() {
  static char stack[1 << 16];
  void* first[1];
  backtrace(first, 1);  // loads its library now
  const stack_t other{stack, 0, sizeof stack};
  sigaltstack(&other, nullptr);
  struct sigaction action {};
  action.sa_handler = dying;
  action.sa_flags = SA_ONSTACK | SA_NODEFER;
  for (const int s : {SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGILL}) sigaction(s, &action, nullptr);
}

[[noreturn]] void child(const Work& work, const Options& options, int first, int out) {
  if (const int null = open("/dev/null", O_RDWR); null >= 0 && !options.describe) {
    dup2(null, STDOUT_FILENO);
    dup2(null, STDERR_FILENO);
  }
  const rlimit memory{rlim_t(6) << 30, rlim_t(6) << 30}, file{rlim_t(64) << 20, rlim_t(64) << 20}, core{0, 0};
  if (!tests::kSanitized) setrlimit(RLIMIT_AS, &memory);  // sanitizers need shadow memory and install their own handlers
  setrlimit(RLIMIT_FSIZE, &file);
  setrlimit(RLIMIT_CORE, &core);
  signal(SIGXFSZ, SIG_IGN);
  signal(SIGPIPE, SIG_DFL);
  answers = out;
  if (!tests::kSanitized) watchForDeath();
  guardHostMemory();
  hostAllocator().setLimit(kMemory);
  const auto say = [out](const std::string& line) { return write(out, (line + "\n").data(), line.size() + 1); };
  const auto callNumber = work.load();
  if (!callNumber) {
    (void)say("none");
    _exit(0);
  }
  for (int k = first; k < work.calls; ++k) {
    if (options.only >= 0 && k != options.only) continue;
    (void)say(concat("call ", k));
    const Call call = callNumber(k);
    if (!options.folder.empty()) {
      if (!write(call, concat(options.folder, "/", work.name, "-", k))) (void)say(concat("wrong ", k, " unwritten"));
      continue;
    }
    if (options.describe) std::cerr << call.origin << '\n' << describe(call);
    hostAllocator().resetPeak();
    Outcome outcome = attempt(call);
    std::replace(outcome.message.begin(), outcome.message.end(), '\n', ' ');
    if (options.describe) std::cerr << codeName(outcome.code) << ' ' << outcome.message << '\n';
    std::string wrong;
    if ((outcome.code == Code::Internal || outcome.code == Code::Unknown) && !saidByTensorFlow(outcome.message)) wrong = "internal";
    if (outcome.seconds > kLongest * double(1 + (hostAllocator().peakBytes() >> 24))) wrong = concat("slow (", outcome.seconds, " s)");
    if (outcome.memory) wrong = concat("unasked memory (", outcome.memory, " bytes)");
    if (outcome.wrongType) wrong = "wrong type";
    if (options.outcomes) (void)say(concat("outcome ", k, " ", codeName(outcome.code), " ", outcome.message.substr(0, 300)));
    if (!wrong.empty()) (void)say(concat("wrong ", k, " ", wrong, ": ", outcome.message.substr(0, 300)));
    (void)say(outcome.code == Code::Ok ? "value" : "error");
  }
  _exit(0);
}

struct Totals {
  long calls = 0, values = 0, errors = 0, ops = 0, without = 0, deaths = 0;
  std::map<std::string, int> wrong;  ///< Findings by kind.
  std::vector<std::string> lines;
};

/// Runs calls in children; a child that dies or hangs costs the call that it was at.
void tryAll(const Work& work, const Options& options, Totals& totals) {
  int next = 0;
  const int most = options.advisories ? work.calls : kMostDeaths;
  for (int deaths = 0; deaths < most && next < work.calls;) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return;
    const pid_t pid = fork();
    if (pid == 0) {
      close(ends[0]);
      child(work, options, next, ends[1]);
    }
    close(ends[1]);
    std::string buffer;
    int at = next;
    bool silent = false;
    std::string trace;
    for (;;) {
      pollfd p{ends[0], POLLIN, 0};
      const int ready = poll(&p, 1, kPatienceMs);
      if (ready == 0) {
        silent = true;
        break;
      }
      char chunk[4096];
      const ssize_t n = read(ends[0], chunk, sizeof chunk);
      if (n <= 0) break;
      buffer.append(chunk, size_t(n));
      for (size_t end; (end = buffer.find('\n')) != std::string::npos; buffer.erase(0, end + 1)) {
        const std::string line = buffer.substr(0, end);
        if (line.starts_with("call ")) at = std::atoi(line.c_str() + 5), ++totals.calls;
        if (line.starts_with("trace")) trace = line.substr(5);
        if (line == "value") ++totals.values;
        if (line == "error") ++totals.errors;
        if (line.starts_with("outcome")) std::cout << work.name << line.substr(7) << '\n';
        if (line == "none") ++totals.without;
        if (line.starts_with("wrong ")) {
          totals.lines.push_back(work.name + " " + line.substr(6));
          const size_t kind = line.find(' ', 6) + 1;
          ++totals.wrong[line.substr(kind, line.find_first_of(" :", kind) - kind)];
        }
      }
    }
    if (silent) kill(pid, SIGKILL);
    close(ends[0]);
    int status = 0;
    waitpid(pid, &status, 0);
    if (!silent && WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
    const std::string how = silent ? "hangs" : WIFSIGNALED(status) ? concat("dies: ", strsignal(WTERMSIG(status))) : concat("ends with ", WEXITSTATUS(status));
    totals.lines.push_back(concat(work.name, " ", at, " ", how, trace.empty() ? "" : " at", trace));
    ++totals.wrong[silent ? "hangs" : "dies"];
    next = at + 1;
    ++deaths;
  }
}

Options optionsFrom(int argc, char** argv) {
  Options o;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto value = [&] { return i + 1 < argc ? argv[++i] : ""; };
    if (word == "--calls") o.calls = std::atoi(value());
    else if (word == "--long") o.calls = 400;
    else if (word == "--seed") o.seed = std::strtoull(value(), nullptr, 10);
    else if (word == "--from") o.from = std::strtoull(value(), nullptr, 10);
    else if (word == "--to") o.to = std::strtoull(value(), nullptr, 10);
    else if (word == "--call") o.only = std::atoi(value());
    else if (word == "--describe") o.describe = true;
    else if (word == "--outcomes") o.outcomes = true;
    else if (word == "--write") o.folder = std::filesystem::absolute(value());
    else if (word == "--advisories") o.advisories = true;
    else if (word == "--op") o.ops.insert(value());
    else o.ops.insert(word);
  }
  o.calls = std::max(o.calls, o.only + 1);
  return o;
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = optionsFrom(argc, argv);
  const BaseCalls baseCalls(WEFT_SOURCE_DIR "/tests/golden");
  std::string folder = (std::filesystem::temp_directory_path() / "weft-arguments-XXXXXX").string();
  if (!mkdtemp(folder.data()) || chdir(folder.c_str()) != 0) return 2;  // ops write their files here
  Totals totals;
  const auto tryNext = [&](const Work& work) {
    ++totals.ops;
    const size_t before = totals.lines.size();
    tryAll(work, options, totals);
    for (size_t k = before; k < totals.lines.size(); ++k) std::cout << totals.lines[k] << std::endl;
  };
  const auto records = OpRegistry::instance().all();
  if (options.advisories) {
    std::vector<std::string> unreadable;
    const std::vector<Call> calls = advisoryCalls(WEFT_SOURCE_DIR "/tests/arguments/advisories.txt", unreadable);
    tryNext({"advisory", int(calls.size()), [&] { return [&](int k) { return calls[size_t(k)]; }; }});
    for (const std::string& line : unreadable) std::cout << "cannot be read: " << line << '\n';
    totals.lines.insert(totals.lines.end(), unreadable.begin(), unreadable.end());
  }
  for (size_t i = options.from; i < std::min(records.size(), options.to) && !options.advisories; ++i) {
    const OpRecord& record = *records[i];
    if ((!options.ops.empty() && !options.ops.count(record.name)) || left(record.name)) continue;
    tryNext({record.name, options.calls, [&]() -> std::function<Call(int)> {
               auto bases = std::make_shared<std::vector<Call>>(baseCalls.of(record));
               if (bases->empty()) return {};
               return [&, bases](int k) { return makeCall(*bases, record, options.seed, k); };
             }});
  }
  (void)chdir("/");
  std::error_code none;
  std::filesystem::remove_all(folder, none);
  std::cout << totals.ops << (options.advisories ? " table, " : " ops, ") << totals.calls << " calls: " << totals.values << " values, " << totals.errors
            << " errors";
  for (const auto& [kind, n] : totals.wrong) std::cout << ", " << kind << " " << n;
  std::cout << " (seed " << options.seed << ")\n";
  return totals.lines.empty() ? 0 : 1;
}
