#include <QTest>

#include "weft/builder.h"
#include "weft/training_mistakes.h"

using namespace weft;
using Kind = TrainingMistake::Kind;

namespace {

struct Network {
  MetaGraph meta;
  GraphBuilder b{meta};
  Output weights = b.op("VariableV2", {}, {{"dtype", DType::Float}, {"shape", Shape{2, 3}}}, "w");
  Output rate = b.constant(Tensor::scalar(0.1f), "rate");

  int apply(Output gradient) { return b.node("ApplyGradientDescent", {weights, rate, gradient}, {}, "train"); }
  std::vector<std::pair<Kind, std::string>> mistakes(const std::vector<int>& runs = {}) {
    std::vector<std::pair<Kind, std::string>> out;
    for (const TrainingMistake& m : findTrainingMistakes(meta, runs))
      out.emplace_back(m.kind, meta.graph.node(m.node)->name + (m.source >= 0 ? " <- " + meta.graph.node(m.source)->name : ""));
    return out;
  }
};

using Mistakes = std::vector<std::pair<Kind, std::string>>;

}  // namespace

class TrainingMistakesTest : public QObject {
  Q_OBJECT

 private slots:
  void anUpdateThatNothingWaitsForIsNamed() {
    Network n;
    const int update = n.b.node("AssignSub", {n.b.op("VariableV2", {}, {{"dtype", DType::Float}, {"shape", Shape{}}}, "mean"), n.rate}, {}, "update");
    n.b.addToCollection("update_ops", "update");
    QVERIFY(n.mistakes().empty());  // nothing trains
    const int train = n.apply(n.b.op("Identity", {n.weights}));
    QVERIFY2(n.b.ok(), n.b.ok() ? "" : n.b.status().error().toString().c_str());
    QCOMPARE(n.mistakes(), (Mistakes{{Kind::UpdatesNotRun, "update"}}));
    QCOMPARE(n.mistakes({train}), (Mistakes{{Kind::UpdatesNotRun, "update"}}));
    QVERIFY(n.mistakes({train, update}).empty());  // run by its own name
    QVERIFY(n.mistakes({update}).empty());         // no training
    n.b.addControlInputs(train, {update});
    QVERIFY(n.mistakes().empty());
    QVERIFY(n.mistakes({train}).empty());
  }

  void softmaxIsFoundBehindReshapes_data() {
    QTest::addColumn<QString>("applied");
    QTest::addColumn<QString>("loss");
    for (const char* applied : {"Softmax", "Sigmoid"})
      for (const char* loss : {"SoftmaxCrossEntropyWithLogits", "SparseSoftmaxCrossEntropyWithLogits"})
        QTest::newRow((std::string(applied) + " " + loss).c_str()) << applied << loss;
  }
  void softmaxIsFoundBehindReshapes() {
    QFETCH(QString, applied);
    QFETCH(QString, loss);
    Network n;
    const Output p = n.b.op(applied.toStdString(), {n.weights}, {}, "p");
    const Output flat = n.b.op("Reshape", {n.b.identity(p), n.b.constant(Tensor::vector<int32_t>({2, 3}))});
    const Output labels = loss.startsWith("Sparse") ? n.b.constant(Tensor::vector<int32_t>({0, 1})) : n.b.op("ZerosLike", {n.weights});
    n.b.op(loss.toStdString(), {flat, labels}, {}, "loss");
    n.b.op(loss.toStdString(), {n.weights, labels}, {}, "right");
    QVERIFY2(n.b.ok(), n.b.ok() ? "" : n.b.status().error().toString().c_str());
    QCOMPARE(n.mistakes(), (Mistakes{{Kind::SoftmaxTwice, "loss <- p"}}));
    QVERIFY(n.mistakes({n.meta.graph.find("right")->id}).empty());
  }

  /// tf.cond(often, train, nothing): the optimizer and the counter get the variables through Switch.
  void whatABranchDoesIsDone() {
    Network n;
    const Output step = n.b.op("VariableV2", {}, {{"dtype", DType::Int64}, {"shape", Shape{}}}, "global_step");
    const Output often = n.b.op("Placeholder", {}, {{"dtype", DType::Bool}, {"shape", Shape{}}}, "often");
    const Output w = n.b.op("RefSwitch", {n.weights, often}), counter = n.b.op("RefSwitch", {step, often});
    const int train = n.b.node("ApplyGradientDescent", {{w.node, 1}, n.rate, n.b.op("Identity", {n.weights})}, {}, "train");
    QVERIFY2(n.b.ok(), n.b.ok() ? "" : n.b.status().error().toString().c_str());
    QCOMPARE(n.mistakes(), (Mistakes{{Kind::GlobalStepStays, "global_step"}}));
    const int increment = n.b.node("AssignAdd", {{counter.node, 1}, n.b.constant(Tensor::scalar(int64_t(1)))}, {}, "increment");
    QVERIFY2(n.b.ok(), n.b.ok() ? "" : n.b.status().error().toString().c_str());
    QVERIFY(n.mistakes().empty());
    QVERIFY(n.mistakes({train, increment}).empty());
    const Graph& graph = n.meta.graph;
    QCOMPARE(changedVariable(graph, *graph.node(train))->name, std::string("w"));
    QCOMPARE(changedVariable(graph, *graph.node(increment))->name, std::string("global_step"));
    QVERIFY(!changedVariable(graph, *graph.find("often")));
  }

  void sigmoidLossIsToldByItsOps() {
    for (const char* applied : {"Sigmoid", "Softmax", "Tanh"}) {
      Network n;
      const Output x = n.b.op(applied, {n.weights}, {}, "p");
      const Output positive = n.b.op("GreaterEqual", {x, n.b.op("ZerosLike", {x})});
      n.b.op("Log1p", {n.b.op("Exp", {n.b.op("Select", {positive, n.b.op("Neg", {x}), x})})}, {}, "loss");
      n.b.op("Log1p", {n.b.op("Exp", {x})}, {}, "softplus");
      QVERIFY2(n.b.ok(), n.b.ok() ? "" : n.b.status().error().toString().c_str());
      QCOMPARE(n.mistakes(), applied == std::string("Tanh") ? Mistakes{} : (Mistakes{{Kind::SoftmaxTwice, "loss <- p"}}));
    }
  }

  void aStepThatStandsStillIsNamed() {
    Network n;
    const Output step = n.b.op("VariableV2", {}, {{"dtype", DType::Int64}, {"shape", Shape{}}}, "global_step");
    const Output one = n.b.constant(Tensor::scalar<int64_t>(1), "one");
    n.b.node("Assign", {step, one}, {}, "global_step/Assign");
    n.b.node("Assign", {step, one}, {}, "save/Assign");
    const int train = n.apply(n.b.op("Identity", {n.weights}));
    QCOMPARE(n.mistakes(), (Mistakes{{Kind::GlobalStepStays, "global_step"}}));
    const int increment = n.b.node("AssignAdd", {step, one}, {}, "increment");
    QVERIFY2(n.b.ok(), n.b.ok() ? "" : n.b.status().error().toString().c_str());
    QVERIFY(n.mistakes().empty());
    QCOMPARE(n.mistakes({train}), (Mistakes{{Kind::GlobalStepStays, "global_step"}}));
    QVERIFY(n.mistakes({train, increment}).empty());
  }
};

QTEST_APPLESS_MAIN(TrainingMistakesTest)
#include "tst_training_mistakes.moc"
