#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "weft/error.h"

namespace weft {

/// The value of a hyperparameter. monostate: null, a list or a structure.
using HParamValue = std::variant<std::monostate, double, std::string, bool>;

/// The content of a summary of TensorBoard's plugin `hparams`: the description of an experiment, or the start or the end of a session (one training).
struct HParamsData {
  enum class Kind { None, Experiment, SessionStart, SessionEnd } kind = Kind::None;
  /// Status of SessionEnd, as in TensorBoard's messages.
  enum Status { Unknown = 0, Success = 1, Failure = 2, Running = 3 };
  struct Hyperparameter {
    enum Type { Unset = 0, Text = 1, Bool = 2, Number = 3 };
    std::string name, displayName;
    int type = Unset;
    std::vector<HParamValue> choices;                     ///< The values it may have; empty: not stated.
    std::optional<std::pair<double, double>> range = {};  ///< Of a number, instead of choices.
  };
  struct Metric {
    std::string group, tag, displayName;  ///< The curve `tag` of the run `group` below the session's; group empty: of the session's run.
  };
  std::string description;                                  ///< Experiment
  std::vector<Hyperparameter> hyperparameters;              ///< Experiment
  std::vector<Metric> metrics;                              ///< Experiment
  std::vector<std::pair<std::string, HParamValue>> values;  ///< SessionStart
  std::string group;                                        ///< SessionStart: sessions of one group repeat the same hyperparameters
  double time = 0;                                          ///< Seconds since 1970: created, started or ended.
  int status = Unknown;                                     ///< SessionEnd
};
/// Decodes the metadata's content of a value of the plugin `hparams`. DATA_LOSS if it is malformed.
WEFT_API Result<HParamsData> decodeHParams(std::string_view content);
/// The inverse: the metadata's content of such a value.
WEFT_API std::string encodeHParams(const HParamsData& data);
/// Writes an event file with that one record, as TensorBoard expects it: an experiment in the folder of all runs, start and end of a session in the run's.
/// TensorBoard reads the files of a folder in the order of their names and never returns to an earlier one, so `time` must be before that of the run's own
/// event file for a start, and after it for an end. Seconds since 1970.
WEFT_API Status writeHParams(const std::string& folder, const HParamsData& data, double time);

/// A layout of TensorBoard's plugin `custom_scalars`: groups of charts with curves of several tags.
struct ChartLayout {
  struct Margin {
    std::string value, lower, upper;  ///< Tags: a curve between two others.
  };
  struct Chart {
    std::string title;
    std::vector<std::string> tags;  ///< Regular expressions that match from the start of a tag.
    std::vector<Margin> margins;    ///< Of a margin chart.
  };
  struct Category {
    std::string title;
    std::vector<Chart> charts;
    bool closed = false;
  };
  std::vector<Category> categories;
};
/// Decodes the string in the tensor of a value of the plugin `custom_scalars`. DATA_LOSS if it is malformed.
WEFT_API Result<ChartLayout> decodeChartLayout(std::string_view bytes);

/// The description of a part of a mesh, from the metadata of TensorBoard's plugin `mesh`. A mesh has one tag per part; their tensors are [samples, N, 3].
struct MeshPart {
  enum class Kind { Undefined, Vertices, Faces, Colors };
  std::string name;  ///< Of the mesh.
  Kind kind = Kind::Undefined;
  std::string config;  ///< JSON: camera, lights and material of the drawing; "{}" if not given.
};
/// Decodes the metadata's content of a value of the plugin `mesh`. DATA_LOSS if it is malformed.
WEFT_API Result<MeshPart> decodeMeshPart(std::string_view content);

}  // namespace weft
