// Statistics and differences of tensors, comparison of checkpoints, and preview of a restore.
#include <QTest>
#include <cmath>
#include <complex>
#include <limits>
#include <numeric>

#include "memory_files.h"
#include "weft/compare.h"
#include "weft/dtype.h"

using namespace weft;
using Kind = VariableDifference::Kind;
using Fit = VariableMatch::Kind;

namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN(), kInf = std::numeric_limits<float>::infinity();

std::unique_ptr<CheckpointReader> checkpoint(MemoryFiles& files, const std::string& prefix, const std::vector<std::pair<std::string, Tensor>>& tensors) {
  auto writer = CheckpointWriter::create(prefix, &files).value();
  for (const auto& [name, tensor] : tensors) (void)writer->add(name, tensor);
  (void)writer->finish();
  return CheckpointReader::open(prefix, &files).value();
}

const VariableDifference& of(const CheckpointDifference& d, const std::string& name) {
  for (const auto& v : d.variables)
    if (v.name == name) return v;
  static const VariableDifference none;
  return none;
}

const VariableMatch& of(const GraphMatch& m, const std::string& name) {
  for (const auto& v : m.variables)
    if (v.variable == name || (v.variable.empty() && v.key == name)) return v;
  static const VariableMatch none;
  return none;
}

/// A graph in text form; `saver` adds restore ops for those keys to those variables.
Graph graphOf(const std::vector<std::array<std::string, 2>>& variables, const std::vector<std::array<std::string, 3>>& restores = {}) {
  std::string text;
  for (const auto& [name, dims] : variables) {
    text += "node { name: \"" + name + "\" op: \"VariableV2\" attr { key: \"dtype\" value { type: DT_FLOAT } } attr { key: \"shape\" value { shape { ";
    for (const char c : dims) text += std::string("dim { size: ") + c + " } ";
    text += "} } } }\n";
  }
  std::string names, slices, types, count = std::to_string(restores.size());
  for (const auto& [variable, key, slice] : restores) {
    names += " string_val: \"" + key + "\"";
    slices += " string_val: \"" + slice + "\"";
    types += " type: DT_FLOAT";
  }
  if (!restores.empty()) {
    const auto strings = [&](const std::string& name, const std::string& values, const std::string& shape) {
      text += "node { name: \"" + name +
              "\" op: \"Const\" attr { key: \"dtype\" value { type: DT_STRING } } attr { key: \"value\" value { tensor { dtype: DT_STRING " +
              "tensor_shape { " + shape + " }" + values + " } } } }\n";
    };
    strings("save/Const", " string_val: \"model\"", "");
    strings("save/names", names, "dim { size: " + count + " }");
    strings("save/slices", slices, "dim { size: " + count + " }");
    text +=
        "node { name: \"save/RestoreV2\" op: \"RestoreV2\" input: \"save/Const\" input: \"save/names\" input: \"save/slices\" attr { key: \"dtypes\" value { list {" +
        types + " } } } }\n";
    for (size_t i = 0; i < restores.size(); ++i) {
      text += "node { name: \"save/Assign_" + std::to_string(i) + "\" op: \"Assign\" input: \"" + restores[i][0] +
              "\" input: \"save/RestoreV2:" + std::to_string(i) + "\" attr { key: \"T\" value { type: DT_FLOAT } } }\n";
    }
  }
  auto loaded = loadGraphBytes(std::make_shared<const std::string>(text), "graph.pbtxt", {.inferShapes = false});
  if (!loaded.ok()) qFatal("%s", loaded.error().message.c_str());
  return std::move(loaded->meta.graph);
}

}  // namespace

class CompareTest : public QObject {
  Q_OBJECT

 private slots:
  void statisticsOfKnownValues() {
    const auto s = summaryOf(Tensor::vector<float>({-1, 0, 0, 2, kNan, kInf, -kInf, 3}), 4).value();
    QVERIFY(s.numeric);
    QCOMPARE(s.count, 8);
    QCOMPARE(s.nan, 1);
    QCOMPARE(s.positiveInf, 1);
    QCOMPARE(s.negativeInf, 1);
    QCOMPARE(s.finite(), 5);
    QCOMPARE(s.zeros, 2);
    QCOMPARE(s.min, -1.0);
    QCOMPARE(s.max, 3.0);
    QCOMPARE(s.mean, 0.8);
    QVERIFY(std::abs(s.std - std::sqrt(2.16)) < 1e-12);
    QCOMPARE(s.histogram, (std::vector<int64_t>{1, 2, 0, 2}));
  }
  void statisticsOfOddTensors() {
    const auto all = summaryOf(Tensor::vector<float>({kNan, kInf})).value();
    QVERIFY(std::isnan(all.min) && all.histogram.empty());
    QCOMPARE(summaryOf(Tensor::zeros(DType::Float, {0, 3})).value().count, 0);
    const auto same = summaryOf(Tensor::of<float>({7, 7, 7}, {3})).value();
    QCOMPARE(same.histogram, std::vector<int64_t>{3});
    QVERIFY(same.low < 7 && same.high > 7);
    QVERIFY(!summaryOf(Tensor::scalar("text")).value().numeric);
    QCOMPARE(summaryOf(Tensor::vector<std::complex<float>>({{3, 4}, {0, 0}})).value().max, 5.0);
    // The whole range of doubles does not overflow the bins.
    const double most = std::numeric_limits<double>::max();
    const auto wide = summaryOf(Tensor::vector<double>({-most, 0, most}), 4).value();
    QCOMPARE(wide.histogram, (std::vector<int64_t>{1, 0, 1, 1}));
    // Few integers: one bin for each.
    QCOMPARE(summaryOf(Tensor::vector<int32_t>({2, 3, 5, 5})).value().histogram, (std::vector<int64_t>{1, 1, 0, 2}));
    QCOMPARE(summaryOf(Tensor::vector<BFloat16Bits>({bfloat16FromFloat(1.5f), bfloat16FromFloat(-2)})).value().min, -2.0);
  }
  void statisticsOfManyValuesInBlocks() {
    std::vector<float> values(100'003);
    double sum = 0, squares = 0;
    for (size_t i = 0; i < values.size(); ++i) sum += values[i] = float(std::sin(double(i))) + 1000;
    for (const float v : values) squares += (v - sum / double(values.size())) * (v - sum / double(values.size()));
    const auto s = summaryOf(Tensor::vector(values), 10).value();
    QVERIFY(std::abs(s.mean - sum / double(values.size())) < 1e-9);
    QVERIFY(std::abs(s.std - std::sqrt(squares / double(values.size()))) < 1e-9);
    QCOMPARE(std::accumulate(s.histogram.begin(), s.histogram.end(), int64_t(0)), int64_t(values.size()));
  }
  void statisticsCanBeStopped() {
    const auto s = summaryOf(Tensor::zeros(DType::Float, {1 << 20}), 4, [](double) { return false; });
    QCOMPARE(s.error().code, Code::Cancelled);
  }

  void differencesOfKnownValues() {
    const auto d = differenceOf(Tensor::vector<float>({1, 2, 3, kNan}), Tensor::vector<float>({1, 2, 5, kNan})).value();
    QCOMPARE(d.differing, 1);
    QCOMPARE(d.worst, 2);
    QCOMPARE(d.maxAbsolute, 2.0);
    QCOMPARE(d.maxRelative, 0.4);
    QCOMPARE(d.norm, 2.0);
    QVERIFY(std::abs(d.relative() - 2 / std::sqrt(14.0)) < 1e-12);
    QVERIFY(std::abs(d.cosine - 20 / std::sqrt(14.0 * 30)) < 1e-12);
    const auto lost = differenceOf(Tensor::vector<float>({1, 1}), Tensor::vector<float>({1, kNan})).value();
    QCOMPARE(lost.differing, 1);
    QVERIFY(std::isinf(lost.maxAbsolute));
    // Beyond 2^53 doubles cannot tell integers apart.
    const int64_t big = int64_t(1) << 60;
    QCOMPARE(differenceOf(Tensor::vector<int64_t>({big}), Tensor::vector<int64_t>({big + 1})).value().differing, 1);
    QCOMPARE(differenceOf(Tensor::vector<std::string>({"a", "b"}), Tensor::vector<std::string>({"a", "c"})).value().worst, 1);
    QCOMPARE(differenceOf(Tensor::vector<float>({1}), Tensor::vector<float>({1, 2})).error().code, Code::InvalidArgument);
    const auto zero = differenceOf(Tensor::vector<float>({0}), Tensor::vector<float>({1})).value();
    QVERIFY(std::isinf(zero.relative()) && std::isnan(zero.cosine));
  }

  void checkpointsNameByName() {
    MemoryFiles files;
    const auto a = checkpoint(files, "a",
                              {{"b", Tensor::vector<float>({1, 2})},
                               {"gone", Tensor::scalar(1)},
                               {"shape", Tensor::vector<float>({1})},
                               {"type", Tensor::scalar(1.0f)},
                               {"w", Tensor::scalar(3.0f)}});
    const auto b = checkpoint(files, "b",
                              {{"a_new", Tensor::scalar(1)},
                               {"b", Tensor::vector<float>({1, 3})},
                               {"shape", Tensor::vector<float>({1, 2})},
                               {"type", Tensor::scalar(1.0)},
                               {"w", Tensor::scalar(3.0f)}});
    const auto d = compareCheckpoints(*a, *b).value();
    QVERIFY(!d.isSame());
    QCOMPARE(d.variables.size(), size_t(6));
    QCOMPARE(of(d, "a_new").kind, Kind::OnlyInSecond);
    QCOMPARE(of(d, "b").kind, Kind::Changed);
    QCOMPARE(of(d, "b").difference.maxAbsolute, 1.0);
    QCOMPARE(of(d, "gone").kind, Kind::OnlyInFirst);
    QCOMPARE(of(d, "shape").kind, Kind::ShapeDiffers);
    QCOMPARE(of(d, "type").kind, Kind::TypeDiffers);
    QCOMPARE(of(d, "w").kind, Kind::Same);
    QVERIFY(compareCheckpoints(*a, *a).value().isSame());
    QCOMPARE(compareCheckpoints(*a, *b, [](double) { return false; }).error().code, Code::Cancelled);
  }
  void aDamagedTensorDoesNotStopTheRest() {
    MemoryFiles files;
    const auto a = checkpoint(files, "a", {{"v", Tensor::vector<float>({1, 2})}, {"w", Tensor::vector<float>({3, 4})}});
    checkpoint(files, "b", {{"v", Tensor::vector<float>({1, 2})}, {"w", Tensor::vector<float>({3, 4})}});
    (*files.files["b.data-00000-of-00001"])[1] ^= 1;
    const auto b = CheckpointReader::open("b", &files).value();
    const auto d = compareCheckpoints(*a, *b).value();
    QCOMPARE(of(d, "v").kind, Kind::Unreadable);
    QVERIFY(of(d, "v").error.find("hecksum") != std::string::npos);
    QCOMPARE(of(d, "w").kind, Kind::Same);
  }
  void rolesByName() {
    MemoryFiles files;
    const Tensor x = Tensor::scalar(1.0f);
    const auto c = checkpoint(files, "c",
                              {{"bn/moving_mean", x},
                               {"conv/kernel", x},
                               {"conv/kernel/Adam", x},
                               {"conv/kernel/Adam_1", x},
                               {"conv/kernel/ExponentialMovingAverage", x},
                               {"global_step", x},
                               {"train/beta1_power", x}});
    const auto role = [&](const char* name) { return roleOf(name, *c); };
    QCOMPARE(role("conv/kernel"), VariableRole::Weight);
    QCOMPARE(role("conv/kernel/Adam_1"), VariableRole::Slot);
    QCOMPARE(role("train/beta1_power"), VariableRole::Slot);
    QCOMPARE(role("bn/moving_mean"), VariableRole::MovingAverage);
    QCOMPARE(role("conv/kernel/ExponentialMovingAverage"), VariableRole::MovingAverage);
    QCOMPARE(role("global_step"), VariableRole::Step);
    QCOMPARE(role("_CHECKPOINTABLE_OBJECT_GRAPH"), VariableRole::ObjectGraph);
    QCOMPARE(role("m/k/.OPTIMIZER_SLOT/opt/m/.ATTRIBUTES/VARIABLE_VALUE"), VariableRole::Slot);
  }

  void aGraphWithoutSaverAsksByName() {
    MemoryFiles files;
    const auto c = checkpoint(
        files, "c", {{"net/layer1/kernel", Tensor::zeros(DType::Float, {3, 4})}, {"extra", Tensor::scalar(1.0f)}, {"odd", Tensor::zeros(DType::Float, {5})}});
    const GraphMatch m = matchCheckpoint(graphOf({{"layer1/kernel", "34"}, {"odd", "6"}}), *c);
    QVERIFY(!m.hasSaver && !m.canRestore());
    QCOMPARE(of(m, "layer1/kernel").kind, Fit::Missing);
    QVERIFY(!of(m, "layer1/kernel").nearest.empty());
    QCOMPARE(of(m, "layer1/kernel").nearest.front(), std::string("net/layer1/kernel"));
    QCOMPARE(of(m, "odd").kind, Fit::ShapeDiffers);
    QCOMPARE(of(m, "extra").kind, Fit::Unused);
  }
  void aSaverSaysWhatIsAskedFor() {
    MemoryFiles files;
    const auto c = checkpoint(files, "c", {{"old/w", Tensor::zeros(DType::Float, {2})}, {"full", Tensor::zeros(DType::Float, {4, 3})}});
    // `w` comes from another key, `part_0` is half of a partitioned variable, `local` is not saved at all.
    const Graph graph = graphOf({{"w", "2"}, {"part_0", "23"}, {"local", "7"}}, {{"w", "old/w", ""}, {"part_0", "full", "4 3 0,2:-"}});
    const GraphMatch m = matchCheckpoint(graph, *c);
    QVERIFY(m.hasSaver && m.canRestore());
    QCOMPARE(of(m, "w").kind, Fit::Fits);
    QCOMPARE(of(m, "w").key, std::string("old/w"));
    QCOMPARE(of(m, "part_0").kind, Fit::Fits);
    QCOMPARE(of(m, "local").kind, Fit::NotRestored);
    QCOMPARE(m.count(Fit::Unused), 0);
  }
  void everyKindHasAName() {
    for (int k = 0; k <= int(Kind::Unreadable); ++k) QVERIFY(!kindName(Kind(k)).empty());
    for (int k = 0; k <= int(Fit::Unused); ++k) QVERIFY(!kindName(Fit(k)).empty());
    for (int k = 0; k <= int(VariableRole::ObjectGraph); ++k) QVERIFY(!roleName(VariableRole(k)).empty());
  }
};

QTEST_GUILESS_MAIN(CompareTest)
#include "tst_compare.moc"
