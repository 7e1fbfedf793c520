// Panels with a card for each tag of each run, all at one step.
#pragma once

#include <QHash>
#include <QSet>
#include <optional>
#include <vector>

#include "common/card_panel.h"
#include "common/live_frames.h"

namespace weft::widgets {

class StepSlider;

/// Keeps the cards of runs: hides and removes them by run, gives all of them one step, and brings up to date what has grown, a few times a second
/// and only while it is seen. GUI thread.
class RunCardPanel : public CardPanel {
  Q_OBJECT

 public:
  RunCardPanel(const QString& emptyIcon, QSize card, QWidget* parent);

  /// The series of that tag has grown.
  void grown(const QString& run, const QString& tag);
  void removeRun(const QString& run);
  void setRunVisible(const QString& run, bool visible);
  /// The step of all cards; nullopt: the newest.
  void setStep(std::optional<double> step);
  /// Shows the step that the cursor of another panel stands on for as long as it stands there; nullopt: the step that was chosen again.
  void followCursor(std::optional<double> step);
  /// Brings all that is in sight up to date now (screenshots, tests).
  void refreshNow();

 signals:
  void stepChanged(std::optional<double> step);

 protected:
  /// A new series of that tag and run; the card of an old one is made anew.
  void addSeries(const QString& run, const QString& tag);
  static QString keyOf(const QString& run, const QString& tag) { return tag + u'\n' + run; }
  StepSlider* steps() const { return steps_; }
  /// All steps of a series that may have grown. Its card, if there is one, shows what is newest from now on.
  virtual std::vector<double> stepsOf(const QString& key) = 0;
  virtual void refreshCard(const QString& key) = 0;
  virtual void forget(const QString& key) = 0;
  /// After cards were brought up to date, or went.
  virtual void refreshed() {}
  void refreshGrown();
  void showEvent(QShowEvent* event) override;

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
