#include <QTest>

#include "api/control_flow.h"
#include "device/cpu/elementwise.h"
#include "exhaust.h"

using namespace weft;
using namespace exhaust;
using List = std::vector<Output>;

namespace {

Output next(GraphBuilder& b, Output i) { return b.op("AddV2", {i, b.scalar<int32_t>(1)}); }

/// Whole numbers, which sums of products of them keep; or with special values among them.
Tensor values(const Shape& shape, int first, bool special) {
  static const double some[] = {1, std::nan(""), -1, HUGE_VAL, 0.0, -HUGE_VAL, -0.0};
  return filled(DType::Float, shape,
                [&](int64_t i) { return special && (i + first) % 5 == 0 ? some[size_t((i + first) / 5) % std::size(some)] : double((first + i * 7) % 5 - 2); });
}

const std::vector<DType> kTypes{DType::Float, DType::Double, DType::Int32, DType::Int64, DType::Int8, DType::Int16, DType::UInt8, DType::UInt16, DType::Bool};

}  // namespace

/// Loops as one op, of all small forms, beside the same loops as frames.
class ExhaustedLoopsTest : public QObject {
  Q_OBJECT

 private slots:
  // RULE native_loops.scalar_loop: every op of every type on every pair of special values, in loops of 0, 1 and 2 rounds.
  void loopsOverScalars() {
    Tally tally;
    int64_t position = 0;
    for (const DType type : kTypes) {
      const auto s = specials(type);
      for (const OpRecord* record : OpRegistry::instance().all()) {
        const auto* e = cpu::findElementwise(record->name, type);
        if (!e) continue;
        for (size_t u = 0; u < s.size(); ++u) {
          for (size_t v = 0; v < s.size(); ++v) {
            for (const int32_t rounds : {0, 1, 2}) {
              if (!isLong() && position++ % 23 != 0) continue;
              MetaGraph meta;
              GraphBuilder b(meta);
              const Output x = b.placeholder(type, Shape{}, "x"), y = b.placeholder(type, Shape{}, "y"), n = b.placeholder(DType::Int32, Shape{}, "n");
              const auto out = api::whileLoop(
                  b,
                  [&](const List& w) {
                    return b.op("Less", {w[0], n});
                  },
                  [&](const List& w) {
                    const Output odd = b.op("Less", {b.scalar<int32_t>(0), w[0]});
                    const Output r = e->arity == 1 ? b.op(e->op, {w[1]}) : e->arity == 2 ? b.op(e->op, {w[1], w[2]}) : b.op(e->op, {odd, w[1], w[2]});
                    // The result goes on as it is, or its truth does; the others change places.
                    return e->out == type ? List{next(b, w[0]), r, w[1], w[3]} : List{next(b, w[0]), w[2], w[1], r};
                  },
                  {b.scalar<int32_t>(0), x, y, e->out == type ? y : b.op("Less", {n, n})});
              if (!b.ok() || out.size() < 4) continue;  // no op of this type
              std::vector<std::string> fetches;
              for (const Output& o : out) fetches.push_back(meta.graph.tensorName(o));
              tally.compare(
                  [&] {
                    return std::string(e->op) + " of type " + std::to_string(int(type)) + " of " + std::to_string(s[u]) + ", " + std::to_string(s[v]) +
                           ", rounds " + std::to_string(rounds);
                  },
                  meta.graph,
                  {{"x:0", filled(type, {}, [&](int64_t) { return s[u]; })},
                   {"y:0", filled(type, {}, [&](int64_t) { return s[v]; })},
                   {"n:0", Tensor::scalar(rounds)}},
                  fetches, {"native_loops", "scalar_loops"});
            }
          }
        }
      }
    }
    VERIFY_SAME(tally, "scalar loops", 500);
  }

  // RULE native_loops.scalar_loop: converted values.
  void conversionsOfScalars() {
    Tally tally;
    for (const DType from : kTypes) {
      for (const DType to : kTypes) {
        for (const double value : specials(from)) {
          if (isFloating(from) && !isFloating(to) && !(std::abs(value) < 100)) continue;  // these conversions depend on the machine
          MetaGraph meta;
          GraphBuilder b(meta);
          const Output x = b.placeholder(from, Shape{}, "x"), n = b.placeholder(DType::Int32, Shape{}, "n");
          const auto out = api::whileLoop(
              b,
              [&](const List& w) {
                return b.op("Less", {w[0], n});
              },
              [&](const List& w) {
                return List{next(b, w[0]), b.cast(x, to)};
              },
              {b.scalar<int32_t>(0), b.number(to, 0)});
          if (!b.ok()) continue;
          tally.compare([&] { return "Cast " + std::to_string(int(from)) + " to " + std::to_string(int(to)) + " of " + std::to_string(value); }, meta.graph,
                        {{"x:0", filled(from, {}, [&](int64_t) { return value; })}, {"n:0", Tensor::scalar<int32_t>(2)}}, {meta.graph.tensorName(out[1])},
                        {"native_loops", "scalar_loops"});
        }
      }
    }
    VERIFY_SAME(tally, "conversions", 100);
  }

  // RULE native_loops.body, native_loops.hoisted, native_loops.registers, native_loops.in_place: three variables; each becomes any of the others, itself, a
  // function of two of them, of an invariant, or of the previous one's next value, or a constant; the condition reads any; each exit is fetched or not; 0 to 3
  // iterations.
  void variablesChangePlaces() {
    constexpr int kWays = 11;
    Tally tally;
    int64_t position = 0;
    for (int code = 0; code < kWays * kWays * kWays; ++code)
      for (int seen = 1; seen < 8; ++seen)
        for (const int32_t rounds : {0, 1, 2, 3})
          for (const bool vectors : {false, true}) {
            if (!isLong() && position++ % 17 != 0) continue;
            MetaGraph meta;
            GraphBuilder b(meta);
            const Shape shape = vectors ? Shape{2} : Shape{};
            const Output x = b.placeholder(DType::Int32, Shape::unknown(), "x"), k = b.placeholder(DType::Int32, Shape::unknown(), "k"),
                         n = b.placeholder(DType::Int32, Shape{}, "n");
            const auto out = api::whileLoop(
                b,
                [&](const List& w) {
                  return b.op("Less", {w[0], n});
                },
                [&](const List& w) {
                  List result{next(b, w[0])};
                  int rest = code;
                  for (int v = 0; v < 3; ++v, rest /= kWays) {
                    switch (rest % kWays) {
                      case 0: result.push_back(w[size_t(v) + 1]); break;
                      case 1: result.push_back(w[size_t(v + 1) % 3 + 1]); break;
                      case 2: result.push_back(w[size_t(v + 2) % 3 + 1]); break;
                      case 3: result.push_back(b.op("Sub", {w[1], w[2]})); break;
                      case 4: result.push_back(b.op("Mul", {b.op("Neg", {k}), w[3]})); break;  // partly the same in each round
                      case 5: result.push_back(b.op("Mul", {k, k})); break;
                      case 6: result.push_back(k); break;
                      case 7: result.push_back(b.op("Sub", {result.back(), w[size_t(v) + 1]})); break;
                      case 8: result.push_back(b.op("Identity", {result.back()})); break;
                      case 9: result.push_back(b.op("Add", {w[size_t(v) + 1], w[size_t(v + 1) % 3 + 1]})); break;
                      default: result.push_back(b.op("Identity", {b.op("Identity", {w[size_t(v) + 1]})})); break;
                    }
                  }
                  return result;
                },
                {b.scalar<int32_t>(0), x, b.op("Neg", {x}), b.op("Add", {x, x})},
                [&] {
                  api::WhileOptions o;
                  o.shapeInvariants = {Shape{}, Shape::unknown(), Shape::unknown(), Shape::unknown()};
                  return o;
                }());
            QVERIFY2(b.ok(), b.status().toString().c_str());
            std::vector<std::string> fetches;
            for (int v = 0; v < 3; ++v)
              if (seen >> v & 1) fetches.push_back(meta.graph.tensorName(out[size_t(v) + 1]));
            tally.compare([&] { return "variables " + std::to_string(code) + " seen " + std::to_string(seen) + " rounds " + std::to_string(rounds); },
                          meta.graph, {{"x:0", counted(DType::Int32, shape, 3)}, {"k:0", counted(DType::Int32, shape, 11)}, {"n:0", Tensor::scalar(rounds)}},
                          fetches, position % 2 ? std::vector<std::string>{"native_loops"} : std::vector<std::string>{"native_loops", "scalar_loops"});
          }
    VERIFY_SAME(tally, "variables", 500);
  }

  // RULE native_loops.loop_products, native_loops.loop_transposes, native_loops.shapes: sums of products over rounds, of all small sizes; matrices that
  // stay the same, above and below the size from which they are turned.
  void productsOverRounds() {
    Tally tally;
    for (int64_t rows : {0, 1, 2, 3})
      for (int64_t left : {0, 1, 3})
        for (int64_t right : {0, 1, 3})
          for (const int32_t rounds : {0, 1, 3})
            for (const int kind : {0, 1, 2, 3, 4, 5}) {
              const bool special = kind == 1, bias = kind == 2, spread = kind == 3, read = kind == 4, wrong = kind == 5;
              MetaGraph meta;
              GraphBuilder b(meta);
              const auto feed = [&](const char* name) { return b.placeholder(DType::Float, Shape::unknown(), name); };
              const Output x = feed("x"), y = feed("y"), v = feed("v"), n = b.placeholder(DType::Int32, Shape{}, "n");
              api::WhileOptions options;
              options.shapeInvariants = {Shape{}, Shape::unknown(), Shape::unknown()};
              const auto out = api::whileLoop(
                  b,
                  [&](const List& w) {
                    return b.op("Less", {w[0], n});
                  },
                  [&](const List& w) {
                    const Output xs = b.op("Add", {w[2], x});  // another one in each round
                    const Output term = bias ? b.op("BiasAddGrad", {xs}) : b.op("MatMul", {xs, y}, {{"transpose_a", true}});
                    return List{
                        next(b, w[0]), b.op("Add", {w[1], term}),
                        read ? b.op("Add", {xs, b.op("Sum", {w[1], b.op("Range", {b.scalar<int32_t>(0), b.op("Rank", {w[1]}), b.scalar<int32_t>(1)})})}) : xs};
                  },
                  {b.scalar<int32_t>(0), v, x}, options);
              QVERIFY2(b.ok(), b.status().toString().c_str());
              const Shape xs{rows, left}, ys{rows + wrong, right}, vs = bias ? Shape{left} : spread ? Shape{1, right} : Shape{left, right};
              tally.compare(
                  [&] {
                    return "sum of MatMul " + xs.toString() + ys.toString() + vs.toString() + " rounds " + std::to_string(rounds) + " kind " +
                           std::to_string(kind);
                  },
                  meta.graph,
                  {{"x:0", values(xs, 1, special)}, {"y:0", values(ys, 2, special)}, {"v:0", values(vs, 3, false)}, {"n:0", Tensor::scalar(rounds)}},
                  {meta.graph.tensorName(out[1]), meta.graph.tensorName(out[2])}, {"native_loops", "loop_products"}, Same::NaNsAlike);
            }
    for (int64_t rows : {0, 1, 3, 256, 257})
      for (int64_t inner : {63, 64, 65})
        for (const int32_t rounds : {0, 1, 2})
          for (const bool sliced : {false, true}) {
            MetaGraph meta;
            GraphBuilder b(meta);
            const Output x = b.placeholder(DType::Float, Shape::unknown(), "x"), m = b.placeholder(DType::Float, Shape::unknown(), "m"),
                         n = b.placeholder(DType::Int32, Shape{}, "n");
            const auto out = api::whileLoop(
                b,
                [&](const List& w) {
                  return b.op("Less", {w[0], n});
                },
                [&](const List& w) {
                  Output product = b.op("MatMul", {w[1], m}, {{"transpose_b", true}});
                  if (sliced) product = b.op("Slice", {product, b.ints({0, int32_t(inner)}), b.ints({-1, int32_t(inner)})});
                  return List{next(b, w[0]), b.op("Minimum", {b.op("Maximum", {product, b.scalar(-3.f)}), b.scalar(3.f)})};
                },
                {b.scalar<int32_t>(0), x},
                [&] {
                  api::WhileOptions o;
                  o.shapeInvariants = {Shape{}, Shape::unknown()};
                  return o;
                }());
            QVERIFY2(b.ok(), b.status().toString().c_str());
            const Shape xs{rows, inner}, ms{inner * (sliced ? 2 : 1), inner};
            tally.compare([&] { return "MatMul transposed " + xs.toString() + ms.toString() + " rounds " + std::to_string(rounds); }, meta.graph,
                          {{"x:0", values(xs, 1, false)}, {"m:0", values(ms, 2, false)}, {"n:0", Tensor::scalar(rounds)}}, {meta.graph.tensorName(out[1])},
                          {"native_loops", "loop_transposes", "product_slicing"}, Same::NaNsAlike);
          }
    VERIFY_SAME(tally, "products over rounds", 500);
  }

  // RULE native_loops.loop, native_loops.form: a loop with a branch, a variable and hoisted nodes; every output of every node of it fetched, fed, or used as a
  // target, and a control edge between any node inside and one outside.
  void innerNodesAreLookedAt() {
    Tally tally;
    const auto build = [](GraphBuilder& b) {
      const Output x = b.placeholder(DType::Float, Shape{}, "x"), n = b.placeholder(DType::Int32, Shape{}, "n");
      const Output v = b.op("VarHandleOp", {}, {{"dtype", DType::Float}, {"shape", Shape{}}, {"shared_name", "v"}, {"container", ""}}, "v");
      b.node("AssignVariableOp", {v, b.scalar(1.f)}, {}, "start");
      const auto out = api::whileLoop(
          b,
          [&](const List& w) {
            return b.op("Less", {w[0], n});
          },
          [&](const List& w) {
            const int up = b.node("AssignAddVariableOp", {v, w[1]}, {});
            const auto wait = b.controlDependencies({up});
            const auto side = api::cond(
                b, b.op("Less", {w[1], b.scalar(9.f)}),
                [&] {
                  return List{b.op("Mul", {w[1], b.op("Neg", {x})})};
                },
                [&] { return List{b.op("Square", {w[1]})}; });
            return List{next(b, w[0]), side[0]};
          },
          {b.scalar<int32_t>(0), x});
      b.op("Identity", {out[1]}, {}, "z");
      b.op("Neg", {x}, {}, "aside");
      b.op("ReadVariableOp", {v}, {{"dtype", DType::Float}}, "left");
    };
    int count = 0;
    {
      MetaGraph meta;
      GraphBuilder b(meta);
      build(b);
      QVERIFY2(b.ok(), b.status().toString().c_str());
      count = meta.graph.size();
    }
    for (int id = 0; id < count; ++id)
      for (const int how : {0, 1, 2, 3, 4, 5})
        for (const int32_t rounds : {0, 2}) {
          MetaGraph meta;
          GraphBuilder b(meta);
          build(b);
          const Node node = *meta.graph.node(id);
          if (node.op == "Placeholder") continue;
          Feeds feeds{{"x:0", Tensor::scalar(-2.f)}, {"n:0", Tensor::scalar(rounds)}};
          std::vector<std::string> fetches{"z:0"}, targets;
          if (how == 0 || how == 3) {
            if (node.outputTypes.empty() || node.outputTypes[0] == DType::Resource) continue;
            for (size_t k = 0; k < node.outputTypes.size(); ++k) fetches.push_back(meta.graph.tensorName({id, int(k)}));
            if (how == 3) fetches.erase(fetches.begin());
          }
          if (how == 1) targets.push_back(node.name);
          if (how == 2) {
            if (node.outputTypes.empty() || node.outputTypes[0] == DType::Resource) continue;
            feeds.push_back(
                {meta.graph.tensorName({id, 0}),
                 filled(node.outputTypes[0], node.outputTypes[0] == DType::Int32 && node.name.find("eduction") != std::string::npos ? Shape{1} : Shape{},
                        [](int64_t) { return 1; })});
          }
          // Edges that would create cycles are refused at session creation, by both.
          if (how == 4) b.addControlInputs(meta.graph.find("aside")->id, {id}), fetches.push_back("aside:0");
          if (how == 5 && node.name != "aside") b.addControlInputs(id, {meta.graph.find("aside")->id});
          if (!b.ok()) continue;
          // Fed inside of a loop, a variable or a predicate may keep it going for ever, in one as in the other.
          if (how == 2 && (node.name.find("LoopCond") != std::string::npos || node.name.find("Less") != std::string::npos || node.name.find("while/") == 0))
            continue;
          if (node.name == "left" && (how == 0 || how == 3)) continue;  // nothing says whether it is read before the loop counts
          if (how == 4 && node.op == "Const" && node.name.find("while/") == 0) {
            // An invalid graph: a node outside waits for one inside. The error message depends on whether the node is folded.
            QVERIFY(outcomeOf(meta.graph, feeds, fetches, {"all"}).code != Code::Ok && outcomeOf(meta.graph, feeds, fetches, {}).code != Code::Ok);
            continue;
          }
          tally.compare([&] { return node.name + " (" + node.op + ") " + std::to_string(how) + " rounds " + std::to_string(rounds); }, meta.graph, feeds,
                        fetches, {"native_loops"}, Same::Bits, {"start"}, targets, {"left:0"});
        }
    VERIFY_SAME(tally, "inner nodes", 50);  // the frame is kept when inner nodes are fetched
  }

  // RULE native_loops.controls: three effects of a body in each order, tied by control edges alone, past ops that do nothing.
  void effectsOfABodyKeepTheirOrder() {
    Tally tally;
    int order[3] = {0, 1, 2};
    do {
      for (int knots = 0; knots < 27; ++knots)
        for (const int32_t rounds : {0, 1, 3}) {
          MetaGraph meta;
          GraphBuilder b(meta);
          const Output n = b.placeholder(DType::Int32, Shape{}, "n");
          const Output v = b.op("VarHandleOp", {}, {{"dtype", DType::Float}, {"shape", Shape{}}, {"shared_name", "v"}, {"container", ""}}, "v");
          b.node("AssignVariableOp", {v, b.scalar(3.f)}, {}, "start");
          b.op("ReadVariableOp", {v}, {{"dtype", DType::Float}}, "left");
          const auto out = api::whileLoop(
              b,
              [&](const List& w) {
                return b.op("Less", {w[0], n});
              },
              [&](const List& w) {
                int before = -1, rest = knots;
                for (const int k : order) {
                  std::vector<int> waits;
                  if (before >= 0) waits.push_back(before);
                  const auto wait = b.controlDependencies(waits);
                  // v + 2, 5 - v, 2 v: do not commute, so their order is observable.
                  Output read;
                  if (k > 0) read = b.op("ReadVariableOp", {v}, {{"dtype", DType::Float}});
                  before = k == 0 ? b.node("AssignAddVariableOp", {v, b.scalar(2.f)}, {})
                                  : b.node("AssignVariableOp", {v, k == 1 ? b.op("Sub", {b.scalar(5.f), read}) : b.op("Add", {read, read})}, {});
                  const auto after = b.controlDependencies({before});
                  if (rest % 3 == 1) before = b.node("NoOp", {}, {});
                  if (rest % 3 == 2) before = b.op("Identity", {w[0]}).node;
                  rest /= 3;
                }
                const auto wait = b.controlDependencies({before});
                return List{next(b, b.op("Identity", {w[0]}))};
              },
              {b.scalar<int32_t>(0)});
          QVERIFY2(b.ok(), b.status().toString().c_str());
          tally.compare(
              [&] { return "order " + std::to_string(order[0]) + std::to_string(order[1]) + std::to_string(order[2]) + " knots " + std::to_string(knots); },
              meta.graph, {{"n:0", Tensor::scalar(rounds)}}, {meta.graph.tensorName(out[0])}, {"native_loops"}, Same::Bits, {"start"}, {}, {"left:0"});
        }
    } while (std::next_permutation(order, order + 3));
    VERIFY_SAME(tally, "effects of a body", 300);
  }

  // RULE native_loops.stack_shapes, native_loops.controls: gradients of loops of 0 to 3 iterations, whose bodies push values of the same or of changing shape.
  void gradientsOfLoops() {
    Tally tally;
    for (const int32_t rounds : {0, 1, 2, 3})
      for (int64_t size : {0, 1, 2, 3})
        for (const int kind : {0, 1, 2, 3}) {
          MetaGraph meta;
          GraphBuilder b(meta);
          const Output x = b.placeholder(DType::Float, Shape::unknownOfRank(1), "x"), n = b.placeholder(DType::Int32, Shape{}, "n");
          api::WhileOptions options;
          options.shapeInvariants = {Shape{}, Shape::unknownOfRank(1)};
          const auto out = api::whileLoop(
              b,
              [&](const List& w) {
                return b.op("Less", {w[0], n});
              },
              [&](const List& w) {
                Output y = b.op("Mul", {w[1], kind == 1 ? w[1] : x});
                if (kind == 2) y = b.op("ConcatV2", {w[1], x, b.scalar<int32_t>(0)}, {{"N", int64_t(2)}});
                if (kind == 3) {
                  y = api::cond(
                      b, b.op("Equal", {w[0], b.scalar<int32_t>(1)}), [&] { return List{b.op("Neg", {y})}; }, [&] { return List{b.op("Square", {y})}; })[0];
                }
                return List{next(b, w[0]), kind == 2 ? b.op("Square", {y}) : y};
              },
              {b.scalar<int32_t>(0), x}, options);
          const Output loss = b.op("Sum", {out[1], b.ints({0})});
          const auto grads = addGradients(b, {loss}, {x});
          QVERIFY2(grads.ok() && b.ok(), grads.ok() ? b.status().toString().c_str() : grads.error().toString().c_str());
          if (kind == 2 && size == 0 && !(*grads)[0].dense.valid()) continue;
          tally.compare([&] { return "gradient of a loop of " + std::to_string(size) + " rounds " + std::to_string(rounds) + " kind " + std::to_string(kind); },
                        meta.graph, {{"x:0", values(Shape{size}, 2, false)}, {"n:0", Tensor::scalar(rounds)}},
                        {meta.graph.tensorName(loss), meta.graph.tensorName((*grads)[0].dense)}, {"native_loops", "scalar_loops"}, Same::NaNsAlike);
        }
    VERIFY_SAME(tally, "gradients of loops", 40);
  }
};

QTEST_GUILESS_MAIN(ExhaustedLoopsTest)
#include "tst_exhausted_loops.moc"
