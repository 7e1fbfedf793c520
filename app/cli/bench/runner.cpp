#include "cli/bench/runner.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>

#include "cli/command.h"

extern char** environ;

namespace weft::cli {
namespace {

namespace fs = std::filesystem;

constexpr int kPollMs = 100;
constexpr size_t kMostMessageBytes = 300;

void closeEnd(int& fd) {
  if (fd >= 0) ::close(fd);
  fd = -1;
}

/// The last line of a file that says something, cut to a readable length.
std::string lastLine(const std::string& path) {
  const auto text = readTextFile(path);
  if (!text.ok()) return {};
  std::string_view rest = *text;
  while (!rest.empty()) {
    while (!rest.empty() && std::isspace(static_cast<unsigned char>(rest.back()))) rest.remove_suffix(1);
    const size_t start = rest.rfind('\n') + 1;  // 0 if there is none
    if (start < rest.size()) return std::string(rest.substr(start, kMostMessageBytes));
  }
  return {};
}

}  // namespace

Result<std::string> runnerFolder() {
  std::error_code ignored;
  const fs::path self = fs::read_symlink("/proc/self/exe", ignored);
  for (const char* folder : {"../share/weft/against", "../" WEFT_DATADIR "/weft/against"}) {
    const fs::path candidate = (self.parent_path() / folder).lexically_normal();
    if (fs::exists(candidate / "run_tf.py", ignored)) return candidate.string();
  }
  return notFound("the scripts of other engines are not beside this program (share/weft/against)");
}

Result<std::unique_ptr<Runner>> Runner::start(const std::string& python, const std::string& script, const std::string& job, const std::string& messages) {
  std::unique_ptr<Runner> made(new Runner);
  made->messages_ = messages;
  // A socket for the orders, because a write to a pipe without reader would end this program with a signal.
  int in[2] = {-1, -1}, out[2] = {-1, -1};
  int log = ::open(messages.c_str(), O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0600);
  int failure = log >= 0 && ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, in) == 0 && ::pipe2(out, O_CLOEXEC) == 0 ? 0 : errno;
  made->in_ = in[0];
  made->out_ = out[0];
  if (failure == 0) {
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, in[1], 0);
    posix_spawn_file_actions_adddup2(&files, out[1], 1);
    posix_spawn_file_actions_adddup2(&files, log, 2);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    // A group of its own: it ends with all that it started, and Ctrl-C of the terminal is this program's.
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, short(POSIX_SPAWN_SETPGROUP));
    std::vector<std::string> words = {python, "-B", script, job};
    std::vector<char*> argv;
    for (std::string& w : words) argv.push_back(w.data());
    argv.push_back(nullptr);
    failure = ::posix_spawnp(&made->process_, python.c_str(), &files, &attributes, argv.data(), environ);
    if (failure != 0) made->process_ = -1;
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
  }
  closeEnd(in[1]);
  closeEnd(out[1]);
  closeEnd(log);
  if (failure == ENOENT) return notFound("there is no such program; --python names a Python").inFile(python);
  if (failure != 0) return internalError("cannot be started: ", std::strerror(failure)).inFile(python);
  return made;
}

Runner::~Runner() {
  closeEnd(in_);
  closeEnd(out_);
  if (process_ <= 0) return;
  ::kill(-process_, SIGKILL);
  while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

Error Runner::ended() {
  int status = 0;
  std::string how = "ended";
  if (process_ > 0 && ::waitpid(process_, &status, 0) == process_) {
    how = WIFSIGNALED(status) ? concat("was ended by signal ", WTERMSIG(status)) : concat("ended with status ", WEXITSTATUS(status));
    ::kill(-process_, SIGKILL);
    process_ = -1;
  }
  const std::string said = lastLine(messages_);
  return Error(unavailable("its process ", how, said.empty() ? "" : ": ", said));
}

Result<Json> Runner::answer() {
  while (true) {
    const size_t newline = buffer_.find('\n');
    if (newline != std::string::npos) {
      Json json = Json::parse(buffer_.substr(0, newline), nullptr, false);
      buffer_.erase(0, newline + 1);
      if (!json.is_object()) continue;
      const auto error = json.find("error");
      if (error != json.end() && error->is_string()) return failedPrecondition(error->get<std::string>());
      return json;
    }
    if (interrupted()) return cancelledError("interrupted");
    pollfd wait = {out_, POLLIN, 0};
    if (::poll(&wait, 1, kPollMs) <= 0) continue;
    char bytes[4096];
    const ssize_t got = ::read(out_, bytes, sizeof bytes);
    if (got > 0) buffer_.append(bytes, size_t(got));
    else if (got == 0) return ended();
    else if (errno != EINTR) return internalError("cannot be read: ", std::strerror(errno));
  }
}

Result<Json> Runner::ask(const std::string& order) {
  const std::string line = order + "\n";
  if (::send(in_, line.data(), line.size(), MSG_NOSIGNAL) != ssize_t(line.size())) return ended();
  return answer();
}

}  // namespace weft::cli
