// Panels with a card for each tag of each run, all at one step.
#pragma once

#include <QHash>
#include <QSet>
#include <optional>
#include <vector>

#include "common/card_panel.h"
#include "common/live_frames.h"

namespace weft::widgets {

class PlotCard;
class StepSlider;

/// Manages the cards of runs: hides and removes them by run, keeps all of them at one step, and refreshes grown series a few times a second while visible. GUI
/// thread.
class RunCardPanel : public CardPanel {
  Q_OBJECT

 public:
  RunCardPanel(const QString& emptyIcon, QSize card, QWidget* parent);

  /// The series of that tag has grown.
  void grown(const QString& run, const QString& tag);
  void removeRun(const QString& run);
  void setRunVisible(const QString& run, bool visible);
  /// Sets the step of all cards; nullopt: the newest.
  void setStep(std::optional<double> step);
  /// Shows the step under another panel's cursor; nullopt: the cursor left, return to the chosen step.
  void followCursor(std::optional<double> step);
  /// Refreshes all visible cards now (screenshots, tests).
  void refreshNow();

 signals:
  void stepChanged(std::optional<double> step);

 protected:
  /// Adds the series of a tag and run; the card of an earlier series is recreated.
  void addSeries(const QString& run, const QString& tag);
  static QString keyOf(const QString& run, const QString& tag) { return tag + u'\n' + run; }
  StepSlider* steps() const { return steps_; }
  /// Whether the cards of that run are shown.
  bool isShown(const QString& run) const { return !hidden_.contains(run); }
  /// The frame around a drawing in the run's colour, for makeCard(). It is refreshed once it is in place. REQUIRES: the series of `key` was added.
  PlotCard* makePlotCard(const QString& key, int hue, QWidget* body, QWidget* parent);
  /// Returns all steps of a series that may have grown; its card, if any, is to show the newest data from now on.
  virtual std::vector<double> stepsOf(const QString& key) = 0;
  virtual void refreshCard(const QString& key) = 0;
  virtual void forget(const QString& key) = 0;
  /// Called after cards were refreshed, hidden, shown or removed.
  virtual void refreshed() {}
  void refreshGrown();
  void showEvent(QShowEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  struct Place {
    QString run, tag;
    bool dirty = true;
  };
  void soon();

  QHash<QString, Place> places_;
  QSet<QString> hidden_;
  void refreshCards();

  StepSlider* steps_;
  std::optional<std::optional<double>> chosen_;  // the step before the cursor came
  FrameMember frame_;
};

}  // namespace weft::widgets
