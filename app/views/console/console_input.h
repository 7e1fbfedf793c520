#pragma once

#include <QPlainTextEdit>
#include <QStringList>

class QListWidget;

namespace weft::app {

/// The input field for a statement: Enter runs it, Shift+Enter starts a new line, the arrow keys browse the history, Tab completes. Grows up to eight lines.
/// GUI thread.
class ConsoleInput : public QPlainTextEdit {
  Q_OBJECT

 public:
  explicit ConsoleInput(QWidget* parent);

  void setHistory(const QStringList& history);
  /// Continues an incomplete statement with a new line, indented like the last one (deeper after a colon).
  void goOn(const QString& text);
  /// Completions from position `from` on: a single one is inserted, several are offered.
  void offer(int from, const QStringList& words, const QStringList& kinds);
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {120, sizeHint().height()}; }

 signals:
  void given(const QString& text);
  /// Tab was pressed; `text` is the text before the cursor.
  void completionWanted(const QString& text, int cursor);
  /// F1 or an opening bracket was typed.
  void helpWanted(const QString& text, int cursor);
  void interruptWanted();
  /// Ctrl+L.
  void clearWanted();

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  bool keyOfOffer(QKeyEvent* event);
  void take();
  void filterOffer();
  void closeOffer();
  void recall(int step);
  void restyle();

  QListWidget* offer_;
  QStringList words_, kinds_;
  int from_ = 0;
  QStringList history_;
  qsizetype at_ = 0;      ///< Position in the history; its size: the text being typed.
  QString typed_, stem_;  ///< The text typed before browsing the history, and the part of it that entries must start with.
};

}  // namespace weft::app
