#pragma once

#include <functional>
#include <memory>

namespace weft::app {

class MainWindow;
class StudioApplication;
struct StudioOptions;

/// `weft-studio --bench live`: trains a template or a document (`--open`, default: the MLP template) for `--items N` steps in the Train layout. Prints the
/// delay from the end of a step until the loss chart shows it, the GUI thread's share of the processors, and its slow handlers. Returns the exit status.
int runLiveBench(StudioApplication& application, const StudioOptions& options, const std::function<std::unique_ptr<MainWindow>()>& makeWindow);

}  // namespace weft::app
