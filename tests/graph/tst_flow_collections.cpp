// The collections cond_context and while_context while branches and loops are built one after the other.
#include <QTest>
#include <algorithm>
#include <ctime>

#include "api/control_flow.h"
#include "graph/flow_context.h"
#include "weft/builder.h"

using namespace weft;

namespace {

using Bytes = std::vector<std::string>;

Bytes bytesOf(GraphBuilder& b, const char* name) {
  const auto& collections = b.meta().collections;
  const auto found = collections.find(name);
  return found == collections.end() ? Bytes() : found->second.bytes;
}

std::vector<Output> branchIn(GraphBuilder& b, Output pred, Output x) {
  return api::cond(
      b, pred, [&] { return std::vector<Output>{b.op("Neg", {x})}; }, [&] { return std::vector<Output>{b.op("Exp", {x})}; });
}

/// A loop of three steps, with a branch in its body; with `fails`, the body gives too few values.
std::vector<Output> loopIn(GraphBuilder& b, Output pred, Output x, bool fails = false) {
  const Output none = b.scalar<float>(0);
  return api::whileLoop(
      b,
      [&](const std::vector<Output>& v) {
        return b.op("Less", {v[0], none});
      },
      [&](const std::vector<Output>&) {
        auto made = branchIn(b, pred, x);
        return fails ? std::vector<Output>() : made;
      },
      {x}, {});
}

}  // namespace

class TestFlowCollections : public QObject {
  Q_OBJECT
 private slots:
  void eachConstructIsWrittenWhole() {
    MetaGraph meta;
    GraphBuilder b(meta);
    const Output pred = b.placeholder(DType::Bool, {}, "pred"), x = b.placeholder(DType::Float, {}, "x");
    for (int i = 0; i < 3; ++i) {
      branchIn(b, pred, x);
      loopIn(b, pred, x);
      QVERIFY2(b.ok(), b.ok() ? "" : b.status().error().toString().c_str());
      QCOMPARE(bytesOf(b, "cond_context").size(), size_t(2 * (i + 1)));
      QCOMPARE(bytesOf(b, "while_context").size(), size_t(i + 1));
    }
    const Bytes conds = bytesOf(b, "cond_context"), loops = bytesOf(b, "while_context");
    addControlFlowContexts(b, "cond_context", {});  // writes all of them anew
    QVERIFY(bytesOf(b, "cond_context") == conds && bytesOf(b, "while_context") == loops);
    // A collection that was cleared is written again, with the next construct.
    b.meta().collections.clear();
    branchIn(b, pred, x);
    QCOMPARE(bytesOf(b, "cond_context").size(), size_t(8));
    loopIn(b, pred, x);
    const Bytes again = bytesOf(b, "while_context");
    QVERIFY(again.size() == 4 && std::equal(loops.begin(), loops.end(), again.begin()));
  }

  void aLoopThatWasWrittenBeforeItsEndIsWrittenAgain() {
    MetaGraph meta;
    GraphBuilder b(meta);
    const Output x = b.placeholder(DType::Float, {}, "x"), none = b.scalar<float>(0);
    Bytes unfinished;
    api::whileLoop(
        b,
        [&](const std::vector<Output>& v) {
          return b.op("Less", {v[0], none});
        },
        [&](const std::vector<Output>& v) {
          addControlFlowContexts(b, "cond_context", {});
          unfinished = bytesOf(b, "while_context");
          return std::vector<Output>{b.op("Neg", {v[0]})};
        },
        {x}, {});
    QVERIFY(b.ok());
    const Bytes finished = bytesOf(b, "while_context");
    QVERIFY(unfinished.size() == 1 && finished.size() == 1 && unfinished != finished);
    addControlFlowContexts(b, "cond_context", {});
    QVERIFY(bytesOf(b, "while_context") == finished);
  }

  void aRejectedLoopStaysInTheCollection() {
    MetaGraph meta;
    GraphBuilder b(meta);
    const Output pred = b.placeholder(DType::Bool, {}, "pred"), x = b.placeholder(DType::Float, {}, "x");
    loopIn(b, pred, x, true);
    QVERIFY(!b.ok());
    QCOMPARE(bytesOf(b, "while_context").size(), size_t(1));
  }

  /// In processor time: the time of one branch must not depend on how many there are.
  void manyBranchesTakeNoLongTime() {
    MetaGraph meta;
    GraphBuilder b(meta);
    const Output pred = b.placeholder(DType::Bool, {}, "pred"), x = b.placeholder(DType::Float, {}, "x");
    const std::clock_t start = std::clock();
    for (int i = 0; i < 3000; ++i) branchIn(b, pred, x);
    QVERIFY(double(std::clock() - start) / CLOCKS_PER_SEC < 10);
    QCOMPARE(bytesOf(b, "cond_context").size(), size_t(6000));
  }
};

QTEST_APPLESS_MAIN(TestFlowCollections)
#include "tst_flow_collections.moc"
