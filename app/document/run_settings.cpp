#include "document/run_settings.h"

#include <limits>

#include "document/document.h"

namespace weft::app {

RunSettings::RunSettings(Document& document) : QObject(&document), document_(document) {
  static quint64 last = 0;
  owner_ = ++last;
}

RunSettings& RunSettings::of(Document& document) {
  auto* settings = document.findChild<RunSettings*>(QString(), Qt::FindDirectChildrenOnly);
  return settings ? *settings : *new RunSettings(document);
}

const RunSettings* RunSettings::find(const Document* document) { return document->findChild<RunSettings*>(QString(), Qt::FindDirectChildrenOnly); }

double RunSettings::live(const QString& name) const { return live_.value(name, std::numeric_limits<double>::quiet_NaN()); }

void RunSettings::takeOver(const Document& old) {
  const RunSettings* before = find(&old);
  if (!before) return;
  owner_ = before->owner_;
  next_ = before->next_;
  live_.clear();
  for (const TrainingInfo::Live& l : document_.contents()->training.live) {
    if (before->live_.contains(l.name)) live_[l.name] = before->live_.value(l.name);
  }
}

}  // namespace weft::app
