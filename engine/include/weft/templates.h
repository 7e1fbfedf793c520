#pragma once

#include <string>
#include <vector>

#include "weft/builder.h"

#pragma GCC visibility push(default)  // the whole module is part of the exported API
namespace weft::api {

/// A document to start from: a network with data, ready to train.
struct Template {
  std::string name;  ///< "lenet-digits", "gan-digits", "mlp"
  std::string title;
  std::string summary;  ///< One sentence on what it shows.
  bool shown = false;   ///< Shown on the start page. The others are small and train in seconds.
  int seconds = 2;      ///< Approximate training time on two processors.
};
const std::vector<Template>& templates();

/// Builds a template: a graph with training ops, saver and summaries, and the `weft/` collections (data set, training, title). NOT_FOUND lists the names.
Result<MetaGraph> buildTemplate(const std::string& name);

}  // namespace weft::api
#pragma GCC visibility pop
