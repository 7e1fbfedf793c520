#pragma once

#include <QPair>
#include <QString>
#include <QVector>

namespace weft::app {

/// Looks for the devices of this machine: loads the driver of a GPU, which may take a second. Later calls do nothing. Any thread but the GUI's.
void lookForDevices();
/// Whether that is done; kernels of ops may be read only after it. Any thread, waits for nothing.
bool devicesKnown();
/// GPUs as names, "GPU:0", and descriptions; empty until devicesKnown(). Any thread, waits for nothing.
QVector<QPair<QString, QString>> foundGpus();
/// What this machine has for computing, as names (translated) and values: processors, GPU (once devicesKnown()), memory, engine.
QVector<QPair<QString, QString>> machineFacts();

}  // namespace weft::app
