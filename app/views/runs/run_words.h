#pragma once

#include <QDateTime>
#include <QString>

namespace weft::app {

struct RunProgress;
struct RunRecord;

/// Accuracy on the test samples, else on the last batch; empty: not measured.
QString accuracyText(const RunProgress& progress);
/// The beginning of a document's hash, long enough to tell versions apart.
QString shortHash(const QString& hash);
/// Key for RunArchive::find().
QString keyOf(const RunRecord& run);
/// When an earlier run started; the time of day if it was today.
QString dayOf(const QDateTime& started);
/// A setting's display name; names defined by a document are returned unchanged.
QString settingWord(const QString& key);

}  // namespace weft::app
