// A window with the dock Spreadsheet.
#pragma once

#include <QLabel>
#include <QTableView>

#include "document/document.h"
#include "document/sheet_store.h"
#include "window_fixture.h"

class SheetFixture : public WindowFixture {
 protected:
  /// x -> a/y -> a/z; b/w stands alone.
  void openGraph() {
    open(write(QStringLiteral("four.pbtxt"), QByteArray(kGraph) +
                                                 "node { name: \"a/z\" op: \"Tanh\" input: \"a/y\" attr { key: \"T\" value { type: DT_FLOAT } } }\n"
                                                 "node { name: \"b/w\" op: \"Placeholder\" attr { key: \"dtype\" value { type: DT_INT32 } } }\n"));
    QVERIFY(run("sheet.show", {QStringLiteral("nodes")}));
    QTRY_VERIFY(view() && rows() == 4 && !store().isBusy());
  }
  weft::app::SheetStore& store() { return weft::app::SheetStore::of(window_->workspace()); }
  QWidget* view() { return window_->viewWidget(QStringLiteral("sheet")); }
  QTableView* table() { return view()->findChild<QTableView*>(); }
  int rows() { return table()->model()->rowCount(); }
  int columnOf(const QString& name) { return store().table() ? store().table()->column(name) : -1; }
  QString text(int row, int column) { return table()->model()->index(row, column).data(Qt::EditRole).toString(); }
  QStringList cells(const QString& column) {
    QStringList out;
    for (int row = 0, c = columnOf(column); c >= 0 && row < rows(); ++row) out << text(row, c);
    return out;
  }
  void click(int row, int column, Qt::KeyboardModifiers keys = {}) {
    const QModelIndex index = table()->model()->index(row, column);
    table()->scrollTo(index);
    QTest::mouseClick(table()->viewport(), Qt::LeftButton, keys, table()->visualRect(index).center());
  }
  /// Everything that its labels say.
  QString message() {
    QStringList out;
    for (auto* label : view()->findChildren<QLabel*>())
      if (label->isVisible()) out << label->text();
    return out.join(u'|');
  }
  bool says(const QString& part) { return message().contains(part); }
};
