// The palette's list and popup, and the property sheet: matches, their order, and refused input.
#include <QApplication>
#include <QComboBox>
#include <QLineEdit>
#include <QListView>
#include <QMimeData>
#include <QSignalSpy>
#include <QTest>
#include <QTreeView>

#include "common/theme.h"
#include "palette/add_menu.h"
#include "palette/palette_view.h"
#include "property_sheet/property_editor.h"
#include "property_sheet/property_sheet.h"

using namespace weft::widgets;

namespace {

QVector<PaletteItem> items() {
  return {{QStringLiteral("layers.dense"), QStringLiteral("dense"), QStringLiteral("Layers"), QStringLiteral("layer"), QStringLiteral("fully connected"),
           QStringLiteral("Weighs and sums"), OpCategory::Nn},
          {QStringLiteral("layers.conv2d"),
           QStringLiteral("conv2d"),
           QStringLiteral("Layers"),
           QStringLiteral("layer"),
           {},
           QStringLiteral("Slides a window"),
           OpCategory::Nn},
          {QStringLiteral("MatMul"), QStringLiteral("MatMul"), QStringLiteral("Math"), QStringLiteral("op"), QStringLiteral("product"),
           QStringLiteral("Product of matrices"), OpCategory::Math},
          {QStringLiteral("Add"), QStringLiteral("Add"), QStringLiteral("Math"), QStringLiteral("op"), {}, QStringLiteral("Sum"), OpCategory::Math}};
}

}  // namespace

class TestPalette : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { Theme::apply(*qApp, Theme::Kind::Light); }

  void groupsThenAFlatList() {
    PaletteModel model;
    model.setItems(items());
    QCOMPARE(model.rowCount(), 2);
    QCOMPARE(model.index(0, 0).data().toString(), QStringLiteral("Layers"));
    QCOMPARE(model.rowCount(model.index(1, 0)), 2);
    model.setFavourites({QStringLiteral("Add"), QStringLiteral("gone")});
    QCOMPARE(model.rowCount(), 3);
    QCOMPARE(model.rowCount(model.index(0, 0)), 1);
    model.setFilter(QStringLiteral("product"));
    QVERIFY(model.isFlat());
    QCOMPARE(model.shownCount(), 1);
    QCOMPARE(model.itemAt(model.first())->type, QStringLiteral("MatMul"));
    model.setFilter(QStringLiteral("nothing like it"));
    QCOMPARE(model.shownCount(), 0);
    QVERIFY(!model.first().isValid());
  }

  void onlyWhatFitsInThatOrder() {
    PaletteModel model;
    model.setItems(items());
    model.setFits({{QStringLiteral("MatMul"), QStringLiteral("a"), QStringLiteral("2×3")}, {QStringLiteral("layers.dense"), QStringLiteral("inputs"), {}}},
                  true);
    QCOMPARE(model.shownCount(), 2);
    QCOMPARE(model.itemAt(model.first())->type, QStringLiteral("MatMul"));
    QCOMPARE(model.first().data(PaletteModel::ShapeRole).toString(), QStringLiteral("2×3"));
    QCOMPARE(model.index(1, 0).data(PaletteModel::ShapeRole).toString(), QStringLiteral("?"));
    model.setFilter(QStringLiteral("conv"));
    QCOMPARE(model.shownCount(), 0);
  }

  void dragCarriesTheType() {
    PaletteModel model;
    model.setItems(items());
    const QModelIndex dense = model.index(0, 0, model.index(0, 0));
    const std::unique_ptr<QMimeData> data(model.mimeData({dense}));
    QCOMPARE(data->data(QStringLiteral("application/x-weft-type")), QByteArray("layers.dense"));
    QVERIFY(model.mimeData({model.index(0, 0)}) == nullptr);
  }

  void typeAndEnterChooses() {
    PaletteView view;
    view.model()->setItems(items());
    view.show();
    QSignalSpy spy(&view, &PaletteView::chosen);
    QTest::keyClicks(view.field(), QStringLiteral("mat"));
    QTest::keyClick(view.field(), Qt::Key_Return);
    QCOMPARE(spy.count(), 1);
    QCOMPARE(spy[0][0].toString(), QStringLiteral("MatMul"));
    QTest::keyClick(view.field(), Qt::Key_Escape);
    QVERIFY(view.field()->text().isEmpty());
    QVERIFY(!view.tree()->accessibleName().isEmpty());
  }

  void menuChoosesAndMayStay() {
    QWidget window;
    window.resize(800, 600);
    window.show();
    auto* menu = new AddMenu(&window);
    menu->model()->setItems(items());
    QSignalSpy spy(menu, &AddMenu::chosen);
    menu->popup(QPoint(10, 10));
    QTest::keyClick(menu->field(), Qt::Key_Down);
    QTest::keyClick(menu->field(), Qt::Key_Return, Qt::ShiftModifier);
    QCOMPARE(spy.count(), 1);
    QVERIFY(menu->isVisible());
    QTest::keyClicks(menu->field(), QStringLiteral("add"));
    QTest::keyClick(menu->field(), Qt::Key_Return);
    QCOMPARE(spy.count(), 2);
    QCOMPARE(spy[1][0].toString(), QStringLiteral("Add"));
  }

  void propertyTexts_data() {
    QTest::addColumn<QString>("type");
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("good");
    QTest::newRow("int") << "int"
                         << "-3" << true;
    QTest::newRow("not an int") << "int"
                                << "3.5" << false;
    QTest::newRow("float") << "float"
                           << "1e-3" << true;
    QTest::newRow("huge float") << "float"
                                << "1e99" << false;
    QTest::newRow("bool") << "bool"
                          << "maybe" << false;
    QTest::newRow("list") << "list(int)"
                          << "[1, 2,2 ,1]" << true;
    QTest::newRow("bad list") << "list(int)"
                              << "[1,a]" << false;
    QTest::newRow("shape") << "shape"
                           << "[?,28,28]" << true;
    QTest::newRow("shape with times") << "shape"
                                      << "?×28×28" << true;
    QTest::newRow("bad shape") << "shape"
                               << "[-4]" << false;
    QTest::newRow("any string") << "string"
                                << "" << true;
    QTest::newRow("empty int") << "int"
                               << "" << false;
  }
  void propertyTexts() {
    QFETCH(QString, type);
    QFETCH(QString, text);
    QFETCH(bool, good);
    Property p;
    p.type = type;
    QCOMPARE(propertyProblem(p, text).isEmpty(), good);
  }

  void boundsAndChoices() {
    Property p;
    p.type = QStringLiteral("list(int)");
    p.minimum = 4;
    QVERIFY(!propertyProblem(p, QStringLiteral("[1,2]")).isEmpty());
    p.type = QStringLiteral("string");
    p.minimum.reset();
    p.choices = QStringList{QStringLiteral("SAME"), QStringLiteral("VALID")};
    QVERIFY(propertyProblem(p, QStringLiteral("SAME")).isEmpty());
    QVERIFY(propertyProblem(p, QStringLiteral("same")).contains(QStringLiteral("VALID")));
  }

  void sheetEditsAndKeepsTheField() {
    PropertySheet sheet;
    Property units;
    units.name = QStringLiteral("units");
    units.type = QStringLiteral("int");
    units.value = QStringLiteral("10");
    Property padding;
    padding.name = QStringLiteral("padding");
    padding.type = QStringLiteral("string");
    padding.value = QStringLiteral("SAME");
    padding.choices = QStringList{QStringLiteral("SAME"), QStringLiteral("VALID")};
    sheet.setProperties({units, padding});
    sheet.show();
    QSignalSpy spy(&sheet, &PropertySheet::edited);
    auto* field = sheet.editor(QStringLiteral("units"))->findChild<QLineEdit*>();
    field->selectAll();
    QTest::keyClicks(field, QStringLiteral("ten"));
    QTest::keyClick(field, Qt::Key_Return);
    QCOMPARE(spy.count(), 0);
    QVERIFY(!sheet.editor(QStringLiteral("units"))->problem().isEmpty());
    field->selectAll();
    QTest::keyClicks(field, QStringLiteral("64"));
    QTest::keyClick(field, Qt::Key_Return);
    QCOMPARE(spy.count(), 1);
    QCOMPARE(spy[0][1].toString(), QStringLiteral("64"));
    // The same rows come back: the editor is the same widget.
    units.value = QStringLiteral("64");
    sheet.setProperties({units, padding});
    QCOMPARE(sheet.editor(QStringLiteral("units"))->findChild<QLineEdit*>(), field);
    auto* choice = sheet.editor(QStringLiteral("padding"))->findChild<QComboBox*>();
    QCOMPARE(choice->currentText(), QStringLiteral("SAME"));
    sheet.setProblem(QStringLiteral("units"), QStringLiteral("too many"));
    QCOMPARE(sheet.editor(QStringLiteral("units"))->problem(), QStringLiteral("too many"));
  }

  void severalValuesAreNotOverwritten() {
    PropertySheet sheet;
    Property p;
    p.name = QStringLiteral("rate");
    p.type = QStringLiteral("float");
    p.value = QStringLiteral("0.5");
    p.mixed = true;
    sheet.setProperties({p});
    QSignalSpy spy(&sheet, &PropertySheet::edited);
    auto* field = sheet.editor(QStringLiteral("rate"))->findChild<QLineEdit*>();
    QVERIFY(field->text().isEmpty());
    QTest::keyClick(field, Qt::Key_Return);
    QCOMPARE(spy.count(), 0);
    QTest::keyClicks(field, QStringLiteral("0.25"));
    QTest::keyClick(field, Qt::Key_Return);
    QCOMPARE(spy.count(), 1);
  }
};

QTEST_MAIN(TestPalette)
#include "tst_palette.moc"
