#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <atomic>
#include <thread>

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "cluster/messages.h"
#include "cluster_of_tasks.h"
#include "rpc/channel.h"
#include "rpc/rpc_server.h"
#include "rpc/sockets.h"
#include "rpc/stream.h"

using namespace weft;
using namespace weft::cluster;
using namespace weft::rpc;

/// Encrypted connections: both sides show a certificate of the same authority, and nobody else gets in.
class TestClusterTls : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void filesThatCannotBeReadAreNamed();
  void callsOfAllSizesArrive();
  void manyThreadsShareAConnection();
  void aServerOfAnotherAuthorityIsRefused();
  void aServerOfAnotherNameIsRefused();
  void aServerWithoutTlsIsRefused();
  void aClientWithoutTlsIsTurnedAway();

 private:
  QTemporaryDir folder_;
};

namespace {

using Key = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;
using Certificate = std::unique_ptr<X509, decltype(&X509_free)>;

struct Pair {
  Key key{EVP_RSA_gen(2048), EVP_PKEY_free};
  Certificate certificate{X509_new(), X509_free};
};

/// A certificate for `name`, signed by `by`, or by itself.
Pair makePair(const char* name, const Pair* by) {
  Pair made;
  X509* x = made.certificate.get();
  X509_set_version(x, 2);
  ASN1_INTEGER_set(X509_get_serialNumber(x), by ? 2 : 1);
  X509_gmtime_adj(X509_getm_notBefore(x), -3600);
  X509_gmtime_adj(X509_getm_notAfter(x), 3600);
  X509_set_pubkey(x, made.key.get());
  X509_NAME_add_entry_by_txt(X509_get_subject_name(x), "CN", MBSTRING_ASC, reinterpret_cast<const unsigned char*>(name), -1, -1, 0);
  X509_set_issuer_name(x, X509_get_subject_name(by ? by->certificate.get() : x));
  const std::string extension = by ? std::string("DNS:") + name : std::string("critical,CA:TRUE");
  X509_EXTENSION* e = X509V3_EXT_conf_nid(nullptr, nullptr, by ? NID_subject_alt_name : NID_basic_constraints, extension.c_str());
  X509_add_ext(x, e, -1);
  X509_EXTENSION_free(e);
  X509_sign(x, by ? by->key.get() : made.key.get(), EVP_sha256());
  return made;
}

void writeFolder(const QString& folder, const Pair& own, const Pair& authority) {
  QDir().mkpath(folder);
  const auto open = [&](const char* name) { return std::fopen(QFile::encodeName(folder + name).constData(), "w"); };
  FILE* f = open("/cert.pem");
  PEM_write_X509(f, own.certificate.get());
  std::fclose(f);
  f = open("/key.pem");
  PEM_write_PrivateKey(f, own.key.get(), nullptr, nullptr, 0, nullptr, nullptr);
  std::fclose(f);
  f = open("/ca.pem");
  PEM_write_X509(f, authority.certificate.get());
  std::fclose(f);
}

std::unique_ptr<RpcServer> echoServer() {
  auto started = RpcServer::start("127.0.0.1:0", {{"/test/Echo", false, [](const auto& call) { call->reply(call->request()); }}});
  if (!started.ok()) qFatal("%s", started.error().message.c_str());
  return std::move(*started);
}

Result<Bytes> echo(const std::string& address, const std::string& text, int64_t timeoutMs = 20000) {
  CallLimits limits;
  limits.timeoutMs = timeoutMs;
  return Channel(address).call("/test/Echo", Bytes(text), limits);
}

}  // namespace

void TestClusterTls::initTestCase() {
  const Pair authority = makePair("the authority", nullptr), other = makePair("another authority", nullptr);
  writeFolder(folder_.filePath("ours"), makePair("localhost", &authority), authority);
  writeFolder(folder_.filePath("other"), makePair("localhost", &other), other);
  writeFolder(folder_.filePath("elsewhere"), makePair("example.org", &authority), authority);
}

void TestClusterTls::filesThatCannotBeReadAreNamed() {
  const QString half = folder_.filePath("half");
  QDir().mkpath(half);
  QVERIFY(QFile::copy(folder_.filePath("ours/cert.pem"), half + "/cert.pem"));
  const Status missing = useTls(half.toStdString());
  QCOMPARE(missing.code(), Code::InvalidArgument);
  QVERIFY2(missing.toString().find("half/key.pem") != std::string::npos, missing.toString().c_str());
  QVERIFY(QFile::copy(folder_.filePath("other/key.pem"), half + "/key.pem"));
  const Status wrong = useTls(half.toStdString());
  QVERIFY2(wrong.toString().find("key values mismatch") != std::string::npos, wrong.toString().c_str());
}

void TestClusterTls::callsOfAllSizesArrive() {
  QVERIFY(useTls(folder_.filePath("ours").toStdString()).ok());
  const auto server = echoServer();
  const std::string address = "localhost:" + std::to_string(server->port());
  for (const size_t size : {size_t(0), size_t(100), size_t(70'000), size_t(20'000'000)}) {
    const std::string text(size, 'q');
    const auto answer = echo(address, text);
    VERIFY_OK(answer);
    QVERIFY(answer->text() == text);
  }
}

void TestClusterTls::manyThreadsShareAConnection() {
  QVERIFY(useTls(folder_.filePath("ours").toStdString()).ok());
  const auto server = echoServer();
  Channel channel("localhost:" + std::to_string(server->port()));
  std::atomic<int> good{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 6; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 60; ++i) {
        const std::string text(i % 10 == 0 ? 500'000 : 90, char('a' + t));
        const auto answer = channel.call("/test/Echo", Bytes(text), {});
        good += answer.ok() && answer->text() == text;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  QCOMPARE(good.load(), 6 * 60);
}

void TestClusterTls::aServerOfAnotherAuthorityIsRefused() {
  QVERIFY(useTls(folder_.filePath("other").toStdString()).ok());
  const auto server = echoServer();
  // The server's side of the connection must be made by the other files, so this side makes its own by hand.
  const int socket = connectTo("localhost:" + std::to_string(server->port()), [] { return false; });
  QVERIFY(socket >= 0);
  std::this_thread::sleep_for(std::chrono::milliseconds(300));  // it has accepted
  QVERIFY(useTls(folder_.filePath("ours").toStdString()).ok());
  const auto stream = clientStream(socket, "localhost", [] { return false; });
  ::close(socket);
  QVERIFY(!stream.ok());
  QCOMPARE(stream.error().code, Code::Unauthenticated);
  QVERIFY2(stream.error().message.find("localhost is not accepted") != std::string::npos, stream.error().message.c_str());
}

void TestClusterTls::aServerOfAnotherNameIsRefused() {
  QVERIFY(useTls(folder_.filePath("elsewhere").toStdString()).ok());
  const auto server = echoServer();
  const auto answer = echo("localhost:" + std::to_string(server->port()), "x");
  QVERIFY(!answer.ok());
  QCOMPARE(answer.error().code, Code::Unauthenticated);
  QVERIFY2(answer.error().message.find("hostname mismatch") != std::string::npos, answer.error().message.c_str());
}

void TestClusterTls::aServerWithoutTlsIsRefused() {
  QVERIFY(useTls(folder_.filePath("ours").toStdString()).ok());
  const auto listener = listenOn("127.0.0.1:0");
  VERIFY_OK(listener);
  std::thread plain([socket = listener->socket] {
    pollfd watched{socket, POLLIN, 0};
    ::poll(&watched, 1, 20000);
    const int accepted = ::accept(socket, nullptr, nullptr);
    constexpr char kSettings[] = "\0\0\0\4\0\0\0\0";
    (void)!::write(accepted, kSettings, sizeof(kSettings));
    char bytes[1000];
    pollfd more{accepted, POLLIN, 0};
    ::poll(&more, 1, 1000);
    (void)!::read(accepted, bytes, sizeof(bytes));
    ::close(accepted);
  });
  const auto answer = echo("localhost:" + std::to_string(listener->port), "x");
  plain.join();
  ::close(listener->socket);
  QVERIFY(!answer.ok());
  QCOMPARE(answer.error().code, Code::Unauthenticated);
  QVERIFY2(answer.error().message.find("no encrypted connection") != std::string::npos, answer.error().message.c_str());
}

void TestClusterTls::aClientWithoutTlsIsTurnedAway() {
  QVERIFY(useTls(folder_.filePath("ours").toStdString()).ok());
  const auto server = echoServer();
  const int socket = connectTo("localhost:" + std::to_string(server->port()), [] { return false; });
  QVERIFY(socket >= 0);
  constexpr char kMagic[] = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0";
  QVERIFY(::write(socket, kMagic, sizeof(kMagic)) > 0);
  pollfd watched{socket, POLLIN, 0};
  char bytes[1000];
  ssize_t n = 1;
  while (n > 0 && ::poll(&watched, 1, 10000) > 0) n = ::recv(socket, bytes, sizeof(bytes), MSG_DONTWAIT);
  ::close(socket);
  QVERIFY(n <= 0);  // closed, after an alert
  VERIFY_OK(echo("localhost:" + std::to_string(server->port()), "still there"));
}

QTEST_GUILESS_MAIN(TestClusterTls)
#include "tst_cluster_tls.moc"
