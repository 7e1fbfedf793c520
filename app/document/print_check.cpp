#include "document/print_check.h"

#include <QRegularExpression>
#include <cmath>

namespace weft::app {
namespace {

/// Where the comment of a line begins; -1: no comment. Ignores a # in a string. `open`: the triple quote that continues from the previous line, and into the
/// next one.
qsizetype commentAt(const QString& line, QString* open) {
  for (qsizetype i = 0; i < line.size();) {
    if (!open->isEmpty()) {
      if (line[i] == u'\\') {
        i += 2;
      } else if (QStringView(line).mid(i).startsWith(*open)) {
        i += open->size();
        open->clear();
      } else {
        ++i;
      }
      continue;
    }
    const QStringView rest = QStringView(line).mid(i);
    if (line[i] == u'#') return i;
    for (const QString& quote : {QStringLiteral("\"\"\""), QStringLiteral("'''"), QStringLiteral("\""), QStringLiteral("'")}) {
      if (!rest.startsWith(quote)) continue;
      *open = quote;
      break;
    }
    i += open->isEmpty() ? 1 : open->size();
  }
  if (open->size() == 1) open->clear();  // an ordinary string ends with its line
  return -1;
}

/// The expected output that a comment states; empty: none. `plain`: a bare value counts, too.
QString expectedOutput(const QString& comment, bool plain) {
  static const QRegularExpression said(
      QStringLiteral("^#+\\s*(?:=+>|->|→|⇒|(?:prints?|printed|outputs?|out|result|输出|打印|结果)\\s*[:：]|prints?\\s*=>)\\s*(.+)$"),
      QRegularExpression::CaseInsensitiveOption);
  static const QRegularExpression prints(QStringLiteral("^#+\\s*(?:prints|打印|输出)\\s+(.+)$"), QRegularExpression::CaseInsensitiveOption);
  static const QRegularExpression value(QStringLiteral(
      "^(?:[-+]?(?:\\d[\\d_]*\\.?\\d*|\\.\\d+)(?:[eE][-+]?\\d+)?|[-+]?(?:nan|inf)|True|False|None|\\[.*\\]|\\(.*\\)|\\{.*\\}|b?'[^']*'|b?\"[^\"]*\")(?:\\s*,\\s*[-+\\d.eE]+)*$"));
  if (const auto match = said.match(comment); match.hasMatch()) return match.captured(1).trimmed();
  // "prints the loss" is a description; "prints [1 2]" states the output.
  const auto match = prints.match(comment);
  if (!match.hasMatch() && !plain) return {};
  const QString text = match.hasMatch() ? match.captured(1).trimmed() : comment.mid(1).trimmed();
  return value.match(text).hasMatch() ? text : QString();
}

/// Splits into words, numbers and signs; spaces and commas in lists are only separators.
QStringList partsOf(const QString& text) {
  static const QRegularExpression part(QStringLiteral("[-+]?(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][-+]?\\d+)?|[\\w']+|[^\\s\\w,]"));
  QStringList out;
  for (auto it = part.globalMatch(text); it.hasNext();) out << it.next().captured();
  return out;
}

/// Half a unit of the last written digit.
double tolerance(const QString& number) {
  const QString mantissa = number.section(QRegularExpression(QStringLiteral("[eE]")), 0, 0),
                power = number.section(QRegularExpression(QStringLiteral("[eE]")), 1);
  const qsizetype point = mantissa.indexOf(u'.');
  if (point < 0 && power.isEmpty()) return 0;  // an integer is exact
  const int digits = point < 0 ? 0 : int(mantissa.size() - point - 1);
  return 0.5000001 * std::pow(10.0, power.toInt() - digits);
}

}  // namespace

QVector<Expectation> expectationsIn(const QString& program) {
  static const QRegularExpression print(QStringLiteral("(?:^|[^\\w.])print\\s*\\("));
  QVector<Expectation> out;
  QString open;
  int before = 0;  // the print without a comment directly above
  const QStringList lines = program.split(u'\n');
  for (int i = 0; i < lines.size(); ++i) {
    QString line = lines[i];
    if (line.endsWith(u'\r')) line.chop(1);
    const bool inText = !open.isEmpty();
    const qsizetype at = commentAt(line, &open);
    const QString code = at < 0 ? line : line.left(at);
    const bool prints = !inText && print.match(code).hasMatch();
    if (at >= 0 && (prints || (code.trimmed().isEmpty() && before > 0))) {
      const QString text = expectedOutput(line.mid(at).trimmed(), prints);
      if (!text.isEmpty()) out << Expectation{prints ? i + 1 : before, i + 1, text};
    }
    before = prints && at < 0 ? i + 1 : 0;
  }
  return out;
}

bool isAsExpected(const QString& expected, const QString& printed) {
  const auto plain = [](QString text) {
    text = text.simplified();
    const bool quoted = text.size() >= 2 && (text.front() == u'\'' || text.front() == u'"') && text.back() == text.front();
    return quoted ? text.mid(1, text.size() - 2) : text;
  };
  const QString wanted = plain(expected), found = plain(printed);
  if (wanted == found) return true;
  const QStringList a = partsOf(wanted), b = partsOf(found);
  if (a.size() != b.size() || a.isEmpty()) return false;
  for (qsizetype i = 0; i < a.size(); ++i) {
    if (a[i] == b[i]) continue;
    bool isNumber = false, isNumberToo = false;
    const double x = a[i].toDouble(&isNumber), y = b[i].toDouble(&isNumberToo);
    if (!isNumber || !isNumberToo || std::abs(x - y) > tolerance(a[i])) return false;
  }
  return true;
}

bool isAsExpected(const QString& expected, const QStringList& printed, int prints) {
  if (printed.isEmpty()) return false;
  if (isAsExpected(expected, printed.last())) return true;
  if (prints != printed.size() || prints < 2) return false;
  return isAsExpected(expected, printed.join(u' ')) || isAsExpected(expected, printed.join(QStringLiteral(", ")));
}

}  // namespace weft::app
