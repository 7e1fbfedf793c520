#pragma once

#include <QDialog>
#include <QProcess>

class QLabel;
class QListWidget;
class QPlainTextEdit;
class QPushButton;

namespace weft::app {

/// What `weft py --migrate` would change in a Python program: its difference, with the lines to look at; writes it to a new file or in place. Modal to its window.
/// Deletes itself when closed, which ends its process. GUI thread.
class MigrationDialog : public QDialog {
  Q_OBJECT

 public:
  /// `script`: the path of the program.
  MigrationDialog(const QString& script, QWidget* parent);
  ~MigrationDialog() override;

 signals:
  /// The translated program is in this file.
  void written(const QString& path);

 private:
  void start(const QStringList& options);
  void ended();
  void showResult(const QString& text);
  void showError(const QString& text);
  void setReady(bool ready);

  QString script_, target_;  ///< Of the translated program.
  QString writing_;          ///< The file that is being written; empty: only the difference is made.
  QProcess process_;
  QLabel* lead_;
  QPlainTextEdit* difference_;
  QListWidget* notes_;
  QPushButton *write_, *replace_;
};

}  // namespace weft::app
