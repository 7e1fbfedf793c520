// tf.linalg, tf.einsum, sorting.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "api/statement.h"
#include "api/tf.h"

namespace weft::api {
namespace {

using Ints = std::vector<int64_t>;

// tf.einsum as pairwise products: summed common axes become a matrix product, the others are broadcast.
class Einsum {
 public:
  explicit Einsum(Call& c) : c_(c), b_(c.b) {}

  Built build() {
    const auto scope = c_.scope("einsum");
    for (const Argument& a : c_.list("inputs")) inputs_.push_back(toTensor(b_, a, {}));
    WEFT_TRY(parse(c_.a.text("equation")));
    for (const std::string& labels : in_) {
      const std::string reversed(labels.rbegin(), labels.rend());
      for (const char a : labels) {
        const auto n = std::count(labels.begin(), labels.end(), a);
        if (in_.size() == 1 && n == 2 && labels == reversed && !arrow_) {
          WEFT_LET(const Values trace, buildApi(b_, "trace", {{"x", inputs_[0]}}));
          return trace;
        }
        if (n > 1) return invalidArgument("Subscript not supported: an axis appears more than once: ", labels);
      }
    }
    std::map<char, int> holders;
    for (const std::string& labels : in_) {
      for (const char a : labels) ++holders[a];
    }
    const auto isSummedOverMany = [&](const auto& holder) { return holder.second > 2 && !has(out_, holder.first); };
    if (std::any_of(holders.begin(), holders.end(), isSummedOverMany)) return summedAtTheEnd(holders);
    Output now = inputs_[0];
    std::string labels = in_[0];
    for (size_t i = 1; i < inputs_.size(); ++i) {
      std::set<char> summed;
      for (const char a : labels) {
        if (has(in_[i], a) && !has(out_, a)) summed.insert(a);
      }
      WEFT_TRY(reduce(now, labels, inputs_[i], in_[i], summed));
    }
    Ints left;
    std::string rest;
    for (size_t i = 0; i < labels.size(); ++i) {
      if (has(out_, labels[i])) rest += labels[i];
      else left.push_back(int64_t(i));
    }
    if (!left.empty()) now = tf::reduce(b_, "Sum", now, left);
    std::string x = rest, y = out_;
    std::sort(x.begin(), x.end());
    std::sort(y.begin(), y.end());
    if (x != y) return invalidArgument("Invalid equation: ", c_.a.text("equation"));
    Ints perm;
    for (const char a : out_) perm.push_back(int64_t(rest.find(a)));
    return c_.one(transposed(now, perm));
  }

 private:
  static bool has(const std::string& labels, char a) { return labels.find(a) != labels.npos; }

  Status parse(std::string equation) {
    equation.erase(std::remove(equation.begin(), equation.end(), ' '), equation.end());
    const size_t arrow = equation.find("->");
    arrow_ = arrow != equation.npos;
    const std::string left = equation.substr(0, std::min(arrow, equation.size()));
    if (arrow_) out_ = equation.substr(arrow + 2);
    const auto allowed = [](char ch, bool comma) { return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || ch == '.' || (comma && ch == ','); };
    if (left.empty() || !std::all_of(left.begin(), left.end(), [&](char ch) { return allowed(ch, true); }) ||
        !std::all_of(out_.begin(), out_.end(), [&](char ch) { return allowed(ch, false); }))
      return invalidArgument("Indices have incorrect format: ", equation);
    for (size_t at = 0; at <= left.size();) {
      const size_t end = std::min(left.find(',', at), left.size());
      in_.push_back(left.substr(at, end - at));
      at = end + 1;
    }
    if (in_.size() != inputs_.size()) return invalidArgument("Got ", inputs_.size(), " arguments for equation \"", equation, "\", expecting ", in_.size());
    std::string more;
    if (equation.find("...") != equation.npos) {
      std::string unused;
      for (const char ch : std::string("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")) {
        if (!has(left, ch)) unused += ch;
      }
      for (size_t i = 0; i < in_.size(); ++i) {
        const size_t at = in_[i].find("...");
        if (at == in_[i].npos) continue;
        const Shape s = b_.shape(inputs_[i]);
        if (!s.hasRank()) return invalidArgument("Unable to statically infer ellipsis axes.");
        const int64_t n = s.rank() - int64_t(in_[i].size() - 3);
        if (n < 0) return invalidArgument("Ellipses lengths do not match.");
        if (int64_t(unused.size()) < n) return invalidArgument("Unable to resolve ellipsis, too many distinct labels.");
        const std::string axes = n > 0 ? unused.substr(unused.size() - size_t(n)) : "";
        in_[i].replace(at, 3, axes);
        if (axes.size() > more.size()) more = axes;
      }
      if (const size_t at = out_.find("..."); at != out_.npos) out_.replace(at, 3, more);
      for (const std::string& labels : in_) {
        if (has(labels, '.')) return invalidArgument("period \".\" found outside of ellipsis");
      }
    }
    if (arrow_) return {};
    std::map<char, int> counts;
    for (const std::string& labels : in_) {
      for (const char a : labels) {
        if (!has(more, a)) ++counts[a];
      }
    }
    out_ = more;
    for (const auto& [a, n] : counts) {
      if (n == 1) out_ += a;
    }
    return {};
  }

  // For axes that more than two inputs have: pairs cannot be summed one after another. The product of all inputs has all axes, those of the output last; then the others are summed.
  Built summedAtTheEnd(const std::map<char, int>& holders) {
    std::string order;
    for (const auto& [a, n] : holders) {
      if (!has(out_, a)) order += a;
    }
    Ints summed;
    for (size_t i = 0; i < order.size(); ++i) summed.push_back(int64_t(i));
    for (const char a : out_) {
      if (!holders.count(a)) return invalidArgument("Unknown output axes: ", std::string(1, a));
    }
    order += out_;
    std::map<char, int64_t> known;
    Output product;
    for (size_t i = 0; i < inputs_.size(); ++i) {
      const std::string& labels = in_[i];
      const Shape s = b_.shape(inputs_[i]);
      if (!s.hasRank() || s.rank() != int(labels.size())) {
        return invalidArgument("Input ", i, " with axes ", labels, " has incorrect number of dimensions (expected ", labels.size(), ", got ",
                               s.hasRank() ? std::to_string(s.rank()) : "an unknown number", ")");
      }
      const ArgumentList own = sizes(inputs_[i]);
      ArgumentList shape;
      Ints perm;
      for (const char a : order) {
        const size_t at = labels.find(a);
        shape.push_back(at == labels.npos ? Argument(int64_t(1)) : own[at]);
        if (at == labels.npos) continue;
        perm.push_back(int64_t(at));
        const int64_t size = s.dim(int(at));
        if (size > 1 && !known.emplace(a, size).second && known[a] != size) return invalidArgument("Dimension mismatch on axis: ", std::string(1, a));
      }
      const Output expanded = reshaped(transposed(inputs_[i], perm), shape);
      product = tf::times(b_, i ? Argument(product) : Argument(int64_t(1)), expanded);
    }
    return c_.one(tf::reduce(b_, "Sum", product, summed));
  }

  Output transposed(Output x, const Ints& perm) {
    for (size_t i = 0; i < perm.size(); ++i) {
      if (perm[i] != int64_t(i)) return tf::transpose(b_, x, perm);
    }
    return x;
  }

  // Sizes are numbers if known.
  ArgumentList sizes(Output x) {
    const Shape s = b_.shape(x);
    ArgumentList out;
    Output shape;
    for (int i = 0; i < s.rank(); ++i) {
      if (s.dim(i) >= 0) {
        out.emplace_back(s.dim(i));
        continue;
      }
      if (!shape.valid()) shape = tf::shape(b_, x);
      out.emplace_back();
    }
    for (int i = 0; i < s.rank(); ++i) {
      if (s.dim(i) < 0) out[size_t(i)] = tf::at(b_, shape, i);
    }
    return out;
  }

  Argument product(const ArgumentList& list, size_t from, size_t to) {
    Argument out = 1;
    for (size_t i = from; i < to; ++i) {
      const auto* x = std::get_if<int64_t>(&out);
      const auto* y = std::get_if<int64_t>(&list[i]);
      out = x && y ? Argument(int64_t(uint64_t(*x) * uint64_t(*y))) : Argument(tf::times(b_, out, list[i]));
    }
    return out;
  }

  Output reshaped(Output x, const ArgumentList& shape) {
    const Shape now = b_.shape(x);
    bool same = now.rank() == int(shape.size());
    for (size_t i = 0; same && i < shape.size(); ++i) {
      const auto* n = std::get_if<int64_t>(&shape[i]);
      same = n && (*n == now.dim(int(i)) || *n == -1);
    }
    return same ? x : tf::reshape(b_, x, shape);
  }

  // Replaces the first operand by the product of both, summed over the given axes.
  Status reduce(Output& first, std::string& firstLabels, Output second, const std::string& secondLabels, const std::set<char>& summed) {
    if (b_.shape(first).rank() != int(firstLabels.size()))
      return invalidArgument("Tensor t0 of rank ", b_.shape(first).rank(), " does not match einsum reduction of length ", firstLabels.size());
    if (b_.shape(second).rank() != int(secondLabels.size()))
      return invalidArgument("Tensor t1 of rank ", b_.shape(second).rank(), " does not match einsum reduction of length ", secondLabels.size());
    const auto kept = [&](char a) { return has(firstLabels, a) && has(secondLabels, a) && !summed.count(a); };
    const auto inOrder = [&](const std::string& labels, bool isFirst) {
      std::string out = labels;
      const auto key = [&](char a) { return kept(a) ? -1 : isFirst == !summed.count(a) ? 0 : 1; };
      std::sort(out.begin(), out.end(), [&](char x, char y) { return std::pair(key(x), x) < std::pair(key(y), y); });
      return out;
    };
    const std::string l0 = inOrder(firstLabels, true), l1 = inOrder(secondLabels, false);
    const auto permOf = [](const std::string& from, const std::string& to) {
      Ints perm;
      for (const char a : to) perm.push_back(int64_t(from.find(a)));
      return perm;
    };
    Output x = transposed(first, permOf(firstLabels, l0)), y = transposed(second, permOf(secondLabels, l1));
    const auto common = size_t(std::count_if(l0.begin(), l0.end(), kept)), ended = summed.size();
    const size_t own0 = l0.size() - common - ended, own1 = l1.size() - common - ended;
    if (summed.empty()) {
      for (size_t i = 0; i < own1; ++i) x = tf::expandDims(b_, x, -1);
      for (size_t i = 0; i < own0; ++i) y = tf::expandDims(b_, y, int64_t(common));
      first = b_.op("Mul", {x, y});
      firstLabels = l0 + l1.substr(common);
      return b_.status();
    }
    const auto joined = [](const ArgumentList& list, size_t from, size_t to) { return ArgumentList(list.begin() + long(from), list.begin() + long(to)); };
    const ArgumentList s0 = sizes(x);
    ArgumentList shape0 = joined(s0, 0, common);
    shape0.push_back(product(s0, common, common + own0));
    const Argument sum = product(s0, common + own0, s0.size());
    shape0.push_back(sum);
    x = reshaped(x, shape0);
    const ArgumentList s1 = sizes(y);
    ArgumentList shape1 = joined(s1, 0, common);
    shape1.push_back(sum);
    shape1.push_back(product(s1, common + ended, s1.size()));
    y = reshaped(y, shape1);
    const Output matrix = tf::matmul(b_, x, y);
    ArgumentList whole = joined(s0, 0, common + own0);
    const ArgumentList tail = joined(s1, s1.size() - own1, s1.size());
    whole.insert(whole.end(), tail.begin(), tail.end());
    first = reshaped(matrix, whole);
    firstLabels = l0.substr(0, common + own0) + l1.substr(l1.size() - own1);
    return b_.status();
  }

  Call& c_;
  GraphBuilder& b_;
  std::vector<Output> inputs_;
  std::vector<std::string> in_;
  std::string out_;
  bool arrow_ = false;
};

Built norm(Call& c) {
  GraphBuilder& b = c.b;
  const Argument& axisGiven = c["axis"];
  const auto axes = c.a.integers("axis");
  const bool isMatrix = !std::holds_alternative<int64_t>(axisGiven) && axes.size() == 2;
  const auto* text = std::get_if<std::string>(&c["ord"]);
  const double ord = text ? 2 : c.a.number("ord");
  if (text && *text != "euclidean" && !(isMatrix && *text == "fro"))
    return invalidArgument("'ord' must be a supported ", isMatrix ? "matrix" : "vector", " norm, got ", *text);
  if (!text && ord <= 0) return invalidArgument("'ord' must be a supported vector norm, got ", ord);
  if (isMatrix && axes[0] == axes[1]) return invalidArgument("'axis' must be None, an integer, or a tuple of 2 unique integers");
  if (isMatrix && !text && ord == 2) return unimplemented("tf.norm of matrices with ord=2");
  const auto scope = c.scope("norm");
  const Output x = toTensor(b, c["tensor"], {});
  const Argument all = axes.empty() ? Argument() : Argument(axes);
  Output out;
  if (ord == 2) {
    const Output square = tf::times(b, x, tf::conj(b, x));
    out = b.op("Sqrt", {tf::reduce(b, "Sum", square, all, true)});
  } else {
    out = tf::abs(b, x);
    const Argument first = axes.empty() ? Argument() : Argument(axes[0]);
    if (ord == 1) {
      out = tf::reduce(b, "Sum", out, first, true);
      if (isMatrix) out = tf::reduce(b, "Max", out, axes[1], true);
    } else if (std::isinf(ord)) {
      if (isMatrix) out = tf::reduce(b, "Sum", out, axes[1], true);
      out = tf::reduce(b, "Max", out, first, true);
    } else {
      const Output powers = tf::pow(b, out, ord);
      out = tf::pow(b, tf::reduce(b, "Sum", powers, all, true), 1.0 / ord);
    }
  }
  return c.one(c.a.flag("keepdims") ? out : tf::squeeze(b, out, axes));
}

Built sorted(Call& c, bool places) {
  GraphBuilder& b = c.b;
  const std::string direction = c.a.text("direction");
  const bool down = direction == "DESCENDING";
  if (!down && direction != "ASCENDING") return invalidArgument("'direction' should be one of ASCENDING, DESCENDING");
  const auto scope = c.scope(places ? "argsort" : "sort");
  const int64_t axis = c.a.integer("axis");
  Output x = toTensor(b, c["values"], {});
  const Shape s = b.shape(x);
  if (!b.ok()) return b.status().error();
  if (!s.hasRank()) return unimplemented("sort of a tensor of unknown rank");
  const int64_t at = axis < 0 ? axis + s.rank() : axis;
  if (at < 0 || at >= s.rank()) return invalidArgument("axis = ", axis, " not in [", -s.rank(), ", ", s.rank(), ")");
  const bool last = at == s.rank() - 1;
  Ints perm(static_cast<size_t>(s.rank()));
  std::iota(perm.begin(), perm.end(), 0);
  std::swap(perm[size_t(at)], perm.back());
  if (!last) x = tf::transpose(b, x, perm);
  const Argument k =
      b.shape(x).dim(s.rank() - 1) >= 0 && b.shape(x).isFullyKnown() ? Argument(tf::at(b, tf::shape(b, x), -1)) : Argument(tf::at(b, tf::shape(b, x), -1));
  const Output keys = down ? x : tf::negative(b, x);
  const auto found = emitAll(b, "TopKV2", {keys, k}, {{"sorted", true}});
  if (!b.ok()) return b.status().error();
  Output out = places ? found[1] : down ? found[0] : tf::negative(b, found[0]);
  if (!last) out = tf::transpose(b, out, perm);
  b.setShape(out, s);
  return c.one(out);
}

}  // namespace

void registerLinearAlgebra(ApiRegistry& r) {
  def(r, "einsum linalg.einsum", "equation: string -- Subscripts of the inputs and the output, such as \"ij,jk->ik\".|inputs*: tensors|name",
      "Sum of products in Einstein notation.", "A tensor.", [](Call& c) { return Einsum(c).build(); });
  def(r, "norm linalg.norm",
      "tensor|ord: any=euclidean -- Order of the norm: \"euclidean\", \"fro\", a number or infinity.|axis: any=None -- Axis of vector norms, two axes of "
      "matrix norms; None: the norm of all elements.|keepdims/keep_dims: bool=None|name",
      "Norms of vectors or matrices.", "A tensor.", norm);
  def(r, "linalg.svd svd batch_svd",
      "tensor|full_matrices: bool=false -- Compute full square u and v.|compute_uv: bool=true -- Whether to compute u and v.|name", "Singular values.",
      "others: s, u, v; or s alone.", [](Call& c) -> Built {
        const bool vectors = c.a.flag("compute_uv");
        const auto out = emitAll(c.b, "Svd", {c["tensor"]}, {{"compute_uv", vectors}, {"full_matrices", c.a.flag("full_matrices")}}, c.name());
        if (!c.b.ok()) return c.b.status().error();
        {
          const py::Scope real(c.b, "Real");  // the values are already real, but TensorFlow uses up the name
        }
        return Values{{}, {}, {vectors ? Argument(ArgumentList{out[0], out[1], out[2]}) : Argument(out[0])}};
      });
  def(r, "linalg.eigh self_adjoint_eig batch_self_adjoint_eig", "tensor|name", "Eigenvalues and eigenvectors of self-adjoint matrices.",
      "tuple: The eigenvalues and the eigenvectors.", [](Call& c) {
        return c.all(emitAll(c.b, "SelfAdjointEigV2", {c["tensor"]}, {{"compute_v", true}}, c.name()));
      });
  def(r, "linalg.eigvalsh self_adjoint_eigvals batch_self_adjoint_eigvals", "tensor|name", "Eigenvalues of self-adjoint matrices.", "A tensor.", [](Call& c) {
    return c.one(emit(c.b, "SelfAdjointEigV2", {c["tensor"]}, {{"compute_v", false}}, c.name()));
  });
  def(r, "linalg.cholesky_solve cholesky_solve batch_cholesky_solve", "chol -- Cholesky factors.|rhs -- Right-hand sides.|name",
      "Solves linear systems, given the Cholesky factors of their matrices.", "A tensor.", [](Call& c) {
        const auto scope = c.scope("cholesky_solve");
        const Output y = emit(c.b, "MatrixTriangularSolve", {c["chol"], c["rhs"]}, {{"adjoint", false}, {"lower", true}});
        return c.one(emit(c.b, "MatrixTriangularSolve", {c["chol"], y}, {{"adjoint", true}, {"lower", true}}));
      });
  def(r, "sort", "values|axis: int=-1|direction: string=ASCENDING -- \"ASCENDING\" or \"DESCENDING\".|name", "Sorts a tensor along a dimension.", "A tensor.",
      [](Call& c) { return sorted(c, false); });
  def(r, "argsort",
      "values|axis: int=-1|direction: string=ASCENDING -- \"ASCENDING\" or \"DESCENDING\".|stable: bool=false -- Ignored; kept for compatibility.|name",
      "Indices that sort a tensor along a dimension.", "A tensor.", [](Call& c) { return sorted(c, true); });
}

}  // namespace weft::api
