#pragma once

#include <QDateTime>
#include <QString>

namespace weft::app {

struct RunProgress;
struct RunRecord;

/// Of the test samples, else of the last batch; empty: it is not measured.
QString accuracyText(const RunProgress& progress);
/// Of a document, as far as it tells two versions apart.
QString shortHash(const QString& hash);
/// As RunArchive::find() knows it.
QString keyOf(const RunRecord& run);
/// When an earlier run was: the hour if it was today.
QString dayOf(const QDateTime& started);
/// A setting's name for people; what a document named itself stays as it is.
QString settingWord(const QString& key);

}  // namespace weft::app
