#pragma once

#include <QWidget>

#include "document/summaries.h"
#include "shell/view.h"

namespace weft::widgets {
class MediaList;
}

namespace weft::app {

/// Texts and sounds that runs logged.
class TextView : public QWidget {
  Q_OBJECT

 public:
  TextView(const ViewContext& context, QWidget* parent);

 public slots:
  void refreshNow();
  /// `markdown`, `plain`.
  bool setOption(const QString& option);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void showSeries(int run, SummaryKind kind, const QString& tag);
  void retranslate();

  ViewContext context_;
  widgets::MediaList* list_;
};

extern const ViewRecord textView;

}  // namespace weft::app
