// The docks of what TensorBoard's plugins log: hyperparameters, custom charts, PR curves, meshes.
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QScrollBar>
#include <QToolButton>
#include <QTreeWidget>
#include <cmath>
#include <limits>

#include "common/card_grid.h"
#include "document/log.h"
#include "mesh/mesh_grid.h"
#include "mesh/mesh_plot.h"
#include "plot/parallel_axes.h"
#include "plot/scalar_plot.h"
#include "pr_curves/pr_grid.h"
#include "views/hparams/hparams_table.h"
#include "weft/events.h"
#include "weft/tensor.h"
#include "window_fixture.h"

using namespace weft::app;
using weft::widgets::Sample;

namespace {

QString noStatus(HParamsEntry::Status) { return QStringLiteral("s"); }

HParamsEntry session(std::initializer_list<std::pair<QString, QVariant>> values) {
  HParamsEntry out;
  out.kind = HParamsEntry::Kind::SessionStart;
  out.values = values;
  return out;
}

/// One step of a run's values.
struct Batch : SummaryBatch {
  Batch& scalar(const QString& tag, double value, double step = 0) {
    items.push_back({tag, Sample{step, step, value}});
    return *this;
  }
  Batch& start(std::initializer_list<std::pair<QString, QVariant>> values) {
    items.push_back({"_hparams_/session_start_info", session(values)});
    return *this;
  }
  Batch& layout(const QVector<LayoutEntry::Category>& categories) {
    items.push_back({"custom_scalars__config__", LayoutEntry{0, 0, categories}});
    return *this;
  }
};

int addRun(Summaries& summaries, const QString& name, Batch batch) {
  const int run = summaries.addRun(name);
  summaries.add(run, batch);
  return run;
}

void openAndWait(Workspace& w, const QString& path) {
  std::optional<QString> ended;
  w.openEvents(path, [&](const QString& error) { ended = error; });
  QTRY_VERIFY_WITH_TIMEOUT(ended.has_value(), 20000);
  QCOMPARE(*ended, QString());
  w.summaries().drainAll();
}

}  // namespace

class EventDocksTest : public WindowFixture {
  Q_OBJECT

  Summaries& summaries() { return window_->workspace().summaries(); }
  QWidget* dock(const char* id) {
    if (!run("view.show", {id})) qFatal("there is no dock %s", id);
    return static_cast<Shell&>(*window_).viewWidget(id);
  }
  static void refresh(QWidget* view) { QMetaObject::invokeMethod(view, "refreshNow"); }
  static QString exported(QWidget* view, const QString& tag, const QString& path) {
    QString error = "not called";
    QMetaObject::invokeMethod(view, "exportTag", Q_RETURN_ARG(QString, error), Q_ARG(QString, tag), Q_ARG(QString, path));
    return error;
  }
  static QStringList column(const QTreeWidget* list, int column = 0) {
    QStringList out;
    for (int i = 0; i < list->topLevelItemCount(); ++i) out << list->topLevelItem(i)->text(column);
    return out;
  }
  /// Titles of the charts with their curves' names.
  static QStringList charts(QWidget* view) {
    QStringList out;
    auto* grid = view->findChild<weft::widgets::CardGrid*>();
    for (const QString& key : grid->keys()) {
      auto* plot = static_cast<weft::widgets::ScalarPlot*>(grid->makeCard(key));
      QStringList names;
      for (const auto& reading : plot->readingAt(0, 0)) names << reading.name;
      names.sort();
      out << plot->title() + ": " + names.join(", ");
    }
    return out;
  }

 private slots:
  void initTestCase() { keepToOwnFolder(); }
  void init() { showWindow(); }
  void cleanup() { closeWindow(); }

  // ---- reading

  /// TensorFlow 1.15's summary module writes hparams as metadata without a value.
  void sessionsOfTensorFlow1AreListed() {
    Workspace w(Settings::Kind::InMemory);
    openAndWait(w, QStringLiteral(WEFT_GOLDEN_EVENTS) + "/hparams_v1");
    const HParamsTable table = HParamsTable::of(w.summaries());
    QCOMPARE(table.description, QString("two trials"));
    QStringList titles;
    for (const auto& column : table.columns) titles << column.title;
    QCOMPARE(titles, (QStringList{"rate", "cell", "loss (eval/loss)", "loss (loss)"}));
    QCOMPARE(table.rows.size(), 2);
    QCOMPARE(table.rows[1].cells, (QVector<QVariant>{0.5, "gru", 3.0, 2.0}));
    QCOMPARE(int(table.rows[1].status), int(HParamsEntry::Status::Success));
    const QJsonObject first = QJsonDocument::fromJson(table.toJson(noStatus))[0].toObject();
    QCOMPARE(first["metrics"].toObject(), (QJsonObject{{"loss (eval/loss)", 2.0}, {"loss (loss)", 1.0}}));
  }

  /// The area is that of the curve as TensorBoard 1.15 serves it, without the tail whose precision is undefined.
  void curvesEndWhereTensorBoardEndsThem() {
    Workspace w(Settings::Kind::InMemory);
    openAndWait(w, QStringLiteral(WEFT_GOLDEN_EVENTS) + "/plugins");
    const SummaryRun* run = w.summaries().run(QStringLiteral("plugins/pool"));
    QVERIFY(run);
    const auto& series = *run->prCurves.at("curve/pr_curves");
    for (const auto& [step, area] : {std::pair(0, 0.7084), std::pair(5, 0.7252)}) {
      const auto& curve = series[series.at(step)];
      QCOMPARE(curve.step, double(step));
      QVERIFY2(std::abs(areaUnder(curve) - area) < 5e-5, qPrintable(QString::number(areaUnder(curve), 'g', 8)));
      const size_t last = curve.size() - 1;
      QCOMPARE(std::isnan(curve.precision[last]), curve.truePositives[last] + curve.falsePositives[last] == 0);
    }
  }

  void malformedValuesOfATrainingAreReported() {
    Workspace w(Settings::Kind::InMemory);
    const int run = w.summaries().addRun("r");
    Batch batch;
    batch.warnings << "bad/pr is not a PR curve";
    SummaryColumns columns;
    QVERIFY(columns.isEmpty());
    columns.add(batch);
    QVERIFY(!columns.isEmpty());
    w.summaries().add(run, columns);
    QCOMPARE(w.log().lines().back().text, QString("r: bad/pr is not a PR curve"));
    QCOMPARE(w.log().lines().back().level, Log::Level::Warning);
  }

  // ---- hyperparameters

  void metricsWithoutAColumnAreCountedOnceAndWritten() {
    Workspace w(Settings::Kind::InMemory);
    for (const char* name : {"a", "b", "c"}) {
      Batch batch;
      batch.start({{"lr", 0.5}});
      for (int i = 0; i < 45; ++i) batch.scalar(QStringLiteral("m%1").arg(i, 2, 10, QLatin1Char('0')), i);
      addRun(w.summaries(), name, batch);
    }
    QCOMPARE(HParamsTable::of(w.summaries(), 40).leftOut, 5);
    QCOMPARE(HParamsTable::of(w.summaries(), 40).columns.size(), 41);
    const HParamsTable whole = HParamsTable::of(w.summaries());
    QCOMPARE(whole.leftOut, 0);
    QVERIFY(whole.toCsv(noStatus).contains("\"m44\""));
  }

  void theListSaysWhatItLeavesOut() {
    Batch batch;
    batch.start({{"lr", 0.5}});
    for (int i = 0; i < 45; ++i) batch.scalar(QStringLiteral("m%1").arg(i, 2, 10, QLatin1Char('0')), i);
    addRun(summaries(), "a", batch);
    QWidget* view = dock("hparams");
    refresh(view);
    QStringList said;
    for (const QLabel* label : view->findChildren<QLabel*>()) said << label->text();
    const QString all = said.join('|');
    QVERIFY2(all.contains("5 more metrics not shown") && all.contains("29 columns without an axis"), qPrintable(all));
    const QString path = folder_.filePath("table.csv");
    QCOMPARE(exported(view, {}, path), QString());
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.readAll().contains("\"m44\""));
  }

  void nanIsAMissingMetric() {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    addRun(summaries(), "a", Batch().start({{"lr", 1.0}}).scalar("loss", nan));
    addRun(summaries(), "b", Batch().start({{"lr", 2.0}}).scalar("loss", 3));
    addRun(summaries(), "c", Batch().start({{"lr", 3.0}}).scalar("loss", 1));
    addRun(summaries(), "d", Batch().start({{"lr", 4.0}}).scalar("loss", nan));
    addRun(summaries(), "e", Batch().start({{"lr", 5.0}}).scalar("loss", 2));
    QWidget* view = dock("hparams");
    refresh(view);
    auto* list = view->findChild<QTreeWidget*>("hparams_table");
    list->sortByColumn(3, Qt::AscendingOrder);
    QCOMPARE(column(list).mid(0, 3), (QStringList{"c", "e", "b"}));
    // A line without a second point is not found anywhere.
    auto* axes = view->findChild<weft::widgets::ParallelAxes*>("hparams_axes");
    QCOMPARE(axes->lineAt(axes->place(0, 1.0)), -1);
    QCOMPARE(axes->lineAt(axes->place(0, 3.0)), 2);
  }

  void theChosenSessionStaysChosen() {
    QVector<int> runs;
    for (int i = 0; i < 80; ++i)
      runs << addRun(summaries(), QStringLiteral("run %1").arg(i, 2, 10, QLatin1Char('0')), Batch().start({{"lr", double(i)}}).scalar("loss", i));
    QWidget* view = dock("hparams");
    refresh(view);
    auto* list = view->findChild<QTreeWidget*>("hparams_table");
    QCOMPARE(list->topLevelItemCount(), 80);
    list->setCurrentItem(list->topLevelItem(50));
    list->verticalScrollBar()->setValue(40);
    const int scrolled = list->verticalScrollBar()->value();
    QVERIFY(scrolled > 0);
    Batch more;
    more.scalar("loss", 7, 1);
    summaries().add(runs[3], more);
    refresh(view);
    QCoreApplication::processEvents();
    QCOMPARE(list->verticalScrollBar()->value(), scrolled);
    QCOMPARE(list->currentItem()->text(0), QString("run 50"));
    summaries().removeRun(runs[10]);
    refresh(view);
    QCOMPARE(list->topLevelItemCount(), 79);
    QCOMPARE(list->currentItem()->text(0), QString("run 50"));
    QVERIFY(list->currentItem()->isSelected());
    summaries().removeRun(runs[50]);
    refresh(view);
    QVERIFY(!list->currentItem() && list->selectedItems().isEmpty());
  }

  // ---- custom charts

  void layoutsOfSeveralRunsAreOne() {
    const LayoutEntry::Chart loss{"losses", {"loss"}, {}}, rate{"rates", {"lr"}, {}};
    addRun(summaries(), "b", Batch().layout({{"one", {loss, rate}, false}, {"two", {rate}, false}}).scalar("loss", 1));
    addRun(summaries(), "a", Batch().layout({{"one", {loss}, false}}).scalar("loss", 2));
    addRun(summaries(), "c", Batch().layout({{"one", {loss}, false}}).scalar("loss", 3));
    QWidget* view = dock("custom_scalars");
    refresh(view);
    QCOMPARE(charts(view), (QStringList{"losses: a, b, c", "rates (incomplete): ", "rates (incomplete): "}));
  }

  void manyCategoriesKeepTheirOrder() {
    QVector<LayoutEntry::Category> categories;
    for (int i = 1; i <= 11; ++i) categories << LayoutEntry::Category{QStringLiteral("c%1").arg(i), {{"x", {"loss"}, {}}}, true};
    addRun(summaries(), "a", Batch().layout(categories).scalar("loss", 1));
    QWidget* view = dock("custom_scalars");
    view->resize(800, 1000);
    refresh(view);
    QMap<int, QString> byPlace;
    for (const QToolButton* header : view->findChildren<QToolButton*>())
      if (header->text().contains(". c")) byPlace.insert(header->y(), header->text().section(". ", 1).section(' ', 0, 0));
    QCOMPARE(QStringList(byPlace.values()), (QStringList{"c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8", "c9", "c10", "c11"}));
  }

  void aTagThatArrivesWithManyValuesIsAdded() {
    const int run = addRun(summaries(), "a", Batch().layout({{"one", {{"losses", {"loss.*"}, {}}}, false}}).scalar("loss", 1));
    QWidget* view = dock("custom_scalars");
    QTRY_VERIFY(window_->isSettled());  // a change of language, too, makes the charts anew
    refresh(view);
    QCOMPARE(charts(view), QStringList{"losses: loss"});
    Batch late;
    late.scalar("loss_b", 1, 0).scalar("loss_b", 2, 1).scalar("loss_b", 3, 2);
    summaries().add(run, late);
    QTRY_COMPARE(charts(view), QStringList{"losses: loss, loss_b"});
  }

  void curvesOfOneRunDiffer() {
    const QVector<LayoutEntry::Category> categories{{"one", {{"losses", {"loss.*"}, {}}}, false}};
    for (const char* name : {"a", "b"}) addRun(summaries(), name, Batch().layout(categories).scalar("loss_x", 1).scalar("loss_y", 2));
    QWidget* view = dock("custom_scalars");
    refresh(view);
    QCOMPARE(charts(view), QStringList{QString::fromUtf8("losses: loss_x · a, loss_x · b, loss_y · a, loss_y · b")});
    auto* grid = view->findChild<weft::widgets::CardGrid*>();
    QSet<QString> colors;
    for (const auto& reading : static_cast<weft::widgets::ScalarPlot*>(grid->card(grid->keys().first()))->readingAt(0, 0)) colors.insert(reading.color.name());
    QCOMPARE(colors.size(), 4);
  }

  // ---- meshes

  void meshesOfTensorBoardAreDrawn() {
    QWidget* view = dock("meshes");
    auto* grid = view->findChild<weft::widgets::MeshGrid*>();
    QVERIFY(grid->meshes().isEmpty());
    openAndWait(window_->workspace(), QStringLiteral(WEFT_GOLDEN_EVENTS) + "/mesh");
    refresh(view);
    QCOMPARE(grid->meshes(), QStringList{"shape"});
    auto* plot = grid->plot("mesh", "shape");
    QVERIFY(plot && plot->mesh());
    QCOMPARE(plot->mesh()->problem, QString());
    QVERIFY(plot->mesh()->vertices.size() == 4 && plot->mesh()->faces.size() == 2 && plot->mesh()->colors.size() == 4);
    QCOMPARE(plot->camera().fieldOfView, 75.0);  // of the configuration
    QVERIFY(run("panels.option", {"meshes", "step", "1"}));
    QVERIFY(!run("panels.option", {"meshes", "sample", "1"}));  // a batch of one
    QCOMPARE(exported(view, "shape", folder_.filePath("shape.png")), QString());
  }

  void badPartsOfMeshesAreReportedOncePerTag() {
    const QString logs = folder_.filePath("bad_meshes");
    const auto value = [](const char* tag, char kind, weft::Tensor tensor, const std::string& config = {}) {
      weft::SummaryValue v;
      v.tag = tag;
      v.plugin = "mesh";
      v.pluginContent = std::string("\x12\x01m\x18") + kind;
      if (!config.empty()) v.pluginContent += std::string("\x2a") + char(config.size()) + config;
      v.value = std::move(tensor);
      return v;
    };
    {
      auto out = std::move(*weft::EventWriter::create(logs.toStdString()));
      weft::Tensor colors = weft::Tensor::zeros(weft::DType::Float, {1, 2, 3});
      colors.mutableData<float>()[4] = 256;
      for (int step = 0; step < 3; ++step)
        QVERIFY(out->addValues({value("a_VERTEX", 1, weft::Tensor::zeros(weft::DType::Float, {4, 2})),
                                value("b_VERTEX", 1, weft::Tensor::zeros(weft::DType::Float, {1, 2, 3}), "{\"lights\": []}"), value("b_COLOR", 3, colors),
                                value("c_VERTEX", 0, weft::Tensor::zeros(weft::DType::Float, {1, 2, 3})),
                                value("d_VERTEX", 1, weft::Tensor::zeros(weft::DType::Float, {1, 2, 3}), "{")},
                               step)
                    .ok());
      QVERIFY(out->close().ok());
    }
    Workspace w(Settings::Kind::InMemory);
    openAndWait(w, logs);
    const SummaryRun* run = w.summaries().run(QStringLiteral("bad_meshes"));
    QVERIFY(run);
    QStringList kept;
    for (const auto& [tag, series] : run->meshes) kept << QStringLiteral("%1 %2").arg(tag).arg(series->size());
    QCOMPARE(kept, (QStringList{"b_VERTEX 3", "d_VERTEX 3"}));
    QStringList said;
    for (const Log::Line& line : w.log().lines())
      if (line.level == Log::Level::Warning) said << line.text;
    said.sort();
    const QString all = said.join('\n');
    QVERIFY2(said.size() == 5, qPrintable(all));
    QVERIFY2(said[0].contains("a_VERTEX is not a part of a mesh: expected numbers of shape [samples, count, 3], found float32 [4, 2]"), qPrintable(all));
    QVERIFY2(said[1].contains("b_COLOR: colour 1 has the value 256, expected 0 to 255."), qPrintable(all));
    QVERIFY2(said[2].contains("b_VERTEX: ") && said[2].contains("not lights"), qPrintable(all));
    QVERIFY2(said[3].contains("c_VERTEX: ") && said[3].contains("malformed"), qPrintable(all));
    QVERIFY2(said[4].contains("d_VERTEX: the configuration of the mesh is not a JSON object"), qPrintable(all));
  }

  // ---- hidden runs

  void hiddenRunsAreNotExported() {
    weft::widgets::PrCurve curve;
    for (auto* row : {&curve.truePositives, &curve.falsePositives, &curve.trueNegatives, &curve.falseNegatives, &curve.precision, &curve.recall}) *row = {1, 1};
    const auto batch = [&] {
      Batch out;
      out.items.push_back({"pr", curve});
      out.items.push_back({"picture", weft::widgets::Picture{0, 0, "none", 1, 1, 1}});
      return out;
    };
    const int run = addRun(summaries(), "a", batch());
    QWidget* curves = dock("pr_curves");
    summaries().setRunVisible(run, false);
    QVERIFY(exported(curves, "pr", folder_.filePath("pr.csv")).contains("hidden"));
    // Also in a dock that is made later.
    QVERIFY(exported(dock("images"), "picture", folder_.filePath("picture.png")).contains("hidden"));
    summaries().setRunVisible(run, true);
    QCOMPARE(exported(curves, "pr", folder_.filePath("pr.csv")), QString());
    // Another run of the name of a hidden one is shown.
    summaries().setRunVisible(run, false);
    summaries().removeRun(run);
    addRun(summaries(), "a", batch());
    QCOMPARE(exported(curves, "pr", folder_.filePath("pr.csv")), QString());
  }

  void aRunThatComesBackIsShown() {
    const QString logs = QStringLiteral(WEFT_GOLDEN_EVENTS) + "/plugins";
    QWidget* view = dock("pr_curves");
    openAndWait(window_->workspace(), logs);
    const SummaryRun* run = summaries().run(QStringLiteral("plugins/pool"));
    QVERIFY(run);
    summaries().setRunVisible(run->id, false);
    auto* grid = view->findChild<weft::widgets::PrGrid*>();
    QVERIFY(!grid->plot("plugins/pool", "curve/pr_curves"));
    QVERIFY(summaries().closeFolder(logs));
    openAndWait(window_->workspace(), logs);
    QVERIFY(grid->plot("plugins/pool", "curve/pr_curves"));
  }
};

QTEST_MAIN(EventDocksTest)
#include "tst_event_docks.moc"
