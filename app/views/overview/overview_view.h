#pragma once

#include <QHash>
#include <QMap>
#include <QSet>
#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

#include "document/pins.h"
#include "shell/view.h"

class QLabel;
class QMenu;
class QStackedWidget;
class QToolButton;

namespace weft::widgets {
class CardGrid;
class EmptyState;
class FrameMember;
class HistogramPlot;
class ImageCard;
class PlotCard;
class ScalarPlot;
}  // namespace weft::widgets

namespace weft::app {

/// Curves, histograms and pictures side by side, for watching a training.
class OverviewView : public QWidget {
  Q_OBJECT

 public:
  OverviewView(const ViewContext& context, QWidget* parent);
  ~OverviewView() override;

 public slots:
  void refreshNow();
  /// `offset`, `overlay`, `heat-map` or `distribution`: the style of histograms; others return false.
  bool setOption(const QString& option);
  /// Titles of the cards, in their order: "scalar loss".
  QStringList cards() const;

 protected:
  void changeEvent(QEvent* event) override;
  void showEvent(QShowEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void connectSummaries();
  void fitCards();
  void rebuildSoon();
  void rebuild();
  QWidget* makeCard(const QString& key, QWidget* parent);
  widgets::PlotCard* makeCurves(const Pin& pin, QWidget* parent);
  widgets::PlotCard* makeHistogram(const Pin& pin, QWidget* parent);
  widgets::PlotCard* makePicture(const Pin& pin, QWidget* parent);
  void fillCurves(const QString& key);
  void fillHistogram(const QString& key);
  void grown(int run, SummaryKind kind, const QString& tag);
  void refreshPictures();
  void setCursor(std::optional<double> step, QObject* from);
  void fillChoice();
  void retranslate();
  void updateEmptyState();
  QString keyOf(const Pin& pin) const;
  const SummaryRun* newestWith(const QString& tag) const;

  ViewContext context_;
  Pins& pins_;
  QStackedWidget* stack_;
  widgets::EmptyState* empty_;
  widgets::CardGrid* grid_;
  QLabel* words_;
  QToolButton *choose_, *modes_;
  QMap<QString, Pin> shown_;              // by the card's key, in order
  QHash<QString, QMap<int, int>> lines_;  // of the existing cards: run -> line
  QSet<QString> dirtyPictures_;
  std::unique_ptr<widgets::FrameMember> frame_;
  int mode_ = 0;
  bool queued_ = false;
};

extern const ViewRecord overviewView;

}  // namespace weft::app
