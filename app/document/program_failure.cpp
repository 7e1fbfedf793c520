#include "document/program_failure.h"

#include <QFileInfo>
#include <QRegularExpression>
#include <QStringList>
#include <algorithm>

namespace weft::app {
namespace {

/// The frames in the program and in files beside it, which the user can change; all frames if there are none.
QVector<ProgramStop::Frame> ownFrames(const QVector<ProgramStop::Frame>& stack, const QString& script) {
  const QString folder = QFileInfo(script).canonicalPath() + u'/';
  QVector<ProgramStop::Frame> own;
  for (const ProgramStop::Frame& frame : stack)
    if (QFileInfo(frame.file).canonicalFilePath().startsWith(folder)) own << frame;
  return own.isEmpty() ? stack : own;
}

}  // namespace

std::optional<ProgramFailure> failureOf(const std::deque<Program::Line>& lines, const QString& script) {
  static const QRegularExpression place(QLatin1String(R"re(^\s+File "([^"]+)", line (\d+)(?:, in (.+))?$)re"));
  QStringList text;
  for (const Program::Line& line : lines)
    if (line.isError) text << line.text;
  // Of chained exceptions the last one ended the program. A syntax error has a position but no headline.
  qsizetype begin = text.lastIndexOf(QStringLiteral("Traceback (most recent call last):"));
  qsizetype lastPlace = -1;
  for (qsizetype i = text.size() - 1; i >= 0 && lastPlace < 0; --i)
    if (place.match(text[i]).hasMatch()) lastPlace = i;
  if (lastPlace < 0) return std::nullopt;
  if (begin < 0 || begin > lastPlace) begin = lastPlace;
  ProgramFailure failure;
  for (qsizetype i = begin; i <= lastPlace; ++i) {
    const QRegularExpressionMatch found = place.match(text[i]);
    if (!found.hasMatch() || !QFileInfo(found.captured(1)).isFile()) continue;
    failure.stack.prepend({found.captured(1), found.captured(2).toInt(), found.captured(3).isEmpty() ? QStringLiteral("<module>") : found.captured(3)});
  }
  if (failure.stack.isEmpty()) return std::nullopt;
  for (qsizetype i = lastPlace + 1; i < text.size() && failure.message.isEmpty(); ++i)
    if (!text[i].isEmpty() && !text[i][0].isSpace()) failure.message = text[i];
  if (failure.message.isEmpty()) return std::nullopt;
  failure.text = text.mid(begin).join(u'\n');
  failure.stack = ownFrames(failure.stack, script);
  return failure;
}

}  // namespace weft::app
