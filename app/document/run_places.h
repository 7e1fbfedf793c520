// Folders of a document's runs, and their numbers.
#pragma once

#include <QString>
#include <QStringList>
#include <QVector>

namespace weft::app {

/// A run's folder. Lists are ordered by the time in the name, oldest first.
struct RunPlace {
  QString folder;  ///< absolute
  int number = 0;  ///< unique among the document's runs; 0: the folder does not have a run's name
};

/// The runs below `folder`, and those made elsewhere while the document had no file yet. Numbers come from the folders' names; older versions restarted at 1 in
/// each session, so a repeated number is replaced by the next free one. Any thread.
QVector<RunPlace> runPlaces(const QString& folder);
/// The highest of their numbers; 0: none.
int highestRunNumber(const QString& folder);
/// Makes `runPlaces(folder)` include runs that are elsewhere. Returns an error, or empty.
QString linkRuns(const QString& folder, const QStringList& elsewhere);

}  // namespace weft::app
