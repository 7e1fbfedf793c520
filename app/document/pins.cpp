#include "document/pins.h"

#include <algorithm>
#include <map>

#include "document/workspace.h"

namespace weft::app {
namespace {

const QString kSetting = QStringLiteral("overview/pins");
constexpr int kCurves = 3, kHistograms = 2, kPictures = 1;  // defaults: two rows in a usual window

constexpr std::pair<SummaryKind, const char*> kWords[] = {
    {SummaryKind::Scalar, "scalar"}, {SummaryKind::Histogram, "histogram"}, {SummaryKind::Picture, "image"}};

/// Rank of a tag in the default choice.
int rankOf(const QString& tag) {
  static const QStringList first{QStringLiteral("loss"), QStringLiteral("accuracy"), QStringLiteral("learning_rate")};
  const qsizetype exact = first.indexOf(tag);
  if (exact >= 0) return int(exact);
  if (tag.contains(QLatin1String("loss"))) return 10;
  if (tag.contains(QLatin1String("acc"))) return 11;
  return tag.contains(QLatin1String("kernel")) || tag.contains(QLatin1String("weights")) ? 12 : 20;
}

template <typename Map>
void collect(const Map& series, std::map<std::pair<int, QString>, bool>& tags) {
  for (const auto& [tag, unused] : series) tags[{rankOf(tag), tag}] = true;
}

}  // namespace

Pins& Pins::of(Workspace& workspace) {
  auto* pins = workspace.findChild<Pins*>(QString(), Qt::FindDirectChildrenOnly);
  return pins ? *pins : *new Pins(workspace);
}

Pins::Pins(Workspace& workspace) : QObject(&workspace), workspace_(workspace) { setWords(workspace.settings().value(kSetting).toStringList()); }

QString Pins::kindWord(SummaryKind kind) {
  for (const auto& [known, word] : kWords)
    if (known == kind) return QLatin1String(word);
  return {};
}

bool Pins::kindOf(const QString& word, SummaryKind* kind) {
  for (const auto& [known, name] : kWords) {
    if (word != QLatin1String(name)) continue;
    *kind = known;
    return true;
  }
  return false;
}

QVector<Pin> Pins::automatic() const {
  std::map<std::pair<int, QString>, bool> tags[3];
  for (const auto& run : workspace_.summaries().runs()) {
    if (run->foreign) continue;
    collect(run->scalars, tags[0]);
    collect(run->histograms, tags[1]);
    collect(run->pictures, tags[2]);
  }
  QVector<Pin> out;
  const int most[] = {kCurves, kHistograms, kPictures};
  for (int i = 0; i < 3; ++i) {
    int taken = 0;
    for (const auto& [key, unused] : tags[i])
      if (taken++ < most[i]) out << Pin{kWords[i].first, key.second};
  }
  return out;
}

QVector<Pin> Pins::shown() const { return chosen_ ? pins_ : automatic(); }

QSet<QString> Pins::tagsOf(SummaryKind kind) const {
  QSet<QString> tags;
  for (const Pin& pin : shown())
    if (pin.kind == kind) tags.insert(pin.tag);
  return tags;
}

void Pins::set(const Pin& pin, bool pinned) {
  QVector<Pin> next = shown();
  if (next.contains(pin) == pinned && chosen_) return;
  if (next.contains(pin) != pinned) pinned ? void(next << pin) : void(next.removeOne(pin));
  pins_ = next;
  chosen_ = true;
  keep();
}

void Pins::move(const Pin& pin, int by) {
  QVector<Pin> next = shown();
  const qsizetype from = next.indexOf(pin), to = std::clamp<qsizetype>(from + by, 0, next.size() - 1);
  if (from < 0 || from == to) return;
  next.move(from, to);
  pins_ = next;
  chosen_ = true;
  keep();
}

void Pins::reset() {
  pins_.clear();
  chosen_ = false;
  keep();
}

void Pins::keep() {
  workspace_.settings().setValue(kSetting, words());
  emit changed();
}

QStringList Pins::words() const {
  if (!chosen_) return {};
  if (pins_.isEmpty()) return {QString()};
  QStringList out;
  for (const Pin& pin : pins_) out << kindWord(pin.kind) + u' ' + pin.tag;
  return out;
}

void Pins::setWords(const QStringList& words) {
  pins_.clear();
  chosen_ = !words.isEmpty();
  for (const QString& word : words) {
    Pin pin;
    const qsizetype space = word.indexOf(u' ');
    if (space < 0 || !kindOf(word.left(space), &pin.kind)) continue;
    pin.tag = word.mid(space + 1);
    if (!pin.tag.isEmpty() && !pins_.contains(pin)) pins_ << pin;
  }
  keep();
}

}  // namespace weft::app
