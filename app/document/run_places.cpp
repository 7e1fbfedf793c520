#include "document/run_places.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QRegularExpression>
#include <QSaveFile>
#include <algorithm>

namespace weft::app {
namespace {

struct RunPlaces {
  Q_DECLARE_TR_FUNCTIONS(RunPlaces)
};

QString linksPath(const QString& folder) { return QDir(folder).filePath(QStringLiteral("elsewhere.json")); }

QStringList linked(const QString& folder) {
  QFile file(linksPath(folder));
  QStringList list;
  if (!file.open(QIODevice::ReadOnly)) return list;
  for (const QJsonValue& each : QJsonDocument::fromJson(file.readAll()).array()) {
    const QString path = QDir::cleanPath(each.toString());
    if (!path.isEmpty() && QFileInfo(path).isDir()) list << path;
  }
  return list;
}

}  // namespace

QVector<RunPlace> runPlaces(const QString& folder) {
  QVector<RunPlace> places;
  for (const QFileInfo& each : QDir(folder).entryInfoList(QDir::Dirs | QDir::NoDotAndDotDot | QDir::NoSymLinks)) places << RunPlace{each.absoluteFilePath()};
  for (const QString& path : linked(folder)) {
    if (std::none_of(places.begin(), places.end(), [&](const RunPlace& p) { return p.folder == path; })) places << RunPlace{path};
  }
  static const QRegularExpression stamp(QStringLiteral("^(\\d{8}-\\d{6})-(\\d+)(?:-\\d+)?$"));  // the names that RunController gives
  for (RunPlace& place : places) {
    if (const auto m = stamp.match(QFileInfo(place.folder).fileName()); m.hasMatch()) place.number = m.captured(2).toInt();
  }
  const auto key = [](const RunPlace& p) { return std::pair(p.number > 0 ? QFileInfo(p.folder).fileName().left(15) : QString(), p.number); };
  std::sort(places.begin(), places.end(), [&](const RunPlace& a, const RunPlace& b) { return std::pair(key(a), a.folder) < std::pair(key(b), b.folder); });
  int last = 0;
  for (RunPlace& place : places) {
    if (place.number > 0) last = place.number = std::max(last + 1, place.number);
  }
  return places;
}

int highestRunNumber(const QString& folder) {
  const QVector<RunPlace> places = runPlaces(folder);
  return places.isEmpty() ? 0 : places.last().number;  // those without a number come first
}

QString linkRuns(const QString& folder, const QStringList& elsewhere) {
  QStringList all = linked(folder);
  for (const QString& path : elsewhere) {
    if (!all.contains(QDir::cleanPath(path))) all << QDir::cleanPath(path);
  }
  QSaveFile file(linksPath(folder));
  if (QDir().mkpath(folder) && file.open(QIODevice::WriteOnly) && file.write(QJsonDocument(QJsonArray::fromStringList(all)).toJson()) > 0 && file.commit())
    return {};
  return RunPlaces::tr("%1 could not be written: %2").arg(file.fileName(), file.errorString());
}

}  // namespace weft::app
