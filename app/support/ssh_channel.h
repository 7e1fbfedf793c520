#pragma once

#include <sys/types.h>

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "support/byte_channel.h"
#include "support/remote_address.h"
#include "weft/error.h"

namespace weft {

/// How a connection through the system's OpenSSH is made.
struct SshOptions {
  /// Whether ssh may ask for passwords and about unknown host keys. Else such a connection fails.
  bool mayAsk = false;
  /// The program that asks (SSH_ASKPASS), with two variables of its environment; empty: ssh asks on the terminal.
  std::string askProgram, askSocket, askKey;
  int connectSeconds = 15;
};

/// Why a connection failed; tells apart what helps against it.
enum class SshFailure { None, NoProgram, UnknownName, Unreachable, NotAllowed, UnknownKey, ChangedKey, NoSftp, Lost };

/// The kind of failure that ssh's messages on its error output mean.
SshFailure sshFailureOf(const std::string& messages);
/// The one line of ssh's messages that says most; empty: there is none.
std::string sshMessageOf(const std::string& messages);
/// The failure in English, with what to do.
std::string sshFailureText(SshFailure failure, const RemoteAddress& address, const std::string& message);

/// A running `ssh -s HOST sftp`: the keys, agents, jump hosts and known hosts of the user's configuration apply. The program is `ssh`, or what the environment
/// variable WEFT_SSH names. Unknown host keys are never accepted unasked, whatever the configuration says.
class SshChannel : public ByteChannel {
 public:
  /// Starts the program; whether it connects shows the first receive().
  static Result<std::unique_ptr<SshChannel>> start(const RemoteAddress& address, const SshOptions& options);
  /// Ends the program.
  ~SshChannel() override;

  bool send(std::string_view bytes) override;
  size_t receive(char* into, size_t bytes) override;
  void interrupt() override;
  /// What ssh wrote on its error output so far, at most the last 16 kB.
  const std::string& messages() const { return messages_; }
  /// Of the program.
  pid_t process() const { return process_; }

 private:
  SshChannel() = default;
  /// Waits until `fd` is ready, and collects messages. False: interrupted.
  bool wait(int fd, short events);
  void readMessages();

  pid_t process_ = -1;
  int in_ = -1, out_ = -1, errors_ = -1, wakeRead_ = -1, wakeWrite_ = -1;
  std::atomic<bool> interrupted_{false};
  std::string messages_;
};

}  // namespace weft
