#pragma once

#include <QPointer>
#include <QWidget>
#include <memory>

#include "shell/view.h"

class QLabel;
class QScrollArea;
class QStackedWidget;
class QVBoxLayout;

namespace weft::widgets {
class EmptyState;
class PropertySheet;
struct Property;
}  // namespace weft::widgets

namespace weft::app {

class ExpressionTrial;
struct NodeDetails;

/// Facts on the selection: what its op does, inputs and outputs, editable attributes or layer parameters, gradient, cost. Names are links. Several nodes of one
/// op are edited together.
class InspectorView : public QWidget {
  Q_OBJECT

 public:
  InspectorView(const ViewContext& context, QWidget* parent);
  ~InspectorView() override;
  QSize sizeHint() const override { return {288, 400}; }

 protected:
  void changeEvent(QEvent* event) override;
  void showEvent(QShowEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void refillSoon();
  void refill();
  /// Makes the first half of a node's or scope's page: what it is, and its inputs; finishPage() adds attributes, cost and help.
  QWidget* makePage(const NodeDetails& details);
  QWidget* newPage(const QString& name);
  void finishPage(QWidget* widget, const NodeDetails& details);
  void addHeader(QVBoxLayout* page, const NodeDetails& details);
  void addPorts(QVBoxLayout* page, const NodeDetails& details);
  void addAttributes(QVBoxLayout* page, const NodeDetails& details);
  void addInstance(QVBoxLayout* page, const QString& scope);
  void addScope(QVBoxLayout* page, const NodeDetails& details);
  void addScopeLists(QVBoxLayout* page, const NodeDetails& details);
  void addCost(QVBoxLayout* page, const NodeDetails& details);
  void addHelp(QVBoxLayout* page, const NodeDetails& details);
  // inspector_sheet.cpp
  QWidget* makeGroupPage(const QStringList& names);
  void addSheet(QVBoxLayout* page, const QString& heading, const QVector<widgets::Property>& properties, const QStringList& names);
  /// Computes expressions of the document in front.
  const ExpressionTrial& trial();
  void edit(widgets::PropertySheet* sheet, const QStringList& names, const QString& property, const QString& text);
  /// Styles the page's parts in slices between other events, then replaces the present page by it.
  void showPage(QWidget* page);
  void prepare(QWidget* page, const QVector<QPointer<QWidget>>& parts, qsizetype from);
  void place(QWidget* page);
  QLabel* link(QWidget* parent, const QString& shown, const QString& node);

  ViewContext context_;
  QStackedWidget* stack_;
  QScrollArea* scroll_;
  widgets::EmptyState* empty_;
  QWidget* pages_;  ///< The scrolled widget: the visible page, and the next one while it is being made.
  QPointer<QWidget> shown_;
  QPointer<QWidget> coming_;  ///< The page that is being prepared.
  bool queued_ = false;
  std::unique_ptr<ExpressionTrial> trial_;
};

extern const ViewRecord inspectorView;

}  // namespace weft::app
