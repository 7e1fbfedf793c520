#pragma once

#include <QJsonObject>
#include <QWidget>

#include "views/view.h"

class QTreeWidget;
class QTreeWidgetItem;

namespace weft::app {

class FileTab;

/// What `weft inspect` says of a file, as a tree: totals first, then its parts.
class ReportPage : public QWidget {
  Q_OBJECT

 public:
  ReportPage(const ViewContext& context, FileTab* file, QWidget* parent);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void refill();
  void fillButtons();
  void add(QTreeWidgetItem* parent, const QString& key, const QJsonValue& value, int depth);

  ViewContext context_;
  FileTab* file_;
  QTreeWidget* tree_;
  QWidget* buttons_;
};

}  // namespace weft::app
