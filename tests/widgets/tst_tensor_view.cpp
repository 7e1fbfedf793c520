#include <QApplication>
#include <QLabel>
#include <QSpinBox>
#include <QTest>
#include <QToolButton>
#include <cmath>

#include "common/theme.h"
#include "tensor_view/heat_map.h"
#include "tensor_view/tensor_slice.h"
#include "tensor_view/tensor_table_model.h"
#include "tensor_view/tensor_view.h"
#include "tensor_view/value_range.h"

using namespace weft::widgets;

namespace {

/// Numbers by their flat position; a NaN where asked for.
class Numbers : public TensorSource {
 public:
  Numbers(QVector<qint64> shape, qint64 nanAt = -1) : shape_(std::move(shape)), nanAt_(nanAt) {
    facts_.isNumeric = true;
    facts_.elements = 1;
    for (const qint64 d : shape_) facts_.elements *= d;
    facts_.min = -double(facts_.elements) / 2;
    facts_.max = double(facts_.elements) / 2 - 1;
    facts_.nans = nanAt >= 0 ? 1 : 0;
    facts_.histogram = {1, 2, 3};
  }
  QString dtype() const override { return QStringLiteral("float32"); }
  QVector<qint64> shape() const override { return shape_; }
  const TensorFacts& facts() const override { return facts_; }
  double number(qint64 flat) const override { return flat == nanAt_ ? std::nan("") : double(flat) - double(facts_.elements) / 2; }
  QString text(qint64 flat) const override { return QString::number(number(flat)); }

 protected:
  TensorFacts facts_;

 private:
  QVector<qint64> shape_;
  qint64 nanAt_;
};

}  // namespace

class TensorViewTest : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { Theme::apply(*qApp, Theme::Kind::Light); }

  /// A few values far from all others leave the others their colours.
  void outliersDoNotBlankAHeatMap() {
    const auto plain = std::make_shared<Numbers>(QVector<qint64>{50, 50});
    const ValueRange all = colorRange(*plain);
    QVERIFY(all.diverging && !all.clipped);
    QCOMPARE(all.high, 1250.0);
    QCOMPARE(all.low, -1250.0);
    struct Spiked : Numbers {
      Spiked() : Numbers({50, 50}) { facts_.max = 1e9; }
      double number(qint64 flat) const override { return flat % 500 == 7 ? 1e9 : Numbers::number(flat); }
    };
    const auto spiked = std::make_shared<Spiked>();
    const ValueRange most = colorRange(*spiked);
    QVERIFY(most.clipped);
    QVERIFY2(most.high < 2000, qPrintable(QString::number(most.high)));
    HeatMap map;
    map.resize(300, 300);
    map.setContent(spiked, TensorSlice(spiked->shape()), HeatMap::Look::Map, {});
    const QImage image = map.grab().toImage();
    const auto at = [&](qint64 row) { return image.pixelColor(map.cellRect(row, 3).center().toPoint()); };
    QVERIFY(at(2) != at(25) && at(25) != at(45));
  }

  void slices() {
    TensorSlice s({2, 3, 4, 5});
    QCOMPARE(s.text(), QStringLiteral("[0, 0, :, :]"));
    QCOMPARE(s.rows(), 4);
    QCOMPARE(s.columns(), 5);
    QCOMPARE(s.fixedAxes(), (QVector<int>{0, 1}));
    s.setFixed(0, 1);
    QCOMPARE(s.flat(2, 3), qint64(1 * 60 + 0 * 20 + 2 * 5 + 3));
    QString error;
    QVERIFY(s.setText(QStringLiteral("[:, 2, 3, :]"), &error));
    QCOMPARE(s.rows(), 2);
    QCOMPARE(s.flat(1, 4), qint64(60 + 40 + 15 + 4));
    QCOMPARE(s.indices(1, 4), (QVector<qint64>{1, 2, 3, 4}));
    QVERIFY(!s.setText(QStringLiteral("[:, :, :, 0]"), &error));
    QVERIFY(error.contains("two"));
    QVERIFY(!s.setText(QStringLiteral("[0, 0]"), &error));
    QVERIFY(!s.setText(QStringLiteral("[0, 9, :, :]"), &error));
    QVERIFY2(error.contains("9"), qPrintable(error));
    qint64 row = 0, column = 0;
    QVERIFY(s.goTo(QStringLiteral("[1, 0, 2, 4]"), &row, &column, &error));
    QCOMPARE(s.text(), QStringLiteral("[:, 0, 2, :]"));
    QCOMPARE(row, 1);
    QCOMPARE(column, 4);
    QVERIFY(!s.goTo(QStringLiteral("[1, 0, 2, 5]"), &row, &column, &error));
  }

  void smallRanks() {
    TensorSlice scalar{QVector<qint64>{}}, vector({7}), empty({0, 3});
    QCOMPARE(scalar.rows() * scalar.columns(), 1);
    QCOMPARE(scalar.flat(0, 0), 0);
    QCOMPARE(vector.rows(), 1);
    QCOMPARE(vector.columns(), 7);
    QCOMPARE(empty.rows(), 0);
  }

  void highlights_data() {
    QTest::addColumn<double>("value");
    QTest::addColumn<bool>("marked");
    QTest::newRow("> 3") << 3.5 << true;
    QTest::newRow("<= -1") << -1.0 << true;
    QTest::newRow("|x| > 3") << -4.0 << true;
    QTest::newRow("x < 3") << 4.0 << false;
    QTest::newRow("[-1, 1]") << 0.5 << true;
    QTest::newRow("[-1, 1] ") << 2.0 << false;
    QTest::newRow("nan") << std::nan("") << true;
    QTest::newRow("inf") << double(INFINITY) << true;
    QTest::newRow(">= 1e3") << 1000.0 << true;
  }
  void highlights() {
    QFETCH(double, value);
    QFETCH(bool, marked);
    const auto test = highlightOf(QTest::currentDataTag());
    QVERIFY(test.has_value());
    QCOMPARE((*test)(value), marked);
    QVERIFY(!highlightOf(QStringLiteral("cheese")));
    QVERIFY(!highlightOf(QStringLiteral("> many")));
    QVERIFY(!highlightOf(QString()));
  }

  void theTableShowsTheSlice() {
    TensorTableModel model;
    TensorSlice s({2, 3, 4});
    s.setFixed(0, 1);
    model.setContent(std::make_shared<Numbers>(QVector<qint64>{2, 3, 4}, 12), s, highlightOf(QStringLiteral("> 10")).value());
    QCOMPARE(model.rowCount(), 3);
    QCOMPARE(model.columnCount(), 4);
    QCOMPARE(model.data(model.index(0, 0), Qt::DisplayRole).toString(), QStringLiteral("nan"));
    QCOMPARE(model.data(model.index(0, 0), Qt::ForegroundRole).value<QColor>(), Theme::current().color(Role::Nan));
    QVERIFY(model.data(model.index(2, 3), Qt::BackgroundRole).isValid());
    QVERIFY(model.data(model.index(1, 2), Qt::ToolTipRole).toString().startsWith(QStringLiteral("[1, 1, 2]")));
  }

  void aNanIsSeenHoweverLargeTheTensor() {
    HeatMap map;
    map.resize(300, 200);
    const auto source = std::make_shared<Numbers>(QVector<qint64>{600, 900}, 600 * 450);
    map.setContent(source, TensorSlice(source->shape()), HeatMap::Look::Map, {});
    const QImage image = map.grab().toImage();
    const QColor nan = Theme::current().color(Role::Nan);
    // The map is scaled down: the pixel may be mixed with its neighbours, but it must not look like them.
    int odd = 0;
    for (int y = 0; y < image.height() - 24; ++y)
      for (int x = 0; x < image.width(); ++x) odd += std::abs(image.pixelColor(x, y).hue() - nan.hue()) <= 12 && image.pixelColor(x, y).saturation() > 60;
    QVERIFY(odd > 0);
    const auto small = std::make_shared<Numbers>(QVector<qint64>{6, 9}, 20);
    map.setContent(small, TensorSlice(small->shape()), HeatMap::Look::Map, {});
    const QRectF cell = map.cellRect(2, 2);
    const QImage cells = map.grab().toImage();
    int hatched = 0;
    for (int y = int(cell.top()) + 1; y < int(cell.bottom()); ++y)
      for (int x = int(cell.left()) + 1; x < int(cell.right()); ++x) hatched += cells.pixelColor(x, y) == nan;
    QVERIFY(hatched > 0);
  }

  /// The dock beside the canvas of a window of 1280 points, and half as much again.
  void nothingIsCutInANarrowDock_data() {
    QTest::addColumn<int>("width");
    QTest::newRow("narrow") << 256;
    QTest::newRow("wide") << 400;
  }
  void nothingIsCutInANarrowDock() {
    QFETCH(int, width);
    TensorView view;
    view.setSource(std::make_shared<Numbers>(QVector<qint64>{2, 3, 4, 5, 6, 7}));
    view.setHighlight(QStringLiteral("> 3"));
    view.resize(width, 560);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    QCoreApplication::processEvents();
    QVERIFY2(view.minimumSizeHint().width() <= width, qPrintable(QString::number(view.minimumSizeHint().width())));
    int seen = 0;
    for (const QWidget* w : view.findChildren<QWidget*>()) {
      if (!w->isVisible() || !(qobject_cast<const QToolButton*>(w) || qobject_cast<const QAbstractSpinBox*>(w) || qobject_cast<const QLabel*>(w))) continue;
      ++seen;
      const auto* button = qobject_cast<const QToolButton*>(w);
      const int needed = button ? button->fontMetrics().horizontalAdvance(button->text()) + 8 : w->minimumSizeHint().width();
      const QString what = QStringLiteral("%1 %2 is %3 wide, needs %4").arg(w->metaObject()->className(), w->accessibleName()).arg(w->width()).arg(needed);
      QVERIFY2(view.rect().contains(QRect(w->mapTo(&view, QPoint()), w->size())), qPrintable(what));
      QVERIFY2(w->width() >= needed, qPrintable(what));
    }
    QVERIFY(seen >= 5 + 4 + 2);
  }
  void theWholeWidget() {
    TensorView view;
    view.resize(420, 600);
    view.show();
    const auto source = std::make_shared<Numbers>(QVector<qint64>{3, 5, 7});
    view.setSource(source);
    QVERIFY(view.setSliceText(QStringLiteral("[:, 2, :]")));
    QVERIFY(!view.setSliceText(QStringLiteral("[:, 20, :]")));
    view.setSource(source);
    QCOMPARE(view.slice().text(), QStringLiteral("[:, 2, :]"));  // stays while the shape does
    QVERIFY(view.goTo(QStringLiteral("[1, 4, 6]")));
    QVERIFY(view.setHighlight(QStringLiteral("> 0")));
    QVERIFY(view.highlighted() > 0);
    QVERIFY(!view.setHighlight(QStringLiteral("cheese")));
    for (const auto look : {TensorView::Look::Table, TensorView::Look::Map, TensorView::Look::Picture, TensorView::Look::Histogram, TensorView::Look::Curve}) {
      view.setLook(look);
      QVERIFY(!view.grab().isNull());
    }
    view.setSource(nullptr);
    QVERIFY(!view.grab().isNull());
  }
};

QTEST_MAIN(TensorViewTest)
#include "tst_tensor_view.moc"
