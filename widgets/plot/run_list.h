#pragma once

#include <QRegularExpression>
#include <QWidget>

class QLineEdit;
class QTreeWidget;
class QTreeWidgetItem;

namespace weft::widgets {

/// The runs of a panel: colour, name, visibility, problems. Filtered by a regular expression, whose first capture group defines groups of runs. GUI thread.
class RunList : public QWidget {
  Q_OBJECT

 public:
  explicit RunList(QWidget* parent = nullptr);

  /// Adds or changes a run; `hue` is the index of its colour, `problem` a sentence or empty.
  void setRun(int run, const QString& name, int hue, bool visible, const QString& problem = {});
  void removeRun(int run);
  void clear();
  int count() const;
  QStringList names() const;
  void setFilter(const QString& regex);
  /// What the filter's capture group matches in the run's name; empty: no group.
  QString groupOf(int run) const;

 signals:
  void visibilityRequested(int run, bool visible);
  void removalRequested(int run);
  void groupsChanged();

 protected:
  void changeEvent(QEvent* event) override;

 private:
  QTreeWidgetItem* find(int run) const;
  void paintItem(QTreeWidgetItem* item);
  void filter();
  void showMenu(QPoint at);
  void retranslate();

  QLineEdit* search_;
  QRegularExpression expression_;
  QTreeWidget* tree_;
};

}  // namespace weft::widgets
