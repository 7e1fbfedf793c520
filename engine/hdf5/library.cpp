#include <hdf5.h>

#include <algorithm>
#include <functional>

#include "kernel/hdf5_library.h"

namespace weft {
namespace {

/// Closes an object of the HDF5 library.
class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  Handle(const Handle&) = delete;
  operator hid_t() const { return id_; }
  bool ok() const { return id_ >= 0; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

hid_t typeOf(DType type) {
  switch (type) {
    case DType::Float: return H5T_NATIVE_FLOAT;
    case DType::Double: return H5T_NATIVE_DOUBLE;
    case DType::Int32: return H5T_NATIVE_INT32;
    case DType::Int64: return H5T_NATIVE_INT64;
    default: return -1;
  }
}

/// A text of variable length, or a list of texts of the longest one's length, as h5py writes bytes.
bool writeAttribute(hid_t owner, const Hdf5TextAttribute& attribute) {
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  if (!attribute.list) {
    const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
    if (H5Tset_size(type, H5T_VARIABLE) < 0) return false;
    const Handle made(H5Acreate2(owner, attribute.name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    const char* text = attribute.texts.empty() ? "" : attribute.texts[0].c_str();
    return made.ok() && H5Awrite(made, type, &text) >= 0;
  }
  size_t width = 1;
  for (const std::string& text : attribute.texts) width = std::max(width, text.size());
  const hsize_t count = attribute.texts.size();
  const Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose);
  if (H5Tset_size(type, width) < 0 || H5Tset_strpad(type, H5T_STR_NULLPAD) < 0) return false;
  std::string all(std::max<size_t>(1, width * count), '\0');
  for (size_t i = 0; i < count; ++i) attribute.texts[i].copy(all.data() + i * width, width);
  const Handle made(H5Acreate2(owner, attribute.name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  return made.ok() && (count == 0 || H5Awrite(made, type, all.data()) >= 0);
}

bool writeItem(hid_t owner, const Hdf5Item& item, std::string& why) {
  for (const Hdf5TextAttribute& attribute : item.attributes) {
    if (writeAttribute(owner, attribute)) continue;
    why = "the attribute '" + attribute.name + "' of '" + item.name + "' cannot be written";
    return false;
  }
  for (const Hdf5Item& child : item.children) {
    if (child.value.dtype() == DType::Invalid) {
      const Handle group(H5Gcreate2(owner, child.name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
      if (!group.ok()) {
        why = "the group '" + child.name + "' cannot be made";
        return false;
      }
      if (!writeItem(group, child, why)) return false;
      continue;
    }
    const hid_t type = typeOf(child.value.dtype());
    std::vector<hsize_t> dims;
    for (const int64_t d : child.value.shape().dims()) dims.push_back(hsize_t(d));
    const Handle space(dims.empty() ? H5Screate(H5S_SCALAR) : H5Screate_simple(int(dims.size()), dims.data(), nullptr), H5Sclose);
    const Handle made(type < 0 ? -1 : H5Dcreate2(owner, child.name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
    if (!made.ok() || H5Dwrite(made, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, child.value.raw()) < 0) {
      why = "the dataset '" + child.name + "' of type " + dtypeName(child.value.dtype()) + " cannot be written";
      return false;
    }
  }
  return true;
}

bool write(const Hdf5Item& root, std::string& bytes, std::string& why) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // failures are told by what is returned
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  constexpr size_t kGrowth = 1 << 20;
  if (!access.ok() || H5Pset_fapl_core(access, kGrowth, false) < 0) {
    why = "a file in memory cannot be made";
    return false;
  }
  const Handle file(H5Fcreate("weft", H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose);
  if (!file.ok()) {
    why = "a file in memory cannot be made";
    return false;
  }
  if (!writeItem(file, root, why)) return false;
  H5Fflush(file, H5F_SCOPE_GLOBAL);
  const ssize_t size = H5Fget_file_image(file, nullptr, 0);
  if (size <= 0) {
    why = "the file's bytes cannot be read";
    return false;
  }
  bytes.resize(size_t(size));
  return H5Fget_file_image(file, bytes.data(), bytes.size()) == size;
}

}  // namespace
}  // namespace weft

extern "C" WEFT_API void weftHdf5Library(weft::Hdf5LibraryEntry* entry) {
  entry->abiVersion = weft::kHdf5AbiVersion;
  entry->write = weft::write;
}
