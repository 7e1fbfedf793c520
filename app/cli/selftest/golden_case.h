#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/selftest/compare.h"
#include "weft/error.h"
#include "weft/tensor.h"

namespace weft::cli {

/// The form of the inputs in the graph that is built for a check.
enum class InputForm {
  Constants,           ///< As stored.
  PlaceholdersOfRank,  ///< Placeholders of known rank with unknown dims.
  Placeholders,        ///< Placeholders of unknown shape.
};

/// One golden record: a GraphDef with the nodes in/*, op and their expected results (tests/golden/ops/README.md).
struct GoldenCase {
  std::string name;  ///< `_case`
  std::string opType;
  std::string compare;  ///< `_compare`
  std::vector<Tensor> inputs;
  std::map<int, Tensor> want, dy, grad;
  std::optional<Tolerance> tolerance;
  int errorCode = 0, runErrorCode = 0;  ///< 0: no error expected.
  std::string errorPhrase, runErrorPhrase;

  /// The GraphDef of in/* and op only.
  std::string graph(InputForm form) const;

  std::vector<std::string> inputNodes;  ///< Serialised NodeDefs of in/0, in/1, …
  std::string opNode, versions;         ///< Serialised NodeDef and VersionDef.
};

/// Parses a record. The constants are read by the engine's loader.
Result<GoldenCase> parseGoldenCase(const std::string& record);

}  // namespace weft::cli
