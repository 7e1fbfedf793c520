#pragma once

#include <QPlainTextEdit>
#include <QVector>

namespace weft::app {

/// The text of a program, read only, with line numbers: marks lines, shows where it stops and where it stands, and says which line was clicked. GUI thread.
class ProgramSource : public QPlainTextEdit {
  Q_OBJECT

 public:
  explicit ProgramSource(QWidget* parent);

  /// Shows a file; nothing is read if it is shown already and has not changed. Empty, or why it cannot be shown.
  QString showFile(const QString& path);
  const QString& file() const { return file_; }
  /// Marks lines (from 1 on) and brings the first one into view.
  void markLines(const QVector<int>& lines);
  /// Lines with a breakpoint, and those of them whose breakpoint has a condition.
  void setPoints(const QVector<int>& lines, const QVector<int>& conditional);
  /// The line that is computed next; 0: it does not stand in this file. Brought into view.
  void setPresent(int line);
  /// The line that failed, with what was wrong behind it; 0: none. Brought into view.
  void setFailed(int line, const QString& why = {});
  int failedLine() const { return failed_; }

 signals:
  void lineClicked(int line);
  /// In the strip of line numbers; `menu`: with the right button.
  void stripClicked(int line, const QPoint& at, bool menu);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  friend class LineNumbers;
  void paintNumbers(QPaintEvent* event);
  int numbersWidth() const;
  int lineAt(int y) const;
  void restyle();
  void showSelections();
  void bringIntoView(int line);

  QString file_;
  qint64 fileTime_ = 0;
  QVector<int> marked_, points_, conditional_;
  int present_ = 0, failed_ = 0, hovered_ = 0;
  QString why_;  // it failed
  QWidget* numbers_;
};

}  // namespace weft::app
