#pragma once

#include <QPlainTextEdit>
#include <QVector>

namespace weft::app {

/// The read-only text of a program with line numbers: marks lines, shows breakpoints and the present line, and reports clicks on lines. GUI thread.
class ProgramSource : public QPlainTextEdit {
  Q_OBJECT

 public:
  explicit ProgramSource(QWidget* parent);

  /// Shows a file; an unchanged file that is already shown is not read again. Returns an error, or empty.
  QString showFile(const QString& path);
  const QString& file() const { return file_; }
  /// Marks lines (from 1 on) and scrolls to the first one.
  void markLines(const QVector<int>& lines);
  /// Lines with a breakpoint, and those of them whose breakpoint has a condition.
  void setPoints(const QVector<int>& lines, const QVector<int>& conditional);
  /// The next line to run, which is scrolled to; 0: not in this file.
  void setPresent(int line);
  /// The failed line, with its error after it, which is scrolled to; 0: none.
  void setFailed(int line, const QString& why = {});
  int failedLine() const { return failed_; }

 signals:
  void lineClicked(int line);
  /// Emitted for the strip of line numbers; `menu`: the right button.
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
  QString why_;  // the error of the failed line
  QWidget* numbers_;
};

}  // namespace weft::app
