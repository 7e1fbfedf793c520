#include "adapters/state_words.h"

#include <QCoreApplication>
#include <QStringList>

#include "adapters/engine_graph.h"
#include "weft/state_changes.h"

namespace weft::app {
namespace {

struct StateWords {
  Q_DECLARE_TR_FUNCTIONS(StateWords)
};

constexpr qsizetype kMostNames = 4;

QString named(const StateChange::Object& object) {
  const QString name = text(object.maker->name);
  switch (object.part) {
    case StateChange::Part::Elements: return StateWords::tr("elements of %1").arg(name);
    case StateChange::Part::Position: return StateWords::tr("position of %1").arg(name);
    case StateChange::Part::Entries: return StateWords::tr("entries of %1").arg(name);
    case StateChange::Part::Contents: return StateWords::tr("contents of %1").arg(name);
    case StateChange::Part::Value: break;
  }
  return name;
}

}  // namespace

QString changedState(const Graph& graph, const Node& node) {
  const StateChange change = stateChangeOf(graph, node);
  QStringList names;
  for (const StateChange::Object& o : change.objects)
    if (names.size() < kMostNames) names << named(o);
  if (const qsizetype more = qsizetype(change.objects.size()) - names.size(); more > 0) names << StateWords::tr("%1 more").arg(more);
  if (!names.isEmpty()) return names.join(QStringLiteral(", "));
  switch (change.other) {
    case StateChange::Other::None: break;
    case StateChange::Other::RandomStream: return StateWords::tr("its random stream");
    case StateChange::Other::Files: return StateWords::tr("files");
    case StateChange::Other::StagingArea: return StateWords::tr("the contents of its staging area");
  }
  return {};
}

}  // namespace weft::app
