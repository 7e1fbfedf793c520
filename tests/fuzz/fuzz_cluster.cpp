#include <cstdint>
#include <cstring>
#include <memory>
#include <string>

#include "cluster/master.h"
#include "cluster/tensor_wire.h"
#include "cluster/worker_service.h"
#include "rpc/http2_session.h"

using namespace weft;
using namespace weft::cluster;

namespace {

/// A call whose answer nobody reads.
class SilentCall final : public rpc::RpcCall {
 public:
  explicit SilentCall(rpc::Bytes request) : request_(std::move(request)) {}
  const rpc::Bytes& request() const override { return request_; }
  const std::string& peer() const override { return peer_; }
  void reply(rpc::Bytes) override {}
  void fail(const Error&) override {}
  void whenCancelled(std::function<void()>) override {}

 private:
  const rpc::Bytes request_;
  const std::string peer_ = "ipv4:127.0.0.1:1";
};

/// Bytes to a session, in pieces whose sizes the input gives, as a connection would pass them on; requests are answered.
void converse(rpc::Http2Session& session, const uint8_t* data, size_t size) {
  iovec parts[8];
  while (size > 1) {
    size_t n = std::min<size_t>(size - 1, size_t(data[0]) * 16 + 1);
    const auto* from = reinterpret_cast<const char*>(data + 1);
    data += n + 1;
    size -= n + 1;
    while (n > 0) {
      const auto target = session.target();
      const size_t now = target.data ? std::min(n, target.size) : n;
      if (target.data) std::memcpy(target.data, from, now);
      if (!session.receive(target.data ? target.data : from, now).ok()) return;
      from += now;
      n -= now;
    }
    for (const rpc::StreamEvent& event : session.takeEvents()) {
      if (event.kind != rpc::StreamEvent::Kind::Request) continue;
      if (event.path.size() % 3 == 0) session.fail(event.stream, 3, event.path);
      else session.respond(event.stream, event.message);
    }
    for (int i = 0; i < 16; ++i) {
      const size_t count = session.toSend(parts, 8);
      size_t all = 0;
      for (size_t k = 0; k < count; ++k) all += parts[k].iov_len;
      if (all == 0) break;
      session.sent(all);
    }
  }
}

void serverSide(const uint8_t* data, size_t size) {
  rpc::Http2Session session(rpc::Http2Session::Side::Server);
  constexpr char kMagic[] = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x4\0\0\0\0";  // and empty settings: the fuzzer need not find them
  if (session.receive(kMagic, sizeof(kMagic)).ok()) converse(session, data, size);
}

void clientSide(const uint8_t* data, size_t size) {
  rpc::Http2Session session(rpc::Http2Session::Side::Client);
  for (int i = 0; i < 3; ++i) session.request("host:1", "/a/B", rpc::Bytes(std::string(size_t(i) * 3000, 'x')), i * 10, contentOffset);
  converse(session, data, size);
}

void receivedTensor(const uint8_t* data, size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  (void)contentOffset(text);
  const auto received = decodeReceived(rpc::Bytes(text));
  if (received.ok()) (void)encodeReceived(*received);
}

/// A message to a method of a task that is alone.
void request(uint8_t method, const uint8_t* data, size_t size) {
  auto task = TaskServer::create("/job:worker/replica:0/task:0");
  if (!task.ok()) __builtin_trap();
  const Addresses addresses{{"/job:worker/replica:0/task:0", "127.0.0.1:1"}};
  Worker worker(std::move(*task), addresses, {});
  Master master(worker, addresses);
  auto methods = workerMethods(worker);
  for (auto& m : master.methods()) methods.push_back(std::move(m));
  methods[method % methods.size()].handle(std::make_shared<SilentCall>(rpc::Bytes(std::string(reinterpret_cast<const char*>(data), size))));
}

}  // namespace

/// What other tasks may send: bytes of connections, tensors, and messages to each method of a server. The first byte chooses.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 2) return 0;
  switch (data[0] % 4) {
    case 0: serverSide(data + 1, size - 1); break;
    case 1: clientSide(data + 1, size - 1); break;
    case 2: receivedTensor(data + 1, size - 1); break;
    default: request(data[1], data + 2, size - 2); break;
  }
  return 0;
}
