// Numbers and names as people read them; the theme table; the icons.
#include <QApplication>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <QTest>
#include <QTreeView>
#include <cmath>

#include "common/empty_state.h"
#include "common/follow_end.h"
#include "common/format.h"
#include "common/icons.h"
#include "common/sort_header.h"
#include "common/theme.h"
#include "plot/plot_axis.h"

using namespace weft::widgets;

class TestFormat : public QObject {
  Q_OBJECT

 private slots:
  void si() {
    QCOMPARE(formatSi(4.2e9, "FLOP"), QStringLiteral("4.2 GFLOP"));
    QCOMPARE(formatSi(1.3e-3, "s"), QStringLiteral("1.3 ms"));
    QCOMPARE(formatSi(999.96e3, "B"), QStringLiteral("1 MB"));
    QCOMPARE(formatSi(0, "B"), QStringLiteral("0 B"));
    QCOMPARE(formatSi(-51300, ""), QStringLiteral("-51.3 k"));
    QCOMPARE(formatBytes(2508800), QStringLiteral("2.51 MB"));
    QCOMPARE(formatBytes(820), QStringLiteral("820 B"));
  }
  void counts() {
    QCOMPARE(formatCount(3274634), QStringLiteral("3,274,634"));
    QCOMPARE(formatCount(-1234), QStringLiteral("-1,234"));
    QCOMPARE(formatCount(999), QStringLiteral("999"));
    QCOMPARE(formatCountShort(3274634), QStringLiteral("3.27 M"));
    QCOMPARE(formatCountShort(832), QStringLiteral("832"));
    QCOMPARE(formatOps(1), QStringLiteral("1 op"));
    QCOMPARE(formatOps(1364), QStringLiteral("1,364 ops"));
  }
  void clock() {
    QCOMPARE(formatClock(21.9), QStringLiteral("0:21"));
    QCOMPARE(formatClock(3723), QStringLiteral("1:02:03"));
  }
  void sentences() {
    QCOMPARE(joinSentences({QStringLiteral("One."), QString(), QStringLiteral("Two.")}), QStringLiteral("One. Two."));
    QCOMPARE(joinSentences({QStringLiteral("一。"), QStringLiteral("二。")}), QStringLiteral("一。二。"));
    QCOMPARE(joinSentences({}), QString());
  }
  void values() {
    QCOMPARE(formatValue(0.033333), QStringLiteral("0.03333"));
    QCOMPARE(formatValue(3104), QStringLiteral("3104"));
    QCOMPARE(formatValue(0.0001), QStringLiteral("1e-4"));
    QCOMPARE(formatValue(123456), QStringLiteral("123456"));
    QCOMPARE(formatValue(9.99996), QStringLiteral("10"));
    QCOMPARE(formatValue(std::nan("")), QStringLiteral("NaN"));
    QCOMPARE(formatShape({50, -1, 28}), QStringLiteral("50×?×28"));
  }
  void names() {
    QCOMPARE(lastPart("a/b/c"), QStringLiteral("c"));
    const QFontMetricsF metrics(Theme::current().uiFont());
    const QString name = QStringLiteral("resnet_v2_50/block3/unit_5/bottleneck_v2/conv2/BatchNorm/beta");
    const QString cut = elideName(name, metrics, 160);
    QVERIFY(metrics.horizontalAdvance(cut) <= 160);
    QVERIFY(cut.startsWith(u'…') && cut.endsWith("BatchNorm/beta") && name.endsWith(cut.mid(1)));
    QCOMPARE(elideName("short", metrics, 160), QStringLiteral("short"));
  }

  void themesAreComplete() {
    for (const auto kind : {Theme::Kind::Light, Theme::Kind::Dark, Theme::Kind::HighContrast}) {
      const Theme& theme = Theme::get(kind);
      for (const QString& role : Theme::roleNames()) QVERIFY2(theme.color(role).isValid(), qPrintable(theme.name() + u' ' + role));
      QVERIFY(theme.categoricalCount() >= 10);
      QCOMPARE(Theme::kindOf(theme.name()), kind);
      QVERIFY(!theme.styleSheet().contains(u'@') && !theme.styleSheet().contains(u'%') && !theme.styleSheet().contains(u'$'));
      QCOMPARE(theme.dtype("float32_ref"), theme.dtype("float32"));
      QVERIFY(theme.dtype("no such type").isValid());
      QCOMPARE(theme.sequential(0), QColor("#440154"));
      QVERIFY(theme.sequential(std::nan("")).isValid());
    }
    QCOMPARE(Theme::get(Theme::Kind::Light).color(Role::Accent), QColor("#3457D5"));
    QCOMPARE(Theme::get(Theme::Kind::Light).color(Role::Shadow).alpha(), 0x24);
  }
  void textIsReadable() {
    const auto luminance = [](const QColor& c) {
      const auto linear = [](double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
      return 0.2126 * linear(c.redF()) + 0.7152 * linear(c.greenF()) + 0.0722 * linear(c.blueF());
    };
    for (const auto kind : {Theme::Kind::Light, Theme::Kind::Dark, Theme::Kind::HighContrast})
      for (const Role text : {Role::Text1, Role::Text2, Role::Text3})
        for (const Role surface : {Role::Surface0, Role::Surface1, Role::Surface2, Role::Surface3}) {
          const double a = luminance(Theme::get(kind).color(text)), b = luminance(Theme::get(kind).color(surface));
          QVERIFY((std::max(a, b) + 0.05) / (std::min(a, b) + 0.05) >= 4.5);
        }
  }
  void iconsFollowTheTheme() {
    QVERIFY(iconNames().size() >= 40);
    for (const QString& name : iconNames()) {
      QVERIFY2(!icon(name).isNull(), qPrintable(name));
      const QImage image = iconPixmap(name, 24, Qt::red, 2).toImage();
      QCOMPARE(image.width(), 48);
      int painted = 0;
      for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) painted += qAlpha(image.pixel(x, y)) > 128 ? 1 : 0;
      QVERIFY2(painted > 60, qPrintable(name));
    }
    QVERIFY(icon("no such icon").isNull());
    Theme::apply(*qApp, Theme::Kind::Light);
    const QImage light = icon("play").pixmap(24, 24).toImage();
    Theme::apply(*qApp, Theme::Kind::Dark);
    const QImage dark = icon("play").pixmap(24, 24).toImage();
    QVERIFY(light != dark);
    Theme::apply(*qApp, Theme::Kind::Light);
  }
  void emptyStateAsks() {
    EmptyState state("chart", "No scalars yet", "Loss appears here.");
    state.setButton("Add training");
    state.show();
    QSignalSpy spy(&state, &EmptyState::buttonClicked);
    state.findChild<QPushButton*>()->click();
    QCOMPARE(spy.count(), 1);
  }
  /// Room for its title and its button, however much it explains and however high it has been.
  void emptyStateKeepsNoWindowHigh() {
    EmptyState state("chart", "No scalars yet", QString("Loss appears here. ").repeated(12));
    state.setButton("Add training");
    const int least = state.minimumSizeHint().height();
    QVERIFY2(least < 110, qPrintable(QString::number(least)));
    state.resize(400, 600);
    state.show();
    QCoreApplication::processEvents();
    QCOMPARE(state.minimumSizeHint().height(), least);
  }
  void sortArrowStandsBesideItsWord_data() {
    QTest::addColumn<int>("column");
    QTest::newRow("left") << 0;
    QTest::newRow("right") << 1;
  }
  void sortArrowStandsBesideItsWord() {
    QFETCH(int, column);
    Theme::apply(*qApp, Theme::Kind::Light);
    QStandardItemModel model(3, 2);
    model.setHorizontalHeaderLabels({"name", "potential"});
    model.setHeaderData(0, Qt::Horizontal, int(Qt::AlignLeft | Qt::AlignVCenter), Qt::TextAlignmentRole);
    model.setHeaderData(1, Qt::Horizontal, int(Qt::AlignRight | Qt::AlignVCenter), Qt::TextAlignmentRole);
    QTreeView view;
    view.setHeader(new SortHeader(&view));
    view.setModel(&model);
    view.resize(400, 100);
    view.header()->resizeSection(0, 200);
    view.show();
    QCoreApplication::processEvents();
    const QImage plain = view.header()->viewport()->grab().toImage();
    view.setSortingEnabled(true);
    view.sortByColumn(column, Qt::DescendingOrder);
    QCoreApplication::processEvents();
    const QImage sorted = view.header()->viewport()->grab().toImage();
    QCOMPARE(sorted.size(), plain.size());
    const QRgb ground = Theme::current().color(Role::Surface1).rgb();
    int arrow = 0, over = 0;
    for (int y = 0; y < plain.height(); ++y) {
      for (int x = 0; x < plain.width(); ++x) {
        if (plain.pixel(x, y) == sorted.pixel(x, y)) continue;
        ++arrow;
        over += plain.pixel(x, y) != ground;
        QCOMPARE(x >= 200, column == 1);
      }
    }
    QVERIFY2(arrow > 5, "there is no arrow");
    QCOMPARE(over, 0);
  }
  void theEndIsFollowedUntilTheUserScrollsAway() {
    QPlainTextEdit edit;
    followEnd(&edit);
    edit.resize(300, 120);
    edit.show();
    for (int i = 0; i < 60; ++i) edit.appendPlainText(QString::number(i));
    QScrollBar* bar = edit.verticalScrollBar();
    QTRY_COMPARE(bar->value(), bar->maximum());
    edit.resize(300, 60);
    QTRY_COMPARE(bar->value(), bar->maximum());
    bar->setValue(3);
    for (int i = 0; i < 60; ++i) edit.appendPlainText(QString::number(i));
    QCoreApplication::processEvents();
    QCoreApplication::processEvents();
    QVERIFY2(bar->value() < bar->maximum() - 30, qPrintable(QString::number(bar->value())));
  }

  void ticks() {
    const auto labels = [](const std::vector<Tick>& ticks) {
      QStringList list;
      for (const Tick& tick : ticks) list << tick.label;
      return list.join(u' ');
    };
    QCOMPARE(labels(linearTicks(0, 1, 5)), QStringLiteral("0.0 0.2 0.4 0.6 0.8 1.0"));
    QCOMPARE(labels(xTicks(0, 6000, 6, SeriesStore::X::Step)), QStringLiteral("0 1 k 2 k 3 k 4 k 5 k 6 k"));
    QCOMPARE(labels(xTicks(0, 90, 4, SeriesStore::X::Relative)), QStringLiteral("0:00 0:30 1:00 1:30"));
    QCOMPARE(labels(logTicks(-2, 1, 4)), QStringLiteral("0.01 0.1 1 10"));
    const auto [low, high] = padded(3, 3);
    QVERIFY(low < 3 && high > 3);
  }
};

QTEST_MAIN(TestFormat)
#include "tst_format.moc"
