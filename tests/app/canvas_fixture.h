// A window for tests of the drawing: its motions are off, and edits end before a test goes on.
#pragma once

#include <QCoreApplication>

#include "common/theme.h"
#include "document/document.h"
#include "window_fixture.h"

class CanvasFixture : public WindowFixture {
 protected:
  void useOwnFolder() {
    QVERIFY(folder_.isValid());
    keepToOwnFolder();
    weft::widgets::Theme::apply(*qApp, weft::widgets::Theme::Kind::Light);
  }
  /// Opens a window with a new document of a template.
  void begin(const char* name) {
    showWindow();
    window_->workspace().newFromTemplate(name);
    QTRY_VERIFY_WITH_TIMEOUT(canvas(), 30000);
    settle();
    QTRY_VERIFY(window_->isSettled());
    canvas()->setMotion(false);
    canvas()->setFocus();
  }
  void settle() {
    QTRY_VERIFY(!document()->isEditing());
    QTRY_VERIFY(!canvas()->isLayoutPending());
    QCoreApplication::processEvents();
  }
  void perform(const char* id, const QStringList& words = {}) {
    QVERIFY2(run(id, words), id);
    settle();
  }
};
