#pragma once

#include <QPlainTextEdit>

namespace weft::app {

/// The text of a program, read only, with line numbers; marks lines, and says which line was clicked. GUI thread.
class ProgramSource : public QPlainTextEdit {
  Q_OBJECT

 public:
  explicit ProgramSource(QWidget* parent);

  /// Shows a file; nothing is read if it is shown already and has not changed. Empty, or why it cannot be shown.
  QString showFile(const QString& path);
  const QString& file() const { return file_; }
  /// Marks lines (from 1 on) and brings the first one into view.
  void markLines(const QVector<int>& lines);

 signals:
  void lineClicked(int line);

 protected:
  void mouseReleaseEvent(QMouseEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  friend class LineNumbers;
  void paintNumbers(QPaintEvent* event);
  int numbersWidth() const;
  void restyle();

  QString file_;
  qint64 fileTime_ = 0;
  QVector<int> marked_;
  QWidget* numbers_;
};

}  // namespace weft::app
