#pragma once

#include <QPair>
#include <QString>
#include <QVector>

namespace weft::app {

/// What this machine has for computing, as names (translated) and values: processors, GPU, memory, engine.
QVector<QPair<QString, QString>> machineFacts();

}  // namespace weft::app
