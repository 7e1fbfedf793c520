#pragma once

#include <functional>
#include <memory>

namespace weft::app {

class MainWindow;
class StudioApplication;
struct StudioOptions;

/// `weft-studio --bench live`: trains a template or a document (`--open`, the MLP of the templates if nothing is said) for `--items N` steps with the
/// Train layout on screen, and prints how long after its end a step is seen in the chart of the loss, how much of the processors the GUI thread takes
/// meanwhile, and which of its handlers took long. Returns the exit status.
int runLiveBench(StudioApplication& application, const StudioOptions& options, const std::function<std::unique_ptr<MainWindow>()>& makeWindow);

}  // namespace weft::app
