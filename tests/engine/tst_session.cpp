#include <QTest>
#include <atomic>
#include <chrono>
#include <thread>

#include "support/graph_text.h"
#include "tensor/allocator.h"
#include "weft/graph.h"
#include "weft/session.h"

using namespace weft;
using weft::tests::node;

namespace {

/// One line per node: NAME = OP(inputs…) attr=value …; a short way to write a GraphDef.
Graph graphOf(const std::string& pbtxt) {
  auto loaded = loadGraphBytes(std::make_shared<const std::string>(pbtxt), "test");
  if (!loaded.ok()) qFatal("%s", loaded.error().toString().c_str());
  return loaded->meta.graph;
}

std::string type(const std::string& key, const std::string& value = "DT_FLOAT") { return "attr { key: '" + key + "' value { type: " + value + " } } "; }
std::string constant(const std::string& name, float v) {
  return node(name, "Const", {},
              type("dtype") + "attr { key: 'value' value { tensor { dtype: DT_FLOAT tensor_shape {} float_val: " + std::to_string(v) + " } } }");
}
std::string placeholder(const std::string& name) { return node(name, "Placeholder", {}, type("dtype")); }
std::string binary(const std::string& name, const std::string& op, const std::string& a, const std::string& b) { return node(name, op, {a, b}, type("T")); }
std::string variable(const std::string& name, const std::string& dims) {
  return node(name, "VariableV2", {}, type("dtype") + "attr { key: 'shape' value { shape { " + dims + " } } }");
}

std::unique_ptr<Session> sessionOf(const std::string& pbtxt, SessionOptions options = {}) {
  auto s = Session::create(graphOf(pbtxt), options);
  if (!s.ok()) qFatal("%s", s.error().toString().c_str());
  return std::move(*s);
}

float value(const Result<std::vector<Tensor>>& r, size_t k = 0) {
  if (!r.ok()) {
    qWarning("%s", r.error().toString().c_str());
    return NAN;
  }
  return (*r)[k].at<float>(0);
}

Tensor floats(std::vector<float> v) { return Tensor::vector(v); }

const char* kCounter = "v_init";

std::string counterGraph() {
  return variable("v", "dim { size: 4 }") +
         node("zero", "Const", {}, type("dtype") + "attr { key: 'value' value { tensor { dtype: DT_FLOAT tensor_shape { dim { size: 4 } } float_val: 0 } } }") +
         node("one", "Const", {}, type("dtype") + "attr { key: 'value' value { tensor { dtype: DT_FLOAT tensor_shape { dim { size: 4 } } float_val: 1 } } }") +
         node(kCounter, "Assign", {"v", "zero"}, type("T")) + node("up", "AssignAdd", {"v", "one"}, type("T")) + node("read", "Identity", {"v"}, type("T"));
}

}  // namespace

/// Runs of small graphs: feeding, fetching, pruning, variables, memory, concurrency, cancelling.
class SessionTest : public QObject {
  Q_OBJECT

 private slots:
  void addsWhatIsFed() {
    auto s = sessionOf(placeholder("x") + constant("c", 2) + binary("y", "Add", "x", "c"));
    QCOMPARE(value(s->run({{"x:0", Tensor::scalar(3.0f)}}, {"y:0"})), 5.0f);
  }

  void innerTensorsMayBeFedAndHideWhatFeedsThem() {
    auto s = sessionOf(placeholder("x") + binary("y", "Mul", "x", "x") + binary("z", "Add", "y", "y"));
    QCOMPARE(value(s->run({{"y:0", Tensor::scalar(4.0f)}}, {"z:0"})), 8.0f);  // x is not needed
    QCOMPARE(value(s->run({{"y", Tensor::scalar(4.0f)}}, {"y:0"})), 4.0f);    // a fed tensor is what is fed
  }

  void whatWaitsForAFedPlaceholderWaitsForTheFeed() {
    const std::string p = node("p", "Placeholder", {}, type("dtype", "DT_BOOL"));
    const std::string graph = placeholder("x") + placeholder("y") + p + node("b", "Neg", {"y", "^x"}, type("T")) +
                              node("switch", "Switch", {"b", "p", "^x"}, type("T")) +
                              node("merge", "Merge", {"switch", "switch:1"}, type("T") + "attr { key: 'N' value { i: 2 } }");
    const std::vector<std::pair<std::string, Tensor>> feeds = {{"x:0", Tensor::scalar(1.f)}, {"y:0", Tensor::scalar(2.f)}, {"p:0", Tensor::scalar(true)}};
    for (const char* passes : {"", "all"}) {
      SessionOptions options;
      if (*passes) options.disabledPasses = {passes};
      auto s = sessionOf(graph, options);
      QCOMPARE(value(s->run({feeds[0], feeds[1]}, {"b:0"})), -2.0f);
      QCOMPARE(value(s->run(feeds, {"merge:0"})), -2.0f);
      QVERIFY(!s->run({feeds[1]}, {"b:0"}).ok());
    }
  }

  void namesThatAreNotThereAreNamed() {
    auto s = sessionOf(placeholder("x") + binary("y", "Add", "x", "x"));
    const auto r = s->run({}, {"nowhere:0"});
    QVERIFY(!r.ok());
    QVERIFY(r.error().code == Code::NotFound);
    QVERIFY(r.error().message.find("nowhere") != std::string::npos);
    const auto missing = s->run({}, {"y:0"});
    QVERIFY(missing.error().code == Code::InvalidArgument);
    QVERIFY(missing.error().message.find("You must feed a value for placeholder tensor 'x'") != std::string::npos);
    const auto wrongType = s->run({{"x:0", Tensor::scalar(int32_t(1))}}, {"y:0"});
    QVERIFY(wrongType.error().code == Code::InvalidArgument);
    QCOMPARE(wrongType.error().node, std::string("x"));
  }

  void changingShapesGiveRightResults() {
    auto s = sessionOf(placeholder("x") + constant("c", 2) + binary("a", "Mul", "x", "c") + binary("b", "Add", "a", "x") + binary("y", "Sub", "b", "a"));
    for (int round = 0; round < 60; ++round) {
      std::vector<float> v(size_t(round % 13 + 1));
      for (size_t i = 0; i < v.size(); ++i) v[i] = float(i + size_t(round));
      const auto r = s->run({{"x:0", floats(v)}}, {"y:0"});
      QVERIFY(r.ok());
      QCOMPARE((*r)[0].elements(), int64_t(v.size()));
      for (size_t i = 0; i < v.size(); ++i) QCOMPARE((*r)[0].at<float>(int64_t(i)), v[i]);
    }
  }

  void passesDoNotChangeResults() {
    std::string text = placeholder("x") + constant("c", 1.5f);
    std::string last = "x";
    for (int i = 0; i < 40; ++i) {
      const std::string name = "n" + std::to_string(i);
      text += binary(name, i % 3 == 0 ? "Add" : i % 3 == 1 ? "Mul" : "Sub", last, i % 2 ? "c" : "x");
      last = name;
    }
    SessionOptions plain;
    plain.disabledPasses = {"all"};
    auto a = sessionOf(text), b = sessionOf(text, plain);
    const Tensor x = floats({0.1f, -0.2f, 0.3f, 0.4f, -0.5f});
    for (int round = 0; round < 3; ++round) {
      const auto ra = a->run({{"x:0", x}}, {last + ":0"}), rb = b->run({{"x:0", x}}, {last + ":0"});
      QVERIFY(ra.ok() && rb.ok());
      QVERIFY((*ra)[0].identicalTo((*rb)[0]));
    }
  }

  void uninitialisedVariablesSaySo() {
    auto s = sessionOf(counterGraph());
    const auto r = s->run({}, {"read:0"});
    QVERIFY(!r.ok());
    QVERIFY(r.error().code == Code::FailedPrecondition);
    QVERIFY(r.error().message.find("Attempting to use uninitialized value v") != std::string::npos);
  }

  void fetchedValuesStayWhenVariablesMoveOn() {
    auto s = sessionOf(counterGraph());
    QVERIFY(s->run({}, {}, {kCounter}).ok());
    std::vector<Tensor> kept;
    for (int i = 0; i < 5; ++i) {
      const auto r = s->run({}, {"v:0"});
      QVERIFY(r.ok());
      kept.push_back((*r)[0]);
      QVERIFY(s->run({}, {}, {"up"}).ok());
    }
    for (int i = 0; i < 5; ++i) QCOMPARE(kept[size_t(i)].at<float>(3), float(i));
  }

  void concurrentRunsNeverSeeHalfAnUpdate() {
    auto s = sessionOf(counterGraph());
    QVERIFY(s->run({}, {}, {kCounter}).ok());
    std::atomic<bool> torn{false}, failed{false};
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        for (int i = 0; i < 200; ++i) {
          const auto r = t < 2 ? s->run({}, {}, {"up"}) : s->run({}, {"read:0"});
          if (!r.ok()) failed = true;
          if (t >= 2 && r.ok()) {
            for (int k = 1; k < 4; ++k) torn = torn || (*r)[0].at<float>(k) != (*r)[0].at<float>(0);
          }
        }
      });
    }
    for (auto& t : threads) t.join();
    QVERIFY(!failed);
    QVERIFY(!torn);
    QCOMPARE(value(s->run({}, {"read:0"})), 400.0f);
  }

  /// A read of a reference variable aliases it, as in TensorFlow 1.15: a reader that waited sees the writes of another run.
  void readsFollowTheVariableWhileTheirRunWaits() {
    const std::string names = "attr { key: 'component_types' value { list { type: DT_FLOAT } } } ";
    const std::string text =
        counterGraph() + node("q", "FIFOQueueV2", {}, names) +
        node("put", "QueueEnqueueV2", {"q", "zero"}, "attr { key: 'Tcomponents' value { list { type: DT_FLOAT } } } ") +
        node("take", "QueueDequeueV2", {"q", "^read"}, names) + node("use", "Add", {"read", "zero", "^take"}, type("T")) +
        node("set", "Assign", {"v", "seven"}, type("T")) +
        node("seven", "Const", {}, type("dtype") + "attr { key: 'value' value { tensor { dtype: DT_FLOAT tensor_shape { dim { size: 4 } } float_val: 7 } } }");
    for (const std::string update : {"up", "set"}) {
      auto s = sessionOf(text);
      QVERIFY(s->run({}, {}, {kCounter}).ok());
      float used = -1;
      std::thread waiting([&] { used = value(s->run({}, {"use:0"})); });
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      QVERIFY(s->run({}, {}, {update}).ok());
      QVERIFY(s->run({}, {}, {"put"}).ok());
      waiting.join();
      QCOMPARE(used, update == "up" ? 1.0f : 7.0f);
    }
  }

  void manySignaturesKeepMemoryBounded() {
    constexpr int kSignatures = 300, kElements = 1 << 16;
    std::string text =
        placeholder("x") +
        node("zero", "Const", {}, type("dtype", "DT_INT32") + "attr { key: 'value' value { tensor { dtype: DT_INT32 tensor_shape {} int_val: 0 } } }");
    for (int i = 0; i < kSignatures; ++i)
      text += binary("mid" + std::to_string(i), "Mul", "x", "x") + node("out" + std::to_string(i), "Sum", {"mid" + std::to_string(i), "zero"}, type("T"));
    SessionOptions plain;
    plain.disabledPasses = {"all"};
    auto s = sessionOf(text, plain);
    const Tensor x = Tensor::zeros(DType::Float, {kElements});
    const size_t before = hostAllocator().bytesInUse();
    for (int i = 0; i < kSignatures; ++i)
      for (int run = 0; run < 3; ++run) QVERIFY(s->run({{"x:0", x}}, {"out" + std::to_string(i) + ":0"}).ok());
    // Every plan that ran twice has an arena with at least one tensor.
    const size_t held = hostAllocator().bytesInUse() - before;
    QVERIFY2(held < 80 * 5 * kElements, qPrintable(QString::number(held)));
    QVERIFY2(held > 32 * 4 * kElements, "the plans of this test hold no memory: it shows nothing");
    QVERIFY(s->run({{"x:0", x}}, {"out0:0"}).ok());  // one of those forgotten
  }

  void preparedSignaturesOutliveTheCache() {
    std::string text = placeholder("x");
    for (int i = 0; i < 100; ++i) text += binary("y" + std::to_string(i), "Add", "x", "x");
    auto s = sessionOf(text);
    const auto first = s->prepare({"x:0"}, {"y0:0"});
    QVERIFY(first.ok());
    for (int i = 1; i < 100; ++i) QVERIFY(s->prepare({"x:0"}, {"y" + std::to_string(i) + ":0"}).ok());
    const std::vector<Tensor> feeds{Tensor::scalar(2.0f)};
    QCOMPARE(value(first->run(feeds)), 4.0f);
  }

  void graphsThatAreHeldSurviveExtending() {
    const std::string text = placeholder("x") + binary("y", "Add", "x", "x");
    auto s = sessionOf(text);
    const auto before = s->graph();
    QVERIFY(s->extend(graphOf(text + binary("z", "Mul", "y", "y"))).ok());
    QCOMPARE(before->size(), 2);
    QCOMPARE(s->graph()->size(), 3);
    QCOMPARE(value(s->run({{"x:0", Tensor::scalar(1.0f)}}, {"z:0"})), 4.0f);
  }

  void shortMemoryNamesTheLargestTensors() {
    auto s = sessionOf(
        placeholder("x") + variable("weights", "dim { size: 1000000 }") + node("fill", "Assign", {"weights", "big"}, type("T")) +
        node("big", "Fill", {"million", "one"}, type("T")) + constant("one", 1) +
        node("million", "Const", {},
             type("dtype", "DT_INT32") + "attr { key: 'value' value { tensor { dtype: DT_INT32 tensor_shape { dim { size: 1 } } int_val: 1000000 } } }") +
        binary("y", "Mul", "x", "x") + binary("z", "Sub", "y", "x") + node("huge", "Fill", {"many", "one"}, type("T")) +
        node("many", "Const", {},
             type("dtype", "DT_INT32") + "attr { key: 'value' value { tensor { dtype: DT_INT32 tensor_shape { dim { size: 1 } } int_val: 2000000000 } } }") +
        node("sum", "Sum", {"huge", "zero"}, type("T")) +
        node("zero", "Const", {}, type("dtype", "DT_INT32") + "attr { key: 'value' value { tensor { dtype: DT_INT32 tensor_shape {} int_val: 0 } } }") +
        binary("out", "Add", "z", "sum") +
        node("yes", "Const", {}, type("dtype", "DT_BOOL") + "attr { key: 'value' value { tensor { dtype: DT_BOOL tensor_shape {} bool_val: true } } }") +
        node("branch", "Switch", {"out", "yes"}, type("T")));
    QVERIFY(s->run({}, {}, {"fill"}).ok());
    const size_t limit = hostAllocator().limit();
    // Without control flow, and with it: other executors, the same words.
    for (const char* fetch : {"out:0", "branch:1"}) {
      hostAllocator().setLimit(hostAllocator().bytesInUse() + (size_t(64) << 20));
      const auto r = s->run({{"x:0", Tensor::zeros(DType::Float, {1000, 500})}}, {fetch});
      hostAllocator().setLimit(limit);
      QVERIFY(!r.ok());
      const QString text = QString::fromStdString(r.error().toString());
      QVERIFY2(r.error().code == Code::ResourceExhausted, qPrintable(text));
      for (const char* part : {"OOM when allocating tensor with shape[2000000000]", "bytes are in use", "the limit is",
                               "weights (variable) [1000000] float 3.81 MB", "[1000,500] float 1.91 MB"}) {
        QVERIFY2(text.contains(QLatin1String(part)), qPrintable(text));
      }
    }
  }

  void sizesThatAreOnlyWrittenDownAreRefusedBeforeMemoryIsTaken() {
    auto s = sessionOf(node("indices", "Placeholder", {}, type("dtype", "DT_INT64")) + placeholder("values") +
                       node("shape", "Placeholder", {}, type("dtype", "DT_INT64")) + constant("zero", 0) +
                       node("filled", "SparseFillEmptyRows", {"indices", "values", "shape", "zero"}, type("T")) +
                       node("texts", "Placeholder", {}, type("dtype", "DT_STRING")) + node("ids", "Placeholder", {}, type("dtype", "DT_INT32")) +
                       node("count", "Placeholder", {}, type("dtype", "DT_INT64")) +
                       node("joined", "UnsortedSegmentJoin", {"texts", "ids", "count"}, type("Tindices", "DT_INT32") + type("Tnumsegments", "DT_INT64")));
    const auto filled = [&](int64_t rows) {
      return s->run({{"indices", Tensor::zeros(DType::Int64, {1, 1})}, {"values", floats({1})}, {"shape", Tensor::vector(std::vector<int64_t>{rows})}},
                    {"filled:2"});
    };
    QCOMPARE(filled(3)->front().elements(), 3);
    auto r = filled(int64_t(1) << 41);
    QVERIFY(!r.ok() && r.error().message.find("OOM when allocating tensor with shape[2199023255552] and type bool") != std::string::npos);
    // Memory used only inside the kernel counts, too.
    const size_t limit = hostAllocator().limit();
    hostAllocator().setLimit(hostAllocator().bytesInUse() + (size_t(64) << 20));
    r = filled(50000000);
    hostAllocator().setLimit(limit);
    QVERIFY(!r.ok() && r.error().message.find("OOM when allocating tensor with shape[50000000] and type int64") != std::string::npos);

    r = s->run({{"texts", Tensor::zeros(DType::String, {1, 0})}, {"ids", Tensor::zeros(DType::Int32, {1})}, {"count", Tensor::scalar(int64_t(1) << 60)}},
               {"joined"});
    QVERIFY2(r.ok(), r.ok() ? "" : r.error().toString().c_str());
    QVERIFY((*r)[0].shape() == Shape({int64_t(1) << 60, 0}));

    auto m =
        sessionOf(placeholder("x") + node("length", "Placeholder", {}, type("dtype", "DT_INT32")) + node("spectrum", "RFFT", {"x", "length"}, "") +
                  node("range", "Placeholder", {}, type("dtype", "DT_FLOAT")) + node("bins", "Placeholder", {}, type("dtype", "DT_INT32")) +
                  node("histogram", "HistogramFixedWidth", {"x", "range", "bins"}, type("T")) + constant("zero", 0) +
                  node("index", "Placeholder", {}, type("dtype", "DT_INT32")) +
                  node("size", "Const", {}, type("dtype", "DT_INT32") + weft::tests::attr("value", "tensor { dtype: DT_INT32 tensor_shape {} int_val: 1 }")) +
                  node("array", "TensorArrayV3", {"size"}, type("dtype") + weft::tests::attr("dynamic_size", "b: true")) +
                  node("written", "TensorArrayWriteV3", {"array", "index", "zero", "array:1"}, type("T")));
    const auto withLittle = [&](const std::vector<std::pair<std::string, Tensor>>& feeds, const char* fetch) {
      hostAllocator().setLimit(hostAllocator().bytesInUse() + (size_t(96) << 20));
      auto got = m->run(feeds, {fetch});
      hostAllocator().setLimit(limit);
      return got;
    };
    // The transform takes more than its input and output.
    r = withLittle({{"x", Tensor::zeros(DType::Float, {10000000})}, {"length", Tensor::vector<int32_t>({10000000})}}, "spectrum");
    QVERIFY(!r.ok() && r.error().code == Code::ResourceExhausted && r.error().message.find("and type uint8") != std::string::npos);
    r = withLittle({{"x", floats({1, 2})}, {"range", floats({0, 1})}, {"bins", Tensor::scalar(int32_t(15000000))}}, "histogram");
    QVERIFY(!r.ok() && r.error().message.find("shape[15000000] and type int64") != std::string::npos);
    r = m->run({{"index", Tensor::scalar(int32_t(2000000000))}}, {"written"});
    QVERIFY(!r.ok() && r.error().code == Code::ResourceExhausted && r.error().message.find("index 2000000000") != std::string::npos);
  }

  void unequalShapesMayBeAnAnswer() {
    const std::string lenient = type("T") + "attr { key: 'incompatible_shape_error' value { b: false } } ";
    const std::string text = placeholder("x") + placeholder("y") + node("same", "Equal", {"x", "y"}, lenient) +
                             node("differs", "NotEqual", {"x", "y"}, lenient) + binary("strict", "Equal", "x", "y");
    for (const char* passes : {"", "all"}) {
      SessionOptions options;
      options.disabledPasses = {passes};
      auto s = sessionOf(text, options);
      const std::vector<std::pair<std::string, Tensor>> feeds{{"x:0", floats({1, 2})}, {"y:0", floats({1, 2, 3})}};
      const auto r = s->run(feeds, {"same:0", "differs:0"});
      QVERIFY2(r.ok(), r.ok() ? "" : r.error().toString().c_str());
      QCOMPARE((*r)[0].rank(), 0);
      QVERIFY(!(*r)[0].at<bool>(0));
      QVERIFY((*r)[1].at<bool>(0));
      QVERIFY(s->run(feeds, {"strict:0"}).error().code == Code::InvalidArgument);
      const auto fit = s->run({{"x:0", floats({1, 2})}, {"y:0", floats({1, 3})}}, {"same:0"});
      QVERIFY(fit.ok() && (*fit)[0].elements() == 2 && (*fit)[0].at<bool>(0) && !(*fit)[0].at<bool>(1));
    }
  }

  void shapesOfLenientComparisonsAreThoseOfTensorFlow_data() {
    QTest::addColumn<QString>("x");
    QTest::addColumn<QString>("y");
    QTest::addColumn<QString>("result");
    // TensorFlow 1.15.5's inferred shapes. "unknown": not even the rank.
    QTest::newRow("no") << "2"
                        << "3"
                        << "[]";
    QTest::newRow("no in the middle") << "2,3"
                                      << "4,3"
                                      << "[]";
    QTest::newRow("no at the end") << "2,3"
                                   << "5"
                                   << "[]";
    QTest::newRow("perhaps") << "-1"
                             << "3"
                             << "unknown";
    QTest::newRow("perhaps nothing") << "-1"
                                     << "0"
                                     << "unknown";
    QTest::newRow("perhaps both") << "-1"
                                  << "-1"
                                  << "unknown";
    QTest::newRow("perhaps inside") << "3,2"
                                    << "-1,3"
                                    << "unknown";
    QTest::newRow("one") << "-1"
                         << "1"
                         << "[?]";
    QTest::newRow("ones") << "2,-1"
                          << "2,1"
                          << "[2,?]";
    QTest::newRow("scalar") << ""
                            << "-1"
                            << "[?]";
    QTest::newRow("yes") << "2"
                         << "2"
                         << "[2]";
  }
  void shapesOfLenientComparisonsAreThoseOfTensorFlow() {
    const auto input = [](const char* name, const QString& dims) {
      std::string shape;
      for (const QString& d : dims.split(',', Qt::SkipEmptyParts)) shape += "dim { size: " + d.toStdString() + " } ";
      return node(name, "Placeholder", {}, type("dtype") + "attr { key: 'shape' value { shape { " + shape + "} } } ");
    };
    QFETCH(QString, x);
    QFETCH(QString, y);
    const Graph g = graphOf("versions { producer: 134 }" + input("x", x) + input("y", y) +
                            node("z", "Equal", {"x", "y"}, type("T") + "attr { key: 'incompatible_shape_error' value { b: false } } "));
    const Shape shape = g.shape(*g.findOutput("z:0"));
    QTEST(shape.hasRank() ? QString::fromStdString(shape.toString()) : QStringLiteral("unknown"), "result");
  }

  void closedSessionsRefuse() {
    auto s = sessionOf(placeholder("x") + binary("y", "Add", "x", "x"));
    s->close();
    const auto r = s->run({{"x:0", Tensor::scalar(1.0f)}}, {"y:0"});
    QVERIFY(r.error().code == Code::Cancelled);
    QVERIFY(r.error().message.find("Session has been closed") != std::string::npos);
  }

  void cancelledRunsEnd() {
    auto s = sessionOf(placeholder("x") + binary("y", "Add", "x", "x"));
    RunOptions options;
    options.cancellation.cancel();
    const auto r = s->run({{"x:0", Tensor::scalar(1.0f)}}, {"y:0"}, {}, options);
    QVERIFY(r.error().code == Code::Cancelled);
  }

  /// TensorFlow 2 states the type of segment ids, which TensorFlow 1.15 fixes.
  void segmentIdsOfTensorFlow2MayHave64Bits() {
    const auto fed = [](const char* name, const char* dtype) { return node(name, "Placeholder", {}, type("dtype", dtype)); };
    for (const auto& [attr, dtype] : {std::pair("", "DT_INT32"), {"DT_INT32", "DT_INT32"}, {"DT_INT64", "DT_INT64"}}) {
      auto s = sessionOf(fed("x", "DT_FLOAT") + fed("at", "DT_INT32") + fed("ids", dtype) +
                         node("y", "SparseSegmentMean", {"x", "at", "ids"}, type("T") + type("Tidx", "DT_INT32") + (*attr ? type("Tsegmentids", attr) : "")));
      const bool wide = std::string_view(dtype) == "DT_INT64";
      const Tensor ids = wide ? Tensor::vector(std::vector<int64_t>{0, 0, 1}) : Tensor::vector(std::vector<int32_t>{0, 0, 1});
      const auto r =
          s->run({{"x:0", Tensor::vector(std::vector<float>{1, 2, 4})}, {"at:0", Tensor::vector(std::vector<int32_t>{0, 2, 1})}, {"ids:0", ids}}, {"y:0"});
      QVERIFY2(r.ok(), r.ok() ? "" : r.error().toString().c_str());
      QCOMPARE((*r)[0].asDouble(0), 2.5);
      QCOMPARE((*r)[0].asDouble(1), 2.0);
    }
  }

  void endlessLoopsCanBeCancelled() {
    // while (true) i = i + 1
    const std::string frame = "attr { key: 'frame_name' value { s: 'loop' } } ";
    auto s =
        sessionOf(constant("zero", 0) + node("enter", "Enter", {"zero"}, type("T") + frame) +
                  node("merge", "Merge", {"enter", "next"}, type("T") + "attr { key: 'N' value { i: 2 } }") +
                  node("yes", "Const", {"^merge"},
                       type("dtype", "DT_BOOL") + "attr { key: 'value' value { tensor { dtype: DT_BOOL tensor_shape {} bool_val: true } } }") +
                  node("cond", "LoopCond", {"yes"}) + node("switch", "Switch", {"merge", "cond"}, type("T")) + node("exit", "Exit", {"switch"}, type("T")) +
                  binary("add", "Add", "switch:1", "switch:1") + node("next", "NextIteration", {"add"}, type("T")));
    RunOptions options;
    const CancellationToken token = options.cancellation;
    std::thread stopper([token] {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      token.cancel();
    });
    const auto r = s->run({}, {"exit:0"}, {}, options);
    stopper.join();
    QVERIFY(r.error().code == Code::Cancelled);
    RunOptions timed;
    timed.timeoutMs = 30;
    QVERIFY(s->run({}, {"exit:0"}, {}, timed).error().code == Code::DeadlineExceeded);
  }

  void tracesNameEveryNodeThatRan() {
    auto s = sessionOf(counterGraph());
    RunOptions options;
    options.trace = true;
    RunReport report;
    QVERIFY(s->run({}, {}, {kCounter}, options, &report).ok());
    QVERIFY(report.trace);
    bool found = false;
    for (const TraceEvent& e : report.trace->events) found |= e.name == kCounter && e.op == "Assign" && e.endNs >= e.startNs;
    QVERIFY(found);
    QVERIFY(!report.trace->toRunMetadata().empty());
    QVERIFY(report.trace->toChromeJson().find("\"Assign\"") != std::string::npos);
  }

  void devicesThatAreNotThereAreRefusedOrReplaced() {
    const std::string text = placeholder("x") + "node { name: 'y' op: 'Add' input: 'x' input: 'x' device: '/device:GPU:7' " + type("T") + "}\n";
    auto strict = sessionOf(text);
    const auto r = strict->run({{"x:0", Tensor::scalar(1.0f)}}, {"y:0"});
    QVERIFY(r.error().code == Code::InvalidArgument);
    QVERIFY(r.error().message.find("/device:GPU:7") != std::string::npos);
    SessionOptions soft;
    soft.allowSoftPlacement = true;
    QCOMPARE(value(sessionOf(text, soft)->run({{"x:0", Tensor::scalar(1.0f)}}, {"y:0"})), 2.0f);
  }
};

QTEST_APPLESS_MAIN(SessionTest)
#include "tst_session.moc"
