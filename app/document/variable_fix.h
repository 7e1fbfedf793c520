// Finds tf.Variable in a program's text, and rewrites it with tf.get_variable.
#pragma once

#include <QString>
#include <QVector>

#include "document/program_notes.h"

namespace weft::app {

/// A call of tf.Variable in a text.
struct VariableCall {
  int line = 0, column = 0, length = 0;  ///< Position of "tf.Variable", line from 1 on.
  int lastLine = 0;                      ///< The last line of the call.
  bool operator==(const VariableCall&) const = default;
};
QVector<VariableCall> variableCallsIn(const QString& program);

/// The rewrite of a tf.Variable as a tf.get_variable.
struct VariableFix {
  QString error;                    ///< Why it is not possible; empty: it is.
  int firstLine = 0, lastLine = 0;  ///< Replaced lines.
  QString text;                     ///< Their replacement.
  QStringList now;                  ///< Names of the variables that the line made in the last run, or would make, judging by the text.
  QString then;                     ///< The name passed to get_variable; unknown parts are "…".
  bool shares = false;              ///< Several variables become one shared variable.
  bool opensScope = false;          ///< A name_scope was changed to a variable_scope, or one was added.
};
/// `notes`: facts from the last run of that file. The nearest scope around the call becomes a variable_scope; a call without one gets a scope only if it runs
/// several times.
VariableFix fixVariable(const QString& program, const VariableCall& call, const QMap<int, LineNote>& notes);

}  // namespace weft::app
