#pragma once

#include <QString>
#include <QStringList>

namespace weft::app {

struct TaskState;

/// Writes CIFAR-10 (a folder of batches, or a single batch) as TFRecord. Returns one line for each file written. Any thread; blocks.
QStringList picturesToRecords(const QString& from, const QString& to, TaskState& task, QString* error);

}  // namespace weft::app
