#pragma once

#include <QWidget>
#include <functional>

#include "adapters/group_facts.h"
#include "shell/view.h"

class QLabel;
class QLineEdit;
class QPushButton;
class QStackedWidget;
class QTreeWidget;

namespace weft::widgets {
class EmptyState;
class PropertySheet;
}  // namespace weft::widgets

namespace weft::app {

class GroupStore;

/// The groups of the current document and of libraries: a list, and beneath it the chosen one with its ports and the defaults of its parameters.
class GroupsView : public QWidget {
  Q_OBJECT
  /// {"groups": [{"name", "library", "version", "inputs", "outputs", "parameters", "instances"}], "selected"}, for scripts.
  Q_PROPERTY(QString report READ report)

 public:
  GroupsView(const ViewContext& context, QWidget* parent);
  QString report() const;

 protected:
  void changeEvent(QEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  void retranslate();
  void refill();
  void showChosen();
  const GroupFacts* chosen() const;
  void runAction(const QString& id, const QStringList& words, const std::function<void()>& done = {});

  ViewContext context_;
  GroupStore& store_;
  QStackedWidget* stack_;
  widgets::EmptyState* empty_;
  QTreeWidget* list_;
  QWidget* details_;
  QLabel *ports_, *heading_, *follows_, *problem_;
  QLineEdit *doc_, *parameter_;
  widgets::PropertySheet* sheet_;
  QPushButton *insert_, *instances_, *update_, *library_, *save_, *add_;
  bool stale_ = true;
};

extern const ViewRecord groupsView;

}  // namespace weft::app
