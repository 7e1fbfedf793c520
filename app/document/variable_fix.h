// tf.Variable in a program's text: where it is, and how the same line reads with tf.get_variable.
#pragma once

#include <QString>
#include <QVector>

#include "document/program_notes.h"

namespace weft::app {

/// A call of tf.Variable in a text.
struct VariableCall {
  int line = 0, column = 0, length = 0;  ///< Of "tf.Variable", line from 1 on.
  int lastLine = 0;                      ///< Where the call ends.
  bool operator==(const VariableCall&) const = default;
};
QVector<VariableCall> variableCallsIn(const QString& program);

/// How a tf.Variable becomes a tf.get_variable.
struct VariableFix {
  QString error;                    ///< Why it cannot be done; empty: it can.
  int firstLine = 0, lastLine = 0;  ///< Lines that are replaced.
  QString text;                     ///< What takes their place.
  QStringList now;                  ///< Names of the variables that the line made in the last run, or would make as far as the text says.
  QString then;                     ///< The name that get_variable asks for; a part that is not known is "…".
  bool shares = false;              ///< Several variables become one that is shared.
  bool opensScope = false;          ///< A name_scope became, or the line got, a variable_scope.
};
/// `notes`: what the last run told of that file. The scope that is nearest around the call becomes a variable_scope; a call in none gets one around it
/// only if it is made several times.
VariableFix fixVariable(const QString& program, const VariableCall& call, const QMap<int, LineNote>& notes);

}  // namespace weft::app
