#pragma once

#include <string>
#include <vector>

#include "weft/dataset.h"
#include "weft/file_system.h"
#include "weft/session.h"

namespace weft {

/// Variables whose rows represent words, written for TensorBoard's projector: projector_config.pbtxt lists for each a table of values and a table of words.
class Projector {
 public:
  /// Parses the option `projector` of a binding. INVALID_ARGUMENT if it cannot be parsed, NOT_FOUND for a column without words. Variables that the graph does
  /// not have (any more) are left out.
  static Result<Projector> of(const DatasetBinding& binding, const Dataset& data, const Graph& graph);
  /// Writes the files, or nothing if there are no variables. Variables without a value are left out.
  Status write(const Session& session, const std::string& folder, FileSystem& files) const;

 private:
  struct Table {
    std::string variable;
    std::vector<std::string> words;
  };
  std::vector<Table> tables_;
};

}  // namespace weft
