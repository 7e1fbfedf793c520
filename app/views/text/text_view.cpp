#include "views/text/text_view.h"

#include <QEvent>
#include <QVBoxLayout>

#include "document/workspace.h"
#include "media/media_list.h"
#include "shell/action_registry.h"
#include "views/run_cards.h"

namespace weft::app {

TextView::TextView(const ViewContext& context, QWidget* parent) : QWidget(parent), context_(context), list_(new widgets::MediaList(this)) {
  setProperty("helpPage", QStringLiteral("panels"));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(list_);
  connectRunCards(list_, context, QStringLiteral("panels.open-logdir"));
  const Summaries& summaries = context.workspace.summaries();
  connect(&summaries, &Summaries::grown, this, &TextView::showSeries);
  connect(list_, &widgets::MediaList::failed, &context_.actions, &ActionRegistry::failed);
  for (const auto& run : summaries.runs()) {
    for (const auto& [tag, series] : run->texts) showSeries(run->id, SummaryKind::Text, tag);
    for (const auto& [tag, series] : run->sounds) showSeries(run->id, SummaryKind::Sound, tag);
  }
  retranslate();
}

void TextView::showSeries(int run, SummaryKind kind, const QString& tag) {
  const SummaryRun* r = context_.workspace.summaries().run(run);
  if (!r) return;
  if (kind == SummaryKind::Text) list_->setTexts(r->name, r->hue, tag, r->texts.at(tag));
  else if (kind == SummaryKind::Sound) list_->setSounds(r->name, r->hue, tag, r->sounds.at(tag));
  else return;
  list_->grown(r->name, tag);
}

bool TextView::setOption(const QString& option) {
  if (option == QLatin1String("markdown") || option == QLatin1String("plain")) list_->setMarkdown(option == QLatin1String("markdown"));
  else return false;
  return true;
}

void TextView::refreshNow() { list_->refreshNow(); }

void TextView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) retranslate();
  QWidget::changeEvent(event);
}

void TextView::retranslate() {
  list_->setEmptyText(tr("No texts or audio yet"), tr("Data of text and audio summaries appears here during training or from event files."),
                      tr("Open event files…"), QStringLiteral("folder"));
}

const ViewRecord textView = {"text",
                             QT_TRANSLATE_NOOP("Views", "Text and audio"),
                             QT_TRANSLATE_NOOP("Views", "Texts and audio logged in training"),
                             "file",
                             Qt::BottomDockWidgetArea,
                             "",
                             [](const ViewContext& context, QWidget* parent) -> QWidget* { return new TextView(context, parent); }};

}  // namespace weft::app
