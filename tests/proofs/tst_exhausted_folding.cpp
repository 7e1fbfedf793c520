#include <QTest>

#include "device/cpu/elementwise.h"
#include "exhaust.h"
#include "graph/constant_folding.h"

using namespace weft;
using namespace exhaust;

/// The values computed before the run, with the rewrite and without any.
class ExhaustedFoldingTest : public QObject {
  Q_OBJECT

 private slots:
  // RULE constant_folding.shapes, constant_folding.shape_op: Shape, ShapeN, Size and Rank of all shapes and every kind of input: fed, computed, read from a
  // variable with or without a value, on either side of a branch.
  void shapesOfWhateverComesIn() {
    Tally tally;
    for (const Shape& shape : isLong() ? shapesUpTo(4, 3) : shapesUpTo(3, 2)) {
      for (const std::string from : {"feed", "op", "variable", "resource", "variable without a value", "resource without a value", "branch"}) {
        for (const DType type : {DType::Int32, DType::Int64}) {
          for (const bool taken : {true, false}) {
            if (taken != true && from != "branch") continue;
            MetaGraph meta;
            GraphBuilder b(meta);
            const Tensor value = counted(DType::Float, shape, 3);
            Output x;
            std::vector<std::string> before;
            Feeds feeds;
            if (from == "feed" || from == "op" || from == "branch") {
              x = b.placeholder(DType::Float, Shape::unknown(), "x");
              feeds = {{"x:0", value}};
              if (from == "op") x = b.op("Neg", {x});
            } else if (from.find("variable") == 0) {
              const Output v = b.op("VariableV2", {}, {{"dtype", DType::Float}, {"shape", shape}}, "v");
              b.node("Assign", {v, b.constant(value)}, {}, "start");
              x = b.op("Identity", {v});
            } else {
              const Output v = b.op("VarHandleOp", {}, {{"dtype", DType::Float}, {"shape", shape}, {"shared_name", "v"}, {"container", ""}}, "v");
              b.node("AssignVariableOp", {v, b.constant(value)}, {}, "start");
              x = b.op("ReadVariableOp", {v}, {{"dtype", DType::Float}});
            }
            if (from == "variable" || from == "resource") before = {"start"};
            if (from == "branch") {
              const int s = b.node("Switch", {x, b.placeholder(DType::Bool, Shape{}, "p")}, {});
              feeds.push_back({"p:0", Tensor::scalar(taken)});
              x = {s, 1};
            }
            std::vector<Output> results;
            const AttrMap out{{"out_type", type}};
            results.push_back(b.op("Shape", {x}, out));
            results.push_back(b.op("ShapeN", {x, x}, out));
            results.push_back(b.op("Size", {x}, out));
            const Output rank = b.op("Rank", {x});
            results.push_back(type == DType::Int32 ? rank : b.cast(rank, type));
            std::vector<std::string> fetches;
            for (const Output r : results) {
              if (from != "branch") {
                fetches.push_back(meta.graph.tensorName(r));
                continue;
              }
              // The untaken branch gives no value; a marker takes its place.
              const int s = b.node("Switch", {b.number(type, -9), Output{meta.graph.find("p")->id, 0}}, {});
              fetches.push_back(meta.graph.tensorName(b.op("Merge", {r, Output{s, 0}}, {{"N", int64_t(2)}})));
            }
            QVERIFY2(b.ok(), b.status().toString().c_str());
            for (const std::string& fetch : fetches) {  // one by one: each alone determines the needed nodes
              tally.compare([&] { return fetch + " of a " + from + " " + shape.toString(); }, meta.graph, feeds, {fetch}, {"constant_folding"}, Same::Bits,
                            before);
            }
          }
        }
      }
    }
    VERIFY_SAME(tally, "shapes", 500);
  }

  // RULE constant_folding.of_constants: every element-wise op on all pairs of special values, and ops that may fail.
  void opsOfConstants() {
    Tally tally;
    for (const DType type : {DType::Float, DType::Double, DType::Int32, DType::Int64, DType::Int8, DType::Int16, DType::UInt8, DType::UInt16, DType::Bool}) {
      const int64_t n = int64_t(specials(type).size());
      for (const OpRecord* record : OpRegistry::instance().all()) {
        const auto* e = cpu::findElementwise(record->name, type);
        if (!e) continue;
        MetaGraph meta;
        GraphBuilder b(meta);
        const Output x = b.constant(specialsOf(type, Shape{n, n}, 0)), y = b.constant(specialsOf(type, Shape{n, n}, 1)),
                     p = b.constant(counted(DType::Bool, Shape{n, n}, 1));
        const Output r = e->arity == 1 ? b.op(e->op, {x}) : e->arity == 2 ? b.op(e->op, {x, y}) : b.op(e->op, {p, x, y});
        b.op("Identity", {r}, {}, "z");
        if (!b.ok()) continue;
        tally.compare([&] { return std::string(e->op) + " of type " + std::to_string(int(type)); }, meta.graph, {}, {"z:0"}, {"constant_folding"});
      }
    }
    // A failing constant is left to fail at run time: fetched or not.
    for (const char* op : {"FloorDiv", "FloorMod", "TruncateDiv"})
      for (const bool asked : {false, true}) {
        MetaGraph meta;
        GraphBuilder b(meta);
        b.op(op, {b.ints({1, 2}), b.ints({0, 1})}, {}, "z");
        b.op("Neg", {b.ints({1, 2})}, {}, "other");
        QVERIFY(b.ok());
        tally.compare([&] { return std::string(op) + " by zero"; }, meta.graph, {}, {asked ? "z:0" : "other:0"}, {"constant_folding"});
      }
    VERIFY_SAME(tally, "ops of constants", 200);
  }

  // RULE static_value.small_ints: a value known statically equals the run's; where a run gives none, none is known. All vectors of up to three of a few
  // numbers, and the ops on them.
  void valuesKnownBeforehandAreThose() {
    int64_t tried = 0, known = 0, different = 0, position = 0;
    QString first;
    const auto probe = [&](const std::string& op, const std::vector<Tensor>& inputs, const AttrMap& attrs = {}) {
      if (!isLong() && position++ % 5 != 0) return;
      MetaGraph meta;
      GraphBuilder b(meta);
      std::vector<Output> in;
      for (const Tensor& t : inputs) in.push_back(b.constant(t));
      const int id = b.node(op, in, attrs, "z");
      if (!b.ok()) return;  // refused at once
      for (size_t k = 0; k < b.nodeAt(id).outputTypes.size(); ++k) {
        ++tried;
        const Output o{id, int(k)};
        // constantValue, as seen by Python, folds fewer ops than shape functions and gradients use.
        ConstantFolder folder(meta.graph);
        const Tensor* folded = folder.value(o);
        const auto told = b.constantValue(o);
        if (!folded && !told) continue;
        if (folded && told && !folded->identicalTo(*told)) first += QString::fromStdString(op + " is told otherwise\n"), ++different;
        const Tensor* value = folded ? folded : &*told;
        ++known;
        const Outcome run = outcomeOf(meta.graph, {}, {meta.graph.tensorName(o)}, {"all"});
        if (run.code == Code::Ok && sameValues(run.values[0], *value, Same::Bits)) continue;
        if (different++ > 12) continue;
        first += QString::fromStdString(op + " of");
        for (const Tensor& t : inputs) {
          first += QStringLiteral(" ") + QString::fromStdString(t.shape().toString()) + QStringLiteral("{");
          for (int64_t i = 0; i < t.elements(); ++i) first += QString::number(t.asDouble(i)) + QStringLiteral(" ");
          first += QStringLiteral("}");
        }
        first += QStringLiteral(" type %1: ").arg(int(value->dtype()));
        for (int64_t i = 0; i < value->elements(); ++i) first += QString::number(value->asDouble(i)) + QStringLiteral(" ");
        first += QStringLiteral(", run: ") + QString::fromStdString(run.error) + QStringLiteral("\n");
      }
    };
    const auto ints = [](DType type, const std::vector<int64_t>& v, const Shape& shape) {
      return filled(type, shape, [&](int64_t i) { return double(v[size_t(i)]); });
    };
    const auto vector = [&](DType type, const std::vector<int64_t>& v) { return ints(type, v, Shape{int64_t(v.size())}); };
    const auto scalar = [&](DType type, int64_t v) { return ints(type, {v}, Shape{}); };
    for (const DType type : {DType::Int32, DType::Int64, DType::UInt8, DType::Int8, DType::Bool}) {
      const int64_t least = type == DType::UInt8 || type == DType::Bool ? 0 : -1, most = type == DType::Bool ? 1 : 2,
                    largest = type == DType::UInt8  ? 255
                              : type == DType::Int8 ? 127
                              : type == DType::Bool ? 1
                                                    : INT32_MAX;
      std::vector<std::vector<int64_t>> vectors{{}};
      for (size_t i = 0; i < vectors.size(); ++i)
        if (vectors[i].size() < 3)
          for (int64_t v = least; v <= most; ++v) {
            vectors.push_back(vectors[i]);
            vectors.back().push_back(v);
          }
      vectors.push_back({largest, least, 1});
      for (const auto& v : vectors) {
        const Tensor t = vector(type, v);
        const int64_t n = int64_t(v.size());
        for (const char* op : {"Neg", "Abs", "Sign", "Square", "Identity", "Size", "Rank", "Shape", "InvertPermutation", "LogicalNot", "ZerosLike", "OnesLike"})
          probe(op, {t});
        for (const DType to : {DType::Int32, DType::Int64, DType::UInt8, DType::Bool, DType::Float}) probe("Cast", {t}, {{"DstT", to}});
        for (const auto& shape : std::vector<std::vector<int64_t>>{{}, {-1}, {n}, {1, -1}, {n, 1}, {0, -1}, {2}, {3, -1}})
          probe("Reshape", {t, vector(DType::Int32, shape)});
        for (int64_t axis = -3; axis <= 2; ++axis) {
          probe("ExpandDims", {t, scalar(DType::Int32, axis)});
          for (const char* op : {"Sum", "Prod", "Max", "Min", "All", "Any"})
            for (const bool keep : {false, true}) probe(op, {t, scalar(DType::Int32, axis)}, {{"keep_dims", keep}});
        }
        for (const char* op : {"Sum", "Prod", "Max", "Min", "All", "Any"}) probe(op, {t, vector(DType::Int32, {})});
        for (int64_t begin = -2; begin <= 4; ++begin)
          for (int64_t size = -2; size <= 3; ++size) {
            probe("Slice", {t, vector(DType::Int32, {begin}), vector(DType::Int32, {size})});
            for (int64_t stride : {-2, -1, 1, 2, 0})
              for (int64_t mask = 0; mask < 4; ++mask)
                for (const int64_t shrink : {0, 1})
                  probe("StridedSlice", {t, vector(DType::Int32, {begin}), vector(DType::Int32, {size}), vector(DType::Int32, {stride})},
                        {{"begin_mask", mask & 1},
                         {"end_mask", mask >> 1},
                         {"shrink_axis_mask", shrink},
                         {"ellipsis_mask", int64_t(0)},
                         {"new_axis_mask", int64_t(0)}});
          }
        if (type == DType::Int32) {
          for (int64_t value : {-1, 0, 7}) probe("Fill", {t, scalar(DType::Int32, value)});
          if (n == 3) probe("Range", {scalar(type, v[0]), scalar(type, v[1]), scalar(type, v[2])});
          for (int64_t axis = -2; axis < 3; ++axis) probe("ConcatOffset", {scalar(type, axis), t, t});
        }
        for (const auto& u : vectors) {
          if (!isLong() && u.size() > 2 && v.size() > 2) continue;
          const Tensor other = vector(type, u);
          for (const char* op : {"Add",
                                 "AddV2",
                                 "Sub",
                                 "Mul",
                                 "FloorDiv",
                                 "FloorMod",
                                 "Mod",
                                 "Div",
                                 "RealDiv",
                                 "TruncateDiv",
                                 "TruncateMod",
                                 "Maximum",
                                 "Minimum",
                                 "Equal",
                                 "NotEqual",
                                 "Less",
                                 "LessEqual",
                                 "Greater",
                                 "GreaterEqual",
                                 "LogicalAnd",
                                 "LogicalOr",
                                 "BroadcastGradientArgs",
                                 "BroadcastArgs",
                                 "ListDiff",
                                 "SquaredDifference",
                                 "Pow"})
            probe(op, {t, other});
          probe("Pack", {t, other}, {{"N", int64_t(2)}, {"axis", int64_t(0)}});
          probe("ConcatV2", {t, other, scalar(DType::Int32, 0)}, {{"N", int64_t(2)}});
          probe("Concat", {scalar(DType::Int32, 0), t, other}, {{"N", int64_t(2)}});
          if (type == DType::Int32) {
            probe("GatherV2", {t, other, scalar(DType::Int32, 0)});
            probe("Gather", {t, other});
            probe("DynamicStitch", {other, vector(DType::Int32, {0, 1}), t, vector(DType::Int32, {8, 9})}, {{"N", int64_t(2)}});
          }
          if (type == DType::Bool) {
            probe("Select", {t, filled(DType::Int32, Shape{n}, [](int64_t i) { return double(i); }),
                             filled(DType::Int32, Shape{n}, [](int64_t i) { return double(10 + i); })});
            for (const Shape& shape : {Shape{2, 2}, Shape{2, 1}, Shape{1, 2}, Shape{}})
              probe("Select", {t, filled(DType::Int32, shape, [](int64_t i) { return double(i); }),
                               filled(DType::Int32, shape, [](int64_t i) { return double(10 + i); })});
          }
        }
      }
    }
    const QByteArray report =
        QStringLiteral("values known beforehand: %1 outputs, %2 known, %3 different\n%4").arg(tried).arg(known).arg(different).arg(first).toUtf8();
    qInfo("%s", report.trimmed().constData());
    QVERIFY2(different == 0, report.constData());
    QVERIFY(known > 2000);
  }

  // RULE constant_folding.effects_stay: an effect or check before a value of which only shape, size or rank is used, or behind a constant; connected by data,
  // by a control edge to the value, or to the folded node; with and without a branch elsewhere in the plan.
  void effectsBehindShapes() {
    Tally tally;
    for (const std::string effect : {"resource", "variable", "check", "failing check", "assert"})
      for (const std::string tie : {"data", "control", "control of what is folded"})
        for (const std::string wanted : {"Shape", "Size", "Rank", "ZerosLike of Shape", "constant"})
          for (const bool branches : {false, true}) {
            MetaGraph meta;
            GraphBuilder b(meta);
            const Output x = b.placeholder(DType::Float, Shape::unknown(), "x");
            const Output v = effect == "variable"
                                 ? b.op("VariableV2", {}, {{"dtype", DType::Float}, {"shape", Shape{2}}}, "v")
                                 : b.op("VarHandleOp", {}, {{"dtype", DType::Float}, {"shape", Shape{2}}, {"shared_name", "v"}, {"container", ""}}, "v");
            const Output two = b.constant(Tensor::vector<float>({1, 2}));
            b.node(effect == "variable" ? "Assign" : "AssignVariableOp", {v, two}, {}, "start");
            if (effect == "variable") b.op("Identity", {v}, {}, "left");
            else b.op("ReadVariableOp", {v}, {{"dtype", DType::Float}}, "left");
            Output value = b.op("Neg", {x});
            int done = -1;
            if (effect == "resource") done = b.node("AssignAddVariableOp", {v, two}, {});
            if (effect == "variable") done = b.node("AssignAdd", {v, two}, {});
            if (effect.find("check") != std::string::npos) done = b.node("CheckNumerics", {effect == "check" ? x : b.op("Log", {x})}, {{"message", "bad"}});
            if (effect == "assert") done = b.node("Assert", {b.constant(Tensor::scalar(true)), x}, {{"summarize", int64_t(3)}});
            if (tie == "data") {
              if (effect == "resource" || effect == "assert") continue;  // without outputs
              value = b.op("Neg", {Output{done, 0}});
            }
            if (tie == "control") b.addControlInputs(value.node, {done});
            Output z = wanted == "constant" ? b.op("Neg", {b.constant(Tensor::scalar(3))})
                                            : b.op(wanted == "Size"   ? "Size"
                                                   : wanted == "Rank" ? "Rank"
                                                                      : "Shape",
                                                   {value});
            if (tie == "control of what is folded") b.addControlInputs(z.node, {done});
            if (wanted == "ZerosLike of Shape") z = b.op("ZerosLike", {z});
            std::vector<std::string> fetches{meta.graph.tensorName(z)};
            if (branches) {
              const int s = b.node("Switch", {x, b.constant(Tensor::scalar(true))}, {});
              fetches.push_back(meta.graph.tensorName(b.op("Merge", {Output{s, 0}, Output{s, 1}}, {{"N", int64_t(2)}})));
            }
            QVERIFY2(b.ok(), b.status().toString().c_str());
            tally.compare([&] { return effect + " by " + tie + " before " + wanted + (branches ? " with a branch" : ""); }, meta.graph,
                          {{"x:0", Tensor::vector<float>({-1, 2})}}, fetches, {"constant_folding"}, Same::Bits, {"start"}, {}, {"left:0"});
          }
    VERIFY_SAME(tally, "effects behind shapes", 60);
  }
};

QTEST_GUILESS_MAIN(ExhaustedFoldingTest)
#include "tst_exhausted_folding.moc"
