#include "cli/onnx_models.h"

#include <iostream>

#include "weft/file_system.h"

namespace weft::cli {
namespace {

/// "x" and "name=x" as the tensor "x:0".
std::vector<std::string> tensorsOf(const std::vector<std::string>& given) {
  std::vector<std::string> out;
  for (const std::string& text : given) {
    const size_t equals = text.find('=');
    std::string tensor = equals == text.npos ? text : text.substr(equals + 1);
    out.push_back(tensor.find(':') == tensor.npos ? tensor + ":0" : tensor);
  }
  return out;
}

}  // namespace

Result<ImportedModel> importOnnx(const std::string& path) {
  WEFT_LET(ImportedModel model, onnxFileToGraph(path));
  for (const std::string& warning : model.warnings) std::cerr << "weft: " << path << ": " << warning << "\n";
  return model;
}

Status exportOnnx(const std::string& from, const std::string& to, const std::vector<std::string>& inputs, const std::vector<std::string>& outputs, int opset) {
  FileSystem& files = posixFileSystem();
  WEFT_LET(const std::string bytes, files.readAll(from));
  ModelExport what;
  what.inputs = tensorsOf(inputs);
  what.outputs = tensorsOf(outputs);
  WEFT_LET(const std::string model, graphToOnnx(bytes, what, opset));
  if (to == "-") {
    std::cout.write(model.data(), std::streamsize(model.size())).flush();
    return {};
  }
  return files.writeAtomically(to, model);
}

}  // namespace weft::cli
