#pragma once

#include <QMap>
#include <QString>
#include <QVector>

#include "code_editor/code_editor.h"
#include "document/program_notes.h"

namespace weft::app {

/// What the editor shows beside the lines of a program after a run.
struct ProgramGhosts {
  QMap<int, widgets::GhostText> texts;
  QMap<int, widgets::Verdict> verdicts;
};
/// Names, shapes and scopes in a quiet colour, values in another, behind "=": a tensor is not its value.
ProgramGhosts ghostsOf(const QString& program, const QString& file, const ProgramNotes& notes);

/// The scopes in which a line made its nodes: one path for each call site, each part with the line that entered it.
struct ScopePart {
  QString name, scope, file;
  int line = 0;  ///< 0: not known.
};
QVector<QVector<ScopePart>> callSitesOf(const LineNote& note, const ProgramNotes& notes);

/// Where tf.Variable stands, with the trade-off in a few sentences.
QVector<widgets::CodeEditor::Hint> variableHints(const QString& program);

}  // namespace weft::app
