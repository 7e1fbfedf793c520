#pragma once

#include <QVariantMap>
#include <QWidget>

class QComboBox;
class QHBoxLayout;
class QLabel;
class QMenu;

namespace weft::widgets {
class EmptyState;
class GraphView;
}  // namespace weft::widgets

namespace weft::app {

class CrumbBar;
class LegendStrip;
class TrainStrip;
class ViewChooser;
class ViewNote;

class Document;
class ActionRegistry;
class Workspace;

/// A document's page in the middle of the window: breadcrumbs, the colour mode with its legend, and the canvas.
class DocumentPage : public QWidget {
  Q_OBJECT

 public:
  DocumentPage(Document* document, ActionRegistry& actions, Workspace& workspace, QWidget* parent = nullptr);

  Document* document() const { return document_; }
  /// Whether the contents were fitted into the page since it became visible.
  bool isSettled() const { return settled_; }
  widgets::GraphView* canvas() const { return canvas_; }
  /// Saves selection, open scopes, position and zoom, or restores them, at once or when the page is first shown.
  QVariantMap viewState() const;
  void restoreView(const QVariantMap& state);
  void setMotion(bool on);

 protected:
  void changeEvent(QEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  void updateCrumbs(int scope);
  void updateLegend();
  bool showDebugLegend();
  bool showDifferenceLegend();
  QStringList selectedNames() const;
  void followSelection();
  void retranslateSoon();
  void retranslate();
  void fitColour();
  void addWireActions(QMenu* menu, int edge);
  void showHint();
  void restoreArrangement(const QVariantMap& state);

  Document* document_;
  ActionRegistry& actions_;
  Workspace& workspace_;
  widgets::GraphView* canvas_;
  CrumbBar* crumbs_;
  LegendStrip* legend_;
  QLabel* colourLabel_;
  QLabel* place_;
  QLabel* viewLabel_;
  ViewChooser* view_;
  ViewNote* note_;  // over the canvas, in views other than by scope
  QComboBox* colour_;
  widgets::EmptyState* hint_;  // over an empty canvas
  TrainStrip* strip_;          // over the canvas while it trains
  int scope_ = -1;
  QVariantMap waiting_;  // a view state to apply when first shown
  bool retranslating_ = false;
  bool shownOnce_ = false, settled_ = false, motion_ = true;  // settled: the docks have their places
};

}  // namespace weft::app
