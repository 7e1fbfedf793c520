#pragma once

#include <functional>
#include <memory>

class QApplication;

namespace weft::app {

class MainWindow;
struct StudioOptions;

/// `weft-studio --bench start`: prints the time from the start of the process to the first painted window, and the memory of the idle window. Returns the exit
/// status.
int runStartBench(QApplication& application, const StudioOptions& options, const std::function<std::unique_ptr<MainWindow>()>& makeWindow);

}  // namespace weft::app
