#include <QTest>

#include "api/control_flow.h"
#include "weft/builder.h"
#include "weft/session.h"

using namespace weft;
using List = std::vector<Output>;

namespace {

/// A program with loops: `build` creates it and returns its fetches; `feeds` by placeholder name.
struct Program {
  const char* name;
  int loops;  ///< How many become native.
  std::function<List(GraphBuilder&)> build;
  std::vector<std::pair<std::string, Tensor>> feeds;
};

Output less(GraphBuilder& b, Output x, int32_t n) { return b.op("Less", {x, b.scalar<int32_t>(n)}); }
Output next(GraphBuilder& b, Output i) { return b.op("AddV2", {i, b.scalar<int32_t>(1)}); }

Tensor numbers(const Shape& shape, float first) {
  Tensor t = Tensor::zeros(DType::Float, shape);
  for (int64_t i = 0; i < t.elements(); ++i) t.mutableData<float>()[i] = first + 0.03f * float(i % 17) - 0.2f;
  return t;
}

/// A recurrent cell, h = tanh(concat([x, h]) * w), and the gradients of w and of the first h.
List cell(GraphBuilder& b) {
  const Output x = b.placeholder(DType::Float, Shape{3, 40}, "x");
  const Output h = b.placeholder(DType::Float, Shape{3, 64}, "h");
  const Output w = b.placeholder(DType::Float, Shape{104, 64}, "w");
  const auto out = api::whileLoop(
      b, [&](const List& v) { return less(b, v[0], 5); },
      [&](const List& v) {
        const Output both = b.op("ConcatV2", {x, v[1], b.scalar<int32_t>(1)}, {{"N", int64_t(2)}});
        return List{next(b, v[0]), b.op("Tanh", {b.op("MatMul", {both, w})})};
      },
      {b.scalar<int32_t>(0), h});
  const Output loss = b.op("Sum", {out[1], b.ints({0, 1})});
  auto grads = addGradients(b, {loss}, {h, w});
  if (!grads.ok()) qFatal("%s", grads.error().toString().c_str());
  return List{loss, (*grads)[0].dense, (*grads)[1].dense};
}

/// A loop of five iterations with a separate counter, as gradients add it, and a node after the loop.
struct Counted {
  Output index, counter;  ///< Output index, counter: initial values of the condition's variable and the counter.
  Output after, rounds;
};
Counted counted(GraphBuilder& b, bool computed) {
  const Output x = b.placeholder(DType::Float, Shape{3}, "x");
  Counted c;
  c.index = b.scalar<int32_t>(0);
  c.counter = b.scalar<int32_t>(0);
  if (computed) c.counter = b.op("Neg", {c.counter});
  const auto out = api::whileLoop(
      b, [&](const List& v) { return less(b, v[0], 5); },
      [&](const List& v) {
        return List{next(b, v[0]), b.op("Mul", {v[1], x}), next(b, v[2])};
      },
      {c.index, x, c.counter});
  c.after = b.op("Identity", {out[1]});
  c.rounds = b.op("Identity", {out[2]});
  return c;
}

std::vector<Program> programs() {
  const auto counter = [](GraphBuilder& b) {
    const Output n = b.placeholder(DType::Int32, Shape{}, "n");
    const auto out = api::whileLoop(
        b,
        [&](const List& v) {
          return b.op("Less", {v[0], n});
        },
        [&](const List& v) {
          return List{next(b, v[0]), b.op("AddV2", {v[1], b.cast(v[0], DType::Float)})};
        },
        {b.scalar<int32_t>(0), b.scalar(0.f)});
    return List{out[0], out[1]};
  };
  const auto swapped = [](GraphBuilder& b) {  // variables that change places
    const Output n = b.placeholder(DType::Int32, Shape{}, "n");
    return api::whileLoop(
        b,
        [&](const List& v) {
          return b.op("Less", {v[0], n});
        },
        [&](const List& v) {
          return List{next(b, v[0]), v[2], b.op("Mul", {v[1], b.scalar(2.f)})};
        },
        {b.scalar<int32_t>(0), b.scalar(1.f), b.scalar(10.f)});
  };
  const auto swappedTensors = [](GraphBuilder& b) {
    const Output x = b.placeholder(DType::Float, Shape::unknownOfRank(1), "x");
    const auto out = api::whileLoop(
        b, [&](const List& v) { return less(b, v[0], 5); },
        [&](const List& v) {
          return List{next(b, v[0]), v[2], b.op("Mul", {v[1], x})};
        },
        {b.scalar<int32_t>(0), x, b.op("Neg", {x})});
    return List{out[1], out[2]};
  };
  const auto growing = [](GraphBuilder& b) {  // a shape that changes in every round
    const Output x = b.placeholder(DType::Float, Shape::unknownOfRank(1), "x");
    api::WhileOptions options;
    options.shapeInvariants = {Shape{}, Shape::unknownOfRank(1)};
    const auto out = api::whileLoop(
        b, [&](const List& v) { return less(b, v[0], 4); },
        [&](const List& v) {
          return List{next(b, v[0]), b.op("ConcatV2", {v[1], x, b.scalar<int32_t>(0)}, {{"N", int64_t(2)}})};
        },
        {b.scalar<int32_t>(0), x}, options);
    return List{out[1], b.op("Sum", {out[1], b.ints({0})})};
  };
  const auto nested = [](GraphBuilder& b) {
    const Output x = b.placeholder(DType::Float, Shape::unknownOfRank(2), "x");
    const auto out = api::whileLoop(
        b, [&](const List& v) { return less(b, v[0], 3); },
        [&](const List& v) {
          const auto inner = api::whileLoop(
              b,
              [&](const List& w) {
                return b.op("Less", {w[0], v[0]});
              },
              [&](const List& w) {
                return List{next(b, w[0]), b.op("Tanh", {b.op("MatMul", {w[1], x})})};
              },
              {b.scalar<int32_t>(0), v[1]});
          return List{next(b, v[0]), b.op("AddV2", {inner[1], b.scalar(0.5f)})};
        },
        {b.scalar<int32_t>(0), x});
    return List{out[1]};
  };
  const auto branching = [](GraphBuilder& b) {  // a conditional inside, of the loop's own values
    const Output x = b.placeholder(DType::Float, Shape::unknownOfRank(1), "x");
    const auto out = api::whileLoop(
        b, [&](const List& v) { return less(b, v[0], 6); },
        [&](const List& v) {
          const Output odd = b.op("Equal", {b.op("FloorMod", {v[0], b.scalar<int32_t>(2)}), b.scalar<int32_t>(1)});
          const auto y = api::cond(
              b, odd,
              [&] {
                return List{b.op("Mul", {v[1], x})};
              },
              [&] {
                return List{b.op("Sub", {v[1], b.scalar(1.f)})};
              });
          return List{next(b, v[0]), y[0]};
        },
        {b.scalar<int32_t>(0), x});
    return List{out[1]};
  };
  const auto never = [](GraphBuilder& b) {
    const Output x = b.placeholder(DType::Float, Shape::unknownOfRank(1), "x");
    const auto out = api::whileLoop(
        b, [&](const List& v) { return less(b, v[0], 0); },
        [&](const List& v) {
          return List{next(b, v[0]), b.op("Mul", {v[1], b.op("Exp", {x})})};
        },
        {b.scalar<int32_t>(0), x});
    return List{out[1], out[0]};
  };
  const auto gradient = [](GraphBuilder& b) {  // forward with stacks, backward with their reverse
    const Output x = b.placeholder(DType::Float, Shape{3, 4}, "x");
    const Output w = b.placeholder(DType::Float, Shape{4, 4}, "w");
    const auto out = api::whileLoop(
        b, [&](const List& v) { return less(b, v[0], 5); },
        [&](const List& v) {
          const Output y = b.op("BiasAdd", {b.op("MatMul", {v[1], w}), b.constant(Tensor::vector<float>({0.1f, 0.2f, 0.3f, 0.4f}))});
          return List{next(b, v[0]), b.op("Tanh", {y})};
        },
        {b.scalar<int32_t>(0), x});
    const Output loss = b.op("Sum", {out[1], b.ints({0, 1})});
    auto grads = addGradients(b, {loss}, {x, w});
    if (!grads.ok()) qFatal("%s", grads.error().toString().c_str());
    return List{loss, (*grads)[0].dense, (*grads)[1].dense};
  };
  const auto growingGradient = [](GraphBuilder& b) {  // the pushed value changes its shape in every iteration
    const Output x = b.placeholder(DType::Float, Shape{3}, "x");
    api::WhileOptions options;
    options.shapeInvariants = {Shape{}, Shape::unknownOfRank(1)};
    const auto out = api::whileLoop(
        b, [&](const List& v) { return less(b, v[0], 4); },
        [&](const List& v) {
          const Output longer = b.op("ConcatV2", {v[1], x, b.scalar<int32_t>(0)}, {{"N", int64_t(2)}});
          return List{next(b, v[0]), b.op("Mul", {b.op("Tanh", {longer}), longer})};
        },
        {b.scalar<int32_t>(0), x}, options);
    const Output loss = b.op("Sum", {out[1], b.ints({0})});
    auto grads = addGradients(b, {loss}, {x});
    if (!grads.ok()) qFatal("%s", grads.error().toString().c_str());
    return List{loss, (*grads)[0].dense};
  };
  const auto inBranch = [](GraphBuilder& b) {  // a loop on an untaken branch
    const Output p = b.placeholder(DType::Bool, Shape{}, "p");
    const Output x = b.placeholder(DType::Float, Shape::unknownOfRank(1), "x");
    return api::cond(
        b, p,
        [&] {
          return List{api::whileLoop(
              b, [&](const List& v) { return less(b, v[0], 3); },
              [&](const List& v) {
                return List{next(b, v[0]), b.op("Mul", {v[1], x})};
              },
              {b.scalar<int32_t>(0), x})[1]};
        },
        [&] { return List{b.op("Neg", {x})}; });
  };
  const Tensor n = Tensor::scalar<int32_t>(7), x = numbers({5}, 0.7f), square = numbers({4, 4}, 0.1f);
  Tensor yes = Tensor::scalar(true), no = Tensor::scalar(false);
  return {{"counter", 1, counter, {{"n:0", n}}},
          {"swapped scalars", 1, swapped, {{"n:0", n}}},
          {"swapped tensors", 1, swappedTensors, {{"x:0", x}}},
          {"growing", 1, growing, {{"x:0", x}}},
          {"nested", 2, nested, {{"x:0", square}}},
          {"branching", 1, branching, {{"x:0", x}}},
          {"no round", 1, never, {{"x:0", x}}},
          {"gradient", 2, gradient, {{"x:0", numbers({3, 4}, 0.3f)}, {"w:0", square}}},
          {"gradient of a cell", 2, cell, {{"x:0", numbers({3, 40}, 0.02f)}, {"h:0", numbers({3, 64}, 0.03f)}, {"w:0", numbers({104, 64}, 0.05f)}}},
          {"gradient of a growing one", 2, growingGradient, {{"x:0", numbers({3}, 0.3f)}}},
          {"taken branch", 1, inBranch, {{"p:0", yes}, {"x:0", x}}},
          {"other branch", 1, inBranch, {{"p:0", no}, {"x:0", x}}}};
}

}  // namespace

/// Native while loops give the dataflow executor's results.
class NativeLoopsTest : public QObject {
  Q_OBJECT

 private slots:
  void sameAsDataflow_data() {
    QTest::addColumn<int>("index");
    int i = 0;
    for (const Program& p : programs()) QTest::newRow(p.name) << i++;
  }

  void sameAsDataflow() {
    QFETCH(int, index);
    const Program program = programs()[size_t(index)];
    MetaGraph meta;
    GraphBuilder b(meta);
    const List outputs = program.build(b);
    QVERIFY2(b.ok(), b.status().toString().c_str());
    std::vector<std::string> feeds, fetches;
    std::vector<Tensor> values;
    for (const auto& [name, value] : program.feeds) feeds.push_back(name), values.push_back(value);
    for (const Output& o : outputs) fetches.push_back(meta.graph.tensorName(o));
    std::vector<std::vector<Tensor>> results;
    for (const std::string off : {"native_loops", "constant_folding", "scalar_loops", "loop_products", "loop_transposes", ""}) {
      SessionOptions options;
      if (!off.empty()) options.disabledPasses = {off};
      auto session = Session::create(meta.graph, options);
      QVERIFY(session.ok());
      auto run = (*session)->prepare(feeds, fetches, {});
      QVERIFY2(run.ok(), run.ok() ? "" : run.error().toString().c_str());
      for (int k = 0; k < 3; ++k) {  // recorded, laid out, repeated
        auto got = run->run(values);
        QVERIFY2(got.ok(), got.ok() ? "" : got.error().toString().c_str());
        results.push_back(std::move(*got));
      }
      const QString plan = QString::fromStdString(run->explain());
      if (off.empty()) QVERIFY2(plan.count(QStringLiteral("native_loops: ")) >= 1, qPrintable(plan));
      if (off == "native_loops") QCOMPARE(plan.count(QStringLiteral("native_loops: ")), 0);
    }
    for (size_t r = 1; r < results.size(); ++r) {
      for (size_t k = 0; k < results[0].size(); ++k) {
        const Tensor &a = results[0][k], &c = results[r][k];
        QCOMPARE(QString::fromStdString(c.shape().toString()), QString::fromStdString(a.shape().toString()));
        for (int64_t i = 0; i < a.elements(); ++i) {
          const double want = a.asDouble(i), got = c.asDouble(i);
          QVERIFY2(std::abs(want - got) <= 1e-5 * std::max(1.0, std::abs(want)),
                   qPrintable(QStringLiteral("run %1, output %2, element %3: %4, %5").arg(r).arg(k).arg(i).arg(want).arg(got)));
        }
      }
    }
  }

  /// tf.gradients under tf.control_dependencies counts a loop's iterations from a constant that waits for a node after the loop. As a frame the loop started
  /// nevertheless; as one op it waited for itself, and the run returned silently.
  void countersMayWaitForWhatComesAfterTheLoop() {
    for (const bool branches : {false, true}) {
      MetaGraph meta;
      GraphBuilder b(meta);
      const Counted c = counted(b, false);
      Output last = c.after;
      if (branches) {  // a graph that branches elsewhere is run by the other executor
        const int s = b.op("Switch", {c.after, b.constant(Tensor::scalar(true))}).node;
        last = b.op("Merge", {Output{s, 0}, Output{s, 1}}, {{"N", int64_t(2)}});
      }
      b.addControlInputs(c.counter.node, {last.node});
      QVERIFY2(b.ok(), b.status().toString().c_str());
      for (const std::string off : {"", "native_loops", "all"}) {
        SessionOptions options;
        if (!off.empty()) options.disabledPasses = {off};
        auto session = Session::create(meta.graph, options);
        QVERIFY(session.ok());
        auto run = (*session)->prepare({"x:0"}, {meta.graph.tensorName(c.rounds), meta.graph.tensorName(last)}, {});
        QVERIFY2(run.ok(), run.ok() ? "" : run.error().toString().c_str());
        const std::vector<Tensor> x = {numbers({3}, 1.f)};
        const auto got = run->run(x);
        QVERIFY2(got.ok(), got.ok() ? "" : got.error().toString().c_str());
        QCOMPARE((*got)[0].at<int32_t>(0), 5);
        QVERIFY(std::abs((*got)[1].at<float>(0) - std::pow(x[0].at<float>(0), 6.f)) < 1e-4f);
        QCOMPARE(QString::fromStdString(run->explain()).count(QStringLiteral("native_loops: ")), off.empty() ? 1 : 0);
      }
    }
  }

  /// An input is computed from an output of the loop: only a frame supports that, so it stays a frame.
  void loopsThatFeedThemselvesStayFrames() {
    MetaGraph meta;
    GraphBuilder b(meta);
    const Counted c = counted(b, true);
    b.addControlInputs(c.counter.node, {c.after.node});
    QVERIFY2(b.ok(), b.status().toString().c_str());
    auto session = Session::create(meta.graph);
    QVERIFY(session.ok());
    auto got = (*session)->run({{"x:0", numbers({3}, 1.f)}}, {meta.graph.tensorName(c.rounds)});
    QVERIFY2(got.ok(), got.ok() ? "" : got.error().toString().c_str());
    QCOMPARE((*got)[0].at<int32_t>(0), 5);
  }

  /// A loop whose condition waits for its own end can never run: session creation refuses it.
  void loopsThatWaitForTheirEndAreRefused() {
    MetaGraph meta;
    GraphBuilder b(meta);
    const Counted c = counted(b, false);
    b.addControlInputs(c.index.node, {c.after.node});
    QVERIFY2(b.ok(), b.status().toString().c_str());
    auto session = Session::create(meta.graph);
    QVERIFY(!session.ok());
    QVERIFY2(session.error().message.find("cycle") != std::string::npos, session.error().toString().c_str());
  }

  /// The values that a loop pushes to a stack give its gradient's body the shapes of the popped ones, which fusion there requires.
  void gradientsKnowShapesOfWhatTheyPop() {
    MetaGraph meta;
    GraphBuilder b(meta);
    const Output x = b.placeholder(DType::Float, Shape{3, 4}, "x");
    const auto out = api::whileLoop(
        b, [&](const List& v) { return less(b, v[0], 5); },
        [&](const List& v) {
          return List{next(b, v[0]), b.op("Mul", {b.op("Tanh", {v[1]}), b.op("Sigmoid", {v[1]})})};
        },
        {b.scalar<int32_t>(0), x});
    auto grads = addGradients(b, {b.op("Sum", {out[1], b.ints({0, 1})})}, {x});
    QVERIFY2(grads.ok(), grads.ok() ? "" : grads.error().toString().c_str());
    const std::string fetch = meta.graph.tensorName((*grads)[0].dense);
    auto session = Session::create(meta.graph);
    QVERIFY(session.ok());
    auto run = (*session)->prepare({"x:0"}, {fetch}, {});
    QVERIFY2(run.ok(), run.ok() ? "" : run.error().toString().c_str());
    const std::vector<Tensor> values = {numbers({3, 4}, 0.3f)};
    auto got = run->run(values);
    QVERIFY2(got.ok(), got.ok() ? "" : got.error().toString().c_str());
    const QString plan = QString::fromStdString(run->explain());
    const qsizetype gradient = plan.indexOf(QStringLiteral("native_loops: gradients/"));
    QVERIFY2(gradient >= 0, qPrintable(plan));
    const QString body = plan.mid(gradient, plan.indexOf(QStringLiteral("memory:"), gradient) - gradient);
    QVERIFY2(body.contains(QStringLiteral("elementwise_fusion")), qPrintable(plan));
  }

  /// The weights of a cell's gradient are turned once, and only the part of them that is needed.
  void gradientsOfCellsTurnTheirWeights() {
    MetaGraph meta;
    GraphBuilder b(meta);
    const List outputs = cell(b);
    QVERIFY2(b.ok(), b.status().toString().c_str());
    auto session = Session::create(meta.graph);
    QVERIFY(session.ok());
    auto run = (*session)->prepare({"x:0", "h:0", "w:0"}, {meta.graph.tensorName(outputs[1])}, {});
    QVERIFY2(run.ok(), run.ok() ? "" : run.error().toString().c_str());
    const std::vector<Tensor> values = {numbers({3, 40}, 0.02f), numbers({3, 64}, 0.03f), numbers({104, 64}, 0.05f)};
    auto got = run->run(values);
    QVERIFY2(got.ok(), got.ok() ? "" : got.error().toString().c_str());
    const QString plan = QString::fromStdString(run->explain());
    QVERIFY2(plan.contains(QStringLiteral("product_slicing: 1 product\n")), qPrintable(plan));
    QVERIFY2(plan.contains(QStringLiteral("loop_transposes: 1 matrix\n")), qPrintable(plan));
  }

  /// A trace names the loop's ops with frame and round.
  void tracesTellRounds() {
    MetaGraph meta;
    GraphBuilder b(meta);
    const List out = programs()[0].build(b);
    QVERIFY(b.ok());
    auto session = Session::create(meta.graph);
    QVERIFY(session.ok());
    RunOptions options;
    options.trace = true;
    RunReport report;
    auto got = (*session)->run({{"n:0", Tensor::scalar<int32_t>(7)}}, {meta.graph.tensorName(out[1])}, {}, options, &report);
    QVERIFY2(got.ok(), got.ok() ? "" : got.error().toString().c_str());
    int rounds = 0;
    for (const TraceEvent& e : report.trace->events) {
      if (e.op == "AddV2" && QString::fromStdString(e.frame).contains(QStringLiteral("while"))) rounds = std::max(rounds, int(e.iteration) + 1);
    }
    QCOMPARE(rounds, 7);
  }

  /// A loop that would never end is ended from outside.
  void endlessLoopsAreCancelled() {
    MetaGraph meta;
    GraphBuilder b(meta);
    const auto out = api::whileLoop(
        b,
        [&](const List& v) {
          return b.op("GreaterEqual", {v[0], b.scalar<int32_t>(0)});
        },
        [&](const List& v) {
          return List{b.op("Mul", {v[0], b.scalar<int32_t>(1)})};
        },
        {b.scalar<int32_t>(1)});
    QVERIFY(b.ok());
    auto session = Session::create(meta.graph);
    QVERIFY(session.ok());
    RunOptions options;
    options.timeoutMs = 100;
    auto got = (*session)->run({}, {meta.graph.tensorName(out[0])}, {}, options);
    QVERIFY(!got.ok());
    QVERIFY(got.error().code == Code::DeadlineExceeded);
  }

  /// Errors name the op of the body.
  void errorsNameTheOp() {
    MetaGraph meta;
    GraphBuilder b(meta);
    const Output x = b.placeholder(DType::Float, Shape::unknown(), "x");
    const auto out = api::whileLoop(
        b, [&](const List& v) { return less(b, v[0], 3); },
        [&](const List& v) {
          return List{next(b, v[0]), b.op("MatMul", {v[1], x}, {}, "product")};
        },
        {b.scalar<int32_t>(0), x});
    QVERIFY(b.ok());
    auto session = Session::create(meta.graph);
    QVERIFY(session.ok());
    auto got = (*session)->run({{"x:0", numbers({2, 3}, 0)}}, {meta.graph.tensorName(out[1])}, {});
    QVERIFY(!got.ok());
    QVERIFY2(got.error().toString().find("product") != std::string::npos, got.error().toString().c_str());
  }
};

QTEST_GUILESS_MAIN(NativeLoopsTest)
#include "tst_native_loops.moc"
