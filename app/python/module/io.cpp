#include "module/graph_core.h"
#include "module/interpreter_lock.h"
#include "weft/checkpoint.h"
#include "weft/graph_transforms.h"
#include "weft/records.h"

// Files of records and checkpoints for Python. The interpreter lock is released during I/O.
namespace weft::python {
namespace {

template <typename F>
auto unlocked(F work) {
  const InterpreterReleased released;
  return work();
}

void raiseIfError(const Status& status) {
  if (!status.ok()) raise(status.error());
}

class Writer {
 public:
  Writer(const std::string& path, const std::string& compression) : writer_(valueOf(RecordWriter::create(path, valueOf(compressionFromName(compression))))) {}
  void write(const py::bytes& record) {
    char* data = nullptr;
    Py_ssize_t size = 0;
    if (PyBytes_AsStringAndSize(record.ptr(), &data, &size) != 0) throw py::error_already_set();
    const std::string_view bytes(data, size_t(size));
    raiseIfError(unlocked([&] { return writer_->write(bytes); }));
  }
  void flush() {
    raiseIfError(unlocked([&] { return writer_->flush(); }));
  }
  void close() {
    raiseIfError(unlocked([&] { return writer_->close(); }));
  }

 private:
  std::unique_ptr<RecordWriter> writer_;
};

class Reader {
 public:
  Reader(const std::string& path, const std::string& compression) : reader_(valueOf(RecordReader::open(path, valueOf(compressionFromName(compression))))) {}
  py::object next() {
    std::string record;
    const Result<bool> more = unlocked([&] { return reader_->next(&record); });
    if (!valueOf(more)) return py::none();
    return py::bytes(record);
  }

 private:
  std::unique_ptr<RecordReader> reader_;
};

class Checkpoint {
 public:
  explicit Checkpoint(const std::string& prefix) : reader_(valueOf(unlocked([&] { return CheckpointReader::open(prefix); }))) {}
  py::list tensors() const {
    py::list out;
    for (const CheckpointEntry& e : reader_->tensors()) out.append(py::make_tuple(e.name, int(e.dtype), shapeToPython(e.shape)));
    return out;
  }
  bool has(const std::string& name) const { return reader_->find(name) != nullptr; }
  py::object read(const std::string& name) const {
    const Tensor value = valueOf(unlocked([&] { return reader_->read(name); }));
    return arrayFromTensor(value, false);
  }
  int version() const { return reader_->version(); }

 private:
  std::unique_ptr<CheckpointReader> reader_;
};

using Names = std::vector<std::string>;

/// What `work` makes of a graph, and the warnings that it gives.
template <typename F>
py::tuple graphAndWarnings(F work) {
  Names warnings;
  const std::string made = valueOf(unlocked([&] { return work(&warnings); }));
  return py::make_tuple(py::bytes(made), warnings);
}

}  // namespace

void bindIo(py::module_& m) {
  m.def("transform_graph", [](const std::string& graph, const Names& inputs, const Names& outputs, const std::string& transforms) {
    return graphAndWarnings([&](Names* warnings) -> Result<std::string> {
      WEFT_LET(const auto calls, parseTransforms(transforms));
      return transformGraph(graph, inputs, outputs, calls, warnings);
    });
  });
  m.def("strip_unused", [](const std::string& graph, const Names& inputs, const Names& outputs, const std::vector<int>& types) {
    return py::bytes(valueOf(unlocked([&] { return stripUnused(graph, inputs, outputs, types); })));
  });
  m.def("optimize_for_inference", [](const std::string& graph, const Names& inputs, const Names& outputs, const std::vector<int>& types, bool tocoCompatible) {
    return graphAndWarnings([&](Names* warnings) { return optimizeForInference(graph, inputs, outputs, types, tocoCompatible, warnings); });
  });
  m.def("fold_batch_norms", [](const std::string& graph, const Names& outputs) {
    return graphAndWarnings([&](Names* warnings) { return foldInferenceNorms(graph, outputs, warnings); });
  });
  m.def("fuse_resize_and_conv", [](const std::string& graph, const Names& outputs) {
    return graphAndWarnings([&](Names* warnings) { return fuseResizeAndConv(graph, outputs, warnings); });
  });
  py::class_<Writer>(m, "RecordWriter", "Writes a file of records.")
      .def(py::init<const std::string&, const std::string&>())
      .def("write", &Writer::write)
      .def("flush", &Writer::flush)
      .def("close", &Writer::close);
  py::class_<Reader>(m, "RecordReader", "Reads a file of records: next() gives bytes, None at the end.")
      .def(py::init<const std::string&, const std::string&>())
      .def("next", &Reader::next);
  py::class_<Checkpoint>(m, "CheckpointReader", "Reads a checkpoint of either version.")
      .def(py::init<const std::string&>())
      .def("tensors", &Checkpoint::tensors)
      .def("has", &Checkpoint::has)
      .def("read", &Checkpoint::read)
      .def("version", &Checkpoint::version);
}

}  // namespace weft::python
