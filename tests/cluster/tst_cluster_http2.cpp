#include <QTest>
#include <deque>

#include "rpc/grpc_text.h"
#include "rpc/http2_session.h"

using namespace weft;
using namespace weft::rpc;

/// The protocol of calls without a socket: a client's and a server's session whose bytes go to each other.
class TestClusterHttp2 : public QObject {
  Q_OBJECT
 private slots:
  void aMessageArrivesInPieces_data();
  void aMessageArrivesInPieces();
  void anErrorArrivesWithItsText();
  void aLargeMessageIsReadToItsPlace();
  void theNamedPartIsAligned();
  void aClientThatGivesUpIsTold();
  void anAnsweredCallIsNotGivenUp();
  void aTimeLimitTravels();
  void compressedMessagesAreRefused();
  void twoMessagesAreRefused();
  void aRequestWithoutAMessageIsRefused();
  void whatIsNotHttp2IsAnError();
  void textsOfHeaders();
};

namespace {

/// The two ends of a connection.
struct Ends {
  Http2Session client{Http2Session::Side::Client}, server{Http2Session::Side::Server};
  Status status;

  /// Carries all bytes over, at most `most` at a time, until there are none.
  void exchange(size_t most = SIZE_MAX) {
    while (status.ok() && (carry(client, server, most) | carry(server, client, most))) continue;
  }
  bool carry(Http2Session& from, Http2Session& to, size_t most) {
    iovec parts[4];
    const size_t count = from.toSend(parts, 4);
    size_t sent = 0;
    for (size_t i = 0; i < count && status.ok(); ++i) {
      const size_t size = std::min(most, parts[i].iov_len);
      const auto target = to.target();
      const char* data = static_cast<const char*>(parts[i].iov_base);
      if (target.data) {  // as a connection does
        const size_t n = std::min(size, target.size);
        std::memcpy(target.data, data, n);
        status = to.receive(target.data, n);
        sent += n;
        break;
      }
      status = to.receive(data, size);
      sent += size;
      if (size < parts[i].iov_len) break;
    }
    from.sent(sent);
    return sent > 0;
  }
  /// The only event of a session.
  static StreamEvent only(Http2Session& session) {
    auto events = session.takeEvents();
    return events.size() == 1 ? std::move(events[0]) : StreamEvent{StreamEvent::Kind::NotTaken, -1, {}, {}, 0, -1, std::to_string(events.size()) + " events"};
  }
  StreamEvent requested(Bytes message, AlignedPart part = nullptr, int64_t timeoutMs = 0) {
    client.request("host:1", "/test/Echo", std::move(message), timeoutMs, part);
    exchange();
    return only(server);
  }
};

Bytes bytes(std::string text) { return Bytes(std::move(text)); }

/// The frame of a DATA of stream 1.
std::string dataFrame(const std::string& payload, bool last) {
  std::string frame{char(payload.size() >> 16), char(payload.size() >> 8), char(payload.size()), 0, char(last), 0, 0, 0, 1};
  return frame + payload;
}

/// A server that has the headers of a request, so that the test can send the rest.
struct HalfRequest {
  Ends ends;
  HalfRequest() {
    ends.client.request("host:1", "/test/Echo", bytes(std::string(100, 'x')), 0, nullptr);
    iovec parts[4];
    const size_t count = ends.client.toSend(parts, 4);
    std::string all;
    for (size_t i = 0; i < count; ++i) all.append(static_cast<const char*>(parts[i].iov_base), parts[i].iov_len);
    all.resize(all.size() - 9 - 105);  // the DATA frame is the last one
    ends.client.sent(SIZE_MAX);
    ends.status = ends.server.receive(all.data(), all.size());
  }
  /// The answer to this rest.
  StreamEvent answer(const std::string& rest) {
    ends.status = ends.server.receive(rest.data(), rest.size());
    ends.exchange();
    return Ends::only(ends.client);
  }
};

}  // namespace

void TestClusterHttp2::aMessageArrivesInPieces_data() {
  QTest::addColumn<int>("size");
  QTest::addColumn<int>("most");
  for (const int size : {0, 1, 5, 1000, 70000, 20'000'000})
    for (const int most : {1, 7, 4096, 1 << 30})
      if (size / most < 100'000) QTest::addRow("%d bytes, %d at a time", size, most) << size << most;
}

void TestClusterHttp2::aMessageArrivesInPieces() {
  QFETCH(int, size);
  QFETCH(int, most);
  Ends ends;
  std::string text(size_t(size), ' ');
  for (size_t i = 0; i < text.size(); ++i) text[i] = char(i * 7);
  Bytes message(text.substr(0, text.size() / 2));
  const auto second = std::make_shared<const std::string>(text.substr(text.size() / 2));
  message.append({second->data(), second->size(), second});
  const int32_t stream = ends.client.request("host:1", "/test/Echo", message, 0, nullptr);
  QVERIFY(stream > 0);
  ends.exchange(size_t(most));
  QVERIFY2(ends.status.ok(), ends.status.toString().c_str());
  StreamEvent request = Ends::only(ends.server);
  QCOMPARE(request.kind, StreamEvent::Kind::Request);
  QCOMPARE(request.path, std::string("/test/Echo"));
  QVERIFY(request.message.text() == text);
  ends.server.respond(request.stream, request.message);
  ends.exchange(size_t(most));
  const StreamEvent response = Ends::only(ends.client);
  QCOMPARE(response.kind, StreamEvent::Kind::Response);
  QCOMPARE(response.stream, stream);
  QCOMPARE(response.code, 0);
  QVERIFY(response.message.text() == text);
}

void TestClusterHttp2::anErrorArrivesWithItsText() {
  Ends ends;
  const StreamEvent request = ends.requested(bytes("x"));
  ends.server.fail(request.stream, 9, "不行: 100 % of\nit");
  ends.exchange();
  const StreamEvent response = Ends::only(ends.client);
  QCOMPARE(response.code, 9);
  QCOMPARE(response.text, std::string("不行: 100 % of\nit"));
}

void TestClusterHttp2::aLargeMessageIsReadToItsPlace() {
  Ends ends;
  ends.client.request("host:1", "/test/Echo", bytes(std::string(3'000'000, 'q')), 0, nullptr);
  iovec parts[4];
  QVERIFY(ends.client.toSend(parts, 4) > 0);
  QVERIFY(ends.server.receive(static_cast<const char*>(parts[0].iov_base), parts[0].iov_len).ok());  // headers and the beginning of the data
  ends.client.sent(parts[0].iov_len);
  ends.exchange(10000);
  QVERIFY(ends.status.ok());
  QCOMPARE(Ends::only(ends.server).message.size(), size_t(3'000'000));
}

void TestClusterHttp2::theNamedPartIsAligned() {
  Ends ends;
  const StreamEvent request = ends.requested(bytes("x"));
  (void)request;
  Ends more;
  more.client.request("host:1", "/test/Echo", bytes("x"), 0, [](std::string_view beginning) { return beginning.starts_with("12345") ? size_t(5) : size_t(0); });
  more.exchange();
  more.server.respond(Ends::only(more.server).stream, bytes("12345" + std::string(100'000, 'c')));
  more.exchange();
  const StreamEvent response = Ends::only(more.client);
  QCOMPARE(response.message.pieces().size(), size_t(1));
  QCOMPARE(reinterpret_cast<uintptr_t>(response.message.pieces()[0].data + 5) % 64, uintptr_t(0));
}

void TestClusterHttp2::aClientThatGivesUpIsTold() {
  Ends ends;
  const StreamEvent request = ends.requested(bytes("x"));
  ends.client.giveUp(request.stream);
  ends.exchange();
  QCOMPARE(Ends::only(ends.server).kind, StreamEvent::Kind::GivenUp);
  QVERIFY(ends.client.takeEvents().empty());
  ends.server.respond(request.stream, bytes("late"));
  ends.exchange();
  QVERIFY(ends.status.ok());
  QVERIFY(ends.client.takeEvents().empty());
  QVERIFY(ends.client.takesRequests());
}

void TestClusterHttp2::anAnsweredCallIsNotGivenUp() {
  Ends ends;
  const StreamEvent request = ends.requested(bytes("x"));
  ends.server.respond(request.stream, bytes("y"));
  ends.server.respond(request.stream, bytes("z"));
  ends.exchange();
  QCOMPARE(Ends::only(ends.client).message.text(), std::string("y"));
  QVERIFY(ends.server.takeEvents().empty());
}

void TestClusterHttp2::aTimeLimitTravels() {
  Ends ends;
  QCOMPARE(ends.requested(bytes("x"), nullptr, 1500).timeoutMicros, int64_t(1'500'000));
}

void TestClusterHttp2::compressedMessagesAreRefused() {
  const StreamEvent answer = HalfRequest().answer(dataFrame(std::string("\x01\0\0\0\x02zz", 7), true));
  QCOMPARE(answer.code, 12);
  QVERIFY2(answer.text.find("compressed") != std::string::npos, answer.text.c_str());
}

void TestClusterHttp2::twoMessagesAreRefused() {
  const StreamEvent answer = HalfRequest().answer(dataFrame(std::string("\0\0\0\0\x02zz\0\0\0\0\0", 12), true));
  QCOMPARE(answer.code, 13);
}

void TestClusterHttp2::aRequestWithoutAMessageIsRefused() {
  QCOMPARE(HalfRequest().answer(dataFrame("", true)).code, 13);
  QCOMPARE(HalfRequest().answer(dataFrame(std::string("\0\0\0\0\x05zz", 7), true)).code, 13);
  QCOMPARE(HalfRequest().answer(dataFrame(std::string("\0\xff\xff\xff\xffz", 6), true)).code, 8);
}

void TestClusterHttp2::whatIsNotHttp2IsAnError() {
  for (const std::string& text : {std::string("GET / HTTP/1.1\r\nHost: x\r\n\r\n"), std::string(200, '\xff'), std::string(200, '\0')}) {
    Http2Session server(Http2Session::Side::Server);
    QVERIFY(!server.receive(text.data(), text.size()).ok());
  }
}

void TestClusterHttp2::textsOfHeaders() {
  std::string all;
  for (int c = 0; c < 256; ++c) all += char(c);
  QCOMPARE(percentDecoded(percentEncoded(all)), all);
  QCOMPARE(percentDecoded("100% %zz %4"), std::string("100% %zz %4"));
  QCOMPARE(percentDecoded("a%20b%41"), std::string("a bA"));
  QCOMPARE(timeoutMicros("250m"), int64_t(250'000));
  QCOMPARE(timeoutMicros("2S"), int64_t(2'000'000));
  QCOMPARE(timeoutMicros("3H"), int64_t(10'800'000'000));
  QCOMPARE(timeoutMicros("7u"), int64_t(7));
  QCOMPARE(timeoutMicros("1n"), int64_t(1));
  for (const char* bad : {"", "5", "m", "-3m", "5x", "999999999m", "5m "}) QCOMPARE(timeoutMicros(bad), int64_t(0));
  for (const int64_t ms : {int64_t(1), int64_t(99'999'999), int64_t(100'000'000), int64_t(1) << 40})
    QVERIFY(timeoutMicros(timeoutText(ms)) >= std::min(ms * 1000, int64_t(99'999'999'000'000)));
}

QTEST_GUILESS_MAIN(TestClusterHttp2)
#include "tst_cluster_http2.moc"
