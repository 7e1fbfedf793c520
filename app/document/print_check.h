// Compares comments with expected output to what a program printed.
#pragma once

#include <QString>
#include <QStringList>
#include <QVector>
#include <functional>

namespace weft::app {

/// A comment with the expected output of a print: `print(y)  # 15`, `# prints [1 2]`, `# => 3`; the last two also on the line below it.
struct Expectation {
  int line = 0;     ///< The line of the print, from 1 on.
  int comment = 0;  ///< The line of the comment.
  QString text;
  bool operator==(const Expectation&) const = default;
};
QVector<Expectation> expectationsIn(const QString& program);

/// Whether a printed text matches a comment. Ignores spaces, and compares numbers to the precision of the comment: 0.33 matches 0.3333.
bool isAsExpected(const QString& expected, const QString& printed);
/// The same for a print that ran several times: matches its last text, the list of all, or all in a row.
bool isAsExpected(const QString& expected, const QStringList& printed, int prints);

}  // namespace weft::app
