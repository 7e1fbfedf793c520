#include <fnmatch.h>

#include <algorithm>
#include <set>

#include "ops/matching_files.h"
#include "ops/registry.h"
#include "weft/file_system.h"

// Ops on files: reading, writing, matching file names.
namespace weft {
namespace {

Status readFile(KernelContext& c) {
  const Tensor& name = c.input(0);
  if (!name.shape().isScalar()) return invalidArgument("Input filename tensor must be scalar, but had shape: ", name.shape().toString());
  WEFT_LET(std::string contents, posixFileSystem().readAll(name.data<std::string>()[0]));
  c.setOutput(0, Tensor::scalar(std::move(contents)));
  return {};
}

Status writeFile(KernelContext& c) {
  const Tensor &name = c.input(0), &contents = c.input(1);
  if (!name.shape().isScalar()) return invalidArgument("Input filename tensor must be scalar, but had shape: ", name.shape().toString());
  if (!contents.shape().isScalar()) return invalidArgument("Contents tensor must be scalar, but had shape: ", contents.shape().toString());
  const std::string& path = name.data<std::string>()[0];
  FileSystem& files = posixFileSystem();
  if (const std::string folder = folderOf(path); !files.exists(folder)) WEFT_TRY(files.makeFolders(folder));
  WEFT_LET(auto file, files.create(path));
  WEFT_TRY(file->append(contents.data<std::string>()[0]));
  return file->close();
}

/// Position of the first special character of a pattern.
size_t firstSpecial(const std::string& pattern) { return std::min(pattern.find_first_of("*?[\\"), pattern.size()); }

/// Compares everything below the folder before the first special character with the whole pattern.
Status matchOne(const std::string& given, std::set<std::string>& found) {
  FileSystem& files = posixFileSystem();
  std::string pattern = given;
  std::string folder = folderOf(pattern.substr(0, firstSpecial(pattern)));
  if (folder == "." && pattern.rfind("./", 0) != 0) pattern = "./" + pattern;
  std::vector<std::string> folders{folder};
  bool first = true;
  while (!folders.empty()) {
    const std::string at = std::move(folders.back());
    folders.pop_back();
    auto names = files.list(at);
    if (!names.ok()) {
      if (first) return names.error();
      continue;  // skip folders that cannot be read
    }
    first = false;
    for (const std::string& name : *names) {
      const std::string path = at.back() == '/' ? at + name : at + "/" + name;
      if (fnmatch(pattern.c_str(), path.c_str(), FNM_PATHNAME) == 0) found.insert(path);
      // Descend only as deep as the pattern has folders.
      const auto depth = [](const std::string& p) { return std::count(p.begin(), p.end(), '/'); };
      if (depth(path) >= depth(pattern)) continue;
      const auto info = files.stat(path);
      if (info.ok() && info->isFolder) folders.push_back(path);
    }
  }
  return {};
}

}  // namespace

Status addMatchingFiles(const std::string& pattern, std::set<std::string>& found) { return matchOne(pattern, found); }

namespace {

Status matchingFiles(KernelContext& c) {
  const Tensor& patterns = c.input(0);
  if (patterns.rank() > 1) return invalidArgument("Input patterns tensor must be scalar or vector, but had shape: ", patterns.shape().toString());
  std::set<std::string> found;
  for (const std::string& pattern : patterns.flat<std::string>()) WEFT_TRY(matchOne(pattern, found));
  c.setOutput(0, Tensor::vector(std::vector<std::string>(found.begin(), found.end())));
  return {};
}

/// TensorFlow aborts the process here. An op must not end the host program, so it ends the run instead.
Status abortRun(KernelContext& c) {
  const std::string message = c.node().attrs.text("error_msg");
  return abortedError(message.empty() ? "The graph asked to abort." : message);
}

}  // namespace

void registerFiles(OpRegistry& ops) {
  constexpr const char* kNoGradient = "Files are not differentiable.";
  ops.add("ReadFile")
      .category("Data")
      .summary("Reads the contents of a file.")
      .input("filename: string", "The file; a scalar.")
      .output("contents: string", "The file's bytes; a scalar.")
      .shape([](ShapeContext& c) -> Status {
        WEFT_TRY(c.requireRank(c.input(0), 0));
        return shapes::scalar(c);
      })
      .noGradient(kNoGradient)
      .cpu({}, simpleKernel(readFile));
  ops.add("WriteFile")
      .category("Data")
      .summary("Writes a string to a file; creates missing folders.")
      .input("filename: string", "The file; a scalar.")
      .input("contents: string", "The file's bytes; a scalar.")
      .stateful()
      .shape([](ShapeContext& c) -> Status {
        WEFT_TRY(c.requireRank(c.input(0), 0));
        return c.requireRank(c.input(1), 0);
      })
      .noGradient(kNoGradient)
      .cpu({}, simpleKernel(writeFile));
  ops.add("MatchingFiles")
      .category("Data")
      .summary("Names of the files that match patterns, sorted.")
      .description("In a pattern, * matches any characters except /, ? matches one character, [abc] matches one of those listed.")
      .input("pattern: string", "Glob patterns; a scalar or a vector.")
      .output("filenames: string", "File names; a vector.")
      .shape([](ShapeContext& c) -> Status {
        WEFT_TRY(c.requireRankAtMost(c.input(0), 1));
        c.setOutput(0, Shape::unknownOfRank(1));
        return {};
      })
      .noGradient(kNoGradient)
      .cpu({}, simpleKernel(matchingFiles));
  ops.add("Abort")
      .category("Control flow")
      .summary("Aborts the run with an error.")
      .description("TensorFlow aborts the whole process; Weft ends only the run.")
      .attr("error_msg: string = ''", "The error message.")
      .attr("exit_without_error: bool = false", "In TensorFlow, exit the process without an error code.")
      .shape(shapes::none)
      .noGradient("It has no outputs.")
      .cpu({}, simpleKernel(abortRun));
  state(ops, OpRole::Compute, Effect::File, "WriteFile");
}

}  // namespace weft
