#pragma once

#include <functional>
#include <memory>

namespace weft::app {

class MainWindow;
class StudioApplication;
struct StudioOptions;

/// `weft-studio --bench sheet`: opens a graph of many nodes in the spreadsheet, and prints how long reading, filters, orders and edits take, and the longest
/// event on the GUI thread meanwhile. Returns the exit status.
int runSheetBench(StudioApplication& application, const StudioOptions& options, const std::function<std::unique_ptr<MainWindow>()>& makeWindow);

}  // namespace weft::app
