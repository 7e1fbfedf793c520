#include "adapters/node_placement.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "adapters/engine_graph.h"
#include "weft/session.h"

namespace weft::app {
namespace {

struct PlacementText {
  Q_DECLARE_TR_FUNCTIONS(NodePlacement)
};

/// A reason of runtime/placement.cpp, in the user's language. `asks`: the node requests a device itself.
QString translated(const std::string& reason, bool asks) {
  static const std::pair<QRegularExpression, const char*> kReasons[] = {
      {QRegularExpression(QStringLiteral("^no device asked for; (.*) has kernels for its group$")),
       QT_TRANSLATE_NOOP("NodePlacement", "nothing was asked for, and %1 has kernels for its group")},
      {QRegularExpression(QStringLiteral("^asked for by itself: (.*)$")), QT_TRANSLATE_NOOP("NodePlacement", "it asks for %1")},
      {QRegularExpression(QStringLiteral("^asked for by (.*): (.*)$")), QT_TRANSLATE_NOOP("NodePlacement", "%1 asks for %2")},
      {QRegularExpression(QStringLiteral("^asked for (.*), which has no kernel or is not there; soft placement$")),
       QT_TRANSLATE_NOOP("NodePlacement", "%1 has no kernel for it, or is not there")},
      {QRegularExpression(QStringLiteral("^where (.*) has been since it was placed$")), QT_TRANSLATE_NOOP("NodePlacement", "%1 is there")},
      {QRegularExpression(QStringLiteral("^where the variable is that is passed to the function$")),
       QT_TRANSLATE_NOOP("NodePlacement", "its variable is there")},
      {QRegularExpression(QStringLiteral("^the only device left$")), QT_TRANSLATE_NOOP("NodePlacement", "no other device is left")},
  };
  static const QString kTogether = QStringLiteral("; together with ");
  const QString full = text(reason), first = full.section(kTogether, 0, 0), with = full.section(kTogether, 1);
  QString out = first;
  if (!asks && first.startsWith(QLatin1String("asked for by itself"))) return PlacementText::tr("the run's device");
  for (const auto& [pattern, words] : kReasons) {
    const auto match = pattern.match(first);
    if (!match.hasMatch()) continue;
    out = PlacementText::tr(words);
    for (int i = 1; i <= match.lastCapturedIndex(); ++i) out = out.arg(match.captured(i));
    break;
  }
  return with.isEmpty() ? out : PlacementText::tr("%1; together with %2").arg(out, with);
}

}  // namespace

NodePlacementPtr placeNodes(const GraphContentsPtr& contents, const QString& device) {
  auto out = std::make_shared<NodePlacement>();
  SessionOptions options;
  options.allowSoftPlacement = true;
  options.defaultDevice = "/device:" + device.toStdString();
  const auto session = Session::create(contents->engine->loaded.meta.graph, options);
  const auto places = session.ok() ? (*session)->placements() : Result<std::vector<Placement>>(session.status());
  if (!places.ok()) {
    out->error = errorText(places.error());
    return out;
  }
  std::unordered_map<std::string_view, const Placement*> placeOf;
  for (const Placement& p : *places) placeOf.emplace(p.node, &p);
  const auto& nodes = contents->arrays.nodes;
  out->device.resize(nodes.size());
  out->reason.resize(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const std::string name = nodes[i].name.toStdString();
    const auto at = placeOf.find(name);
    if (at == placeOf.end()) continue;
    const QString full = text(at->second->device);
    out->device[i] = full.mid(std::max<qsizetype>(0, full.indexOf(QLatin1String("/device:"))));
    out->reason[i] = translated(at->second->reason, !nodes[i].device.isEmpty());
  }
  return out;
}

}  // namespace weft::app
