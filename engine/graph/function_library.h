#pragma once

#include <string>

namespace weft {

/// The functions of a graph, as the bytes of a FunctionDefLibrary.
class FunctionLibrary {
 public:
  explicit FunctionLibrary(std::string bytes) : bytes_(std::move(bytes)) {}
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

}  // namespace weft
