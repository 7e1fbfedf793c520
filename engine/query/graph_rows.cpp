// Tables of graphs and checkpoints. Rows are computed from the node or entry when a query reads them.
#include <algorithm>

#include "profile/node_facts.h"
#include "query/sources.h"
#include "weft/scopes.h"
#include "weft/tensor_statistics.h"
#include "weft/variables.h"

namespace weft::query {
namespace {

QueryValue integerOrNull(int64_t value) { return value < 0 ? QueryValue() : QueryValue(value); }

QueryValue shapeText(const Shape& shape) { return shape.hasRank() ? QueryValue(shape.toString()) : QueryValue(); }

QueryValue bytesOf(const Shape& shape, DType type) {
  const int64_t elements = shape.elements(), width = int64_t(sizeOf(baseType(type)));
  return elements < 0 || width == 0 || elements > INT64_MAX / width ? QueryValue() : QueryValue(elements * width);
}

struct GraphRows {
  struct Edge {
    int target = 0, port = 0;  // port −1 − k: the control input k
  };
  std::shared_ptr<const MetaGraph> meta;
  const Graph* graph = nullptr;
  std::vector<VariableFacts> variables;
  std::vector<int> nodes, consumers;
  std::vector<Edge> edges;
  std::vector<std::pair<int, int>> attrs;  // node, position among its attributes

  const Node& node(Row row) const { return *graph->node(nodes[row]); }

  QueryValue flops(Row row) const {
    const Node& n = node(row);
    std::vector<Shape> inputs;
    for (const Output o : n.inputs) inputs.push_back(graph->shape(o));
    const auto unknown = [](const Shape& s) { return s.elements() < 0; };
    if (std::any_of(inputs.begin(), inputs.end(), unknown) || std::any_of(n.outputShapes.begin(), n.outputShapes.end(), unknown)) return {};
    return costOf(n, inputs, n.outputShapes).flops;
  }

  /// The source of an edge: an output, or with index −1 a node that only has to run first.
  Output source(Row row) const {
    const Edge& e = edges[row];
    const Node& target = *graph->node(e.target);
    return e.port >= 0 ? target.inputs[size_t(e.port)] : Output{target.controls[size_t(-1 - e.port)], -1};
  }
};

/// Columns that call `f(rows, row)`.
template <typename Rows>
class CallColumns {
 public:
  explicit CallColumns(std::shared_ptr<Rows> rows) : rows_(std::move(rows)) {}
  template <typename F>
  CallColumns& add(F&& f) {
    sources_.push_back(Source::ofCall([rows = rows_.get(), f](Row row) -> QueryValue { return f(*rows, row); }));
    return *this;
  }
  /// The segment with the file's name in its first column.
  Segment segment(Table& table, const std::string& file, size_t rows) {
    Segment out;
    out.rows = Row(rows);
    out.columns = std::move(sources_);
    out.columns.insert(out.columns.begin(), Source::ofText(table.dictionary.code(file)));
    out.owner = rows_;
    return out;
  }

 private:
  std::shared_ptr<Rows> rows_;
  std::vector<Source> sources_;
};

void addNodes(Tables& tables, const std::string& file, const std::shared_ptr<GraphRows>& rows) {
  using R = const GraphRows&;
  const auto first = [](const Node& n) -> const Shape& {
    static const Shape unknown = Shape::unknown();
    return n.outputShapes.empty() ? unknown : n.outputShapes[0];
  };
  CallColumns<GraphRows> c(rows);
  c.add([](R r, Row i) { return r.node(i).name; })
      .add([](R r, Row i) { return r.node(i).op; })
      .add([](R r, Row i) { return std::string(shownScopeOf(r.node(i).name)); })
      .add([](R r, Row i) { return r.node(i).device; })
      .add([](R r, Row i) { return int64_t(r.node(i).inputs.size()); })
      .add([](R r, Row i) { return int64_t(r.node(i).controls.size()); })
      .add([](R r, Row i) { return int64_t(r.node(i).outputTypes.size()); })
      .add([](R r, Row i) { return int64_t(r.consumers[i]); })
      .add([](R r, Row i) { return r.node(i).outputTypes.empty() ? QueryValue() : QueryValue(dtypeName(r.node(i).outputTypes[0])); })
      .add([first](R r, Row i) { return shapeText(first(r.node(i))); })
      .add([first](R r, Row i) { return integerOrNull(first(r.node(i)).elements()); })
      .add([first](R r, Row i) { return r.node(i).outputTypes.empty() ? QueryValue() : bytesOf(first(r.node(i)), r.node(i).outputTypes[0]); })
      .add([](R r, Row i) { return r.flops(i); })
      .add([](R r, Row i) { return int64_t(r.node(i).record != nullptr); });
  Table& table = tables["nodes"];
  table.add(c.segment(table, file, rows->nodes.size()));
}

void addEdges(Tables& tables, const std::string& file, const std::shared_ptr<GraphRows>& rows) {
  using R = const GraphRows&;
  const auto port = [](int p) { return p < 0 ? QueryValue() : QueryValue(int64_t(p)); };
  CallColumns<GraphRows> c(rows);
  c.add([](R r, Row i) { return r.graph->node(r.source(i).node)->name; })
      .add([port](R r, Row i) { return port(r.source(i).index); })
      .add([](R r, Row i) { return r.graph->node(r.edges[i].target)->name; })
      .add([port](R r, Row i) { return port(r.edges[i].port); })
      .add([](R r, Row i) { return int64_t(r.edges[i].port < 0); })
      .add([](R r, Row i) { return r.source(i).index < 0 ? QueryValue() : QueryValue(dtypeName(r.graph->dtype(r.source(i)))); })
      .add([](R r, Row i) { return r.source(i).index < 0 ? QueryValue() : shapeText(r.graph->shape(r.source(i))); })
      .add([](R r, Row i) { return r.source(i).index < 0 ? QueryValue() : bytesOf(r.graph->shape(r.source(i)), r.graph->dtype(r.source(i))); });
  Table& table = tables["edges"];
  table.add(c.segment(table, file, rows->edges.size()));
}

void addVariables(Tables& tables, const std::string& file, const std::shared_ptr<GraphRows>& rows) {
  using R = const GraphRows&;
  CallColumns<GraphRows> c(rows);
  c.add([](R r, Row i) { return r.graph->node(r.variables[i].node)->name; })
      .add([](R r, Row i) { return r.graph->node(r.variables[i].node)->op; })
      .add([](R r, Row i) { return std::string(shownScopeOf(r.graph->node(r.variables[i].node)->name)); })
      .add([](R r, Row i) { return r.graph->node(r.variables[i].node)->device; })
      .add([](R r, Row i) { return r.variables[i].dtype == DType::Invalid ? QueryValue() : QueryValue(dtypeName(r.variables[i].dtype)); })
      .add([](R r, Row i) { return shapeText(r.variables[i].shape); })
      .add([](R r, Row i) { return integerOrNull(r.variables[i].shape.elements()); })
      .add([](R r, Row i) { return bytesOf(r.variables[i].shape, r.variables[i].dtype); })
      .add([](R r, Row i) { return r.variables[i].isTrainable ? QueryValue(int64_t(*r.variables[i].isTrainable)) : QueryValue(); })
      .add([](R r, Row i) { return r.variables[i].initializer.empty() ? QueryValue() : QueryValue(r.variables[i].initializer); });
  Table& table = tables["variables"];
  table.add(c.segment(table, file, rows->variables.size()));
}

void addAttrs(Tables& tables, const std::string& file, const std::shared_ptr<GraphRows>& rows) {
  using R = const GraphRows&;
  const auto attr = [](R r, Row i) { return r.graph->node(r.attrs[i].first)->attrs.begin() + r.attrs[i].second; };
  CallColumns<GraphRows> c(rows);
  c.add([](R r, Row i) { return r.graph->node(r.attrs[i].first)->name; }).add([attr](R r, Row i) { return attr(r, i)->first; }).add([attr](R r, Row i) {
    return attr(r, i)->second.toString();
  });
  Table& table = tables["attrs"];
  table.add(c.segment(table, file, rows->attrs.size()));
}

/// Statistics of the tensors that were asked for. One thread at a time, as the database.
struct TensorRows {
  std::shared_ptr<const CheckpointReader> checkpoint;
  std::unordered_map<Row, TensorStatistics> known;
  std::vector<std::string>* notes = nullptr;

  const CheckpointEntry& entry(Row row) const { return checkpoint->tensors()[row]; }
  const TensorStatistics& statistics(Row row) {
    const auto [it, made] = known.try_emplace(row);
    if (made) {
      const auto tensor = checkpoint->read(entry(row).name);
      if (tensor.ok()) it->second = statisticsOf(*tensor);
      else notes->push_back(tensor.error().toString());
    }
    return it->second;
  }
};

}  // namespace

void addGraphRows(Tables& tables, const std::string& name, std::shared_ptr<const MetaGraph> meta) {
  auto rows = std::make_shared<GraphRows>();
  rows->meta = std::move(meta);
  rows->graph = &rows->meta->graph;
  rows->variables = variablesOf(*rows->meta);
  const auto consumers = rows->graph->consumers();
  for (int id = 0; id < rows->graph->size(); ++id) {
    const Node* node = rows->graph->node(id);
    if (!node) continue;
    rows->nodes.push_back(id);
    rows->consumers.push_back(int(consumers[size_t(id)].size()));
    for (size_t i = 0; i < node->inputs.size(); ++i)
      if (rows->graph->node(node->inputs[i].node)) rows->edges.push_back({id, int(i)});
    for (size_t i = 0; i < node->controls.size(); ++i)
      if (rows->graph->node(node->controls[i])) rows->edges.push_back({id, -1 - int(i)});
    for (size_t i = 0; i < node->attrs.size(); ++i) rows->attrs.emplace_back(id, int(i));
  }
  addNodes(tables, name, rows);
  addEdges(tables, name, rows);
  addAttrs(tables, name, rows);
  addVariables(tables, name, rows);
}

void addCheckpointRows(Tables& tables, const std::string& name, std::shared_ptr<const CheckpointReader> checkpoint) {
  auto rows = std::make_shared<TensorRows>();
  rows->checkpoint = std::move(checkpoint);
  rows->notes = &tables.notes;
  using R = TensorRows&;
  const auto number = [](auto member) {
    return [member](R r, Row i) {
      const TensorStatistics& s = r.statistics(i);
      return s.isNumeric && s.finite() > 0 ? QueryValue(double(s.*member)) : QueryValue();
    };
  };
  const auto count = [](auto member) {
    return [member](R r, Row i) {
      const TensorStatistics& s = r.statistics(i);
      return s.isNumeric ? QueryValue(int64_t(s.*member)) : QueryValue();
    };
  };
  CallColumns<TensorRows> c(rows);
  c.add([](R r, Row i) { return r.entry(i).name; })
      .add([](R r, Row i) { return dtypeName(r.entry(i).dtype); })
      .add([](R r, Row i) { return shapeText(r.entry(i).shape); })
      .add([](R r, Row i) { return integerOrNull(r.entry(i).shape.elements()); })
      .add([](R r, Row i) { return bytesOf(r.entry(i).shape, r.entry(i).dtype); })
      .add(number(&TensorStatistics::mean))
      .add(number(&TensorStatistics::std))
      .add(number(&TensorStatistics::min))
      .add(number(&TensorStatistics::max))
      .add(number(&TensorStatistics::norm))
      .add(count(&TensorStatistics::nans))
      .add([](R r, Row i) {
        const TensorStatistics& s = r.statistics(i);
        return s.isNumeric ? QueryValue(s.infinities()) : QueryValue();
      })
      .add(count(&TensorStatistics::zeros));
  Table& table = tables["tensors"];
  table.add(c.segment(table, name, rows->checkpoint->tensors().size()));
}

}  // namespace weft::query
