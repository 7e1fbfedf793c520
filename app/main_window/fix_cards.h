#pragma once

#include <QObject>
#include <QPointer>
#include <QTimer>

#include "graph_view/graph_view.h"
#include "main_window/fix_card.h"

namespace weft::app {

class ActionRegistry;
class Document;
class Workspace;

/// Shows problems at their node: hovering or clicking the badge of a node, "Next problem", and a wire that does not fit open a card on the canvas with the
/// fixes as buttons. A child of the canvas. GUI thread.
class FixCards : public QObject {
  Q_OBJECT

 public:
  FixCards(Document* document, widgets::GraphView* canvas, ActionRegistry& actions, Workspace& workspace);

  /// Shows the problems at a node or scope until closed; false: there are none.
  bool showProblems(const QString& name);
  bool isShown() const { return card_->isVisible(); }
  /// Applies the first fix of the card; false: no card is shown, or it has no fixes.
  bool applyFirst();
  void hide();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  enum class Lifetime { WhileHovered, UntilClosed };
  QVector<FixNote> notesFor(const QString& name) const;
  bool show(const QString& name, Lifetime lifetime);
  void refuse(widgets::Port from, widgets::Port to, const QString& why);
  void follow();
  void contentsChanged();
  void findCarriers();
  /// The node or closed scope whose badge is at that point; empty: none.
  QString badgeAt(QPointF at) const;
  /// The node or closed scope with a problem at that point, badge or body; empty: none.
  QString carrierAt(QPointF at) const;
  QString nameOf(widgets::Item item) const;
  widgets::Item itemOf(const QString& name) const;
  /// The visible rectangle of the item, or of the closed scope that hides it.
  QRectF rectOf(const QString& name) const;
  void run(const QStringList& command);
  QString key(const char* action) const;
  bool canvasEvent(QEvent* event);
  void pointerAt(QPointF at);

  Document* document_;
  widgets::GraphView* canvas_;
  ActionRegistry& actions_;
  Workspace& workspace_;
  FixCard* card_;
  QString at_;       // the item that the card is about
  QString badge_;    // the badge under the pointer
  QString watched_;  // a wire was just connected to it
  Lifetime lifetime_ = Lifetime::UntilClosed;
  bool refusal_ = false, placing_ = false;
  int refusals_ = 0, searchTask_ = 0;
  QTimer showTimer_, hideTimer_;
  QVector<widgets::Item> carriers_;  // nodes and scopes with a badge
};

}  // namespace weft::app
