#include <QTest>

#include "api/control_flow.h"
#include "weft/builder.h"
#include "weft/session.h"

using namespace weft;
using List = std::vector<Output>;

/// Nodes outside a while loop that wait for nodes inside it. TensorFlow builds such graphs and refuses to run them.
class TestFrames : public QObject {
  Q_OBJECT

 private slots:
  void whatWaitsForTheInsideOfALoopIsRefused_data() {
    QTest::addColumn<QString>("passes");
    for (const char* passes : {"", "native_loops", "all"}) QTest::addRow("without %s", *passes ? passes : "nothing") << QString(passes);
  }
  /// Without a prior check, rewrites would fold the waiting nodes into constants and run what TensorFlow refuses.
  void whatWaitsForTheInsideOfALoopIsRefused() {
    QFETCH(QString, passes);
    MetaGraph meta;
    GraphBuilder b(meta);
    const Output p = b.placeholder(DType::Float, Shape{}, "p");
    const Output ten = b.scalar(10.f);
    int inner = -1;
    const List left = api::whileLoop(
        b,
        [&](const List& v) {
          return b.op("Less", {v[0], b.scalar(4.f)});
        },
        [&](const List& v) {
          inner = b.op("Mul", {v[0], b.scalar(2.f)}).node;
          return List{b.op("AddV2", {v[0], b.scalar(1.f)})};
        },
        {b.scalar(0.f)});
    Output within, ofFed, ofConstant, ofBoth;
    int signal = -1;
    {
      const auto wait = b.controlDependencies({inner});
      within = b.scalar(5.f);
      ofFed = b.op("Identity", {p});
      ofConstant = b.op("Neg", {ten});
      signal = b.node("NoOp", {});
    }
    ofBoth = b.op("AddV2", {p, within});
    QVERIFY2(b.ok(), b.ok() ? "" : b.status().error().toString().c_str());
    SessionOptions options;
    if (!passes.isEmpty()) options.disabledPasses = {passes.toStdString()};
    auto s = Session::create(meta.graph, options);
    QVERIFY(s.ok());
    const std::vector<std::pair<std::string, Tensor>> feeds = {{"p:0", Tensor::scalar(1.f)}};
    for (const Output o : {within, ofFed, ofConstant, ofBoth}) {
      const auto r = (*s)->run(feeds, {meta.graph.tensorName(o)});
      QVERIFY2(!r.ok(), meta.graph.tensorName(o).c_str());
      QCOMPARE(r.error().code, Code::InvalidArgument);
    }
    // A target inside the loop's frame does no harm.
    const auto r = (*s)->run(feeds, {meta.graph.tensorName(left[0])}, {meta.graph.node(signal)->name});
    QVERIFY2(r.ok(), r.ok() ? "" : r.error().toString().c_str());
    QCOMPARE((*r)[0].at<float>(0), 4.f);
  }
};

QTEST_GUILESS_MAIN(TestFrames)
#include "tst_frames.moc"
