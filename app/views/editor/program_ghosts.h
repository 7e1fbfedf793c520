#pragma once

#include <QMap>
#include <QString>
#include <QVector>

#include "code_editor/code_editor.h"
#include "document/program_notes.h"

namespace weft::app {

/// Annotations that the editor shows beside a program's lines after a run.
struct ProgramGhosts {
  QMap<int, widgets::GhostText> texts;
  QMap<int, widgets::Verdict> verdicts;
};
/// Names, shapes and scopes in a quiet colour; values, which are not the tensor, in another one after "=".
ProgramGhosts ghostsOf(const QString& program, const QString& file, const ProgramNotes& notes);

/// A part of the scopes in which a line made its nodes, with the line that entered it. There is one path per call site.
struct ScopePart {
  QString name, scope, file;
  int line = 0;  ///< 0: unknown.
};
QVector<QVector<ScopePart>> callSitesOf(const LineNote& note, const ProgramNotes& notes);

/// Positions of tf.Variable, with the trade-off in a few sentences.
QVector<widgets::CodeEditor::Hint> variableHints(const QString& program);

}  // namespace weft::app
