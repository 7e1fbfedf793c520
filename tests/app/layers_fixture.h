// A window with a small network of layers, for tests of layers, groups and expressions.
#pragma once

#include <QAbstractItemView>
#include <QApplication>
#include <QLabel>
#include <QLineEdit>

#include "adapters/graph_edit.h"
#include "document/document.h"
#include "property_sheet/property_editor.h"
#include "property_sheet/property_sheet.h"
#include "window_fixture.h"

class LayersFixture : public WindowFixture {
 protected:
  /// A new document: x → first → second
  void chain() {
    QVERIFY(run("file.new-empty"));
    QTRY_VERIFY(document() && canvas());
    ok("graph.add", {"Placeholder", "--name", "x", "--set", "dtype=float32", "--set", "shape=[?,16]"});
    ok("graph.add", {"layers.dense", "--name", "first", "--from", "x:0", "--set", "units=32", "--set", "activation=relu"});
    ok("graph.add", {"layers.dense", "--name", "second", "--from", "first:0", "--set", "units=16"});
  }
  /// Of a node's first output, "[16,32]".
  QString shape(const QString& node) {
    const weft::app::NodePorts ports = weft::app::nodePorts(*document()->contents(), node);
    return ports.outputs.isEmpty() ? QString() : u'[' + QString(ports.outputs[0].shape).replace(u'×', u',') + u']';
  }
  bool select(const QStringList& names) {
    if (document()->selection() != names) run("graph.select", names);
    return document()->selection() == names;
  }
  /// The row of a parameter in the Inspector, or null.
  weft::widgets::PropertyEditor* editor(const QString& name) {
    for (auto* s : window_->findChildren<weft::widgets::PropertySheet*>(QStringLiteral("property_sheet")))
      if (s->isVisible() && s->editor(name)) return s->editor(name);
    return nullptr;
  }
  QLineEdit* visibleField(const QString& name) {
    auto* e = editor(name);
    if (!e) return nullptr;
    for (QLineEdit* field : e->findChildren<QLineEdit*>())
      if (!field->isHidden()) return field;
    return nullptr;
  }
  /// The field of a parameter, once the Inspector has settled.
  QLineEdit* fieldOf(const QString& node, const QString& name) {
    for (int i = 0; i < 100 && !(select({node}) && editor(name)); ++i) QTest::qWait(20);
    QTest::qWait(300);  // the page is made again once the costs are known
    return visibleField(name);
  }
  /// Whether a parameter is marked as following an expression.
  bool mark(const QString& name) {
    auto* label = editor(name) ? editor(name)->findChild<QLabel*>(QStringLiteral("expression_mark")) : nullptr;
    return label && label->isVisible();
  }
  /// The names that are offered while an expression is typed, or null.
  QAbstractItemView* popup() {
    for (QWidget* w : QApplication::topLevelWidgets())
      if (w->objectName() == QLatin1String("expression_words") && w->isVisible()) return qobject_cast<QAbstractItemView*>(w);
    return nullptr;
  }
};
