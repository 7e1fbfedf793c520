#pragma once

#include <QPlainTextEdit>
#include <QStringList>

class QListWidget;

namespace weft::app {

/// Where a statement is typed: Enter gives it, Shift+Enter goes to a new line, the arrow keys go through earlier ones, Tab asks what may follow. Grows with its
/// lines up to eight. GUI thread.
class ConsoleInput : public QPlainTextEdit {
  Q_OBJECT

 public:
  explicit ConsoleInput(QWidget* parent);

  void setHistory(const QStringList& history);
  /// The statement is not whole: it stays, with a new line that is indented as the last one (deeper after a colon).
  void goOn(const QString& text);
  /// What may stand from position `from` on: one is put in, several are offered.
  void offer(int from, const QStringList& words, const QStringList& kinds);
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {120, sizeHint().height()}; }

 signals:
  void given(const QString& text);
  /// Tab, with what stands before the cursor.
  void completionWanted(const QString& text, int cursor);
  /// F1 or an opening bracket.
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
  qsizetype at_ = 0;      ///< In the history; its size: what is being typed.
  QString typed_, stem_;  ///< Before the history was looked through: the whole, and what it began with.
};

}  // namespace weft::app
