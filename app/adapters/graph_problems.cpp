#include "adapters/graph_problems.h"

#include <QCoreApplication>

#include "adapters/engine_graph.h"
#include "adapters/problem_texts.h"
#include "adapters/shape_words.h"
#include "weft/graph_problems.h"

namespace weft::app {
namespace {

// The one sentence with a plural, listed here for translation.
[[maybe_unused]] const auto kPlural = QT_TRANSLATE_N_NOOP("GraphDefects", "Set all %n missing attribute(s) inferred from wires");

Problem::Severity severityOf(DoctorWeight weight) {
  return weight == DoctorWeight::Error ? Problem::Severity::Error : weight == DoctorWeight::Warning ? Problem::Severity::Warning : Problem::Severity::Note;
}

Problem shown(const GraphProblem& found) {
  Problem p;
  p.severity = severityOf(found.weight);
  p.node = text(found.node);
  p.code = text(found.code);
  p.message = translated(found.text);
  // Messages of shape functions are TensorFlow's.
  if (found.code == "shape" || found.code == "layer") {
    QStringList sources;
    for (const std::string& s : found.sources) sources << text(s);
    p.message = shapeWords(p.node, p.message, sources);
  }
  for (const GraphProblem::Point& point : found.points) {
    using Mark = GraphProblem::Point::Mark;
    p.message += (point.mark == Mark::Holds   ? QStringLiteral("\n✓ ")
                  : point.mark == Mark::Fails ? QStringLiteral("\n– ")
                                              : QStringLiteral("\n• ")) +
                 translated(point.text);
  }
  for (const ProblemFix& fix : found.fixes) {
    QString shape;
    p.fixes << (shapeText(fix.shape, &shape) ? QStringLiteral("%1 → %2").arg(translated(fix.text), shape) : translated(fix.text));
    p.fixCommands << commandWords(fix.command);
  }
  return p;
}

/// Puts the warning or error badge on nodes and scopes of variables with a problem; a scope is named like its variable.
void markVariables(GraphArrays& arrays, const QVector<Problem>& problems) {
  for (const Problem& p : problems) {
    if (p.code != QLatin1String("no-gradient") && p.code != QLatin1String("uninitialized")) continue;
    const auto badge = quint16(p.severity == Problem::Severity::Error ? widgets::BadgeError : widgets::BadgeWarning);
    if (const int node = arrays.nodeIndex.value(p.node, -1); node >= 0) arrays.nodes[size_t(node)].status.badges |= badge;
    if (const int scope = arrays.scopeIndex.value(p.node, -1); scope >= 0) arrays.scopes[size_t(scope)].badges |= badge;
  }
}

}  // namespace

QString translated(const ProblemText& source) {
  const bool own = *source.context != '\0';
  const QString words = own ? QCoreApplication::translate(source.context, source.text, nullptr, int(source.count)) : QString::fromUtf8(source.text);
  QString out;
  for (qsizetype i = 0; i < words.size(); ++i) {
    const int place = words[i] == u'%' && i + 1 < words.size() ? words[i + 1].digitValue() : 0;
    if (place < 1 || size_t(place) > source.words.size()) {
      out += words[i];
      continue;
    }
    // Why an analysis failed is a sentence itself.
    const std::string& word = source.words[size_t(place) - 1];
    out += own && std::string_view(source.context) == "AnalysisBorder" ? QCoreApplication::translate(source.context, word.c_str()) : text(word);
    ++i;
  }
  return out;
}

QStringList commandWords(const GraphCommand& command) {
  QStringList out{text(command.action)};
  for (const std::string& word : command.words) out << text(word);
  return out;
}

void findProblems(GraphContents& contents) {
  QHash<QString, QString> words;  // from the engine's message to the displayed one
  for (const GraphProblem& found : findGraphProblems(contents.engine->loaded)) {
    contents.problems << shown(found);
    if (found.code == "shape" || found.code == "layer") words.insert(text(found.text.toString()), contents.problems.last().message);
  }
  markVariables(contents.arrays, contents.problems);
  for (auto& edge : contents.arrays.edges)
    if (const auto it = words.constFind(edge.problem); it != words.cend()) edge.problem = *it;
}

}  // namespace weft::app
