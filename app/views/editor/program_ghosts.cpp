#include "views/editor/program_ghosts.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <QSet>

#include "document/print_check.h"
#include "document/variable_fix.h"

namespace weft::app {

using widgets::GhostPart;
using widgets::GhostText;
using widgets::Role;
using widgets::Verdict;

namespace {

struct Ghosts {
  Q_DECLARE_TR_FUNCTIONS(ProgramGhosts)
};

/// "50×10 f32", "scalar f32".
QString typeText(const QString& shape, const QString& dtype) { return (shape.isEmpty() ? Ghosts::tr("scalar") : shape) + u' ' + dtype; }

void addScopes(const LineNote& note, GhostText* ghost) {
  if (note.variableScope.isEmpty() && note.nameScope.isEmpty()) return;
  QString names = note.nameScope;
  while (names.endsWith(u'/')) names.chop(1);
  if (note.variableScope.isEmpty()) {
    *ghost << GhostPart{Ghosts::tr("names start with %1/").arg(names), Role::Info};
    return;
  }
  *ghost << GhostPart{Ghosts::tr("enters %1").arg(note.variableScope), Role::Info};
  // The scopes of variables and ops differ if a scope is entered a second time.
  if (names != note.variableScope) *ghost << GhostPart{names.isEmpty() ? Ghosts::tr("ops at the top level") : Ghosts::tr("ops in %1/").arg(names), Role::Info};
}

void addTensors(const LineNote& note, const QMap<QString, NotedValue>& values, GhostText* ghost) {
  for (const LineNote::Made& m : note.made) {
    const QString name = m.variable ? Ghosts::tr("variable %1").arg(m.tensor.section(u':', 0, 0)) : m.tensor;
    *ghost << GhostPart{
        (ghost->isEmpty() || ghost->last().role != Role::Text3 ? QStringLiteral("→ ") : QString()) + name + QStringLiteral("  ") + typeText(m.shape, m.dtype),
        Role::Text3};
    const auto value = values.constFind(m.tensor);
    if (value != values.constEnd()) *ghost << GhostPart{value->words(), Role::Ok};
  }
  if (note.gradients) *ghost << GhostPart{Ghosts::tr("→ gradients and updates, %n node(s)", nullptr, note.nodes), Role::Text3};
  if (note.more > 0) *ghost << GhostPart{Ghosts::tr("and %n more", nullptr, note.more), Role::Text3};
}

}  // namespace

ProgramGhosts ghostsOf(const QString& program, const QString& file, const ProgramNotes& notes) {
  ProgramGhosts out;
  const QMap<int, LineNote>& lines = notes.linesOf(file);
  QMap<QString, NotedValue> values;
  for (const LineNote& note : lines) {
    for (const auto& [graph, tensor] : note.ran)
      if (const auto value = notes.value(graph, tensor)) values.insert(tensor, *value);
  }
  QMap<int, QVector<Expectation>> expected;
  for (const Expectation& e : expectationsIn(program)) expected[e.line] << e;
  for (auto it = lines.begin(); it != lines.end(); ++it) {
    GhostText ghost;
    addScopes(*it, &ghost);
    addTensors(*it, values, &ghost);
    QSet<QString> here;
    for (const LineNote::Made& m : it->made) here << m.tensor;
    for (const auto& [graph, tensor] : it->ran) {
      const auto value = notes.value(graph, tensor);
      if (!value || here.contains(tensor)) continue;
      ghost << GhostPart{tensor + QStringLiteral("  ") + typeText(value->shape, value->dtype), Role::Text3} << GhostPart{value->words(), Role::Ok};
    }
    if (it->prints > 0) {
      QString printed = it->printed.last();
      printed.replace(u'\n', u' ');
      const QString words = it->prints == 1 ? Ghosts::tr("printed %1").arg(printed) : Ghosts::tr("printed %1 times, last %2").arg(it->prints).arg(printed);
      Verdict verdict = Verdict::None;
      for (const Expectation& e : expected.value(it.key())) {
        const bool right = isAsExpected(e.text, it->printed, it->prints);
        verdict = right && verdict != Verdict::Wrong ? Verdict::Right : right ? verdict : Verdict::Wrong;
      }
      if (verdict != Verdict::None) out.verdicts.insert(it.key(), verdict);
      ghost << GhostPart{words, verdict == Verdict::Wrong ? Role::Error : Role::Ok};
      // Printing a tensor often means that its value was wanted.
      static const QRegularExpression symbol(QStringLiteral("^Tensor\\(\"([^\"]+)\""));
      if (const auto match = symbol.match(printed); match.hasMatch()) {
        const auto value = values.constFind(match.captured(1));
        ghost << (value != values.constEnd() ? GhostPart{value->words(), Role::Ok}
                                             : GhostPart{Ghosts::tr("a symbolic tensor without a value; session.run computes it"), Role::Info});
      }
    }
    if (!ghost.isEmpty()) out.texts.insert(it.key(), ghost);
  }
  return out;
}

QVector<QVector<ScopePart>> callSitesOf(const LineNote& note, const ProgramNotes& notes) {
  QVector<QVector<ScopePart>> out;
  for (const QString& scope : note.scopes) {
    QVector<ScopePart> path;
    for (qsizetype end = scope.indexOf(u'/'), begin = 0; end >= 0; begin = end + 1, end = scope.indexOf(u'/', begin)) {
      ScopePart part{scope.mid(begin, end - begin), scope.left(end + 1), {}, 0};
      if (const auto at = notes.enteredAt(part.scope)) {
        part.file = at->first;
        part.line = at->second;
      }
      path << part;
    }
    // A scope that no line of the program entered was made by an op or layer itself.
    while (!path.isEmpty() && path.last().line == 0) path.removeLast();
    bool known = path.isEmpty();
    for (const auto& other : std::as_const(out)) known = known || (other.size() == path.size() && other.last().scope == path.last().scope);
    if (!known) out << path;
  }
  return out;
}

QVector<widgets::CodeEditor::Hint> variableHints(const QString& program) {
  QVector<widgets::CodeEditor::Hint> out;
  for (const VariableCall& call : variableCallsIn(program)) {
    out << widgets::CodeEditor::Hint{
        call.line, call.column, call.length,
        Ghosts::tr(
            "tf.Variable creates a new variable on every call and also takes its name from name_scope: w, w_1, w_2. tf.get_variable looks a variable up by name in the variable_scope: a second call returns the same variable with reuse and fails without it. Use get_variable for weights that are shared or restored; Variable is enough for a counter or a single weight. Alt+Enter converts this call.")};
  }
  return out;
}

}  // namespace weft::app
