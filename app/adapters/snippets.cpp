#include "adapters/snippets.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QSaveFile>
#include <QStandardPaths>

namespace weft::app {
namespace {

struct Snippets {
  Q_DECLARE_TR_FUNCTIONS(Snippets)
};

const QLatin1String kPrefix("snippet:"), kEnding(".pbtxt");
int generation = 0;

QString folder() { return QDir(QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation)).filePath(QStringLiteral("snippets")); }
QString fileOf(const QString& name) { return QDir(folder()).filePath(name + kEnding); }

bool canNameSnippet(const QString& name) {
  static const QRegularExpression form(QStringLiteral("^[\\w][\\w.-]*$"), QRegularExpression::UseUnicodePropertiesOption);
  return form.match(name).hasMatch();
}

}  // namespace

bool isSnippet(const QString& type) { return type.startsWith(kPrefix); }
int snippetGeneration() { return generation; }

QStringList snippetNames() {
  QStringList out;
  for (const QString& file : QDir(folder()).entryList({u'*' + QString(kEnding)}, QDir::Files, QDir::Name)) out << file.chopped(kEnding.size());
  return out;
}

QString snippetText(const QString& type, QString* error) {
  const QString name = type.mid(kPrefix.size());
  QFile file(fileOf(name));
  if (canNameSnippet(name) && file.open(QIODevice::ReadOnly)) return QString::fromUtf8(file.readAll());
  *error = Snippets::tr("There is no snippet %1.").arg(name);
  return {};
}

QString keepSnippet(const QString& name, const QString& text) {
  if (!canNameSnippet(name)) return Snippets::tr("%1 is not a valid snippet name: only letters, digits and . _ - are allowed").arg(name);
  QDir().mkpath(folder());
  QSaveFile file(fileOf(name));
  if (!file.open(QIODevice::WriteOnly) || file.write(text.toUtf8()) < 0 || !file.commit())
    return Snippets::tr("%1 could not be written: %2").arg(file.fileName(), file.errorString());
  ++generation;
  return {};
}

QString forgetSnippet(const QString& name) {
  if (!canNameSnippet(name) || !QFile::remove(fileOf(name))) return Snippets::tr("There is no snippet %1.").arg(name);
  ++generation;
  return {};
}

QString freeSnippetName(const QString& like) {
  QString base = like;
  static const QRegularExpression others(QStringLiteral("[^\\w.-]"), QRegularExpression::UseUnicodePropertiesOption);
  base.replace(others, QStringLiteral("_"));
  if (!canNameSnippet(base)) base = QStringLiteral("snippet");
  QString name = base;
  for (int i = 2; QFile::exists(fileOf(name)); ++i) name = base + QStringLiteral("_%1").arg(i);
  return name;
}

QVector<widgets::PaletteItem> snippetItems() {
  QVector<widgets::PaletteItem> out;
  for (const QString& name : snippetNames()) {
    widgets::PaletteItem item;
    item.type = kPrefix + name;
    item.name = name;
    item.group = QCoreApplication::translate("Palette", "Snippets");
    item.kind = QCoreApplication::translate("Palette", "snippet");
    item.keywords = QStringLiteral("snippet own");
    item.summary = QCoreApplication::translate("Palette", "Saved by you: adds these nodes and layers again.");
    item.hue = widgets::OpCategory::Nn;
    out << item;
  }
  return out;
}

}  // namespace weft::app
