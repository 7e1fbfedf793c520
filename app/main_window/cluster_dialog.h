#pragma once

#include <QDialog>

#include "support/cluster_spec.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QTableWidget;

namespace weft::app {

class Settings;

/// Edits the jobs and tasks of a cluster, writes what starts them, and asks for a trial on this machine. Not modal. Opens no port itself.
class ClusterDialog : public QDialog {
  Q_OBJECT

 public:
  /// Starts with the cluster that was edited last. `settings` outlives the dialog.
  ClusterDialog(Settings& settings, QWidget* parent = nullptr);

  /// Replaces the table.
  void setCluster(const ClusterJobs& jobs);
  /// The table's cluster; empty unless it is valid.
  ClusterJobs cluster() const;
  /// Shows an error beneath the table.
  void say(const QString& error);

 signals:
  /// The user wants these tasks on this machine. `job`, `task`: the server for runs.
  void startWanted(const weft::ClusterJobs& jobs, const QString& job, int task);
  /// The user wants runs on this server, "host:port".
  void useWanted(const QString& address);

 public slots:
  /// Takes a TF_CONFIG, the JSON of a cluster, or words such as ps=host:port from the clipboard.
  void paste();

 protected:
  void changeEvent(QEvent* event) override;
  void done(int result) override;

 private:
  enum Text { kTfConfig, kServerLines, kSsh, kKubernetes, kTexts };
  void makeTable();
  void makeTexts();
  void retranslate();
  void addRow(const QString& job, int task, const QString& address);
  void addTask();
  void removeTask();
  void cellChanged(int row, int column);
  /// Reads the table, says what is wrong with it, and updates what depends on it.
  void check();
  void showText();
  void save();
  QString tableError(ClusterJobs* jobs) const;

  Settings& settings_;
  ClusterJobs jobs_;  // empty unless valid
  bool filling_ = false;
  QLabel *lead_, *message_, *serverLabel_, *imageLabel_;
  QTableWidget* table_;
  QPushButton *add_, *remove_, *paste_, *copy_, *save_, *start_, *use_, *close_;
  QComboBox *kind_, *server_;
  QLineEdit* image_;
  QPlainTextEdit* text_;
};

}  // namespace weft::app
