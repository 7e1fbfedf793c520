#pragma once

#include <string>
#include <vector>

#include "weft/builder.h"

#pragma GCC visibility push(default)  // the whole module is part of the exported API
namespace weft::api {

/// A document that a person can start from: a network with data, ready to be trained.
struct Template {
  std::string name;  ///< "lenet-digits", "gan-digits", "mlp"
  std::string title;
  std::string summary;  ///< One sentence: what one sees.
  bool shown = false;   ///< On the start page; the others are small ones that train in seconds.
  int seconds = 2;      ///< About how long it trains on two processors.
};
const std::vector<Template>& templates();

/// Builds one: graph with training ops, saver and summaries, and the `weft/` collections (data set, training, title). NOT_FOUND lists the names.
Result<MetaGraph> buildTemplate(const std::string& name);

}  // namespace weft::api
#pragma GCC visibility pop
