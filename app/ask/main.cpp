// Passes a question of ssh (SSH_ASKPASS) on to the window that started ssh, and prints the answer. It keeps nothing.
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

int main(int argc, char** argv) {
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);  // if ssh ends, so does its question
  const char* socketPath = std::getenv("WEFT_ASK_SOCKET");
  const char* key = std::getenv("WEFT_ASK_KEY");
  const char* kind = std::getenv("SSH_ASKPASS_PROMPT");
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (!socketPath || !key || std::strlen(socketPath) >= sizeof address.sun_path) {
    std::fputs("weft-ask: only Weft's window starts this program\n", stderr);
    return 1;
  }
  std::strcpy(address.sun_path, socketPath);
  const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0 || ::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) return 1;
  const std::string question = std::string(key) + '\n' + (kind ? kind : "") + '\n' + (argc > 1 ? argv[1] : "") + '\0';
  for (size_t sent = 0; sent < question.size();) {
    const ssize_t n = ::send(fd, question.data() + sent, question.size() - sent, MSG_NOSIGNAL);
    if (n <= 0) return 1;
    sent += size_t(n);
  }
  // "y" and the answer, or "n".
  std::string answer;
  char bytes[256];
  for (ssize_t n = 0; (n = ::read(fd, bytes, sizeof bytes)) > 0;) answer.append(bytes, size_t(n));
  if (answer.empty() || answer[0] != 'y') return 1;
  std::printf("%s\n", answer.c_str() + 1);
  return 0;
}
