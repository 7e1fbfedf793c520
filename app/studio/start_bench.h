#pragma once

#include <functional>
#include <memory>

class QApplication;

namespace weft::app {

class MainWindow;
struct StudioOptions;

/// `weft-studio --bench start`: prints the milliseconds from the start of the process to the first painted window, and the memory of the window when
/// it has nothing more to do. Returns the exit status.
int runStartBench(QApplication& application, const StudioOptions& options, const std::function<std::unique_ptr<MainWindow>()>& makeWindow);

}  // namespace weft::app
