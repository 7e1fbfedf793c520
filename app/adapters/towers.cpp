#include "adapters/towers.h"

#include <QHash>
#include <QMap>
#include <QRegularExpression>
#include <QSet>
#include <algorithm>

namespace weft::app {

QVector<Tower> towersOf(const GraphContents& contents) {
  static const QRegularExpression name(QStringLiteral("(?:^|/)((?:tower|clone|replica|gpu)_?\\d+)(?=/|$)"), QRegularExpression::CaseInsensitiveOption);
  QMap<QString, Tower> towers, devices;
  QMap<QString, QHash<QString, int>> placed;
  QMap<QString, QSet<QString>> scopes;
  for (const auto& node : contents.arrays.nodes) {
    if (const auto match = name.match(node.name); match.hasMatch() && match.capturedEnd(1) < node.name.size()) {
      Tower& tower = towers[match.captured(1)];
      ++tower.size;
      scopes[match.captured(1)] << node.name.left(match.capturedEnd(1));
      if (!node.device.isEmpty()) ++placed[match.captured(1)][node.device];
    }
    if (node.device.isEmpty()) continue;
    Tower& device = devices[node.device];
    device.nodes << node.name;
    ++device.size;
  }
  const bool byScope = towers.size() > 1;
  QMap<QString, Tower>& chosen = byScope ? towers : devices;
  if (chosen.size() < 2) return {};
  QVector<Tower> out;
  for (auto it = chosen.begin(); it != chosen.end(); ++it) {
    it->name = it.key();
    it->device = byScope ? QString() : it.key();
    it->scopes = QStringList(scopes.value(it.key()).values());
    it->scopes.sort();
    int most = 0;
    const QHash<QString, int> counts = placed.value(it.key());
    for (auto d = counts.begin(); d != counts.end(); ++d) {
      if (d.value() < most || (d.value() == most && d.key() > it->device)) continue;
      most = d.value();
      it->device = d.key();
    }
    out << *it;
  }
  const auto number = [](const QString& text) {
    qsizetype from = text.size();
    while (from > 0 && text[from - 1].isDigit()) --from;
    return text.mid(from).toInt();
  };
  std::stable_sort(out.begin(), out.end(), [&](const Tower& a, const Tower& b) { return number(a.name) < number(b.name); });
  return out;
}

}  // namespace weft::app
