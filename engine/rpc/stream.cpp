#include "rpc/stream.h"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <vector>

#include "weft/mutex.h"

namespace weft::rpc {
namespace {

constexpr size_t kPiece = 64 << 10;
constexpr std::chrono::seconds kMostHandshake{20};
constexpr int kHandshakeSliceMs = 50;

class PlainStream final : public Stream {
 public:
  explicit PlainStream(int socket) : Stream(socket) {}
  ssize_t read(char* to, size_t most) override { return ::recv(socket_, to, most, MSG_DONTWAIT); }
  ssize_t write(const iovec* parts, size_t count) override {
    if (count == 0) return 0;
    msghdr message{};
    message.msg_iov = const_cast<iovec*>(parts);
    message.msg_iovlen = count;
    const ssize_t n = ::sendmsg(socket_, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    waits_ = n < 0 && errno == EAGAIN;
    return n;
  }
  bool waits() const override { return waits_; }

 private:
  bool waits_ = false;
};

struct FreeContext {
  void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
};
using Context = std::shared_ptr<SSL_CTX>;

struct Encryption {
  Mutex mutex;
  Context context WEFT_GUARDED_BY(mutex);  ///< Null: connections are not encrypted.
};

Encryption& encryption() {
  static auto* one = new Encryption;
  return *one;
}

Context context() {
  const MutexLock lock(encryption().mutex);
  return encryption().context;
}

template <typename... Parts>
Error notAuthenticated(const Parts&... parts) {
  return Error{Code::Unauthenticated, concat(parts...), {}, {}, {}};
}

/// OpenSSL's last error.
std::string reason() {
  std::array<char, 256> text{};
  ERR_error_string_n(ERR_get_error(), text.data(), text.size());
  ERR_clear_error();
  const std::string all = text.data();  // "error:0A000086:SSL routines::certificate verify failed"
  const size_t colon = all.rfind(':');
  return colon == std::string::npos ? all : all.substr(colon + 1);
}

/// OpenSSL between two buffers in memory: the bytes are moved here, because OpenSSL's own writing to a closed socket raises SIGPIPE.
class TlsStream final : public Stream {
 public:
  TlsStream(int socket, Context context, bool server)
      : Stream(socket), context_(std::move(context)), ssl_(SSL_new(context_.get())), in_(BIO_new(BIO_s_mem())), out_(BIO_new(BIO_s_mem())) {
    if (!ssl_ || !in_ || !out_) throw std::bad_alloc();
    SSL_set_bio(ssl_, in_, out_);
    SSL_set_mode(ssl_, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    if (server) SSL_set_accept_state(ssl_);
    else SSL_set_connect_state(ssl_);
  }
  ~TlsStream() override { SSL_free(ssl_); }

  ssize_t read(char* to, size_t most) override {
    const MutexLock lock(mutex_);
    while (true) {
      ERR_clear_error();
      const int n = SSL_read(ssl_, to, int(std::min<size_t>(most, 1 << 30)));
      if (n > 0) return n;
      const int error = SSL_get_error(ssl_, n);
      if (!push()) return -1;
      if (error == SSL_ERROR_ZERO_RETURN) return 0;
      if (error != SSL_ERROR_WANT_READ) return broken();
      if (const ssize_t got = pull(); got <= 0) return got;
    }
  }

  ssize_t write(const iovec* parts, size_t count) override {
    const MutexLock lock(mutex_);
    if (!push()) return -1;
    ssize_t taken = 0;
    for (size_t i = 0; i < count && !full_; ++i) {
      for (size_t at = 0; at < parts[i].iov_len && !full_;) {
        ERR_clear_error();
        const int n = SSL_write(ssl_, static_cast<const char*>(parts[i].iov_base) + at, int(std::min(parts[i].iov_len - at, kPiece)));
        if (!push()) return -1;
        if (n <= 0) {  // the two sides have not agreed yet; it goes on after a read
          if (SSL_get_error(ssl_, n) != SSL_ERROR_WANT_READ) return broken();
          errno = EAGAIN;
          return taken > 0 ? taken : -1;
        }
        at += size_t(n);
        taken += n;
      }
    }
    if (taken == 0 && count > 0) {
      errno = EAGAIN;
      return -1;
    }
    return taken;
  }
  bool waits() const override {
    const MutexLock lock(mutex_);
    return full_;
  }
  bool hasMore() const override {
    const MutexLock lock(mutex_);
    return SSL_has_pending(ssl_) || BIO_pending(in_) > 0;
  }

  Status agree(const std::string& host, const std::function<bool()>& stopped) {
    X509_VERIFY_PARAM* parameters = SSL_get0_param(ssl_);
    if (X509_VERIFY_PARAM_set1_ip_asc(parameters, host.c_str()) != 1) {
      SSL_set1_host(ssl_, host.c_str());
      SSL_set_tlsext_host_name(ssl_, host.c_str());
    }
    const auto end = std::chrono::steady_clock::now() + kMostHandshake;
    while (std::chrono::steady_clock::now() < end && !stopped()) {
      {
        const MutexLock lock(mutex_);
        ERR_clear_error();
        const int done = SSL_do_handshake(ssl_);
        const int error = SSL_get_error(ssl_, done);
        if (!push()) return unavailable("Socket closed");
        if (done == 1) return {};
        if (error != SSL_ERROR_WANT_READ) return refusal(host);
        const ssize_t got = pull();
        if (got > 0) continue;
        if (got == 0 || errno != EAGAIN) return unavailable("Socket closed while TLS was being agreed on");
      }
      pollfd watched{socket_, POLLIN, 0};
      ::poll(&watched, 1, kHandshakeSliceMs);
    }
    return unavailable("TLS was not agreed on in time");
  }

 private:
  Error refusal(const std::string& host) {
    const long verified = SSL_get_verify_result(ssl_);
    const std::string why = reason();
    if (verified != X509_V_OK) return notAuthenticated("the certificate of ", host, " is not accepted: ", X509_verify_cert_error_string(verified));
    return notAuthenticated("no encrypted connection to ", host, ": ", why);
  }
  static ssize_t broken() {
    ERR_clear_error();
    errno = EPROTO;
    return -1;
  }
  /// From the socket. 0: the other side has ended; -1: errno says why.
  ssize_t pull() WEFT_REQUIRES(mutex_) {
    buffer_.resize(kPiece);
    const ssize_t n = ::recv(socket_, buffer_.data(), buffer_.size(), MSG_DONTWAIT);
    if (n > 0) BIO_write(in_, buffer_.data(), int(n));
    return n;
  }
  /// To the socket, as much as it takes. False: errno says why.
  bool push() WEFT_REQUIRES(mutex_) {
    char* data = nullptr;
    for (long left = BIO_get_mem_data(out_, &data); left > 0; left = BIO_get_mem_data(out_, &data)) {
      const ssize_t n = ::send(socket_, data, size_t(left), MSG_NOSIGNAL | MSG_DONTWAIT);
      if (n < 0 && errno == EINTR) continue;
      full_ = n < 0 && errno == EAGAIN;
      if (n < 0) return full_;
      skipped_.resize(size_t(n));
      BIO_read(out_, skipped_.data(), int(n));
    }
    full_ = false;
    return true;
  }

  const Context context_;
  mutable Mutex mutex_;
  SSL* const ssl_;
  BIO *const in_, *const out_;  ///< Owned by ssl_.
  std::vector<char> buffer_ WEFT_GUARDED_BY(mutex_), skipped_ WEFT_GUARDED_BY(mutex_);
  bool full_ WEFT_GUARDED_BY(mutex_) = false;
};

}  // namespace

Status useTls(const std::string& folder) {
  const Context made(SSL_CTX_new(TLS_method()), FreeContext());
  if (!made) return resourceExhausted("memory is short for TLS");
  SSL_CTX_set_min_proto_version(made.get(), TLS1_2_VERSION);
  const std::string certificate = folder + "/cert.pem", key = folder + "/key.pem", authority = folder + "/ca.pem";
  ERR_clear_error();
  if (SSL_CTX_use_certificate_chain_file(made.get(), certificate.c_str()) != 1)
    return Status(invalidArgument("cannot be read as a certificate: ", reason()).inFile(certificate));
  if (SSL_CTX_use_PrivateKey_file(made.get(), key.c_str(), SSL_FILETYPE_PEM) != 1)
    return Status(invalidArgument("cannot be read as the certificate's key: ", reason()).inFile(key));
  if (SSL_CTX_load_verify_locations(made.get(), authority.c_str(), nullptr) != 1)
    return Status(invalidArgument("cannot be read as certificates of authorities: ", reason()).inFile(authority));
  SSL_CTX_set_verify(made.get(), SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
  constexpr unsigned char kProtocols[] = {2, 'h', '2'};
  SSL_CTX_set_alpn_protos(made.get(), kProtocols, sizeof(kProtocols));
  SSL_CTX_set_alpn_select_cb(
      made.get(),
      [](SSL*, const unsigned char** out, unsigned char* length, const unsigned char* offered, unsigned int size, void*) -> int {
        unsigned char* chosen = nullptr;
        constexpr unsigned char kOurs[] = {2, 'h', '2'};
        if (SSL_select_next_proto(&chosen, length, kOurs, sizeof(kOurs), offered, size) != OPENSSL_NPN_NEGOTIATED) return SSL_TLSEXT_ERR_ALERT_FATAL;
        *out = chosen;
        return SSL_TLSEXT_ERR_OK;
      },
      nullptr);
  const MutexLock lock(encryption().mutex);
  encryption().context = made;
  return {};
}

std::unique_ptr<Stream> serverStream(int socket) {
  const Context known = context();
  if (!known) return std::make_unique<PlainStream>(socket);
  return std::make_unique<TlsStream>(socket, known, true);
}

Result<std::unique_ptr<Stream>> clientStream(int socket, const std::string& host, const std::function<bool()>& stopped) {
  const Context known = context();
  if (!known) return std::unique_ptr<Stream>(std::make_unique<PlainStream>(socket));
  auto stream = std::make_unique<TlsStream>(socket, known, false);
  WEFT_TRY(stream->agree(host, stopped));
  return std::unique_ptr<Stream>(std::move(stream));
}

}  // namespace weft::rpc
