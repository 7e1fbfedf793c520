#include "views/runs/run_words.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QHash>
#include <QLocale>

#include "document/run_archive.h"

namespace weft::app {

QString accuracyText(const RunProgress& p) {
  if (p.hasTestAccuracy) return percentText(p.testAccuracy);
  return p.hasAccuracy ? percentText(p.accuracy) : QString();
}

QString shortHash(const QString& hash) { return hash.left(8); }

QString keyOf(const RunRecord& run) { return !run.earlier ? QString::number(run.number) : QFileInfo(run.folder).fileName(); }

QString dayOf(const QDateTime& started) {
  return QLocale().toString(started, started.date() == QDate::currentDate() ? QStringLiteral("HH:mm") : QStringLiteral("d MMM"));
}

QString settingWord(const QString& key) {
  static const QHash<QString, QString> words = {{QStringLiteral("data"), QStringLiteral(QT_TRANSLATE_NOOP("RunSettings", "data"))},
                                                {QStringLiteral("steps"), QStringLiteral(QT_TRANSLATE_NOOP("RunSettings", "steps"))},
                                                {QStringLiteral("epochs"), QStringLiteral(QT_TRANSLATE_NOOP("RunSettings", "epochs"))},
                                                {QStringLiteral("batch_size"), QStringLiteral(QT_TRANSLATE_NOOP("RunSettings", "batch"))},
                                                {QStringLiteral("seed"), QStringLiteral(QT_TRANSLATE_NOOP("RunSettings", "seed"))},
                                                {QStringLiteral("patience"), QStringLiteral(QT_TRANSLATE_NOOP("RunSettings", "early stop after"))},
                                                {QStringLiteral("threads"), QStringLiteral(QT_TRANSLATE_NOOP("RunSettings", "threads"))},
                                                {QStringLiteral("memory_limit"), QStringLiteral(QT_TRANSLATE_NOOP("RunSettings", "memory limit"))},
                                                {QStringLiteral("precision"), QStringLiteral(QT_TRANSLATE_NOOP("RunSettings", "precision"))},
                                                {QStringLiteral("summary_every_steps"), QStringLiteral(QT_TRANSLATE_NOOP("RunSettings", "summaries every"))}};
  if (words.contains(key)) return QCoreApplication::translate("RunSettings", words.value(key).toUtf8().constData());
  return QCoreApplication::translate("LiveScalars", key.toUtf8().constData());
}

}  // namespace weft::app
