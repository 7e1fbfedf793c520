// Where the runs of a document lie on disk, and their numbers.
#pragma once

#include <QString>
#include <QStringList>
#include <QVector>

namespace weft::app {

/// A folder that a run made, by the time in its name, oldest first.
struct RunPlace {
  QString folder;  ///< absolute
  int number = 0;  ///< unique among the runs of the document; 0: the folder is not named as runs name theirs
};

/// The runs below `folder`, and those that lie elsewhere because the document had no file yet when they were made. Numbers are those in the names of
/// the folders; older versions began at 1 with each start, so a number that was there before becomes the next one. Any thread.
QVector<RunPlace> runPlaces(const QString& folder);
/// The highest of their numbers; 0: there are none.
int highestRunNumber(const QString& folder);
/// Has `runPlaces(folder)` know of runs that lie elsewhere. What went wrong, or nothing.
QString linkRuns(const QString& folder, const QStringList& elsewhere);

}  // namespace weft::app
