#include "sweep/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace weft::sweep {
namespace {

constexpr size_t kMostErrors = 8192;  // bytes of standard error that are kept

void closeFile(int& file) {
  if (file >= 0) ::close(file);
  file = -1;
}

}  // namespace

Result<ChildProcess> ChildProcess::start(const std::vector<std::string>& words) {
  int out[2], err[2], failed[2];
  if (::pipe2(out, O_CLOEXEC) != 0) return resourceExhausted("no pipe for a run: ", std::strerror(errno));
  if (::pipe2(err, O_CLOEXEC) != 0) {
    closeFile(out[0]), closeFile(out[1]);
    return resourceExhausted("no pipe for a run: ", std::strerror(errno));
  }
  if (::pipe2(failed, O_CLOEXEC) != 0) {
    for (int* file : {&out[0], &out[1], &err[0], &err[1]}) closeFile(*file);
    return resourceExhausted("no pipe for a run: ", std::strerror(errno));
  }
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  if (pid == 0) {
    // Only calls that are safe between fork and exec of a program with threads.
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (::getppid() != parent) ::_exit(127);
    ::setpgid(0, 0);  // Ctrl+C reaches the sweep, which tells its runs
    sigset_t none;
    sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    for (const int number : {SIGINT, SIGTERM, SIGPIPE}) ::signal(number, SIG_DFL);
    ::dup2(out[1], 1);
    ::dup2(err[1], 2);
    if (const int null = ::open("/dev/null", O_RDONLY); null >= 0) ::dup2(null, 0);
    ::execv(arguments[0], arguments.data());
    const int why = errno;
    (void)!::write(failed[1], &why, sizeof why);
    ::_exit(127);
  }
  const int forked = errno;
  for (int* file : {&out[1], &err[1], &failed[1]}) closeFile(*file);
  int why = 0;
  const bool cannot = pid > 0 && ::read(failed[0], &why, sizeof why) == ssize_t(sizeof why);  // waits for the exec
  closeFile(failed[0]);
  if (pid < 0 || cannot) {
    closeFile(out[0]), closeFile(err[0]);
    if (pid < 0) return resourceExhausted("no process for a run: ", std::strerror(forked));
    ::waitpid(pid, nullptr, 0);
    return notFound("the program cannot be started: ", std::strerror(why)).inFile(words[0]);
  }
  ::fcntl(err[0], F_SETFL, O_NONBLOCK);
  return ChildProcess(pid, out[0], err[0]);
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : pid_(other.pid_), out_(other.out_), err_(other.err_), buffer_(std::move(other.buffer_)), errors_(std::move(other.errors_)), ended_(other.ended_) {
  other.out_ = other.err_ = -1;
  other.ended_ = true;
}

ChildProcess::~ChildProcess() {
  if (!ended_) {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  closeFile(out_);
  closeFile(err_);
}

void ChildProcess::readErrors() {
  char bytes[4096];
  for (ssize_t n = 0; (n = ::read(err_, bytes, sizeof bytes)) > 0;) {
    errors_.append(bytes, size_t(n));
    if (errors_.size() > kMostErrors) errors_.erase(0, errors_.size() - kMostErrors);
  }
}

ChildProcess::Event ChildProcess::next(std::string* line, std::chrono::milliseconds wait) {
  for (;;) {
    if (const size_t end = buffer_.find('\n'); end != std::string::npos) {
      *line = buffer_.substr(0, end);
      buffer_.erase(0, end + 1);
      return Event::Line;
    }
    pollfd files[2] = {{out_, POLLIN, 0}, {err_, POLLIN, 0}};
    const int ready = ::poll(files, 2, int(wait.count()));
    if (ready < 0 && errno == EINTR) return Event::Nothing;
    if (ready <= 0) return Event::Nothing;
    if (files[1].revents & POLLIN) readErrors();
    if (!(files[0].revents & (POLLIN | POLLHUP))) return Event::Nothing;
    char bytes[4096];
    const ssize_t n = ::read(out_, bytes, sizeof bytes);
    if (n <= 0) return Event::End;
    buffer_.append(bytes, size_t(n));
  }
}

void ChildProcess::signal(int number) {
  if (!ended_) ::kill(pid_, number);
}

int64_t ChildProcess::residentBytes() const {
  char path[64];
  std::snprintf(path, sizeof path, "/proc/%d/statm", int(pid_));
  long long all = 0, resident = 0;
  if (FILE* file = std::fopen(path, "re")) {
    if (std::fscanf(file, "%lld %lld", &all, &resident) != 2) resident = 0;
    std::fclose(file);
  }
  return int64_t(resident) * ::sysconf(_SC_PAGESIZE);
}

ChildProcess::Ended ChildProcess::wait() {
  Ended out;
  int status = 0;
  rusage usage{};
  while (::wait4(pid_, &status, 0, &usage) < 0 && errno == EINTR) continue;
  ended_ = true;
  readErrors();
  out.exit = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  out.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  out.peakBytes = int64_t(usage.ru_maxrss) * 1024;
  while (!errors_.empty() && (errors_.back() == '\n' || errors_.back() == '\r')) errors_.pop_back();
  const size_t last = errors_.find_last_of("\n\r");
  out.lastError = last == std::string::npos ? errors_ : errors_.substr(last + 1);
  return out;
}

}  // namespace weft::sweep
