#pragma once

#include <QWidget>

#include "document/summaries.h"
#include "shell/view.h"

namespace weft::widgets {
class RunCardPanel;
}

namespace weft::app {

/// A dock that shows one kind of summary as cards, one per tag and run, all at one step under the shared cursor. GUI thread.
class RunCardsView : public QWidget {
  Q_OBJECT

 public slots:
  void refreshNow();
  /// `step N`, or `newest`. False: another option.
  virtual bool setOption(const QString& option);

 protected:
  /// Takes the panel. Subclasses end their constructor with showAll() and retranslate().
  RunCardsView(const ViewContext& context, widgets::RunCardPanel* panel, SummaryKind kind, QWidget* parent);
  /// Shows what runs have logged already. Runs of the compared program are left out.
  template <class Series>
  void showAll(Series SummaryRun::*series) {
    for (const auto& run : summaries_.runs()) {
      if (run->foreign) continue;
      for (const auto& [tag, logged] : (*run).*series) showSeries(*run, tag);
    }
  }
  /// The series of that tag was added, or has grown.
  virtual void showSeries(const SummaryRun& run, const QString& tag) = 0;
  virtual void retranslate() = 0;
  void changeEvent(QEvent* event) override;

 private:
  const Summaries& summaries_;
  widgets::RunCardPanel* panel_;
};

}  // namespace weft::app
