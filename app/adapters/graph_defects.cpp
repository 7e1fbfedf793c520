#include "adapters/graph_defects.h"

#include <QCoreApplication>
#include <algorithm>

#include "adapters/engine_graph.h"
#include "adapters/problem_texts.h"
#include "weft/graph_problems.h"

namespace weft::app {
namespace {

struct DefectWords {
  Q_DECLARE_TR_FUNCTIONS(GraphDefects)
};

}  // namespace

QString defectText(const Graph& graph, const Defect& defect) { return translated(defectSentence(graph, defect)); }

QString whyNotRun(const GraphContents& contents) {
  const auto& problems = contents.engine->loaded.problems;
  const Error* first = whyRefused(problems);
  if (!first) {
    const auto call = std::find_if(contents.problems.begin(), contents.problems.end(), [](const Problem& p) { return p.code == QLatin1String("function"); });
    return call == contents.problems.end() ? QString() : DefectWords::tr("This graph cannot run. %1").arg(call->node + QStringLiteral(": ") + call->message);
  }
  const int more = int(std::count_if(problems.begin(), problems.end(), isDefect)) - 1;
  QString why = text(first->message);
  for (const Problem& p : contents.problems) {
    if (p.node != text(first->node) || !QString::fromStdString(first->kind).endsWith(u':' + p.code)) continue;
    why = p.message;
    break;
  }
  const QString where = first->node.empty() ? why : text(first->node) + QStringLiteral(": ") + why;
  return more > 0 ? DefectWords::tr("This graph cannot run. %1 (%n more in Problems)", nullptr, more).arg(where)
                  : DefectWords::tr("This graph cannot run. %1").arg(where);
}

}  // namespace weft::app
