#include "adapters/edit_words.h"

#include <QCoreApplication>

namespace weft::app {
namespace {

struct EditErrors {
  Q_DECLARE_TR_FUNCTIONS(EditWords)
};

const QStringList& flags() {
  static const QStringList kFlags = {QStringLiteral("no-shuffle")};
  return kFlags;
}

/// Whether the word is NAME=VALUE, with only characters of names and ports before its first '='.
bool isSetting(const QString& word) {
  const qsizetype equal = word.indexOf(u'=');
  if (equal <= 0) return false;
  for (qsizetype i = 0; i < equal; ++i) {
    const QChar c = word[i];
    if (!c.isLetterOrNumber() && c != u'_' && c != u'/' && c != u':' && c != u'.' && c != u'-') return false;
  }
  return true;
}

}  // namespace

QString EditWords::read(const QStringList& words) {
  for (qsizetype i = 0; i < words.size(); ++i) {
    const QString& word = words[i];
    if (word.startsWith(QLatin1String("--")) && word.size() > 2) {
      const QString name = word.mid(2);
      if (flags().contains(name)) {
        options.append({name, {}});
        continue;
      }
      if (i + 1 >= words.size()) return EditErrors::tr("--%1 needs a value.").arg(name);
      if (name == QLatin1String("set") && !isSetting(words[i + 1])) return EditErrors::tr("--set takes NAME=VALUE, not %1.").arg(words[i + 1]);
      options.append({name, words[++i]});
    } else if (isSetting(word)) {
      bare.append({word.left(word.indexOf(u'=')), word.mid(word.indexOf(u'=') + 1)});
    } else {
      positional << word;
    }
  }
  return {};
}

QString EditWords::option(const QString& name) const {
  for (const auto& [key, value] : options)
    if (key == name) return value;
  return {};
}

bool EditWords::has(const QString& name) const {
  for (const auto& [key, value] : options)
    if (key == name) return true;
  return false;
}

QStringList EditWords::all(const QString& name) const {
  QStringList out;
  for (const auto& [key, value] : options)
    if (key == name) out << value;
  return out;
}

QVector<QPair<QString, QString>> EditWords::settings() const {
  QVector<QPair<QString, QString>> out = bare;
  for (const QString& text : all(QStringLiteral("set"))) out.append({text.left(text.indexOf(u'=')), text.mid(text.indexOf(u'=') + 1)});
  return out;
}

bool EditWords::pointFrom(const QString& text, double* x, double* y) {
  const QStringList parts = text.split(u',');
  bool okX = false, okY = false;
  if (parts.size() != 2) return false;
  *x = parts[0].toDouble(&okX);
  *y = parts[1].toDouble(&okY);
  return okX && okY;
}

}  // namespace weft::app
