// The doctor's rules: for each a sick case, which it names, and a sound neighbour, about which it says nothing. The sound neighbour is the same training without the fault.
#include <QDir>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "doctor_trainings.h"
#include "weft/arrays.h"

using namespace weft;
using namespace doctor_tests;

namespace {

/// 64 numbers and a label per row.
struct Table {
  int rows = 120;
  double low = 0, high = 1;
  bool constant = false, oneLabel = false, badLabel = false, nan = false, repeats = false;
  int large = 0;  ///< Percent of rows of class 0.
};
MetaGraph onTable(const Table& t, const QTemporaryDir& folder) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> value(t.low, t.high);
  Tensor x = Tensor::zeros(DType::Float, {t.rows, 64}), y = Tensor::zeros(DType::Int32, {t.rows});
  for (int i = 0; i < t.rows; ++i) {
    float* row = x.mutableData<float>() + i * 64;
    for (int c = 0; c < 64; ++c)
      row[c] = t.constant && c == 3 ? 0.5f : t.nan && i % 7 == 4 && c == 2 ? NAN : t.repeats && i % 2 == 1 ? row[c - 64] : float(value(random));
    y.mutableData<int32_t>()[i] = t.oneLabel ? 1 : t.badLabel && i % 9 == 3 ? 12 : t.large > 0 && i % 100 < t.large ? 0 : i % 10;
  }
  static int count = 0;
  const std::string path = folder.filePath(QStringLiteral("table%1").arg(count++)).toStdString();
  if (!saveNpy(path + "x.npy", x).ok() || !saveNpy(path + "y.npy", y).ok()) qFatal("no file");
  DatasetBinding data;
  data.kind = "npy";
  data.path = path + "x.npy;" + path + "y.npy";
  data.placeholders = {{"x:0", "images"}, {"y:0", "labels"}};
  return document({}, data);
}

/// A doctor whose training is made up: what the callbacks would get in a training of `meta`.
class Beside {
 public:
  explicit Beside(const MetaGraph& meta) : meta_(meta), doctor_(meta_) {
    doctor_.attach(options_);
    auto session = Session::create(meta_.graph);
    if (!session.ok()) qFatal("%s", session.error().toString().c_str());
    session_ = std::move(*session);
    if (!session_->run({}, {}, {"init"}).ok()) qFatal("init");
  }
  const std::vector<std::string>& tensors() const { return options_.probe.tensors; }
  /// A step with that loss and accuracy.
  void step(double loss, double accuracy = -1) {
    TrainStep s;
    s.step = ++at_;
    s.loss = loss;
    s.accuracy = accuracy;
    options_.callbacks.step(s);
  }
  /// A measured step; `change` alters the values of the tensors of that name, which are small random numbers otherwise.
  void measured(const std::map<std::string, std::function<float(int64_t i)>>& change = {},
                const std::map<std::string, std::function<float(int64_t i)>>& variables = {}) {
    std::vector<Tensor> values;
    std::normal_distribution<float> normal(0, 0.3f);
    for (const std::string& name : tensors()) {
      const Shape& known = meta_.graph.shape(*meta_.graph.findOutput(name));
      std::vector<int64_t> dims;
      for (const int64_t d : known.dims()) dims.push_back(d < 0 ? 16 : d);
      Tensor t = Tensor::zeros(DType::Float, Shape(dims));
      const auto given = change.find(name);
      for (int64_t i = 0; i < t.elements(); ++i) t.mutableData<float>()[i] = given == change.end() ? normal(random_) : given->second(i);
      values.push_back(std::move(t));
    }
    for (const auto& [name, value] : variables) {
      Tensor t = Tensor::zeros(DType::Float, session_->variables().at(name).shape());
      for (int64_t i = 0; i < t.elements(); ++i) t.mutableData<float>()[i] = value(i);
      if (!session_->setVariable(name, t).ok()) qFatal("%s", name.c_str());
    }
    options_.probe.values(at_ + 1, values, *session_);
    step(1);
  }
  void evaluation(double loss, double accuracy = -1) {
    TrainEvaluation e;
    e.step = at_;
    e.loss = loss;
    e.accuracy = accuracy;
    options_.callbacks.evaluation(e);
  }
  Said said() const { return {doctor_.findings(), {}}; }
  /// The gradient that is applied to a variable.
  std::string gradientOf(const std::string& variable) const {
    for (const AppliedGradient& g : appliedGradients(meta_.graph, "train"))
      if (g.variable == variable) return g.tensor;
    return {};
  }

 private:
  const MetaGraph meta_;
  TrainingDoctor doctor_;
  TrainOptions options_;
  std::unique_ptr<Session> session_;
  std::mt19937 random_{1};
  int64_t at_ = 0;
};

using Case = std::function<Said()>;
struct Pair {
  const char* code;
  Case sick, sound;
};

/// Steps with a loss of `f(i)`.
Said curve(int steps, const std::function<double(int)>& f, const std::function<double(int)>& accuracy = {}) {
  Beside b(document({}, digits()));
  for (int i = 0; i < steps; ++i) b.step(f(i), accuracy ? accuracy(i) : -1);
  return b.said();
}
/// Evaluations after 20 steps each: training loss, test loss, accuracies.
Said evaluations(int count, const std::function<double(int)>& training, const std::function<double(int)>& test, double trainingAccuracy = -1,
                 double testAccuracy = -1) {
  Beside b(document({}, digits()));
  for (int i = 0; i < count; ++i) {
    for (int k = 0; k < 20; ++k) b.step(training(i), trainingAccuracy);
    b.evaluation(test(i), testAccuracy);
  }
  return b.said();
}
using Numbers = std::map<std::string, std::function<float(int64_t)>>;
Said measured(const Sketch& r, int steps, const std::function<Numbers(Beside&, int step)>& change, const std::function<Numbers(int step)>& variables = {}) {
  Beside b(document(r, digits()));
  for (int i = 0; i < steps; ++i) b.measured(change ? change(b, i) : Numbers(), variables ? variables(i) : Numbers());
  return b.said();
}
Numbers all(const std::string& name, float value) {
  return {{name, [value](int64_t) { return value; }}};
}

}  // namespace

class DoctorRules : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { qputenv("WEFT_RESOURCES", WEFT_SOURCE_DIR "/resources"); }

  void everyRuleHasASickAndASoundCase() {
    std::set<std::string> tested;
    for (const Pair& p : pairs()) tested.insert(p.code);
    // And the programs with a fault, which name the rules in comments.
    QDir programs(QStringLiteral(WEFT_SOURCE_DIR "/tests/programs/doctor"));
    for (const QString& name : programs.entryList({QStringLiteral("*.py")})) {
      QFile file(programs.filePath(name));
      QVERIFY(file.open(QIODevice::ReadOnly));
      static const QRegularExpression finds(QStringLiteral("# finds: ([a-z -]+)"));
      for (auto found = finds.globalMatch(QString::fromUtf8(file.readAll())); found.hasNext();)
        for (const QString& code : found.next().captured(1).split(u' ', Qt::SkipEmptyParts)) tested.insert(code.toStdString());
    }
    for (const DoctorRule& r : doctorRules()) QVERIFY2(tested.contains(r.code), r.code);
    QCOMPARE(tested.size(), doctorRules().size());
  }

  void rules_data() {
    QTest::addColumn<int>("index");
    const auto list = pairs();
    for (size_t i = 0; i < list.size(); ++i) QTest::newRow(list[i].code) << int(i);
  }
  void rules() {
    QFETCH(int, index);
    const Pair p = pairs()[size_t(index)];
    const Said sick = p.sick();
    QVERIFY2(sick.error.empty() && sick.has(p.code), (concat("not found: ", p.code, "\n") + sick.text()).c_str());
    for (const DoctorFinding& f : sick.findings) {
      for (const std::string& text : {f.title(), f.detail(), f.advice()}) {
        QVERIFY2(!text.empty(), f.rule->code);
        for (char slot = '1'; slot <= '9'; ++slot) QVERIFY2(text.find(std::string("%") + slot) == text.npos, text.c_str());
      }
    }
    const Said sound = p.sound();
    QVERIFY2(sound.error.empty() && !sound.has(p.code), (concat("false alarm: ", p.code, "\n") + sound.text()).c_str());
  }

 private:
  std::vector<Pair> pairs() {
    const auto sound = [] { return of({}); };
    const auto table = [this](const Table& t) { return [this, t] { return checked(onTable(t, folder_)); }; };
    const Numbers none;
    std::vector<Pair> out = {
        {"softmax-twice", [] { return of(with([](Sketch& r) { r.last = "Softmax"; })); }, sound},
        {"updates-not-run",
         [] {
           MetaGraph meta = document({}, digits());
           meta.collections["update_ops"].nodes = {"activation"};
           // Nothing waits for it if it is no op of the step.
           GraphBuilder b(meta);
           b.op("Neg", {b.scalar(1.0f)}, {}, "moving");
           meta.collections["update_ops"].nodes = {"moving"};
           return read(meta);
         },
         [] {
           MetaGraph meta = document({}, digits());
           meta.collections["update_ops"].nodes = {"step1"};
           return read(meta);
         }},
        {"global-step-stays", [] { return of(with([](Sketch& r) { r.stepCounts = false; })); }, sound},
        {"no-gradient",
         [] {
           MetaGraph meta = document(with([](Sketch& r) { r.freezes = true; }), digits());
           meta.collections["trainable_variables"] = trainable({"w1", "w2"});
           return read(meta);
         },
         [] {
           MetaGraph meta = document({}, digits());
           meta.collections["trainable_variables"] = trainable({"w1", "w2"});
           return read(meta);
         }},
        {"no-nonlinearity", [] { return of(with([](Sketch& r) { r.activation = ""; })); }, sound},
        {"activation-on-logits", [] { return of(with([](Sketch& r) { r.last = "Relu"; })); }, sound},
        {"activation-twice", [] { return of(with([](Sketch& r) { r.second = "Tanh"; })); }, sound},
        {"dropout-high", [] { return of(with([](Sketch& r) { r.dropout = 0.8; })); }, [] { return of(with([](Sketch& r) { r.dropout = 0.3; })); }},
        {"dropout-before-norm",
         [] {
           return of(with([](Sketch& r) {
             r.dropout = 0.3;
             r.norm = true;
           }));
         },
         [] { return of(with([](Sketch& r) { r.dropout = 0.3; })); }},
        {"bias-before-norm", [] { return of(with([](Sketch& r) { r.norm = r.bias = true; })); }, [] { return of(with([](Sketch& r) { r.norm = true; })); }},
        {"loss-fits-not", [] { return read(document(with([](Sketch& r) { r.classes = 1; }), digits())); }, sound},
        {"learning-rate-high", [] { return read(document(with([](Sketch& r) { r.rate = 50; }), digits())); }, sound},
        {"learning-rate-low", [] { return read(document(with([](Sketch& r) { r.rate = 1e-9; }), digits())); }, sound},
        {"update-race", [] { return of(with([](Sketch& r) { r.race = true; })); }, [] { return of(with([](Sketch& r) { r.ordered = true; })); }},
        {"data-not-finite", table({.nan = true}), table({})},
        {"data-not-scaled", table({.low = 0, .high = 255}), table({.low = -2, .high = 2})},
        {"constant-feature", table({.constant = true}), table({})},
        {"constant-labels", table({.oneLabel = true}), table({})},
        {"classes-unbalanced", table({.rows = 400, .large = 95}), table({.rows = 400})},
        {"labels-out-of-range", table({.badLabel = true}), table({})},
        {"test-rows-in-training", table({.rows = 200, .repeats = true}), table({.rows = 200})},
        {"constant-weights", [] { return of(with([](Sketch& r) { r.scale = 0; })); }, sound},
        {"weights-too-large", [] { return of(with([](Sketch& r) { r.scale = 5; })); }, sound},
        {"weights-too-small", [] { return of(with([](Sketch& r) { r.scale = 0.0005f; })); }, sound},
        {"first-loss-wrong", [] { return of(with([](Sketch& r) { r.lastScale = 6; })); }, sound},
        {"loss-sums-batch", [] { return of(with([](Sketch& r) { r.reduce = "Sum"; })); }, sound},
        {"mixes-rows", [] { return of(with([](Sketch& r) { r.mixes = true; })); }, sound},
        {"ignores-input", [] { return of(with([](Sketch& r) { r.blind = true; })); }, sound},
        {"cannot-learn-batch", [] { return of(with([](Sketch& r) { r.rate = 1e-6; }), true); }, [] { return of({}, true); }},
        {"not-finite", [] { return measured({}, 1, [](Beside& b, int) { return all(b.gradientOf("w1"), NAN); }); }, [] { return measured({}, 5, {}); }},
        {"loss-explodes", [] { return curve(60, [](int i) { return 2.3 * std::pow(1.2, i); }); },
         [] { return curve(60, [](int i) { return 2.3 + 0.4 * std::sin(i); }); }},
        {"loss-stuck", [] { return curve(400, [](int i) { return 2.3 + 0.05 * std::sin(i * 1.7); }); },
         [] { return curve(400, [](int i) { return 2.3 * std::exp(-i / 300.0); }); }},
        {"loss-oscillates", [] { return curve(400, [](int i) { return i % 2 ? 0.1 : 9.0; }); },
         [] { return curve(400, [](int i) { return 2.3 * std::exp(-i / 200.0) + 0.1 * (i % 2); }); }},
        {"loss-negative", [] { return curve(30, [](int i) { return 1 - 0.1 * i; }); }, [] { return curve(30, [](int i) { return 1 - 0.01 * i; }); }},
        {"loss-and-accuracy-part",
         [] {
           return curve(
               220, [](int i) { return 2 - 0.005 * i; }, [](int i) { return 0.9 - 0.002 * i; });
         },
         [] {
           return curve(
               220, [](int i) { return 2 - 0.005 * i; }, [](int i) { return 0.1 + 0.002 * i; });
         }},
        {"gradient-vanishes",
         [] {
           return measured({}, 4, [](Beside& b, int) {
             Numbers v = all(b.gradientOf("w1"), 1e-9f);
             v.merge(all(b.gradientOf("w2"), 1e-2f));
             return v;
           });
         },
         [] {
           return measured({}, 4, [](Beside& b, int) {
             Numbers v = all(b.gradientOf("w1"), 1e-3f);
             v.merge(all(b.gradientOf("w2"), 1e-2f));
             return v;
           });
         }},
        {"gradient-explodes", [] { return measured({}, 5, [](Beside& b, int i) { return all(b.gradientOf("w1"), i < 3 ? 0.01f : 1e4f); }); },
         [] { return measured({}, 5, [](Beside& b, int i) { return all(b.gradientOf("w1"), i < 3 ? 0.01f : 0.1f); }); }},
        {"gradient-zero", [] { return measured({}, 4, [](Beside& b, int) { return all(b.gradientOf("w1"), 0); }); },
         [] { return measured({}, 4, [](Beside& b, int i) { return all(b.gradientOf("w1"), i == 2 ? 0.1f : 0); }); }},
        {"update-large", [] { return measured({}, 6, {}, [](int i) { return all("w1", i % 2 ? 0.1f : 0.2f); }); },
         [] { return measured({}, 6, {}, [](int i) { return all("w1", 0.1f + 0.0005f * float(i)); }); }},
        {"update-small", [] { return measured({}, 6, {}, [](int) { return all("w1", 0.1f); }); },
         [] {
           return measured({}, 6, {}, [](int i) {
             Numbers v = all("w1", 0.1f + 0.0005f * float(i));
             v.merge(all("w2", 0.1f + 0.0005f * float(i)));
             return v;
           });
         }},
        {"dead-units",
         [] { return measured({}, 4, [](Beside&, int) {
                return Numbers{{"activation:0", [](int64_t i) { return i % 32 < 20 ? 0.0f : 1.0f; }}};
              }); },
         [] { return measured({}, 4, [](Beside&, int s) {
                return Numbers{{"activation:0", [s](int64_t i) { return (i + s) % 2 ? 0.0f : 1.0f; }}};
              }); }},
        {"saturated-units",
         [] { return measured(with([](Sketch& r) { r.activation = "Tanh"; }), 4, [](Beside&, int) { return all("activation:0", 0.999f); }); },
         [] { return measured(with([](Sketch& r) { r.activation = "Tanh"; }), 4, [](Beside&, int) { return all("activation:0", 0.7f); }); }},
        {"activations-drift", [] { return measured({}, 4, [](Beside&, int i) { return all("activation:0", i < 2 ? 1.0f : 50.0f); }); },
         [] { return measured({}, 4, [](Beside&, int i) { return all("activation:0", i < 2 ? 1.0f : 3.0f); }); }},
        {"weights-dead", [] { return measured({}, 4, {}, [](int) {
                                return Numbers{{"w1", [](int64_t i) { return i % 50 ? 1e-7f : 1.0f; }}};
                              }); },
         [] { return measured({}, 4, {}, [](int) {
                return Numbers{{"w1", [](int64_t i) { return i % 2 ? 1e-7f : 1.0f; }}};
              }); }},
        {"weights-explode", [] { return measured({}, 4, {}, [](int i) { return all("w1", i < 2 ? 0.1f : 1e6f); }); },
         [] { return measured({}, 4, {}, [](int i) { return all("w1", i < 2 ? 0.1f : 1.0f); }); }},
        {"output-constant", [] { return measured({}, 4, [](Beside&, int) {
                                   return Numbers{{"logits:0", [](int64_t i) { return float(i % 10); }}};
                                 }); },
         [] { return measured({}, 4, {}); }},
        {"overfit",
         [] {
           return evaluations(
               8, [](int i) { return 1.0 / (1 + i); }, [](int i) { return i < 3 ? 1.0 - 0.1 * i : 0.8 + 0.2 * (i - 2); });
         },
         [] {
           return evaluations(
               8, [](int i) { return 1.0 / (1 + i); }, [](int i) { return 1.1 / (1 + i); });
         }},
        {"no-more-gain",
         [] {
           return evaluations(
               14, [](int) { return 0.5; }, [](int i) { return i == 1 ? 0.4 : 0.5; });
         },
         [] {
           return evaluations(
               14, [](int) { return 0.5; }, [](int i) { return 0.5 - 0.01 * i; });
         }},
        {"test-beats-training",
         [] {
           return evaluations(
               5, [](int) { return 0.5; }, [](int) { return 0.3; }, 0.8, 0.95);
         },
         [] {
           return evaluations(
               5, [](int) { return 0.5; }, [](int) { return 0.5; }, 0.8, 0.79);
         }},
    };
    return out;
  }

  /// A collection of VariableDefs with these names.
  static Collection trainable(const std::vector<std::string>& names) {
    Collection out;
    out.kind = Collection::Kind::Bytes;
    for (const std::string& name : names) {
      const std::string tensor = name + ":0";
      out.bytes.push_back(std::string("\x0a") + char(tensor.size()) + tensor);
    }
    return out;
  }

  QTemporaryDir folder_;
};

QTEST_GUILESS_MAIN(DoctorRules)
#include "tst_doctor_rules.moc"
