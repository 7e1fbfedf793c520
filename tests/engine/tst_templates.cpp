#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <numeric>
#include <set>

#include "support/documents.h"
#include "weft/recipes.h"
#include "weft/templates.h"
#include "weft/train.h"

using namespace weft;
using namespace weft::tests;

namespace {

struct Trained {
  std::vector<double> losses;
  std::set<std::string> gradients;
  Status status;
  std::map<std::string, Tensor> variables;
};

/// `watched`: with all that the window asks for beside.
Trained train(MetaGraph document, int64_t steps, bool watched, const std::string& logFolder = {}) {
  Trained out;
  TrainOptions options;
  options.steps = steps;
  options.session.threads = 2;
  options.callbacks.step = [&](const TrainStep& s) { out.losses.push_back(s.loss); };
  if (!logFolder.empty()) options.logFolder = logFolder;
  if (watched) {
    options.callbacks.summary = [](const Event&) {};
    options.callbacks.gradients = [&](int64_t, const std::vector<GradientNorm>& norms) {
      for (const GradientNorm& g : norms)
        if (g.norm > 0) out.gradients.insert(g.variable);
    };
  }
  auto trainer = Trainer::create(std::move(document), std::move(options));
  if (!trainer.ok()) {
    out.status = trainer.status();
    return out;
  }
  out.status = (*trainer)->run();
  out.variables = (*trainer)->session().variables();
  return out;
}

double mean(const std::vector<double>& v, size_t from, size_t count) {
  return std::accumulate(v.begin() + std::ptrdiff_t(from), v.begin() + std::ptrdiff_t(from + count), 0.0) / double(count);
}

}  // namespace

/// The documents that people start from.
class TestTemplates : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { qputenv("WEFT_RESOURCES", WEFT_SOURCE_DIR "/resources"); }

  void eightAreShown() {
    int shown = 0;
    for (const api::Template& t : api::templates()) {
      shown += t.shown;
      QVERIFY2(!t.shown || t.seconds >= 45, t.name.c_str());
    }
    QCOMPARE(shown, 8);
  }

  void theLossFalls_data() { shownOnes(); }
  void theLossFalls() {
    QFETCH(QString, name);
    const int64_t steps = name == "gan-digits" ? 60 : 30;
    const Trained t = train(documentOf(name.toStdString()), steps, true);
    QVERIFY2(t.status.ok(), t.status.toString().c_str());
    QCOMPARE(int64_t(t.losses.size()), steps);
    QVERIFY2(mean(t.losses, t.losses.size() - 5, 5) < mean(t.losses, 0, 5), qPrintable(name));
    QVERIFY2(!t.gradients.empty(), qPrintable(name));
  }

  void watchingChangesNothing_data() { shownOnes(); }
  void watchingChangesNothing() {
    QFETCH(QString, name);
    const Trained alone = train(documentOf(name.toStdString()), 12, false), watched = train(documentOf(name.toStdString()), 12, true);
    QVERIFY2(alone.status.ok(), alone.status.toString().c_str());
    QVERIFY2(alone.losses == watched.losses, qPrintable(name));
  }

  void twoOptimizersChangeTheirOwnVariables() {
    const MetaGraph meta = documentOf("gan-digits");
    const auto settings = trainingSettingsOf(meta);
    QVERIFY(settings.ok());
    std::set<std::string> rates;
    for (const LiveScalar& l : settings->live) rates.insert(l.name);
    QVERIFY(rates.count("Learning rate") && rates.count("Learning rate of generator"));
    // With a rate of 0 for the one, only the other's variables move.
    const Trained t = train(documentOf("gan-digits"), 3, true);
    QVERIFY2(t.status.ok(), t.status.toString().c_str());
    QVERIFY(t.gradients.count("generator/dense1/kernel") && t.gradients.count("discriminator/dense1/kernel"));
    std::map<std::string, std::set<std::string>> optimizers;  // of a variable's update: by the scope of the variable
    for (int id = 0; id < meta.graph.size(); ++id) {
      const Node* n = meta.graph.node(id);
      if (!n || n->op != "ApplyAdam") continue;
      const std::string variable = meta.graph.node(n->inputs[0].node)->name;
      optimizers[n->name.substr(0, n->name.find("/update_"))].insert(variable.substr(0, variable.find('/')));
      // No update before the gradients of the other optimizer.
      QVERIFY2(!n->controls.empty(), n->name.c_str());
    }
    QCOMPARE(optimizers.size(), size_t(2));
    for (const auto& [optimizer, scopes] : optimizers) QCOMPARE(scopes.size(), size_t(1));
  }

  void bothOptimizersComeBackAfterAnEdit() {
    MetaGraph meta = documentOf("gan-digits");
    std::vector<Error> problems;
    GraphEditor editor(meta, problems);
    LayerEditor layers(editor);
    QVERIFY(layers.setParameter(*layers.find("generator/dense1"), "units", "100").ok());
    const Status finished = layers.finish();
    QVERIFY2(finished.ok(), finished.toString().c_str());
    const Trained t = train(meta, 3, true);
    QVERIFY2(t.status.ok(), t.status.toString().c_str());
    QVERIFY(t.gradients.count("generator/dense1/kernel") && t.gradients.count("discriminator/dense1/kernel"));
    QVERIFY(t.variables.at("generator/dense1/kernel").shape() == (Shape{32, 100}));
  }

  void aRenamedScopeKeepsItsOptimizer() {
    MetaGraph meta = documentOf("gan-digits");
    std::vector<Error> problems;
    {
      GraphEditor editor(meta, problems);
      LayerEditor layers(editor);
      QVERIFY(editor.renameScope("generator", "artist").ok());
      QVERIFY(layers.finish().ok());
    }
    for (const Recipe& r : recipesOf(meta))
      if (r.trains()) QCOMPARE(r.parameters.at("~2.variables"), std::string("artist"));
  }

  void wordsAndVectorsAreWrittenForTheProjector() {
    QTemporaryDir folder;
    const Trained t = train(documentOf("word2vec"), 2, false, folder.path().toStdString());
    QVERIFY2(t.status.ok(), t.status.toString().c_str());
    const auto lines = [&](const char* name) {
      QFile file(folder.filePath(name));
      return file.open(QFile::ReadOnly) ? file.readAll().split('\n') : QList<QByteArray>();
    };
    QVERIFY(lines("projector_config.pbtxt").contains("  tensor_path: \"embedding_embeddings.values.tsv\""));
    const auto words = lines("embedding_embeddings.words.tsv"), values = lines("embedding_embeddings.values.tsv");
    QCOMPARE(words.size(), 2001);  // and an empty one at the end
    QCOMPARE(words[0], QByteArray("<other>"));
    QVERIFY(words.contains("love"));
    QCOMPARE(values.size(), 2001);
    QCOMPARE(values[7].split('\t').size(), 128);
  }

  void theLoopComputesWhatTheUnrolledLayerComputes() {
    std::vector<Tensor> outputs;
    for (const char* kind : {"layers.lstm", "layers.lstm_loop"}) {
      MetaGraph meta;
      GraphBuilder b(meta);
      b.setGraphSeed(1);
      const Output x = b.placeholder(DType::Float, Shape{-1, 5, 3}, "x");
      const auto built = buildApi(b, kind, {{"inputs", x}, {"units", int64_t(4)}, {"return_sequences", true}, {"name", std::string("rnn")}});
      QVERIFY2(built.ok(), built.ok() ? "" : built.error().toString().c_str());
      const Output sum = b.op("Sum", {b.op("Mul", {built->outputs[0], built->outputs[0]}), b.ints({0, 1, 2})});
      const auto gradients = addGradients(b, {sum}, {x});
      QVERIFY2(gradients.ok(), gradients.ok() ? "" : gradients.error().toString().c_str());
      auto session = Session::create(meta.graph, {});
      QVERIFY(session.ok());
      const auto filled = [](const Shape& shape) {
        Tensor t = Tensor::zeros(DType::Float, shape);
        for (int64_t i = 0; i < t.elements(); ++i) t.mutableData<float>()[i] = std::sin(float(i));
        return t;
      };
      QVERIFY((*session)->setVariable("rnn/kernel", filled({7, 16})).ok());
      QVERIFY((*session)->setVariable("rnn/bias", filled({16})).ok());
      const auto values =
          (*session)->run({{"x:0", filled({2, 5, 3})}}, {meta.graph.tensorName(built->outputs[0]), meta.graph.tensorName((*gradients)[0].dense)});
      QVERIFY2(values.ok(), values.ok() ? "" : values.error().toString().c_str());
      QVERIFY((*values)[0].shape() == (Shape{2, 5, 4}));
      outputs.insert(outputs.end(), values->begin(), values->end());
    }
    for (size_t k = 0; k < 2; ++k)
      for (int64_t i = 0; i < outputs[k].elements(); ++i) QVERIFY(std::abs(outputs[k].at<float>(i) - outputs[k + 2].at<float>(i)) < 1e-5f);
  }

 private:
  static void shownOnes() {
    QTest::addColumn<QString>("name");
    for (const api::Template& t : api::templates())
      if (t.shown) QTest::newRow(t.name.c_str()) << QString::fromStdString(t.name);
  }
};

QTEST_GUILESS_MAIN(TestTemplates)
#include "tst_templates.moc"
