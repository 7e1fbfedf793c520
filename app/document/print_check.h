// Comments that say what a program prints, compared with what it printed.
#pragma once

#include <QString>
#include <QStringList>
#include <QVector>
#include <functional>

namespace weft::app {

/// A comment that says what a print prints: `print(y)  # 15`, `# prints [1 2]`, `# => 3`, the last two also in a line of their own beneath it.
struct Expectation {
  int line = 0;     ///< Of the print, from 1 on.
  int comment = 0;  ///< Of the comment.
  QString text;
  bool operator==(const Expectation&) const = default;
};
QVector<Expectation> expectationsIn(const QString& program);

/// Whether a printed text is what a comment says. Spaces do not count, and numbers agree as far as the comment writes them: 0.33 is 0.3333.
bool isAsExpected(const QString& expected, const QString& printed);
/// The same for a print that came by several times: its last text, any list of all, or all in a row.
bool isAsExpected(const QString& expected, const QStringList& printed, int prints);

}  // namespace weft::app
