#include "shell/command_words.h"

#include <QCoreApplication>
#include <algorithm>

namespace weft::app {

QStringList commandWords(const QString& line, QString* error) {
  QStringList words;
  QString word;
  bool inWord = false;
  QChar quote;
  for (qsizetype i = 0; i < line.size(); ++i) {
    const QChar c = line[i];
    if (!quote.isNull()) {
      if (c == quote) quote = QChar();
      else if (c == u'\\' && quote == u'"' && i + 1 < line.size() && (line[i + 1] == u'"' || line[i + 1] == u'\\')) word += line[++i];
      else word += c;
    } else if (c == u'\'' || c == u'"') {
      quote = c;
      inWord = true;
    } else if (c.isSpace()) {
      if (inWord) words << word;
      word.clear();
      inWord = false;
    } else if (c == u'#' && !inWord) {
      break;
    } else {
      if (c == u'\\' && i + 1 < line.size()) word += line[++i];
      else word += c;
      inWord = true;
    }
  }
  if (inWord) words << word;
  if (!quote.isNull() && error) *error = QCoreApplication::translate("Script", "The quote %1 is not closed.").arg(quote);
  return words;
}

QString commandLine(const QString& id, const QStringList& words) {
  QString line = id;
  for (const QString& word : words) {
    const bool plain = !word.isEmpty() && !word.startsWith(u'#') &&
                       std::none_of(word.begin(), word.end(), [](QChar c) { return c.isSpace() || c == u'"' || c == u'\'' || c == u'\\'; });
    line += u' ' + (plain ? word : u'"' + QString(word).replace(u'\\', QStringLiteral("\\\\")).replace(u'"', QStringLiteral("\\\"")) + u'"');
  }
  return line;
}

}  // namespace weft::app
