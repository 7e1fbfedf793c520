#include <QTest>
#include <cmath>

#include "device/cpu/elementwise.h"
#include "exhaust.h"

using namespace weft;
using namespace exhaust;

namespace {

const std::vector<DType> kTypes{DType::Float, DType::Double, DType::Int32, DType::Int64, DType::Int8, DType::Int16, DType::UInt8, DType::UInt16, DType::Bool};

/// The ops that a group may contain, with inputs of `type`.
std::vector<const cpu::ElementwiseEntry*> opsOf(DType type) {
  std::vector<const cpu::ElementwiseEntry*> out;
  for (const OpRecord* record : OpRegistry::instance().all()) {
    const auto* e = cpu::findElementwise(record->name, type);
    if (e && e->check == cpu::ElementwiseEntry::Check::None) out.push_back(e);
  }
  return out;
}

std::string describe(const std::string& what, const std::vector<Shape>& shapes) {
  std::string out = what;
  for (const Shape& s : shapes) out += " " + s.toString();
  return out;
}

}  // namespace

/// Element-wise fusion: all pairs of shapes, of ops and special values, and all small expressions, with the rewrite and without any.
class ExhaustedElementwiseTest : public QObject {
  Q_OBJECT

 private slots:
  // RULE elementwise_fusion.spread: all pairs of shapes of ranks 0 to 4 and dims 0 to 3 (in a few seconds: to rank 3, dims 0 to 2).
  void operandsSpreadAsTheyBroadcast() {
    Tally tally;
    const auto shapes = isLong() ? shapesUpTo(4, 3) : shapesUpTo(3, 2);
    for (const Shape& x : shapes) {
      for (const Shape& y : shapes) {
        MetaGraph meta;
        GraphBuilder b(meta);
        const Output px = b.placeholder(DType::Int32, Shape::unknown(), "x"), py = b.placeholder(DType::Int32, Shape::unknown(), "y");
        b.op("Neg", {b.op("Sub", {px, py})}, {}, "z");
        QVERIFY(b.ok());
        tally.compare(
            [&] {
              return describe("Neg(Sub)", {x, y});
            },
            meta.graph, {{"x:0", counted(DType::Int32, x, 3)}, {"y:0", counted(DType::Int32, y, 29)}}, {"z:0"}, {"elementwise_fusion"});
      }
    }
    VERIFY_SAME(tally, "spread", 150);
  }

  // RULE elementwise_fusion.group: ops whose operands do not broadcast, with all pairs of shapes, known at construction or only at feeding.
  void opsThatDoNotBroadcastRefuseAsBefore() {
    Tally tally;
    const auto shapes = isLong() ? shapesUpTo(3, 3) : shapesUpTo(2, 3);
    for (const char* op : {"ReluGrad", "SigmoidGrad", "TanhGrad", "BiasAdd", "Select", "SquaredDifference"}) {
      for (const Shape& x : shapes) {
        for (const Shape& y : shapes) {
          for (const bool known : {false, true}) {
            MetaGraph meta;
            GraphBuilder b(meta);
            const bool select = std::string_view(op) == "Select";
            const Output px = b.placeholder(select ? DType::Bool : DType::Float, select ? Shape::unknown() : known ? x : Shape::unknown(), "x");
            const Output py = b.placeholder(DType::Float, select && known ? y : Shape::unknown(), "y");
            const Output z = select ? b.op(op, {px, py, b.op("Neg", {py})}) : b.op(op, {px, py});
            b.op("Neg", {z}, {}, "z");
            if (!b.ok()) continue;  // refused at once
            tally.compare(
                [&] {
                  return describe(std::string("Neg(") + op + ")", {x, y});
                },
                meta.graph, {{"x:0", counted(select ? DType::Bool : DType::Float, x, 3)}, {"y:0", counted(DType::Float, y, 29)}}, {"z:0"},
                {"elementwise_fusion"});
          }
        }
      }
    }
    VERIFY_SAME(tally, "shapes that do not fit", 200);
  }

  // RULE elementwise_fusion.same_function: every pair of ops of one type, one after the other, over all pairs of special values; the second operand of
  // each is there for every element, for every row, or once.
  void pairsOfOpsGiveTheSameBits() {
    Tally tally;
    int position = 0;
    for (const DType type : kTypes) {
      const auto ops = opsOf(type);
      const int64_t n = int64_t(specials(type).size());
      const Shape whole{n, n};
      const Shape others[] = {whole, Shape{n}, Shape{}, Shape{n, 1}};
      for (const auto* f : ops) {
        for (const auto* g : opsOf(f->out)) {
          for (const Shape& other : others) {
            if (!isLong() && (position++ % 4 != 0)) continue;  // each pair of ops once, with the next kind of operand
            MetaGraph meta;
            GraphBuilder b(meta);
            const Output x = b.placeholder(type, Shape::unknown(), "x"), y = b.placeholder(type, Shape::unknown(), "y"),
                         p = b.placeholder(DType::Bool, Shape::unknown(), "p");
            const auto apply = [&](const cpu::ElementwiseEntry* e, Output first, Output second) {
              if (e->arity == 1) return b.op(e->op, {first});
              if (e->arity == 2) return b.op(e->op, {first, second});
              return b.op(e->op, {p, first, second});
            };
            const Output once = apply(f, x, y);
            if (!b.ok()) continue;
            Output second = f->out == type ? y : once;
            if (g->arity == 3 && !(other == whole)) second = once;  // values of Select have one shape
            if (f->arity == 3 && !(other == whole)) continue;
            b.op("Identity", {apply(g, once, second)}, {}, "z");
            if (!b.ok()) continue;  // no op of this type
            tally.compare(
                [&] { return std::string(g->op) + "(" + std::string(f->op) + ") of type " + std::to_string(int(type)) + ", operand " + other.toString(); },
                meta.graph,
                {{"x:0", specialsOf(type, whole, 0)},
                 {"y:0", specialsOf(type, other, other.rank() == 2 && other.dim(1) == n)},
                 {"p:0", counted(DType::Bool, whole, 1)}},
                {"z:0"}, {"elementwise_fusion"});
          }
        }
      }
    }
    VERIFY_SAME(tally, "pairs of ops", 1000);
  }

  // RULE elementwise_fusion.temporaries, elementwise_fusion.chains: all expressions of three ops over two operands, each op reading any two available values;
  // results of one and of four bytes; every set of results is read outside the group.
  void expressionsKeepTheirTemporaries() {
    Tally tally;
    int64_t position = 0;
    const Shape shape{3, 37};
    const Feeds feeds{{"x:0", counted(DType::Float, shape, 3)}, {"y:0", counted(DType::Float, Shape{37}, 29)}};
    for (int code = 0; code < 4 * 9 * 16; ++code) {
      for (const int seen : {0, 1, 2}) {
        for (const int kinds : {0, 1, 2, 3, 4, 5, 6, 7}) {
          if (!isLong() && position++ % 5 != 0) continue;
          MetaGraph meta;
          GraphBuilder b(meta);
          std::vector<Output> values{b.placeholder(DType::Float, Shape::unknown(), "x"), b.placeholder(DType::Float, Shape::unknown(), "y")};
          int rest = code;
          std::vector<std::string> fetches;
          for (int k = 0; k < 3; ++k) {
            const int count = int(values.size());
            const Output u = values[size_t(rest % count)], v = values[size_t(rest / count % count)];
            rest /= count * count;
            // Either a difference, or one of both chosen by a comparison (bools are smaller than floats).
            const Output r = kinds >> k & 1 ? b.op("Select", {b.op("Less", {u, v}), b.op("Sub", {u, v}), b.op("Sub", {v, u})}) : b.op("Sub", {u, v});
            values.push_back(r);
            if (k == 2 || seen >> k & 1) fetches.push_back(meta.graph.tensorName(r));
          }
          QVERIFY(b.ok());
          tally.compare([&] { return "expression " + std::to_string(code) + " seen " + std::to_string(seen) + " kinds " + std::to_string(kinds); }, meta.graph,
                        feeds, fetches, {"elementwise_fusion"});
        }
      }
    }
    VERIFY_SAME(tally, "expressions", 500);
  }

  // RULE elementwise_fusion.sums: two to eight summands, each of them x, y or a result of the group that is or is not read again, with the sum inside of the group or at its
  // end, in every type that AddN has.
  void sumsOfAnyNumberGiveTheSameBits() {
    Tally tally;
    for (const DType type : {DType::Float, DType::Double, DType::Int32, DType::Int64, DType::Int8, DType::Half, DType::BFloat16}) {
      for (int n = 2; n <= 8; ++n) {
        const int codes = n <= 4 || isLong() ? int(std::pow(3, std::min(n, 6))) : 40;
        for (int code = 0; code < codes; ++code) {
          MetaGraph meta;
          GraphBuilder b(meta);
          const Output px = b.placeholder(type, Shape::unknown(), "x"), py = b.placeholder(type, Shape::unknown(), "y");
          std::vector<Output> summands;
          int left = code * 7 + n;
          for (int k = 0; k < n; ++k, left = left / 3 + k) {
            const Output once = b.op("Sub", {px, py});
            summands.push_back(left % 3 == 0 ? px : left % 3 == 1 ? once : b.op("Mul", {py, py}));
          }
          const Output sum = b.op("AddN", Inputs(summands));
          const Output z = code % 2 ? b.op("Mul", {sum, summands.back()}, {}, "z") : b.op("Sub", {sum, px}, {}, "z");
          const Output w = b.op("AddN", {z, summands.front(), z}, {}, "w");
          QVERIFY(b.ok() && w.node >= 0);
          const Shape shape{3, 5};
          tally.compare([&] { return std::to_string(n) + " summands, code " + std::to_string(code) + " type " + std::to_string(int(type)); }, meta.graph,
                        {{"x:0", counted(type, shape, 3)}, {"y:0", counted(type, shape, 11)}}, {code % 3 ? "w:0" : "z:0"}, {"elementwise_fusion"});
        }
      }
    }
    VERIFY_SAME(tally, "sums", 500);
  }

  // RULE identity_removal.looked_through: Identity, StopGradient and PreventGradient of every input and type, between two consumers, with and without control
  // edges, fetched, fed, as a target.
  void identitiesGoUnseen() {
    Tally tally;
    for (const DType type : kTypes) {
      for (const char* op : {"Identity", "StopGradient", "PreventGradient", "Snapshot"}) {
        for (const std::string from : {"feed", "constant", "op", "variable", "resource"}) {
          for (int edges = 0; edges < 32; ++edges) {
            MetaGraph meta;
            GraphBuilder b(meta);
            const Shape shape{2, 3};
            const Tensor value = counted(type, shape, 5), other = counted(type, shape, 9);
            Output in;
            std::vector<std::string> before;
            int update = -1;
            if (from == "feed") in = b.placeholder(type, Shape::unknown(), "x");
            if (from == "constant") in = b.constant(value, "c");
            if (from == "op") in = b.op("Reverse", {b.placeholder(type, Shape::unknown(), "x"), b.constant(Tensor::vector<bool>({true, false}))});
            if (from == "op" && !b.ok()) break;
            if (from == "variable") {
              in = b.op("VariableV2", {}, {{"dtype", type}, {"shape", shape}}, "v");
              b.node("Assign", {in, b.constant(value)}, {}, "start");
              update = b.node("Assign", {in, b.constant(other)}, {}, "update");
              before = {"start"};
            }
            if (from == "resource") {
              const Output h = b.op("VarHandleOp", {}, {{"dtype", type}, {"shape", shape}, {"shared_name", "v"}, {"container", ""}}, "v");
              b.node("AssignVariableOp", {h, b.constant(value)}, {}, "start");
              update = b.node("AssignVariableOp", {h, b.constant(other)}, {}, "update");
              in = b.op("ReadVariableOp", {h}, {{"dtype", type}});
              before = {"start"};
            }
            const Output i = b.op(op, {in}, {}, "i"), twice = b.op("Identity", {i}, {}, "twice");
            b.op("Pack", {twice, i}, {}, "y");
            if (!b.ok()) continue;  // no Snapshot of this type
            std::vector<std::string> fetches{"y:0"}, targets;
            Feeds feeds;
            if (from == "feed" || from == "op") feeds = {{"x:0", value}};
            if (edges & 1) fetches.push_back("i:0");
            if (edges & 2) targets.push_back("twice");
            if (edges & 4) feeds.push_back({"i:0", other});
            if ((edges & 8) && update >= 0) b.addControlInputs(update, {i.node}), targets.push_back("update");
            if ((edges & 16) && update >= 0 && !(edges & 8)) b.addControlInputs(i.node, {update});
            if (!b.ok()) continue;
            tally.compare([&] { return std::string(op) + " of a " + from + " of type " + std::to_string(int(type)) + ", edges " + std::to_string(edges); },
                          meta.graph, feeds, fetches, {"identity_removal"}, Same::Bits, before, targets);
          }
        }
      }
    }
    VERIFY_SAME(tally, "identities", 200);
  }
};

QTEST_GUILESS_MAIN(ExhaustedElementwiseTest)
#include "tst_exhausted_elementwise.moc"
