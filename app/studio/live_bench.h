#pragma once

#include <functional>
#include <memory>

class QApplication;

namespace weft::app {

class MainWindow;
struct StudioOptions;

/// `weft-studio --bench live`: trains the MLP of the templates (`--items N` steps) with the Train layout on screen, and prints how long after its end a
/// step is seen in the chart of the loss, and how much of the processors the GUI thread takes meanwhile. Returns the exit status.
int runLiveBench(QApplication& application, const StudioOptions& options, const std::function<std::unique_ptr<MainWindow>()>& makeWindow);

}  // namespace weft::app
