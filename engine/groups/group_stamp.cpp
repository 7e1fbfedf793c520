// Writes instances into a graph, many in one pass: linear in the nodes of the graph and of the bodies.
#include <algorithm>
#include <unordered_set>

#include "graph/collection_proto.h"
#include "graph/edit_internal.h"
#include "graph/function_library.h"
#include "graph/function_of_graph.h"
#include "groups/group_parts.h"
#include "proto/meta_graph.pb.h"

namespace weft::groups {
namespace {

/// What identifies an entry of a collection: a variable's name, else its bytes.
std::string keyOf(const std::string& bytes) {
  tensorflow::VariableDef variable;
  return variable.ParseFromString(bytes) && !variable.variable_name().empty() ? variable.variable_name() : bytes;
}

bool isOurs(const std::string& collection) { return collection.starts_with("weft/"); }

class Stamper {
 public:
  Stamper(LayerEditor& layers, std::vector<Job>& jobs, std::vector<GroupInstance>& instances, std::vector<std::string>& notes)
      : editor_(layers.editor()), graph_(editor_.graph()), jobs_(jobs), instances_(instances), notes_(notes), recipes_(recipesOf(editor_.meta())) {}

  Status run() {
    for (size_t j = 0; j < jobs_.size(); ++j) jobAt_.emplace(jobs_[j].scope, j);
    std::vector<std::string> scopes;
    for (const Job& job : jobs_) scopes.push_back(job.scope);
    old_ = nodesOf(graph_, scopes);
    const RecipesByScope layerAt = byScope(recipes_);
    results_.resize(jobs_.size());
    for (size_t j = 0; j < jobs_.size(); ++j) {
      if (!jobs_[j].before) continue;
      const auto tensors = boundOutputs(graph_, layerAt, jobs_[j].scope, *jobs_[j].before);
      for (size_t p = 0; p < tensors.size(); ++p)
        if (tensors[p].valid()) results_[j].emplace_back(tensors[p], jobs_[j].before->outputs[p]);
    }
    const std::vector<std::vector<int>> readers = readersOutside();
    WEFT_TRY(addNodes());
    for (size_t j = 0; j < jobs_.size(); ++j) WEFT_TRY(fill(j));
    for (size_t j = 0; j < jobs_.size(); ++j)
      for (const int reader : readers[j]) WEFT_TRY(moveReader(reader));
    std::vector<int> gone;
    for (size_t j = 0; j < jobs_.size(); ++j)
      for (const int id : old_[j])
        if (!kept_.count(id)) gone.push_back(id);
    writeRecords();
    if (!gone.empty()) WEFT_TRY(editor_.remove(gone));
    EditStandIns::removeUnread(editor_, standIns_);
    addToCollections();
    return {};
  }

 private:
  /// Nodes outside of each instance that read it.
  std::vector<std::vector<int>> readersOutside() {
    std::unordered_map<int, size_t> owner;
    for (size_t j = 0; j < jobs_.size(); ++j)
      for (const int id : old_[j]) owner.emplace(id, j);
    owner_ = owner;
    std::vector<std::vector<int>> out(jobs_.size());
    for (int id = 0; id < graph_.size(); ++id) {
      const Node* n = graph_.node(id);
      if (!n || owner.count(id)) continue;  // inputs of instances are translated when they are written
      std::set<size_t> seen;
      for (const Output o : n->inputs)
        if (const auto at = owner.find(o.node); at != owner.end() && seen.insert(at->second).second) out[at->second].push_back(id);
    }
    return out;
  }

  Status addNodes() {
    std::shared_ptr<const FunctionLibrary> taken;
    ids_.resize(jobs_.size());
    for (size_t j = 0; j < jobs_.size(); ++j) {
      const Graph& body = jobs_[j].after->meta.graph;
      ids_[j].assign(size_t(body.size()), -1);
      if (body.functions && body.functions != taken) {
        if (const std::string other = otherFunction(graph_, body); !other.empty())
          return alreadyExists("The group ", jobs_[j].record.group, " needs a function ", other, " other than the one that this document has");
        WEFT_TRY(takeFunctions(graph_, body));
        taken = body.functions;
      }
      for (int id = 0; id < body.size(); ++id) {
        const Node* n = body.node(id);
        if (!n || jobs_[j].after->isPort(id)) continue;
        std::string name = jobs_[j].scope + "/" + n->name;
        if (const Node* own = graph_.find(name)) {
          ids_[j][size_t(id)] = own->id;
        } else {
          Node added = *n;
          added.name = std::move(name);
          added.inputs.clear();
          added.controls.clear();
          added.raw = nullptr;
          if (taken && taken->contains(added.op)) added.record = recordOf(graph_, added.op);
          WEFT_LET(ids_[j][size_t(id)], graph_.add(std::move(added)));
          fresh_.insert(ids_[j][size_t(id)]);
        }
        kept_.insert(ids_[j][size_t(id)]);
      }
    }
    return {};
  }

  /// Where a tensor of the graph before the change is now; invalid: it is gone.
  Output translated(Output o) const {
    const auto at = owner_.find(o.node);
    if (at == owner_.end()) return o;
    const Job& job = jobs_[at->second];
    for (const auto& [tensor, port] : results_[at->second]) {
      if (!(tensor == o)) continue;
      const auto now = std::find(job.after->outputs.begin(), job.after->outputs.end(), port);
      if (now != job.after->outputs.end()) return resultOf(at->second, size_t(now - job.after->outputs.begin()));
    }
    const Node* n = graph_.node(o.node);
    return kept_.count(o.node) && n && o.index < int(n->outputTypes.size()) ? o : Output{};
  }

  Output resultOf(size_t j, size_t port) const {
    const Output inner = jobs_[j].after->results[port];
    if (const int input = jobs_[j].after->inputOf(inner.node); input >= 0) {
      const Output source = jobs_[j].inputs[size_t(input)];
      return source.valid() && !owner_.count(source.node) ? source : Output{};
    }
    return {ids_[j][size_t(inner.node)], inner.index};
  }

  Status fill(size_t j) {
    Job& job = jobs_[j];
    const Variant& v = *job.after;
    const Graph& body = v.meta.graph;
    for (size_t p = 0; p < job.inputs.size(); ++p) {
      Output& source = job.inputs[p];
      if (!source.valid()) continue;
      source = translated(source);
      if (!source.valid() || source.index >= int(graph_.node(source.node)->outputTypes.size())) continue;
      const DType given = baseType(graph_.dtype(source)), want = baseType(body.node(v.inputNodes[p])->outputTypes[0]);
      if (given != want && given != DType::Invalid)
        return invalidArgument("Input ", v.inputs[p], " of ", job.scope, " takes ", dtypeName(want), "; ", graph_.tensorName(source), " is ", dtypeName(given))
            .atNode(job.scope);
    }
    for (int id = 0; id < body.size(); ++id) {
      const int own = ids_[j][size_t(id)];
      if (own >= 0) WEFT_TRY(fillNode(job, *body.node(id), own, ids_[j]));
    }
    return {};
  }

  Status fillNode(const Job& job, const Node& from, int own, const std::vector<int>& ids) {
    const Node& was = *graph_.node(own);
    const bool fresh = fresh_.count(own) > 0;
    Node now = from;
    now.id = own;
    now.name = was.name;
    now.raw = nullptr;
    if (!fresh) now.device = was.device;  // where an instance runs is its own affair
    if (now.attrs.find("_class")) {
      auto places = now.attrs.list<std::string>("_class");
      for (std::string& c : places)
        if (c.starts_with("loc:@")) c = "loc:@" + job.scope + "/" + c.substr(5);
      now.attrs.set("_class", places);
    }
    now.controls.clear();
    for (const int c : from.controls)
      if (ids[size_t(c)] >= 0) now.controls.push_back(ids[size_t(c)]);
    if (!fresh)
      for (const int c : was.controls)  // order that was set from outside stays
        if (const auto at = owner_.find(c); at == owner_.end() || &jobs_[at->second] != &job) now.controls.push_back(c);
    std::vector<int> open;
    for (size_t k = 0; k < from.inputs.size(); ++k) {
      Output& input = now.inputs[k];
      if (const int port = job.after->inputOf(from.inputs[k].node); port >= 0) {
        input = job.inputs[size_t(port)];
        if (input.valid()) continue;
        const Node* there = !fresh && k < was.inputs.size() ? graph_.node(was.inputs[k].node) : nullptr;
        if (there && isOpenInput(*there)) input = was.inputs[k];
        else open.push_back(int(k));
      } else {
        input = {ids[size_t(input.node)], input.index};
      }
    }
    for (const int k : open) {
      const DType type = size_t(k) < now.inputTypes.size() && now.inputTypes[size_t(k)] != DType::Invalid ? now.inputTypes[size_t(k)] : DType::Float;
      WEFT_LET(const int standIn, EditStandIns::add(editor_, now, k, type));
      now.inputs[size_t(k)] = {standIn, 0};
    }
    const Node& before = *graph_.node(own);
    for (const Output o : before.inputs)
      if (const Node* source = graph_.node(o.node); source && isOpenInput(*source)) standIns_.insert(o.node);
    if (!fresh && before.op == now.op && before.device == now.device && before.attrs == now.attrs && before.inputs == now.inputs &&
        before.controls == now.controls)
      return {};
    editor_.touch(own);
    return graph_.change(own, [&](Node& n) { n = std::move(now); });
  }

  Status moveReader(int id) {
    if (!graph_.node(id)) return {};
    const Node& n = *graph_.node(id);
    std::vector<Output> inputs = n.inputs;
    for (size_t k = 0; k < inputs.size(); ++k) {
      if (!owner_.count(inputs[k].node)) continue;
      const Output now = translated(inputs[k]);
      const bool fits = now.valid() && (k >= n.inputTypes.size() || n.inputTypes[k] == DType::Invalid || isRef(n.inputTypes[k]) ||
                                        baseType(graph_.dtype(now)) == baseType(n.inputTypes[k]));
      if (fits) {
        moved_.emplace(graph_.tensorName(inputs[k]), graph_.tensorName(now));
        inputs[k] = now;
        continue;
      }
      notes_.push_back(concat("Input ", nameOfInput(n, int(k)), " of ", n.name, " is open: ", graph_.tensorName(inputs[k]),
                              now.valid() ? " has another type now." : " is gone."));
      WEFT_LET(const int standIn, EditStandIns::add(editor_, n, int(k), k < n.inputTypes.size() ? n.inputTypes[k] : DType::Float));
      inputs[k] = {standIn, 0};
    }
    if (inputs == graph_.node(id)->inputs) return {};
    editor_.touch(id);
    return graph_.change(id, [&](Node& node) { node.inputs = std::move(inputs); });
  }

  bool coveredByJob(std::string_view scope) const {
    for (std::string_view s = scopeOf(scope); !s.empty(); s = scopeOf(s))
      if (jobAt_.count(std::string(s))) return true;
    return false;
  }

  /// Layers and inner instances of the jobs replace those that were there.
  void writeRecords() {
    std::erase_if(recipes_, [&](const Recipe& r) { return !r.trains() && coveredByJob(r.scope); });
    std::erase_if(instances_, [&](const GroupInstance& i) { return coveredByJob(i.scope); });
    for (Recipe& r : recipes_)
      for (std::string& input : r.inputs)
        if (const auto at = moved_.find(input); at != moved_.end()) input = at->second;
    for (size_t j = 0; j < jobs_.size(); ++j) {
      const Job& job = jobs_[j];
      const std::string prefix = job.scope + "/";
      for (Recipe r : job.after->layers) {
        r.scope = prefix + r.scope;
        for (std::string& tensor : r.outputs) tensor = prefix + tensor;
        for (std::string& node : r.nodes) node = prefix + node;
        for (std::string& tensor : r.inputs) {
          if (tensor.empty()) continue;
          const size_t colon = tensor.rfind(':');
          const Node* source = job.after->meta.graph.find(std::string_view(tensor).substr(0, colon));
          const int port = source ? job.after->inputOf(source->id) : -1;
          if (port < 0) tensor = prefix + tensor;
          else tensor = job.inputs[size_t(port)].valid() ? graph_.tensorName(job.inputs[size_t(port)]) : std::string();
        }
        recipes_.push_back(std::move(r));
      }
      for (GroupInstance i : job.after->inner) {
        i.scope = prefix + i.scope;
        instances_.push_back(std::move(i));
      }
    }
    std::unordered_map<std::string, size_t> at;
    for (size_t i = 0; i < instances_.size(); ++i) at.emplace(instances_[i].scope, i);
    for (const Job& job : jobs_) {
      if (job.record.scope.empty()) continue;
      if (const auto own = at.find(job.scope); own != at.end()) instances_[own->second] = job.record;
      else instances_.push_back(job.record);
    }
    setRecipes(editor_.meta(), recipes_);
    setGroupInstances(editor_.meta(), instances_);
    writeExpressions();
  }

  /// Fields that follow expressions, as layers.
  void writeExpressions() {
    std::vector<FollowedField> fields = followedFieldsOf(editor_.meta());
    const size_t gone = std::erase_if(fields, [&](const FollowedField& f) {
      const size_t dot = f.field.rfind('.');
      return dot != f.field.npos && coveredByJob(std::string_view(f.field).substr(0, dot));
    });
    const size_t left = fields.size();
    for (const Job& job : jobs_) {
      const std::string prefix = job.scope + "/";
      for (const FollowedField& f : job.after->follows) fields.push_back({prefix + f.field, withPrefix(f.expression, prefix), f.result});
    }
    if (gone > 0 || fields.size() > left) setFollowedFields(editor_.meta(), fields);
  }

  /// Variables and whatever else the nodes of a body are listed as.
  void addToCollections() {
    std::map<std::string, std::unordered_set<std::string>> present;
    for (size_t j = 0; j < jobs_.size(); ++j) {
      const Variant& v = *jobs_[j].after;
      const bool any = std::any_of(v.meta.collections.begin(), v.meta.collections.end(), [](const auto& c) { return !isOurs(c.first); });
      if (!any) continue;
      MetaGraph own;
      for (const auto& [key, c] : v.meta.collections)
        if (!isOurs(key)) own.collections.emplace(key, c);
      std::map<std::string, std::string> names;
      for (int id = 0; id < v.meta.graph.size(); ++id)
        if (const Node* n = v.meta.graph.node(id); n && !v.isPort(id)) names.emplace(n->name, jobs_[j].scope + "/" + n->name);
      renameReferences(own, names);
      for (const auto& [key, c] : own.collections) {
        Collection& mine = editor_.meta().collections[key];
        auto& seen = present[key];
        if (seen.empty()) {
          for (const std::string& n : mine.nodes) seen.insert(n);
          for (const std::string& b : mine.bytes) seen.insert(keyOf(b));
        }
        if (mine.nodes.empty() && mine.bytes.empty() && mine.ints.empty() && mine.floats.empty() && mine.anys.empty()) mine.kind = c.kind;
        for (const std::string& n : c.nodes)
          if (seen.insert(n).second) mine.nodes.push_back(n);
        for (const std::string& b : c.bytes)
          if (seen.insert(keyOf(b)).second) mine.bytes.push_back(b);
      }
    }
    for (const Job& job : jobs_) {
      if (job.before) continue;
      for (CanvasPlace place : canvasPlacesOf(job.after->meta)) {
        place.name = job.scope + "/" + place.name;
        placeOnCanvas(editor_.meta(), place);
      }
    }
  }

  GraphEditor& editor_;
  Graph& graph_;
  std::vector<Job>& jobs_;
  std::vector<GroupInstance>& instances_;
  std::vector<std::string>& notes_;
  std::vector<Recipe> recipes_;
  std::unordered_map<std::string, size_t> jobAt_;
  std::vector<std::vector<int>> old_;                                 // nodes before, by job
  std::vector<std::vector<std::pair<Output, std::string>>> results_;  // tensors of output ports before, by job
  std::unordered_map<int, size_t> owner_;                             // job of a node before
  std::vector<std::vector<int>> ids_;                                 // by job and node of its body
  std::unordered_set<int> kept_, fresh_;
  std::set<int> standIns_;
  std::unordered_map<std::string, std::string> moved_;  // tensors with another name
};

}  // namespace

std::vector<std::vector<int>> nodesOf(const Graph& graph, const std::vector<std::string>& scopes) {
  std::unordered_map<std::string_view, size_t> at;
  for (size_t i = 0; i < scopes.size(); ++i) at.emplace(scopes[i], i);
  std::vector<std::vector<int>> out(scopes.size());
  for (int id = 0; id < graph.size(); ++id) {
    const Node* n = graph.node(id);
    if (!n) continue;
    for (std::string_view s = scopeOf(n->name); !s.empty(); s = scopeOf(s))
      if (const auto found = at.find(s); found != at.end()) out[found->second].push_back(id);
  }
  return out;
}

Status stamp(LayerEditor& layers, std::vector<Job>& jobs, std::vector<GroupInstance>& instances, std::vector<std::string>& notes) {
  return jobs.empty() ? Status() : Stamper(layers, jobs, instances, notes).run();
}

}  // namespace weft::groups
