#pragma once

#include <QJsonObject>
#include <QWidget>

class QTreeWidget;
class QTreeWidgetItem;

namespace weft::app {

class FileTab;

/// The report of `weft inspect` on a file as a tree: totals first, then its parts.
class ReportPage : public QWidget {
  Q_OBJECT

 public:
  ReportPage(FileTab* file, QWidget* parent);

 signals:
  /// The tag of a session run was activated. `folder`: of its event files, below the log folder; empty: the file itself.
  void sessionRunWanted(const QString& tag, const QString& folder);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void refill();
  void activate(QTreeWidgetItem* item);
  void add(QTreeWidgetItem* parent, const QString& key, const QJsonValue& value, int depth);

  FileTab* file_;
  QTreeWidget* tree_;
};

}  // namespace weft::app
