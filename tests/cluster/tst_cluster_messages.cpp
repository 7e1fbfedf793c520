#include <QTest>

#include "cluster/graph_bytes.h"
#include "cluster/messages.h"
#include "cluster/request_ids.h"
#include "cluster/step_stats.h"
#include "cluster/tensor_wire.h"
#include "proto/tensor_bytes.h"
#include "weft/graph_text.h"

using namespace weft;
using namespace weft::cluster;

/// The messages between tasks: what is written is what is read, and what cannot be read is an error.
class TestClusterMessages : public QObject {
  Q_OBJECT
 private slots:
  void tensorsArriveAsTheyWereSent_data();
  void tensorsArriveAsTheyWereSent();
  void aLargeTensorIsNotCopiedWhenSent();
  void aDeadTensorIsMarked();
  void typedValuesAreRead();
  void cutMessagesAreErrors();
  void contradictoryTensorsAreErrors();
  void aRequestIsTakenOnce();
  void onlyNewNodesAreSent();
};

namespace {

std::string bytesOf(const rpc::Bytes& buffer) { return buffer.text(); }

}  // namespace

void TestClusterMessages::tensorsArriveAsTheyWereSent_data() {
  QTest::addColumn<Tensor>("tensor");
  QTest::newRow("scalar") << Tensor::scalar(2.5f);
  QTest::newRow("empty") << Tensor::zeros(DType::Int64, {3, 0});
  QTest::newRow("bools") << Tensor::vector<bool>({true, false, true});
  QTest::newRow("strings") << Tensor::vector<std::string>({"", "a", std::string(3000, 'x')});
  QTest::newRow("large") << Tensor::zeros(DType::Float, {300, 200});
  QTest::newRow("complex") << Tensor::scalar(std::complex<double>(1, -2));
}

void TestClusterMessages::tensorsArriveAsTheyWereSent() {
  QFETCH(Tensor, tensor);
  const auto sent = encodeReceived({tensor, false, 12345});
  QVERIFY2(sent.ok(), sent.status().toString().c_str());
  const auto got = decodeReceived(*sent);
  QVERIFY2(got.ok(), got.status().toString().c_str());
  QVERIFY(got->value.identicalTo(tensor));
  QCOMPARE(got->value.shape(), tensor.shape());
  QVERIFY(!got->dead);
  QCOMPARE(got->sentMicros, int64_t(12345));
}

void TestClusterMessages::aLargeTensorIsNotCopiedWhenSent() {
  const Tensor tensor = Tensor::zeros(DType::Float, {1000});
  const auto sent = encodeReceived({tensor, false, 0});
  QVERIFY(sent.ok());
  QCOMPARE(static_cast<const void*>(sent->pieces().back().data), tensor.raw());
}

void TestClusterMessages::aDeadTensorIsMarked() {
  const auto sent = encodeReceived({Tensor(), true, 0});
  QVERIFY(sent.ok());
  const auto got = decodeReceived(*sent);
  QVERIFY(got.ok());
  QVERIFY(got->dead);
}

void TestClusterMessages::typedValuesAreRead() {
  // dtype float, shape [2], float_val 1 and 2: the form of small tensors of TensorFlow's Python client.
  const std::string tensor{"\x08\x01\x12\x04\x12\x02\x08\x02\x2a\x08\x00\x00\x80\x3f\x00\x00\x00\x40", 18};
  const auto got = decodeReceived(bufferOf(std::string("\x0a\x12") + tensor));
  QVERIFY2(got.ok(), got.status().toString().c_str());
  QCOMPARE(got->value.at<float>(0), 1.f);
  QCOMPARE(got->value.at<float>(1), 2.f);
}

void TestClusterMessages::cutMessagesAreErrors() {
  const auto sent = encodeReceived({Tensor::vector<float>({1, 2, 3}), false, 7});
  QVERIFY(sent.ok());
  const std::string whole = bytesOf(*sent);
  const auto complete = decodeReceived(bufferOf(whole));
  QVERIFY(complete.ok());
  for (size_t length = 1; length < whole.size(); ++length) {
    const auto got = decodeReceived(bufferOf(whole.substr(0, length)));
    if (got.ok()) QVERIFY2(!got->value.hasValue(), qPrintable(QString("%1 of %2 bytes").arg(length).arg(whole.size())));
  }
}

void TestClusterMessages::contradictoryTensorsAreErrors() {
  // dtype float, shape [1000000000000], four bytes of content.
  const std::string tensor{"\x08\x01\x12\x09\x12\x07\x08\x80\xa0\x94\xa5\x8d\x1d\x22\x04\x00\x00\x80\x3f", 19};
  const auto got = decodeReceived(bufferOf(std::string("\x0a\x13") + tensor));
  QVERIFY(!got.ok());
  QVERIFY2(got.error().message.find("4 bytes") != std::string::npos, got.error().message.c_str());
}

void TestClusterMessages::aRequestIsTakenOnce() {
  RecentRequests recent;
  QVERIFY(recent.track(5, "RunStep").ok());
  QCOMPARE(recent.track(5, "RunStep").code(), Code::Aborted);
  QVERIFY(recent.track(0, "RunStep").ok());
  QVERIFY(recent.track(0, "RunStep").ok());
  for (int i = 0; i < 200000; ++i) QVERIFY(recent.track(10 + i, "RunStep").ok());
  QVERIFY(recent.track(5, "RunStep").ok());  // long ago
}

void TestClusterMessages::onlyNewNodesAreSent() {
  auto loaded = loadGraphBytes(std::make_shared<const std::string>("node { name: 'a' op: 'NoOp' } node { name: 'b' op: 'NoOp' input: '^a' }"), "text");
  QVERIFY(loaded.ok());
  const Graph& graph = loaded->meta.graph;
  const auto all = graphBytes(graph), newest = graphBytes(graph, 1);
  QVERIFY(all.ok() && newest.ok());
  QVERIFY(newest->size() < all->size());
  const auto first = graphBytes(graph).value().substr(0, all->size() - newest->size());
  const auto both = loadGraphBytes(std::make_shared<const std::string>(first + *newest), "both");
  QVERIFY(both.ok());
  QCOMPARE(both->meta.graph.nodeCount(), 2);
}

QTEST_GUILESS_MAIN(TestClusterMessages)
#include "tst_cluster_messages.moc"
