#include <QTest>
#include <set>

#include "support/documents.h"
#include "weft/provenance.h"
#include "weft/templates.h"

using namespace weft;
using namespace weft::tests;

namespace {

struct Asked {
  std::unique_ptr<Trainer> trainer;
  std::unique_ptr<Provenance> provenance;
  Provenance* operator->() const { return provenance.get(); }
};

Asked train(const std::string& name, int64_t steps, std::vector<std::pair<std::string, std::string>> set = {}) {
  Asked out;
  TrainOptions options;
  options.steps = steps;
  options.session.threads = 2;
  options.logFolder = options.checkpointFolder = std::string();
  options.recording = {1000, 256 << 20, 0.02};
  options.set = std::move(set);
  auto made = Trainer::create(documentOf(name), std::move(options));
  if (!made.ok()) qFatal("%s: %s", name.c_str(), made.error().toString().c_str());
  out.trainer = std::move(*made);
  const Status status = out.trainer->run();
  if (!status.ok()) qFatal("%s: %s", name.c_str(), status.toString().c_str());
  auto replay = out.trainer->replay();
  if (!replay.ok()) qFatal("%s: %s", name.c_str(), replay.error().toString().c_str());
  auto provenance = Provenance::create(std::move(*replay), {});
  if (!provenance.ok()) qFatal("%s: %s", name.c_str(), provenance.error().toString().c_str());
  out.provenance = std::move(*provenance);
  return out;
}

Element at(std::string tensor, std::vector<int64_t> index, int64_t step) { return {std::move(tensor), std::move(index), step}; }

const OriginPart* input(const Origin& origin, const std::string& name) {
  for (const OriginPart& p : origin.parts)
    if (p.input == name) return &p;
  return nullptr;
}

QString textOf(const Error& error) { return QString::fromStdString(error.message); }

bool close(double a, double b, double tolerance = 1e-4) { return std::abs(a - b) <= tolerance * std::max({std::abs(a), std::abs(b), 1e-6}); }

#define VERIFY_MADE(result) QVERIFY2((result).ok(), (result).ok() ? "" : (result).error().toString().c_str())

}  // namespace

/// Where a number of a training comes from.
class TestProvenance : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { qputenv("WEFT_RESOURCES", WEFT_SOURCE_DIR "/resources"); }

  void elementsAreWrittenAsPeopleDo() {
    QCOMPARE(parseElement("fc1/weights[3,5]").value(), at("fc1/weights", {3, 5}, 0));
    QCOMPARE(parseElement("loss:0").value(), at("loss:0", {}, 0));
    QCOMPARE(parseElement("x:0[ 1 , 2 ]").value(), at("x:0", {1, 2}, 0));
    QCOMPARE(parseElement("x[]").value(), at("x", {}, 0));
    QCOMPARE(elementText(at("x:0", {1, 2}, 7)), std::string("x:0[1,2]"));
    for (const char* bad : {"", "[1]", "x[1", "x[a]", "x[1;2]", "x[-1]", "x[1,]2"}) QVERIFY2(!parseElement(bad).ok(), bad);
  }

  void aProductOfMatricesIsASumOfProducts() {
    const auto asked = train("mlp", 12);
    const auto self = asked->find(at("logits/MatMul:0", {3, 7}, 12));
    VERIFY_MADE(self);
    Provenance::Options all;
    all.most = 1000;
    auto replay = asked.trainer->replay();
    auto every = Provenance::create(std::move(*replay), all);
    const auto origin = (*every)->derive(*self);
    VERIFY_MADE(origin);
    QCOMPARE(int(origin->rule), int(OriginRule::Products));
    double sum = 0;
    for (const OriginPart& p : origin->parts) {
      QVERIFY(close(p.contribution, p.value * p.slope));
      if (p.input != "a") continue;
      sum += p.contribution;
      const auto weight = (*every)->find(at("logits/kernel/read:0", {p.element.index[1], 7}, 12));
      VERIFY_MADE(weight);
      QCOMPARE(p.slope, weight->value);
      QCOMPARE(p.element.index[0], int64_t(3));
    }
    QVERIFY(close(sum, self->value));
  }

  void anUpdateIsTheOldValueAndWhatTheGradientAdded() {
    const auto asked = train("softmax", 20);
    const Graph& graph = asked->replay().graph();
    const auto gradients = appliedGradients(graph, asked->replay().settings().trainOp);
    QVERIFY(!gradients.empty());
    const std::string variable = gradients[0].variable;
    const auto shape = asked->shapeOf(variable, 20);
    VERIFY_MADE(shape);
    std::vector<int64_t> index(size_t(shape->rank()), 1);
    if (!index.empty()) index[0] = 20;
    const auto self = asked->find(at(variable, index, 20));
    VERIFY_MADE(self);
    const auto origin = asked->derive(*self);
    VERIFY_MADE(origin);
    QCOMPARE(int(origin->rule), int(OriginRule::Update));
    QCOMPARE(origin->parts[0].element, at(variable, index, 19));
    const auto before = asked->find(at(variable, index, 19));
    VERIFY_MADE(before);
    QVERIFY(close(origin->parts[0].value, before->value));
    const OriginPart* gradient = input(*origin, "grad");
    if (!gradient) gradient = input(*origin, "delta");
    QVERIFY(gradient);
    QVERIFY(close(origin->parts[0].value + gradient->contribution, self->value));
  }

  void thePathLeadsToTheData_data() {
    QTest::addColumn<QString>("name");
    for (const auto& t : api::templates()) QTest::newRow(t.name.c_str()) << QString::fromStdString(t.name);
  }
  void thePathLeadsToTheData() {
    QFETCH(QString, name);
    const auto asked = train(name.toStdString(), 6);
    const auto path = asked->path(at(asked->replay().settings().loss, {}, 6), 300);
    VERIFY_MADE(path);
    const Origin& last = path->back();
    QVERIFY2(last.parts.empty(), elementText(last.self.element).c_str());
    QVERIFY2(last.self.kind == OriginKind::Data || last.self.kind == OriginKind::Variable || last.self.kind == OriginKind::Random,
             qPrintable(QString::fromStdString(elementText(last.self.element)) + " " + QString::number(int(last.self.kind))));
    if (last.self.kind == OriginKind::Data) QVERIFY(last.dataRow >= 0);
    for (const Origin& o : *path) {
      if (o.rule == OriginRule::Sum) {
        double sum = o.rest;
        for (const OriginPart& p : o.parts)
          if (!std::isnan(p.contribution)) sum += p.contribution;
        QVERIFY2(close(sum, o.self.value), elementText(o.self.element).c_str());
      }
      if (o.rule == OriginRule::Copy) QCOMPARE(o.parts[0].value, o.self.value);
    }
  }

  void gradientsHavePathsToo_data() { thePathLeadsToTheData_data(); }
  void gradientsHavePathsToo() {
    QFETCH(QString, name);
    const auto asked = train(name.toStdString(), 4);
    for (const AppliedGradient& g : appliedGradients(asked->replay().graph(), asked->replay().settings().trainOp)) {
      const auto shape = asked->shapeOf(g.variable, 4);
      VERIFY_MADE(shape);
      const auto path = asked->path(at(g.variable, std::vector<int64_t>(size_t(shape->rank()), 0), 4), 300);
      VERIFY_MADE(path);
      QVERIFY2(path->size() > 2, g.variable.c_str());
      for (const Origin& o : *path) QVERIFY2(!o.self.whole, elementText(o.self.element).c_str());
      QVERIFY(path->front().rule == OriginRule::Update || path->front().rule == OriginRule::Kept);
    }
  }

  void rowsOfALossAreItsMean() {
    const auto asked = train("mlp", 8);
    const auto rows = asked->rows(at("cross_entropy/value:0", {}, 8));
    VERIFY_MADE(rows);
    QCOMPARE(int(rows->kind), int(RowShares::Kind::Mean));
    double sum = 0;
    std::set<int64_t> different;
    for (const RowShare& r : rows->rows) {
      sum += r.contribution;
      different.insert(r.row);
    }
    QVERIFY(close(sum, rows->value));
    QCOMPARE(different.size(), rows->rows.size());
    QVERIFY(rows->rows.front().contribution >= rows->rows.back().contribution);
  }

  void rowsOfAVariableAreThoseOfItsGradient() {
    const auto asked = train("mlp", 8);
    const auto rows = asked->rows(at("hidden1/kernel", {20, 7}, 8));
    VERIFY_MADE(rows);
    QCOMPARE(int(rows->kind), int(RowShares::Kind::Mean));
    QVERIFY(rows->tensor.find("grad") != std::string::npos);
  }

  void aWeightWithAsManyRowsAsTheBatchIsStillOfAllRows() {
    const auto asked = train("mlp", 3, {{"batch_size", "64"}});
    const auto rows = asked->rows(at("hidden1/kernel", {20, 7}, 3));
    VERIFY_MADE(rows);
    QCOMPARE(int(rows->kind), int(RowShares::Kind::Mean));
    QCOMPARE(rows->rows.size(), size_t(64));
    const auto gradient = asked->rows(at(rows->tensor, {20, 7}, 3));
    VERIFY_MADE(gradient);
    QCOMPARE(gradient->rows.size(), size_t(64));
  }

  void askingForRowsOfAnUpdateChangesNothing() {
    const auto asked = train("mlp", 6);
    const auto before = asked->find(at("global_step", {}, 4));
    (void)asked->rows(at("train/Adam:0", {}, 5));
    QVERIFY(asked->replay().goTo(6).ok());
    const auto after = asked->find(at("global_step", {}, 4));
    VERIFY_MADE(after);
    QCOMPARE(after->value, before->value);
  }

  void theOutputOfAnUpdateIsTheVariableAfterIt() {
    const auto asked = train("mlp", 6);
    const auto step = asked->find(at("train/Adam:0", {}, 5));
    VERIFY_MADE(step);
    QCOMPARE(step->element, at("global_step", {}, 5));
    QCOMPARE(step->value, 5.0);
  }

  void aNanIsFollowedToANan() {
    TrainOptions options;
    options.steps = 30;
    options.logFolder = options.checkpointFolder = std::string();
    options.recording = {1000, 256 << 20, 0.02};
    options.set = {{"learning_rate", "1e38"}};
    auto trainer = Trainer::create(documentOf("mlp"), std::move(options));
    VERIFY_MADE(trainer);
    QVERIFY(!(*trainer)->run().ok());
    auto replay = (*trainer)->replay();
    VERIFY_MADE(replay);
    const int64_t last = (*replay)->recorded().last;
    auto provenance = Provenance::create(std::move(*replay), {});
    VERIFY_MADE(provenance);
    const auto path = (*provenance)->path(at("cross_entropy/value:0", {}, last));
    VERIFY_MADE(path);
    // A NaN comes from a NaN as long as there is one among its parts.
    for (size_t i = 0; i + 1 < path->size(); ++i) {
      const Origin& o = (*path)[i];
      const bool any = std::any_of(o.parts.begin(), o.parts.end(), [](const OriginPart& p) { return std::isnan(p.value) && !p.whole; });
      if (std::isnan(o.self.value) && any) QVERIFY2(std::isnan((*path)[i + 1].self.value), elementText(o.self.element).c_str());
    }
    const auto rows = (*provenance)->rows(at("cross_entropy/value:0", {}, last));
    VERIFY_MADE(rows);
    QVERIFY(std::isnan(rows->rows.front().value) || !std::isnan(rows->value));
  }

  void theLastStepIsComparedToo() {
    const auto a = train("mlp", 1), b = train("mlp", 1, {{"learning_rate", "0.05"}});
    const auto step = firstDifferingStep(*a.provenance, *b.provenance);
    VERIFY_MADE(step);
    QCOMPARE(*step, int64_t(1));
  }

  void aCastThatRoundsIsNoCopy() {
    MetaGraph meta = documentOf("mlp");
    {
      GraphBuilder b(meta);
      const auto loss = meta.graph.findOutput("cross_entropy/value:0");
      QVERIFY(loss.ok());
      const Output rounded = b.cast(*loss, DType::Int32, "rounded");
      b.addControlInputs(meta.graph.find("train/Adam")->id, {rounded.node});
      QVERIFY2(b.ok(), b.status().toString().c_str());
    }
    TrainOptions options;
    options.steps = 3;
    options.logFolder = options.checkpointFolder = std::string();
    options.recording.steps = 100;
    auto trainer = Trainer::create(std::move(meta), std::move(options));
    VERIFY_MADE(trainer);
    QVERIFY((*trainer)->run().ok());
    auto replay = (*trainer)->replay();
    VERIFY_MADE(replay);
    auto provenance = Provenance::create(std::move(*replay), {});
    VERIFY_MADE(provenance);
    const auto self = (*provenance)->find(at("rounded:0", {}, 3));
    VERIFY_MADE(self);
    const auto origin = (*provenance)->derive(*self);
    VERIFY_MADE(origin);
    QVERIFY(origin->parts[0].value != self->value);
    QCOMPARE(int(origin->rule), int(OriginRule::Slope));
  }

  void anActivationIsOfOneRow() {
    const auto asked = train("mlp", 8);
    const auto rows = asked->rows(at("logits/BiasAdd:0", {5, 2}, 8));
    VERIFY_MADE(rows);
    QCOMPARE(int(rows->kind), int(RowShares::Kind::One));
    QCOMPARE(rows->rows.size(), size_t(1));
    QCOMPARE(rows->rows[0].batchRow, int64_t(5));
  }

  void rowsThatActOnEachOtherAreNotToldApart() {
    const auto asked = train("resnet-digits", 3);
    const auto rows = asked->rows(at(asked->replay().settings().loss, {}, 3));
    VERIFY_MADE(rows);
    QCOMPARE(int(rows->kind), int(RowShares::Kind::Together));
    QVERIFY(std::isnan(rows->rows[0].contribution));
  }

  void aVariableHasAHistory() {
    const auto asked = train("mlp", 60);
    const auto history = asked->history(at("hidden1/bias", {3}, 60));
    QVERIFY(!history.empty());
    QCOMPARE(history[0].first, int64_t(0));
    QCOMPARE(history[0].second, 0.0);  // it begins with zeros
    QVERIFY(asked->history(at("loss:0", {}, 60)).empty());
  }

  void theLargestElementIsAskedAboutByDefault() {
    const auto asked = train("mlp", 5);
    const auto largest = asked->largest("hidden1/kernel", 5);
    VERIFY_MADE(largest);
    const auto most = asked->find(*largest), other = asked->find(at("hidden1/kernel", {3, 3}, 5));
    QVERIFY(std::abs(most->value) >= std::abs(other->value));
    QCOMPARE(asked->largest("cross_entropy/value:0", 5).value(), at("cross_entropy/value:0", {}, 5));
    QVERIFY(!asked->largest("nothing", 5).ok());
  }

  void earlierStepsAreFollowed() {
    const auto asked = train("mlp", 10);
    const auto self = asked->find(at("global_step", {}, 10));
    VERIFY_MADE(self);
    QCOMPARE(self->value, 10.0);
    OriginPart part = *self;
    for (int step = 10; step >= 1; --step) {
      const auto origin = asked->derive(part);
      VERIFY_MADE(origin);
      QCOMPARE(origin->parts[0].element.step, int64_t(step - 1));
      QCOMPARE(origin->parts[0].value, double(step - 1));
      part = origin->parts[0];
    }
    const auto start = asked->derive(part);
    VERIFY_MADE(start);
    QCOMPARE(int(start->rule), int(OriginRule::Given));
  }

  void errorsSayWhatWasExpected() {
    const auto asked = train("mlp", 5);
    const auto message = [&](const Element& e) {
      const auto found = asked->find(e);
      return found.ok() ? QStringLiteral("none") : textOf(found.error());
    };
    QCOMPARE(message(at("kernel", {0}, 5)), QStringLiteral("There is no tensor or variable kernel; did you mean hidden1/kernel?"));
    QCOMPARE(message(at("hidden1/kernel", {64, 0}, 5)), QStringLiteral("hidden1/kernel[64,0] is outside of hidden1/kernel, whose shape is [64,64]"));
    QCOMPARE(message(at("hidden1/kernel", {1}, 5)), QStringLiteral("hidden1/kernel has 2 dimensions [64,64], the index has 1"));
    QCOMPARE(message(at("hidden1/kernel", {1, 1}, 6)), QStringLiteral("Step 6 is not recorded; steps 1 to 5 are."));
    QVERIFY(message(at("loss:0", {}, 5)).contains("It is a summary; ask about cross_entropy/value:0"));
    QVERIFY(message(at("init", {}, 5)).contains("output") || message(at("init", {}, 5)).contains("init"));
  }

  void aSettingThatDiffersIsTheCause() {
    const auto a = train("mlp", 10), b = train("mlp", 10, {{"learning_rate", "0.003"}});
    const auto step = firstDifferingStep(*a.provenance, *b.provenance);
    VERIFY_MADE(step);
    QCOMPARE(*step, int64_t(1));
    const auto difference = differenceOfSteps(*a.provenance, 1, *b.provenance, 1);
    VERIFY_MADE(difference);
    QCOMPARE(difference->causes.size(), size_t(1));
    QCOMPARE(difference->causes[0].tensor, std::string("learning_rate:0"));
    QCOMPARE(difference->causes[0].second, double(0.003f));
  }

  void equalTrainingsDoNotDiffer() {
    const auto a = train("mlp", 10), b = train("mlp", 10);
    const auto step = firstDifferingStep(*a.provenance, *b.provenance);
    VERIFY_MADE(step);
    QCOMPARE(*step, int64_t(0));
    const auto difference = differenceOfSteps(*a.provenance, 7, *b.provenance, 7);
    VERIFY_MADE(difference);
    QCOMPARE(difference->differing, int64_t(0));
    QVERIFY(difference->compared > 50);
  }

  void stepsOfOneTrainingDifferInDataAndVariables() {
    const auto asked = train("mlp", 10);
    const auto difference = differenceOfSteps(*asked.provenance, 4, *asked.provenance, 9);
    VERIFY_MADE(difference);
    std::set<std::string> causes;
    for (const auto& c : difference->causes) causes.insert(c.op);
    QVERIFY(causes.contains("Placeholder"));
    QVERIFY(causes.contains("variable"));
    QVERIFY(!causes.contains("MatMul"));
  }
};

QTEST_GUILESS_MAIN(TestProvenance)
#include "tst_provenance.moc"
