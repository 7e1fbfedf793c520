#include <QTest>
#include <functional>

#include "api/control_flow.h"
#include "weft/builder.h"
#include "weft/session.h"

using namespace weft;
using List = std::vector<Output>;

namespace {

Output next(GraphBuilder& b, Output i) { return b.op("AddV2", {i, b.scalar<int32_t>(1)}); }
Output twice(GraphBuilder& b, Output x) { return b.op("Mul", {x, b.scalar(2.f)}); }

/// The outcome of a loop: a fetched number or a dead tensor, and how often its effect ran.
struct Outcome {
  bool dead = false;
  float value = 0;
  float effects = 0;
  int loops = 0;  ///< That were one op.
  QString text() const { return QStringLiteral("%1, %2 effects").arg(dead ? QStringLiteral("dead") : QString::number(double(value))).arg(double(effects)); }
};

/// A graph around `p` (the branch predicate), `n` (iterations), `alive` (always 5) and `sometimes` (5, alive if p), and a counter variable.
struct Scene {
  MetaGraph meta;
  GraphBuilder b{meta};
  Output p = b.placeholder(DType::Bool, Shape{}, "p"), n = b.placeholder(DType::Int32, Shape{}, "n");
  Output alive = b.scalar(5.f, "alive");
  Output sometimes, otherwise;
  Output count;
  Scene() {
    const int s = b.node("Switch", {alive, p}, {}, "branch");
    sometimes = {s, 1};
    otherwise = {s, 0};
    count = b.op("VarHandleOp", {}, {{"dtype", DType::Float}, {"shape", Shape{}}, {"shared_name", "count"}, {"container", ""}}, "count");
    b.node("AssignVariableOp", {count, b.scalar(0.f)}, {}, "start");
    b.op("ReadVariableOp", {count}, {{"dtype", DType::Float}}, "counted");
  }
  Output zero() { return b.scalar<int32_t>(0); }
  Output less(Output i) { return b.op("Less", {i, n}); }
  /// `i` after the variable was counted up.
  Output counting(Output i) {
    const int up = b.node("AssignAddVariableOp", {count, b.scalar(1.f)}, {});
    b.addControlInputs(up, {i.node});
    const auto wait = b.controlDependencies({up});
    return b.op("Identity", {i});
  }
  Output orElse(Output x) { return b.op("Merge", {x, otherwise}, {{"N", int64_t(2)}}); }
};

struct Case {
  const char* name;
  std::function<Output(Scene&)> build;
  int loops;  ///< How many are one op.
};

std::vector<Case> cases() {
  return {
      {"an exit lives whose variable came in dead",
       [](Scene& s) {
         return api::whileLoop(
             s.b, [&](const List& v) { return s.less(v[0]); },
             [&](const List& v) {
               return List{next(s.b, v[0]), twice(s.b, v[1]), twice(s.b, v[1])};
             },
             {s.zero(), s.alive, s.sometimes})[2];
       },
       0},
      {"effects happen though the exit is dead",
       [](Scene& s) {
         const auto out = api::whileLoop(
             s.b, [&](const List& v) { return s.less(v[0]); },
             [&](const List& v) {
               return List{next(s.b, s.counting(v[0])), twice(s.b, v[1])};
             },
             {s.zero(), s.sometimes});
         return s.orElse(out[1]);
       },
       0},
      {"a body lets its variable die",
       [](Scene& s) {
         const auto out = api::whileLoop(
             s.b, [&](const List& v) { return s.less(v[0]); },
             [&](const List& v) {
               const int sw = s.b.node("Switch", {twice(s.b, v[1]), s.p}, {});
               return List{next(s.b, v[0]), Output{sw, 1}};
             },
             {s.zero(), s.alive});
         return s.orElse(out[1]);
       },
       0},
      {"effects of a condition that is dead",
       [](Scene& s) {
         const auto out = api::whileLoop(
             s.b,
             [&](const List& v) {
               return s.b.op("LogicalAnd", {s.less(s.counting(v[0])), s.b.op("Less", {v[1], s.b.scalar(1e9f)})});
             },
             [&](const List& v) {
               return List{next(s.b, v[0]), twice(s.b, v[1])};
             },
             {s.zero(), s.sometimes});
         return s.orElse(out[1]);
       },
       0},
      {"all that enters lives and dies together",
       [](Scene& s) {
         const auto out = api::whileLoop(
             s.b, [&](const List& v) { return s.less(v[0]); },
             [&](const List& v) {
               return List{next(s.b, s.counting(v[0])), twice(s.b, v[1])};
             },
             {[&] {
                const auto wait = s.b.controlDependencies({s.b.op("Identity", {s.sometimes}).node});
                return s.zero();
              }(),
              s.sometimes});
         return s.orElse(out[1]);
       },
       1},
      {"the condition dies with what enters",
       [](Scene& s) {
         const auto out = api::whileLoop(
             s.b,
             [&](const List& v) {
               return s.b.op("LogicalAnd", {s.less(v[0]), s.b.op("Less", {v[1], s.b.scalar(1e9f)})});
             },
             [&](const List& v) {
               return List{next(s.b, s.counting(v[0])), twice(s.b, v[1])};
             },
             {s.zero(), s.sometimes});
         return s.orElse(out[1]);
       },
       1},
      {"a loop in a conditional",
       [](Scene& s) {
         return api::cond(
             s.b, s.p,
             [&] {
               return List{api::whileLoop(
                   s.b, [&](const List& v) { return s.less(v[0]); },
                   [&](const List& v) {
                     return List{next(s.b, s.counting(v[0])), twice(s.b, v[1])};
                   },
                   {s.zero(), s.alive})[1]};
             },
             [&] { return List{twice(s.b, s.alive)}; })[0];
       },
       1},
      {"a conditional in a loop, with an effect on one side",
       [](Scene& s) {
         return api::whileLoop(
             s.b, [&](const List& v) { return s.less(v[0]); },
             [&](const List& v) {
               const auto side = api::cond(
                   s.b, s.p, [&] { return List{s.counting(twice(s.b, v[1]))}; }, [&] { return List{s.b.op("Neg", {v[1]})}; });
               return List{next(s.b, v[0]), side[0]};
             },
             {s.zero(), s.alive})[1];
       },
       1},
      {"a loop in a loop, whose entry dies with the last round",
       [](Scene& s) {
         return api::whileLoop(
             s.b, [&](const List& v) { return s.less(v[0]); },
             [&](const List& v) {
               const auto inner = api::whileLoop(
                   s.b,
                   [&](const List& w) {
                     return s.b.op("Less", {w[0], v[0]});
                   },
                   [&](const List& w) {
                     return List{next(s.b, s.counting(w[0])), twice(s.b, w[1])};
                   },
                   {s.zero(), v[1]});
               return List{next(s.b, v[0]), inner[1]};
             },
             {s.zero(), s.alive})[1];
       },
       2},
      {"a loop in a conditional in a loop",
       [](Scene& s) {
         return api::whileLoop(
             s.b, [&](const List& v) { return s.less(v[0]); },
             [&](const List& v) {
               const auto side = api::cond(
                   s.b, s.p,
                   [&] {
                     return List{api::whileLoop(
                         s.b,
                         [&](const List& w) {
                           return s.b.op("Less", {w[0], v[0]});
                         },
                         [&](const List& w) {
                           return List{next(s.b, s.counting(w[0])), twice(s.b, w[1])};
                         },
                         {s.zero(), v[1]})[1]};
                   },
                   [&] { return List{s.b.op("Neg", {v[1]})}; });
               return List{next(s.b, v[0]), side[0]};
             },
             {s.zero(), s.alive})[1];
       },
       2},
      {"a training waits for the Merge after a loop",
       [](Scene& s) {
         const auto side = api::cond(
             s.b, s.p,
             [&] {
               return List{api::whileLoop(
                   s.b, [&](const List& v) { return s.less(v[0]); },
                   [&](const List& v) {
                     return List{next(s.b, v[0]), twice(s.b, v[1])};
                   },
                   {s.zero(), s.alive})[1]};
             },
             [&] { return List{s.b.op("Neg", {s.alive})}; });
         const auto wait = s.b.controlDependencies({side[0].node});
         return s.counting(s.b.op("Identity", {s.alive}));
       },
       1},
  };
}

Outcome outcomeOf(Scene& s, const std::string& fetch, bool p, int32_t n, const std::string& off) {
  SessionOptions options;
  if (!off.empty()) options.disabledPasses = {off};
  auto session = Session::create(s.meta.graph, options);
  if (!session.ok()) qFatal("%s", session.error().toString().c_str());
  if (const auto set = (*session)->run({}, {}, {"start"}); !set.ok()) qFatal("%s", set.error().toString().c_str());
  Outcome out;
  auto run = (*session)->prepare({"p:0", "n:0"}, {fetch}, {});
  if (!run.ok()) qFatal("%s", run.error().toString().c_str());
  Tensor feeds[] = {Tensor::scalar(p), Tensor::scalar(n)};
  for (int step = 0; step < 2; ++step) {  // recorded, and laid out
    const auto got = run->run(feeds);
    if (!got.ok() && got.error().message.find("was not taken") == std::string::npos) qFatal("%s", got.error().toString().c_str());
    out.dead = !got.ok();
    if (got.ok()) out.value = (*got)[0].at<float>(0);
  }
  const auto counted = (*session)->run({}, {"counted:0"});
  if (!counted.ok()) qFatal("%s", counted.error().toString().c_str());
  out.effects = (*counted)[0].at<float>(0);
  out.loops = int(QString::fromStdString(run->explain()).count(QStringLiteral("native_loops: ")));
  return out;
}

}  // namespace

/// Dead values in a loop, and nodes that never run, are the same whether the loop is a frame or one op.
class LoopStatesTest : public QObject {
  Q_OBJECT

 private slots:
  void deadAndNeverRun_data() {
    QTest::addColumn<int>("index");
    int i = 0;
    for (const Case& c : cases()) QTest::newRow(c.name) << i++;
  }

  void deadAndNeverRun() {
    QFETCH(int, index);
    const Case c = cases()[size_t(index)];
    Scene s;
    const std::string fetch = s.meta.graph.tensorName(c.build(s));
    QVERIFY2(s.b.ok(), s.b.status().toString().c_str());
    for (const bool p : {true, false}) {
      for (const int32_t n : {0, 1, 3}) {
        const Outcome want = outcomeOf(s, fetch, p, n, "native_loops");
        QCOMPARE(want.loops, 0);
        for (const std::string off : {"", "scalar_loops", "constant_folding", "all"}) {
          const Outcome got = outcomeOf(s, fetch, p, n, off);
          QVERIFY2(got.text() == want.text(),
                   qPrintable(
                       QStringLiteral("p %1, n %2, without '%3': %4; as a frame: %5").arg(p).arg(n).arg(QString::fromStdString(off), got.text(), want.text())));
          if (off.empty()) QCOMPARE(got.loops, c.loops);
        }
      }
    }
  }
};

QTEST_GUILESS_MAIN(LoopStatesTest)
#include "tst_loop_states.moc"
