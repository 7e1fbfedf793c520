#include "views/run_cards_view.h"

#include <QEvent>
#include <QVBoxLayout>
#include <optional>

#include "views/run_cards.h"

namespace weft::app {

RunCardsView::RunCardsView(const ViewContext& context, widgets::RunCardPanel* panel, SummaryKind kind, QWidget* parent)
    : QWidget(parent), summaries_(context.workspace.summaries()), panel_(panel) {
  setProperty("helpPage", QStringLiteral("panels"));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(panel);
  connectRunCards(panel, context, QStringLiteral("panels.open-logdir"));
  connect(&summaries_, &Summaries::grown, this, [this, kind](int run, SummaryKind grown, const QString& tag) {
    const SummaryRun* r = grown == kind ? summaries_.run(run) : nullptr;
    if (r) showSeries(*r, tag);
  });
  connect(&summaries_, &Summaries::cursorMoved, panel, &widgets::RunCardPanel::followCursor);
}

void RunCardsView::refreshNow() { panel_->refreshNow(); }

bool RunCardsView::setOption(const QString& option) {
  if (option == QLatin1String("newest")) {
    panel_->setStep(std::nullopt);
    return true;
  }
  bool isNumber = false;
  const double step = option.mid(5).toDouble(&isNumber);
  if (!option.startsWith(QLatin1String("step ")) || !isNumber) return false;
  panel_->setStep(step);
  return true;
}

void RunCardsView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) retranslate();
  QWidget::changeEvent(event);
}

}  // namespace weft::app
