#pragma once

#include <QPair>
#include <QString>
#include <QVector>

namespace weft::app {

/// Detects the devices of this machine. Loads the GPU driver, which may take a second. Later calls do nothing. Any thread but the GUI's.
void lookForDevices();
/// Whether detection has finished; op kernels must not be read before. Any thread; never waits.
bool devicesKnown();
/// Names of the GPUs, "GPU:0", with descriptions; empty until devicesKnown(). Any thread; never waits.
QVector<QPair<QString, QString>> foundGpus();
/// Why there are none, as the engine says it; empty: there are some, or it is not known yet. Any thread.
QString whyNoGpus();
/// The machine's computing resources as translated names with values: processors, GPU (once devicesKnown()), memory, engine.
QVector<QPair<QString, QString>> machineFacts();

}  // namespace weft::app
