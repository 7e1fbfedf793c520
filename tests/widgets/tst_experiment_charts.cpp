#include <QSignalSpy>
#include <QTest>
#include <cmath>

#include "experiments/importance_bars.h"
#include "experiments/scatter_matrix.h"
#include "experiments/small_multiples.h"
#include "plot/parallel_axes.h"

using namespace weft::widgets;

namespace {

/// What a widget told last; empty if it told nothing.
template <typename W>
struct Told {
  explicit Told(W& widget) {
    QObject::connect(&widget, &W::selected, [this](const std::vector<int>& items) {
      last = items;
      ++times;
    });
  }
  std::vector<int> last;
  int times = 0;
};

void drag(QWidget& widget, QPointF from, QPointF to) {
  QTest::mousePress(&widget, Qt::LeftButton, {}, from.toPoint());
  QTest::mouseMove(&widget, to.toPoint());
  QTest::mouseRelease(&widget, Qt::LeftButton, {}, to.toPoint());
}

using Items = std::vector<int>;

}  // namespace

/// Pictures of many runs.
class TestExperimentCharts : public QObject {
  Q_OBJECT
 private slots:
  void aRectangleInThePlotSelectsItsItems() {
    ScatterMatrix matrix;
    matrix.resize(600, 600);
    matrix.setContents({{"lr", true, {}, {0.001, 0.01, 0.1, 1}}, {"optimizer", false, {"Adam", "SGD"}, {0, 1, 0, 1}}, {"loss", false, {}, {4, 3, 2, NAN}}},
                       std::vector<QColor>(4, Qt::blue));
    matrix.show();
    Told told(matrix);
    // On the logarithmic axis the points are evenly spaced.
    QCOMPARE(qRound(matrix.place(0, 2, 1).x() - matrix.place(0, 2, 0).x()), qRound(matrix.place(0, 2, 2).x() - matrix.place(0, 2, 1).x()));
    drag(matrix, matrix.place(0, 2, 0) - QPointF(4, 4), matrix.place(0, 2, 1) + QPointF(4, 4));
    QCOMPARE(told.last, (Items{0, 1}));
    QTest::mouseClick(&matrix, Qt::LeftButton, {}, matrix.place(0, 2, 2).toPoint());
    QCOMPARE(told.last, Items{2});
    QTest::mouseClick(&matrix, Qt::LeftButton, {}, (matrix.place(0, 2, 2) + QPointF(40, -60)).toPoint());
    QCOMPARE(told.last, Items{});
    matrix.setSelected({1});
    matrix.grab();
  }

  void aRangeOnAnAxisSelectsWhatPassesIt() {
    ParallelAxes axes;
    axes.resize(500, 300);
    axes.setSelecting(true);
    axes.setContents({{"lr", 0.001, 1, {}, true}, {"optimizer", 0, 1, {"Adam", "SGD"}}},
                     {{"a", Qt::blue, {0.001, 0.0}}, {"b", Qt::blue, {0.03, 1.0}}, {"c", Qt::blue, {1.0, 1.0}}, {"d", Qt::blue, {std::nullopt, 1.0}}});
    axes.show();
    Told told(axes);
    drag(axes, axes.place(0, 0.02), axes.place(0, 1));
    QCOMPARE(told.last, (Items{1, 2}));
    drag(axes, axes.place(1, -0.4), axes.place(1, 0.4));  // both ranges must be passed
    QCOMPARE(told.last, Items{});
    QTest::mouseClick(&axes, Qt::LeftButton, {}, axes.place(0, 0.1).toPoint());  // removes the first range
    QCOMPARE(told.last, Items{0});
    QTest::mouseClick(&axes, Qt::LeftButton, {}, axes.place(1, 0).toPoint());
    QCOMPARE(told.last, Items{});
    QCOMPARE(told.times, 4);
    axes.setSelected({1});
    axes.grab();
  }

  void chartsAreClickedOneByOne() {
    SmallMultiples charts;
    charts.setContents({{"run-1", "0.9", Qt::blue, {{0, 1}, {1, 2}}}, {"run-2", "0.8", Qt::red, {{0, 2}, {1, NAN}}}, {"run-3", {}, Qt::green, {}}});
    charts.resize(500, charts.heightForWidth(500));
    charts.show();
    Told told(charts);
    QTest::mouseClick(&charts, Qt::LeftButton, {}, charts.chart(1).center().toPoint());
    QCOMPARE(told.last, Items{1});
    charts.setSelected({1});
    QTest::mouseClick(&charts, Qt::LeftButton, Qt::ControlModifier, charts.chart(2).center().toPoint());
    QCOMPARE(told.last, (Items{1, 2}));
    charts.setSelected({1, 2});
    QTest::mouseClick(&charts, Qt::LeftButton, Qt::ControlModifier, charts.chart(1).center().toPoint());
    QCOMPARE(told.last, Items{2});
    QVERIFY(charts.heightForWidth(200) > charts.heightForWidth(500));
    charts.grab();
  }

  void barsShowSharesOrASentence() {
    ImportanceBars bars;
    bars.resize(400, 100);
    bars.setContents({{"lr", 0.7, -0.9}, {"units", 0.3, 0.1}});
    const QImage with = bars.grab().toImage();
    bars.setMessage("Nothing has finished yet.");
    QVERIFY(with != bars.grab().toImage());
  }
};

QTEST_MAIN(TestExperimentCharts)
#include "tst_experiment_charts.moc"
