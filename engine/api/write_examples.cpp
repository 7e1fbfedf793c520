// weft-examples FOLDER: writes the template documents there. Runs while the project is built.
#include <filesystem>
#include <iostream>

#include "weft/templates.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: weft-examples FOLDER\n";
    return 2;
  }
  std::error_code ignored;
  std::filesystem::create_directories(argv[1], ignored);
  for (const weft::api::Template& t : weft::api::templates()) {
    const auto meta = weft::api::buildTemplate(t.name);
    const weft::Status saved =
        meta.ok() ? weft::saveGraphFile(*meta, weft::GraphFormat::MetaBinary, std::string(argv[1]) + "/" + t.name + ".weft") : weft::Status(meta.error());
    if (!saved.ok()) {
      std::cerr << "weft-examples: " << t.name << ": " << saved.toString() << "\n";
      return 1;
    }
  }
  return 0;
}
