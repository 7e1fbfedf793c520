#pragma once

#include <span>
#include <string>
#include <vector>

#include "weft/arrays.h"
#include "weft/defects.h"
#include "weft/error.h"
#include "weft/file_system.h"
#include "weft/model_import.h"
#include "weft/translated.h"

namespace weft {

/// How people look at the arrays of a file.
enum class ArrayLook {
  Values,    ///< As numbers and colours.
  Pictures,  ///< Arrays of uint8 or uint16 are pictures: [height, width, 1 … 4 channels], several of these, or several grey ones, [n, height, width].
  Sound,     ///< Arrays of rank 2 are samples, [frames, channels]; the report's `rate` is their number a second.
};

/// One kind of file or folder that Weft understands. Stated once, in engine/io/inspect; `weft inspect`, `weft convert`, the pages of the window, its file
/// dialogs, the MIME types and the completion of the shell read it. Texts live as long as the program.
struct WEFT_API FileKind {
  const char* name;                    ///< As `weft inspect` says it: "tflite".
  const char* title;                   ///< "TensorFlow Lite model"; for translation in the context "FileKinds".
  const char* doc;                     ///< One sentence on what such a file holds; translated as `title`.
  const char* endings;                 ///< Usual ends of its name, separated by spaces: ".tflite .lite"; empty: none. Only a hint: contents decide.
  const char* mimeType = "";           ///< "application/x-tflite"; empty: none of its own.
  bool isFolder = false;               ///< A folder, or one of the files in it.
  bool hasGraph = false;               ///< openModelGraph() reads it.
  bool writesGraph = false;            ///< writeModel() writes it.
  bool hasArrays = false;              ///< readArrays() reads it.
  bool keepsVariables = false;         ///< Such a model has variables, whose values are written too.
  ArrayLook look = ArrayLook::Values;  ///< Of what readArrays() returns.
  /// Whether its graph is rebuilt from a model of another format, not one of TensorFlow's own messages.
  bool isRebuilt() const;
};

/// All kinds, in the order in which files are compared with them.
WEFT_API std::span<const FileKind* const> fileKinds();
/// The kind of that name; null if there is none.
WEFT_API const FileKind* findFileKind(std::string_view name);
/// The kind of a file or folder by its content; null: none of them, or it cannot be read. The file is not checked.
WEFT_API const FileKind* fileKindOf(const std::string& path, FileSystem* files = nullptr);

/// A model of another format, rebuilt as a graph.
struct OpenedModel {
  Result<LoadedGraph> graph;
  std::vector<std::string> warnings;         ///< What the graph does not say or computes otherwise than the model.
  std::shared_ptr<const std::string> bytes;  ///< The file's.
};

/// The graph of any file that has one: a graph, the serving graph of a SavedModel, a model of another format rebuilt as a graph. Graphs that TensorFlow would
/// refuse are read too. `warnings`, if given, receives what the graph does not say or computes otherwise than the model.
WEFT_API Result<LoadedGraph> openModelGraph(const std::string& path, std::vector<std::string>* warnings = nullptr, FileSystem* files = nullptr);
/// The arrays of a file: those of .npz, .mat and tables, of HDF5 and checkpoints by their names; of a file with one array that array under "". A picture is uint8 [height, width,
/// channels], an animation [frames, height, width, channels], a sound float32 [frames, channels].
/// `warnings`, if given, receives what of the file is no array, one sentence each.
WEFT_API Result<std::vector<NamedTensor>> readArrays(const std::string& path, std::vector<std::string>* warnings = nullptr, FileSystem* files = nullptr);
/// A graph as a model of another format, for the kinds that say so. `metaGraph`: a serialised MetaGraphDef, without variables unless the kind keeps them.
WEFT_API Result<std::string> writeModel(const std::string& kind, std::string_view metaGraph, const ModelExport& what);

}  // namespace weft
