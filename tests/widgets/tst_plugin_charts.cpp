// Charts of TensorBoard's plugins: PR curves, parallel coordinates, bands of margin charts.
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>
#include <limits>

#include "common/theme.h"
#include "plot/parallel_axes.h"
#include "plot/scalar_plot.h"
#include "pr_curves/pr_grid.h"
#include "pr_curves/pr_plot.h"

using namespace weft::widgets;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// Three thresholds; the highest predicts nothing as positive.
PrCurve curve(double step, double precision = 0.5) {
  PrCurve c;
  c.step = step;
  c.truePositives = {4, 2, 0};
  c.falsePositives = {4, 1, 0};
  c.trueNegatives = {0, 3, 4};
  c.falseNegatives = {0, 2, 4};
  c.precision = {precision, 0.75, kNan};
  c.recall = {1, 0.5, 0};
  return c;
}

std::shared_ptr<PrSeries> curves(std::initializer_list<PrCurve> list) {
  auto out = std::make_shared<PrSeries>();
  for (const PrCurve& c : list) out->append(PrCurve(c));
  return out;
}

std::shared_ptr<SeriesStore> samples(std::initializer_list<std::pair<double, double>> points) {
  auto out = std::make_shared<SeriesStore>();
  for (const auto& [step, value] : points) out->append({step, step, value});
  return out;
}

/// A shown grid with the tag `pr` of the runs a and b.
struct ShownGrid {
  PrGrid grid;
  std::shared_ptr<PrSeries> a = curves({curve(1)}), b = curves({curve(1)});
  ShownGrid() {
    grid.resize(900, 600);
    grid.show();
    grid.setSeries("a", 0, "pr", a);
    grid.setSeries("b", 1, "pr", b);
    grid.refreshNow();
  }
  const std::vector<PrPlot::Line>& behindA() { return grid.plot("a", "pr")->behind(); }
};

}  // namespace

class PluginChartsTest : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { Theme::apply(*qApp, Theme::Kind::Light); }

  void undefinedPrecisionHasNoArea() {
    // The trapezoid between recall 1 and 0.5; there is none to the point without precision.
    QCOMPARE(areaUnder(curve(1)), 0.5 * (0.5 + 0.75) / 2);
  }
  void undefinedPrecisionIsNoPoint() {
    PrPlot plot;
    plot.resize(400, 300);
    plot.show(curve(1), Qt::red, {});
    for (int x = 0; x < plot.width(); x += 4)
      for (int y = 0; y < plot.height(); y += 4) QVERIFY(plot.entryAt(QPointF(x, y)) != 2);
  }
  void undefinedPrecisionIsWrittenAsSuch() {
    ShownGrid shown;
    const QTemporaryDir folder;
    QCOMPARE(shown.grid.exportTag("pr", folder.filePath("pr.csv")), QString());
    QFile file(folder.filePath("pr.csv"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QList<QByteArray> lines = file.readAll().trimmed().split('\n');
    QCOMPARE(lines.size(), 4);
    QCOMPARE(lines[3], QByteArray("\"a\",1,1,nan,0,0,0,4,4"));
  }

  void curvesOfOtherRunsAreNeverStale() {
    ShownGrid shown;
    QCOMPARE(shown.behindA().size(), size_t{1});
    const auto* plot = shown.grid.plot("a", "pr");
    shown.b->append(curve(2, 0.9));
    shown.grid.grown("b", "pr");
    QTRY_COMPARE(plot->behind()[0].precision[0], 0.9);
    shown.grid.setRunVisible("b", false);
    QVERIFY(plot->behind().empty());
    shown.grid.setRunVisible("b", true);
    QCOMPARE(plot->behind().size(), size_t{1});
    shown.grid.removeRun("b");
    QVERIFY(plot->behind().empty());
  }

  void hiddenRunsAreNotWritten() {
    ShownGrid shown;
    const QTemporaryDir folder;
    const QString path = folder.filePath("pr.json");
    shown.grid.setRunVisible("a", false);
    QCOMPARE(shown.grid.exportTag("pr", path), QString());
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(QJsonDocument::fromJson(file.readAll()).object()["run"].toString(), QString("b"));
    shown.grid.setRunVisible("b", false);
    QVERIFY(shown.grid.exportTag("pr", path).contains("hidden"));
    QVERIFY(shown.grid.exportTag("other", path).contains("There is no PR curve"));
    QVERIFY(!shown.grid.plot("a", "pr"));
  }

  void aLineWithoutANumberIsNotUnderThePointer() {
    ParallelAxes axes;
    axes.resize(400, 200);
    axes.setContents({{"x", 0, 1, {}}, {"y", 0, 1, {}}}, {{"a", Qt::red, {0.0, 1.0}}, {"b", Qt::blue, {0.5, kNan}}});
    QCOMPARE(axes.lineAt(axes.place(0, 0)), 0);
    QCOMPARE(axes.lineAt(axes.place(0, 0.5)), -1);
    axes.setContents({{"x", 0, 1, {}}, {"y", 0, 1, {}}}, {{"b", Qt::blue, {0.5, kNan}}});
    QCOMPARE(axes.lineAt({5, 5}), -1);
  }

  void filesOfMarginChartsContainTheBand() {
    ScalarPlot plot;
    plot.addSeries("plain", 0, samples({{1, 7}}));
    QCOMPARE(plot.toCsv().section('\n', 0, 0), QString("run,step,wall_time,value,smoothed"));
    QVERIFY(!QJsonDocument::fromJson(plot.toJson())[0].toObject().contains("lower"));
    const int id = plot.addSeries("mean", 1, samples({{1, 2}, {2, 3}}));
    plot.setBand(id, samples({{1, 1}, {2, 2}}), samples({{1, 4}}));
    const QStringList lines = plot.toCsv().split('\n', Qt::SkipEmptyParts);
    QVERIFY(lines[0].endsWith(",smoothed,lower,upper"));
    QVERIFY2(lines[1].endsWith(",7,7,,"), qPrintable(lines[1]));
    QVERIFY2(lines[2].endsWith(",2,2,1,4"), qPrintable(lines[2]));
    QVERIFY2(lines[3].endsWith(",2,"), qPrintable(lines[3]));  // the upper side has no sample at step 2
    const QJsonObject mean = QJsonDocument::fromJson(plot.toJson())[1].toObject();
    QCOMPARE(mean["lower"].toArray(), (QJsonArray{1, 2}));
    QCOMPARE(mean["upper"].toArray(), (QJsonArray{4, QJsonValue()}));
  }
};

QTEST_MAIN(PluginChartsTest)
#include "tst_plugin_charts.moc"
