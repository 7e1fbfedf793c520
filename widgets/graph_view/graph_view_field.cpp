// The text field for editing names, titles and notes on the canvas.
#include <QKeyEvent>

#include "common/discard.h"
#include "graph_view/graph_view_p.h"

namespace weft::widgets {
namespace {

/// Enter and Esc end editing and are not passed on to the canvas or to shortcuts of the window.
class CanvasField : public QLineEdit {
 public:
  CanvasField(const QString& text, QWidget* parent) : QLineEdit(text, parent) {}
  std::function<void(bool taken)> ended;

 protected:
  bool event(QEvent* event) override {
    if (event->type() == QEvent::ShortcutOverride && endsIt(static_cast<QKeyEvent*>(event)->key())) {
      event->accept();
      return true;
    }
    return QLineEdit::event(event);
  }
  void keyPressEvent(QKeyEvent* event) override {
    if (!endsIt(event->key())) {
      QLineEdit::keyPressEvent(event);
      event->accept();  // letters are text here, even if they are shortcuts of the canvas
      return;
    }
    event->accept();
    ended(event->key() != Qt::Key_Escape);
  }
  void focusOutEvent(QFocusEvent* event) override {
    QLineEdit::focusOutEvent(event);
    if (event->reason() != Qt::PopupFocusReason && event->reason() != Qt::ActiveWindowFocusReason) left();
  }

 private:
  static bool endsIt(int key) { return key == Qt::Key_Return || key == Qt::Key_Enter || key == Qt::Key_Escape; }
  void left() {
    if (takesWhenLeft && isModified()) ended(true);
    else ended(false);
  }

 public:
  bool takesWhenLeft = false;
};

}  // namespace

void GraphView::Private::closeEditor() {
  QLineEdit* editor = renamer;
  if (!editor) return;
  renamer = nullptr;  // so that losing the focus has no effect
  editor->setObjectName(QString());
  discard(editor);
}

// Enter accepts, Esc cancels. Losing the focus accepts the text of a note, but cancels a name.
QLineEdit* GraphView::Private::openEditor(const QRectF& at, const QString& text, const QString& name, bool note, std::function<void(const QString&)> done) {
  closeEditor();
  auto* editor = new CanvasField(text, q);
  renamer = editor;
  editor->takesWhenLeft = note;
  editor->setObjectName(name);
  editor->setAccessibleName(GraphView::tr("New text"));
  editor->setGeometry(static_cast<int>(at.left()) - 4, static_cast<int>(at.top()) - 2, std::max(120, static_cast<int>(at.width()) + 16),
                      editor->sizeHint().height());
  editor->ended = [this, editor, done = std::move(done)](bool taken) {
    if (renamer != editor) return;
    const QString typed = editor->text().trimmed();
    const bool focused = editor->hasFocus();
    renamer = nullptr;
    editor->hide();
    editor->deleteLater();
    if (focused) q->setFocus();
    if (taken) done(typed);
  };
  editor->selectAll();
  editor->show();
  editor->setFocus();
  return editor;
}

void GraphView::startRename(Item item) {
  const int i = d_->scene.find(item);
  if (i < 0 || !d_->editable() || d_->scene.isGroup(item)) return;
  const QRectF rect = d_->view.toScreen(d_->scene.items()[static_cast<size_t>(i)].rect);
  const QString was = item.isNode() ? d_->model->nodeTitle(item.index) : d_->model->scopeTitle(item.index);
  const QString full = item.isNode() ? d_->model->nodeName(item.index) : d_->model->scopeName(item.index);
  d_->openEditor(rect, was, QStringLiteral("rename"), false, [this, item, full](const QString& name) {
    // The graph may have been edited while the user typed: node indexes may have changed.
    if (name.isEmpty() || !d_->editable()) return;
    const int count = item.isNode() ? d_->model->nodeCount() : d_->model->scopeCount();
    const auto nameAt = [&](int index) { return item.isNode() ? d_->model->nodeName(index) : d_->model->scopeName(index); };
    Item now = item;
    if (now.index >= count || nameAt(now.index) != full) {
      now.index = 0;
      while (now.index < count && nameAt(now.index) != full) ++now.index;
    }
    if (now.index < count) emit renameRequested(now, name);
  });
}

}  // namespace weft::widgets
