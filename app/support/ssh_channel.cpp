#include "support/ssh_channel.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <utility>

extern char** environ;

namespace weft {
namespace {

constexpr size_t kMostMessages = 16 * 1024;
constexpr int kAliveSeconds = 5, kAliveMisses = 3;  // a network that is gone is noticed after 15 s
constexpr int kEndTries = 40, kEndPauseUs = 5000;   // ssh has 0.2 s to end by itself

void closeOne(int& fd) {
  if (fd >= 0) ::close(fd);
  fd = -1;
}

std::vector<std::string> commandOf(const RemoteAddress& address, const SshOptions& options) {
  const char* program = std::getenv("WEFT_SSH");
  std::vector<std::string> words{program && *program ? program : "ssh", "-T", "-x", "-a"};
  const auto option = [&](const std::string& text) {
    words.emplace_back("-o");
    words.push_back(text);
  };
  option(options.mayAsk ? "BatchMode=no" : "BatchMode=yes");
  option(options.mayAsk ? "StrictHostKeyChecking=ask" : "StrictHostKeyChecking=yes");
  option("ConnectTimeout=" + std::to_string(options.connectSeconds));
  option("ServerAliveInterval=" + std::to_string(kAliveSeconds));
  option("ServerAliveCountMax=" + std::to_string(kAliveMisses));
  // What the configuration may say of interactive sessions does not belong to this one.
  for (const char* text : {"ClearAllForwardings=yes", "PermitLocalCommand=no", "RemoteCommand=none", "ControlMaster=no", "LogLevel=INFO", "EscapeChar=none"})
    option(text);
  if (!address.user.empty()) {
    words.emplace_back("-l");
    words.push_back(address.user);
  }
  if (address.port != 0) {
    words.emplace_back("-p");
    words.push_back(std::to_string(address.port));
  }
  words.insert(words.end(), {"-s", "--", address.host, "sftp"});
  return words;
}

std::vector<std::string> environmentOf(const SshOptions& options) {
  const bool asks = options.mayAsk && !options.askProgram.empty();
  std::vector<std::string> list;
  for (char** e = environ; *e; ++e) {
    const std::string_view entry(*e);
    // ssh's messages are read, so they must be in English; SSH_ASKPASS_REQUIRE and its program are set below.
    if (entry.starts_with("LC_ALL=") || entry.starts_with("LC_MESSAGES=") || entry.starts_with("LANGUAGE=")) continue;
    if ((asks || !options.mayAsk) && entry.starts_with("SSH_ASKPASS")) continue;
    list.emplace_back(entry);
  }
  list.emplace_back("LC_MESSAGES=C");
  // The ssh of a jump host takes no options from the command line, only this.
  if (!options.mayAsk) list.emplace_back("SSH_ASKPASS_REQUIRE=never");
  if (asks) {
    list.push_back("SSH_ASKPASS=" + options.askProgram);
    list.emplace_back("SSH_ASKPASS_REQUIRE=force");
    list.push_back("WEFT_ASK_SOCKET=" + options.askSocket);
    list.push_back("WEFT_ASK_KEY=" + options.askKey);
  }
  return list;
}

std::vector<char*> pointersTo(std::vector<std::string>& words) {
  std::vector<char*> list;
  for (std::string& word : words) list.push_back(word.data());
  list.push_back(nullptr);
  return list;
}

}  // namespace

Result<std::unique_ptr<SshChannel>> SshChannel::start(const RemoteAddress& address, const SshOptions& options) {
  if (Status s = checkRemoteAddress(address); !s.ok()) return s;
  std::unique_ptr<SshChannel> made(new SshChannel);
  // Sockets, because a write to a pipe without reader would end this program with a signal.
  int in[2] = {-1, -1}, out[2] = {-1, -1}, errors[2] = {-1, -1}, wake[2] = {-1, -1};
  const bool piped = ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, in) == 0 && ::pipe2(out, O_CLOEXEC) == 0 && ::pipe2(errors, O_CLOEXEC) == 0 &&
                     ::pipe2(wake, O_CLOEXEC | O_NONBLOCK) == 0;
  made->in_ = in[0];
  made->out_ = out[0];
  made->errors_ = errors[0];
  made->wakeRead_ = wake[0];
  made->wakeWrite_ = wake[1];
  int failure = piped ? 0 : errno;
  std::vector<std::string> words = commandOf(address, options), environment = environmentOf(options);
  if (piped) {
    ::fcntl(errors[0], F_SETFL, O_NONBLOCK);
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, in[1], 0);
    posix_spawn_file_actions_adddup2(&files, out[1], 1);
    posix_spawn_file_actions_adddup2(&files, errors[1], 2);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    // Without a terminal of its own, unless it asks there.
    const bool terminal = options.mayAsk && options.askProgram.empty();
    posix_spawnattr_setflags(&attributes, short(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | (terminal ? 0 : POSIX_SPAWN_SETSID)));
    failure = ::posix_spawnp(&made->process_, words[0].c_str(), &files, &attributes, pointersTo(words).data(), pointersTo(environment).data());
    if (failure != 0) made->process_ = -1;
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
  }
  closeOne(in[1]);
  closeOne(out[1]);
  closeOne(errors[1]);
  if (failure == ENOENT) return notFound(words[0], " was not found");
  if (failure != 0) return internalError(words[0], " could not be started: ", std::strerror(failure));
  return made;
}

SshChannel::~SshChannel() {
  closeOne(in_);
  closeOne(out_);
  if (process_ > 0) {
    ::kill(process_, SIGTERM);
    int tries = 0;
    while (::waitpid(process_, nullptr, WNOHANG) == 0 && tries < kEndTries) {
      ::usleep(kEndPauseUs);
      ++tries;
    }
    if (tries == kEndTries) {
      ::kill(process_, SIGKILL);
      ::waitpid(process_, nullptr, 0);
    }
  }
  closeOne(errors_);
  closeOne(wakeRead_);
  closeOne(wakeWrite_);
}

void SshChannel::interrupt() {
  interrupted_ = true;
  const char byte = 0;
  if (::write(wakeWrite_, &byte, 1) < 0) return;  // full: it is awake already
}

void SshChannel::readMessages() {
  char bytes[1024];
  while (true) {
    const ssize_t got = ::read(errors_, bytes, sizeof bytes);
    if (got > 0) {
      messages_.append(bytes, size_t(got));
      if (messages_.size() > kMostMessages) messages_.erase(0, messages_.size() - kMostMessages);
      continue;
    }
    if (got == 0) closeOne(errors_);
    if (got < 0 && errno == EINTR) continue;
    return;
  }
}

bool SshChannel::wait(int fd, short events) {
  while (!interrupted_) {
    pollfd list[3] = {{fd, events, 0}, {wakeRead_, POLLIN, 0}, {errors_, POLLIN, 0}};
    if (::poll(list, errors_ >= 0 ? 3 : 2, -1) < 0 && errno != EINTR) return false;
    if (errors_ >= 0 && list[2].revents != 0) readMessages();
    if (interrupted_ || list[1].revents != 0) return false;
    if (list[0].revents != 0) return true;
  }
  return false;
}

bool SshChannel::send(std::string_view bytes) {
  while (!bytes.empty()) {
    if (!wait(in_, POLLOUT)) return false;
    const ssize_t sent = ::send(in_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent > 0) bytes.remove_prefix(size_t(sent));
    else if (errno != EINTR && errno != EAGAIN) return false;
  }
  return true;
}

size_t SshChannel::receive(char* into, size_t bytes) {
  while (wait(out_, POLLIN)) {
    const ssize_t got = ::read(out_, into, bytes);
    if (got > 0) return size_t(got);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    // The end of the data is also the end of the messages, which may come a little later.
    while (errors_ >= 0) {
      pollfd last[2] = {{errors_, POLLIN, 0}, {wakeRead_, POLLIN, 0}};
      if (::poll(last, 2, 500) <= 0 || last[1].revents != 0) break;
      readMessages();
    }
    return 0;
  }
  return 0;
}

SshFailure sshFailureOf(const std::string& messages) {
  const auto says = [&](const char* words) { return messages.find(words) != std::string::npos; };
  if (says("REMOTE HOST IDENTIFICATION HAS CHANGED") || says("has changed and you have requested strict checking")) return SshFailure::ChangedKey;
  if (says("Host key verification failed") || says("host key is known for")) return SshFailure::UnknownKey;
  if (says("Could not resolve hostname")) return SshFailure::UnknownName;
  if (says("Permission denied") || says("Too many authentication failures") || says("No more authentication methods")) return SshFailure::NotAllowed;
  if (says("subsystem request failed")) return SshFailure::NoSftp;
  for (const char* words : {"Connection refused", "timed out", "No route to host", "Network is unreachable", "Connection closed by", "Connection reset by",
                            "kex_exchange_identification", "Host is down", "port 65535"})
    if (says(words)) return SshFailure::Unreachable;
  return messages.empty() ? SshFailure::None : SshFailure::Lost;
}

std::string sshMessageOf(const std::string& messages) {
  std::istringstream lines(messages);
  std::string best;
  for (std::string line; std::getline(lines, line);) {
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ' || line.back() == '.')) line.pop_back();
    if (line.empty() || line[0] == '@' || line.starts_with("Warning: Permanently added") || line.starts_with("Connection closed")) continue;
    best = line;
  }
  if (best.empty()) {  // the line that was left out above, if it is the only one
    std::istringstream again(messages);
    for (std::string line; std::getline(again, line);)
      if (line.starts_with("Connection closed")) best = line;
  }
  while (!best.empty() && best.back() == '\r') best.pop_back();
  return best.starts_with("ssh: ") ? best.substr(5) : best;
}

std::string sshFailureText(SshFailure failure, const RemoteAddress& address, const std::string& message) {
  const std::string host = address.hostText(), why = message.empty() ? std::string() : " (" + message + ")";
  switch (failure) {
    case SshFailure::NoProgram: return "ssh was not found; install OpenSSH's client (package openssh-client)";
    case SshFailure::UnknownName: return "there is no host " + address.host + why + "; check its spelling";
    case SshFailure::Unreachable: return host + " cannot be reached" + why;
    case SshFailure::NotAllowed: return host + " does not let you in" + why + "; check the user, and that your key is known there";
    case SshFailure::UnknownKey:
      return "the host key of " + address.host + " is not known here; connect once with \"ssh " + host + "\" and compare its fingerprint";
    case SshFailure::ChangedKey:
      return "the host key of " + address.host +
             " has changed since the last connection, so it may be another machine; ask who runs it, then remove the old key with \"ssh-keygen -R " +
             address.host + "\"";
    case SshFailure::NoSftp: return host + " does not offer SFTP" + why;
    case SshFailure::Lost:
    case SshFailure::None: break;
  }
  return "the connection to " + host + " was lost" + why;
}

}  // namespace weft
