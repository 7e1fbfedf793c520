#include "adapters/picture_records.h"

#include <QCoreApplication>

#include "adapters/engine_graph.h"
#include "adapters/tasks.h"
#include "weft/cifar.h"

namespace weft::app {

QStringList picturesToRecords(const QString& from, const QString& to, TaskState& task, QString* error) {
  const auto written = cifar10ToRecords(from.toStdString(), to.toStdString(), [&task](double part) {
    task.progress = part;
    return !task.cancelled;
  });
  QStringList lines;
  if (!written.ok()) {
    *error = errorText(written.error());
    return lines;
  }
  for (const WrittenRecords& file : *written)
    lines << QCoreApplication::translate("PictureRecords", "%1: %n record(s)", nullptr, int(file.records)).arg(text(file.path));
  return lines;
}

}  // namespace weft::app
