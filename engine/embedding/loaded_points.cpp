#include "weft/arrays.h"
#include "weft/embedding.h"

namespace weft {
namespace {

bool endsWith(const std::string& text, std::string_view end) {
  return text.size() >= end.size() && std::string_view(text).substr(text.size() - end.size()) == end;
}

Result<Tensor> load(const std::string& path, FileSystem* files) {
  if (endsWith(path, ".npy")) return loadNpy(path, files);
  CsvOptions options;
  options.delimiter = endsWith(path, ".csv") ? ',' : '\t';
  if (options.delimiter == '\t') options.header = false;
  WEFT_LET(const CsvTable table, loadCsv(path, options, files));
  const int64_t columns = int64_t(table.columns.size()), rows = columns > 0 ? table.columns[0].dim(0) : 0;
  WEFT_LET(Tensor out, Tensor::allocate(DType::Float, {rows, columns}));
  for (int64_t c = 0; c < columns; ++c) {
    const Tensor& column = table.columns[size_t(c)];
    if (column.dtype() == DType::String) return invalidArgument("Column ", c, " holds text; a table of points holds only numbers.");
    for (int64_t r = 0; r < rows; ++r) out.mutableData<float>()[r * columns + c] = float(column.asDouble(r));
  }
  return out;
}

}  // namespace

Result<Points> pointsOf(const Tensor& tensor) {
  if (!isNumeric(tensor.dtype()) && tensor.dtype() != DType::Bool)
    return invalidArgument("The tensor holds ", dtypeName(tensor.dtype()), "; points are numbers.");
  if (tensor.rank() < 2) return invalidArgument("The tensor has the shape ", tensor.shape().toString(), "; points need rows and columns.");
  int64_t columns = 1;
  for (int i = 1; i < tensor.rank(); ++i) columns *= tensor.dim(i);
  const Shape shape{tensor.dim(0), columns};
  if (tensor.dtype() == DType::Float && tensor.place() == 0) return Points{tensor.reshaped(shape)};
  WEFT_LET(const Tensor here, tensor.place() == 0 ? Result<Tensor>(tensor) : tensor.clone());
  WEFT_LET(Tensor out, Tensor::allocate(DType::Float, shape));
  float* to = out.mutableData<float>();
  for (int64_t i = 0; i < out.elements(); ++i) to[i] = float(here.asDouble(i));
  return Points{std::move(out)};
}

Result<Points> loadPoints(const std::string& path, FileSystem* files) {
  auto loaded = load(path, files);
  if (!loaded.ok()) return loaded.error().inFile(path);
  auto points = pointsOf(*loaded);
  if (!points.ok()) return points.error().inFile(path);
  return points;
}

}  // namespace weft
