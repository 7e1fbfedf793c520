// Single ops in a session, each compared with a direct oneDNN call on the same tensors in the same layouts (NHWC, HWIO). If oneDNN requires another format
// for weights, the direct call reorders them, too. Both run alternately, 30 pairs each. Then element-wise fusion, compared with the triad of the same arrays.
// Prints one line of JSON per shape.
#include <dnnl.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "weft/builder.h"
#include "weft/session.h"

using namespace weft;

namespace {

using Tag = dnnl::memory::format_tag;
using Desc = dnnl::memory::desc;
using Dims = dnnl::memory::dims;
constexpr int kPairs = 30;
constexpr double kSlice = 3e-3;  // seconds of each measurement, at least

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

dnnl::engine& cpu() {
  static dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  return engine;
}
dnnl::stream& stream() {
  static dnnl::stream s(cpu());
  return s;
}

/// A direct call: reorders before and after where the primitive requires another format, in separate memory.
class Direct {
 public:
  /// `given`: the caller's format, `wanted`: the primitive's.
  void add(int argument, const Desc& given, const Desc& wanted, bool written) {
    dnnl::memory own(given, cpu());
    auto* values = static_cast<float*>(own.get_data_handle());
    for (size_t i = 0; i < given.get_size() / 4; ++i) values[i] = 0.01f * float(i % 100) - 0.5f;
    if (given == wanted) {
      arguments_[argument] = own;
      return;
    }
    dnnl::memory inner(wanted, cpu());
    arguments_[argument] = inner;
    auto& list = written ? after_ : before_;
    list.push_back(
        {written ? dnnl::reorder(inner, own) : dnnl::reorder(own, inner), {{DNNL_ARG_FROM, written ? inner : own}, {DNNL_ARG_TO, written ? own : inner}}});
  }
  void add(int argument, const dnnl::memory& memory) { arguments_[argument] = memory; }
  void finish(dnnl::primitive p) { primitive_ = std::move(p); }
  void run() {
    for (auto& r : before_) r.first.execute(stream(), r.second);
    primitive_.execute(stream(), arguments_);
    for (auto& r : after_) r.first.execute(stream(), r.second);
  }

 private:
  using Arguments = std::unordered_map<int, dnnl::memory>;
  Arguments arguments_;
  std::vector<std::pair<dnnl::primitive, Arguments>> before_, after_;
  dnnl::primitive primitive_;
};

/// One op on variables, run as a target.
class Ours {
 public:
  Ours() : builder_(meta_) {}
  Output variable(Shape shape, DType type = DType::Float) {
    const std::string name = "v" + std::to_string(shapes_.size());
    shapes_.emplace_back(name, shape);
    return builder_.op("VariableV2", {}, {{"dtype", type}, {"shape", std::move(shape)}}, name);
  }
  GraphBuilder& builder() { return builder_; }
  Status finish(Output result) {
    WEFT_TRY(builder_.status());
    WEFT_LET(session_, Session::create(meta_.graph));
    for (const auto& [name, shape] : shapes_) {
      Tensor t = Tensor::zeros(DType::Float, shape);
      for (int64_t i = 0; i < t.elements(); ++i) t.mutableData<float>()[i] = 0.01f * float(i % 100) - 0.5f;
      WEFT_TRY(session_->setVariable(name, t));
    }
    WEFT_LET(step_, session_->prepare({}, {}, {meta_.graph.node(result.node)->name}));
    return step_.run({}).status();
  }
  void run() {
    if (const auto r = step_.run({}); !r.ok()) std::fprintf(stderr, "%s\n", r.error().message.c_str()), std::exit(1);
  }

 private:
  MetaGraph meta_;
  GraphBuilder builder_;
  std::vector<std::pair<std::string, Shape>> shapes_;
  std::unique_ptr<Session> session_;
  Callable step_;
};

struct Pair {
  std::string name;
  std::shared_ptr<Ours> ours = std::make_shared<Ours>();
  std::shared_ptr<Direct> direct = std::make_shared<Direct>();
  Output result;
};

Desc floats(const Dims& dims, Tag tag) { return {dims, dnnl::memory::data_type::f32, tag}; }

Pair product(int64_t m, int64_t k, int64_t n, bool transposeA, bool transposeB) {
  Pair p;
  p.name = "MatMul " + std::to_string(m) + "x" + std::to_string(k) + "x" + std::to_string(n) + (transposeA ? " Aᵀ" : "") + (transposeB ? " Bᵀ" : "");
  const Output a = p.ours->variable(transposeA ? Shape{k, m} : Shape{m, k}), b = p.ours->variable(transposeB ? Shape{n, k} : Shape{k, n});
  p.result = p.ours->builder().op("MatMul", {a, b}, {{"transpose_a", transposeA}, {"transpose_b", transposeB}});
  const Desc da = floats({m, k}, transposeA ? Tag::ba : Tag::ab), db = floats({k, n}, transposeB ? Tag::ba : Tag::ab), dc = floats({m, n}, Tag::ab);
  const dnnl::matmul::primitive_desc pd({da, db, dc}, cpu());
  p.direct->add(DNNL_ARG_SRC, da, da, false);
  p.direct->add(DNNL_ARG_WEIGHTS, db, db, false);
  p.direct->add(DNNL_ARG_DST, dc, dc, true);
  p.direct->finish(dnnl::matmul(pd));
  return p;
}

enum class Way { Output, Input, Filter };

/// SAME padding; `depthwise`: each channel separately, `out` equals `channels`.
Pair convolution(Way way, bool depthwise, int64_t batch, int64_t size, int64_t channels, int64_t window, int64_t out, int64_t stride) {
  Pair p;
  static const char* const kOps[2][3] = {{"Conv2D", "Conv2DBackpropInput", "Conv2DBackpropFilter"},
                                         {"DepthwiseConv2dNative", "DepthwiseConv2dNativeBackpropInput", "DepthwiseConv2dNativeBackpropFilter"}};
  const char* op = kOps[depthwise][int(way)];
  const int64_t to = (size + stride - 1) / stride, pad = std::max<int64_t>(0, (to - 1) * stride + window - size);
  char text[160];
  std::snprintf(text, sizeof text, "%s %ldx%ldx%ldx%ld, %ldx%ld to %ld, stride %ld", op, batch, size, size, channels, window, window, out, stride);
  p.name = text;
  GraphBuilder& b = p.ours->builder();
  const Shape in{batch, size, size, channels}, filter{window, window, channels, depthwise ? 1 : out}, result{batch, to, to, out};
  const AttrMap attrs{{"strides", std::vector<int64_t>{1, stride, stride, 1}}, {"padding", "SAME"}};
  const auto sizes = [&](const Shape& s) { return b.ints({int32_t(s.dim(0)), int32_t(s.dim(1)), int32_t(s.dim(2)), int32_t(s.dim(3))}); };
  if (way == Way::Output) p.result = b.op(op, {p.ours->variable(in), p.ours->variable(filter)}, attrs);
  if (way == Way::Input) p.result = b.op(op, {sizes(in), p.ours->variable(filter), p.ours->variable(result)}, attrs);
  if (way == Way::Filter) p.result = b.op(op, {p.ours->variable(in), sizes(filter), p.ours->variable(result)}, attrs);

  const Dims di{batch, channels, size, size}, dout{batch, out, to, to}, strides{stride, stride}, before{pad / 2, pad / 2}, after{pad - pad / 2, pad - pad / 2};
  const Dims df = depthwise ? Dims{channels, 1, 1, window, window} : Dims{out, channels, window, window};
  const Desc x = floats(di, Tag::nhwc), y = floats(dout, Tag::nhwc), w = floats(df, depthwise ? Tag::hwigo : Tag::hwio), any = floats(df, Tag::any);
  // As a program would do: first the original format of the images; if only reference code supports it, the format that oneDNN prefers.
  for (const bool free : {false, true}) {
    const Desc xi = free ? floats(di, Tag::any) : x, yi = free ? floats(dout, Tag::any) : y;
    const auto algorithm = dnnl::algorithm::convolution_direct;
    const dnnl::convolution_forward::primitive_desc forward({dnnl::prop_kind::forward_training, algorithm, xi, any, yi, strides, before, after}, cpu());
    Direct direct;
    std::string code;
    if (way == Way::Output) {
      code = forward.impl_info_str();
      direct.add(DNNL_ARG_SRC, x, forward.src_desc(), false);
      direct.add(DNNL_ARG_WEIGHTS, w, forward.weights_desc(), false);
      direct.add(DNNL_ARG_DST, y, forward.dst_desc(), true);
      direct.finish(dnnl::convolution_forward(forward));
    } else if (way == Way::Input) {
      const dnnl::convolution_backward_data::primitive_desc pd({algorithm, xi, any, yi, strides, before, after}, cpu(), forward);
      code = pd.impl_info_str();
      direct.add(DNNL_ARG_DIFF_SRC, x, pd.diff_src_desc(), true);
      direct.add(DNNL_ARG_WEIGHTS, w, pd.weights_desc(), false);
      direct.add(DNNL_ARG_DIFF_DST, y, pd.diff_dst_desc(), false);
      direct.finish(dnnl::convolution_backward_data(pd));
    } else {
      const dnnl::convolution_backward_weights::primitive_desc pd({algorithm, xi, any, yi, strides, before, after}, cpu(), forward);
      code = pd.impl_info_str();
      direct.add(DNNL_ARG_SRC, x, pd.src_desc(), false);
      direct.add(DNNL_ARG_DIFF_WEIGHTS, w, pd.diff_weights_desc(), true);
      direct.add(DNNL_ARG_DIFF_DST, y, pd.diff_dst_desc(), false);
      direct.finish(dnnl::convolution_backward_weights(pd));
    }
    *p.direct = std::move(direct);
    if (!code.starts_with("ref")) break;
  }
  return p;
}

/// Adjacent 2×2 windows.
Pair pool(const char* op, bool backward, int64_t batch, int64_t size, int64_t channels) {
  Pair p;
  const bool most = std::string(op) == "MaxPool";
  const int64_t to = size / 2;
  p.name = std::string(op) + (backward ? "Grad " : " ") + std::to_string(batch) + "x" + std::to_string(size) + "x" + std::to_string(size) + "x" +
           std::to_string(channels);
  GraphBuilder& b = p.ours->builder();
  const Shape in{batch, size, size, channels}, result{batch, to, to, channels};
  const std::vector<int64_t> two{1, 2, 2, 1};
  const AttrMap attrs{{"ksize", two}, {"strides", two}, {"padding", "VALID"}};
  if (!backward) {
    p.result = b.op(op, {p.ours->variable(in)}, attrs);
  } else if (most) {
    p.result = b.op("MaxPoolGrad", {p.ours->variable(in), p.ours->variable(result), p.ours->variable(result)}, attrs);
  } else {
    p.result = b.op("AvgPoolGrad", {b.ints({int32_t(batch), int32_t(size), int32_t(size), int32_t(channels)}), p.ours->variable(result)}, attrs);
  }
  const Desc x = floats({batch, channels, size, size}, Tag::nhwc), y = floats({batch, channels, to, to}, Tag::nhwc);
  const Dims window{2, 2}, none{0, 0};
  const auto algorithm = most ? dnnl::algorithm::pooling_max : dnnl::algorithm::pooling_avg_exclude_padding;
  const auto kind = backward ? dnnl::prop_kind::forward_training : dnnl::prop_kind::forward_inference;
  const dnnl::pooling_forward::primitive_desc forward({kind, algorithm, x, y, window, window, none, none}, cpu());
  if (!backward) {
    p.direct->add(DNNL_ARG_SRC, x, x, false);
    p.direct->add(DNNL_ARG_DST, y, y, true);
    p.direct->finish(dnnl::pooling_forward(forward));
    return p;
  }
  // oneDNN's max-pool gradient uses the argmax positions that its forward pass saved. A session computes them again, so its time includes that work.
  const dnnl::pooling_backward::primitive_desc pd({algorithm, x, y, window, window, none, none}, cpu(), forward);
  p.direct->add(DNNL_ARG_DIFF_SRC, x, x, true);
  p.direct->add(DNNL_ARG_DIFF_DST, y, y, false);
  if (most) {
    dnnl::memory workspace(forward.workspace_desc(), cpu());
    dnnl::pooling_forward(forward).execute(stream(),
                                           {{DNNL_ARG_SRC, dnnl::memory(x, cpu())}, {DNNL_ARG_DST, dnnl::memory(y, cpu())}, {DNNL_ARG_WORKSPACE, workspace}});
    stream().wait();
    p.direct->add(DNNL_ARG_WORKSPACE, workspace);
  }
  p.direct->finish(dnnl::pooling_backward(pd));
  return p;
}

/// Seconds per call, measured over at least kSlice.
double timed(int calls, const std::function<void()>& f) {
  const double start = now();
  for (int i = 0; i < calls; ++i) f();
  return (now() - start) / calls;
}

int callsFor(const std::function<void()>& f) {
  f();
  const double once = timed(3, f);
  return std::max(1, int(kSlice / std::max(once, 1e-7)));
}

void report(const std::string& name, const std::function<void()>& ours, const std::function<void()>& other) {
  const int calls = callsFor(ours), otherCalls = callsFor(other);
  std::vector<double> ratios, mine, theirs;
  for (int i = 0; i < kPairs; ++i) {
    double a = 0, b = 0;
    if (i % 2) b = timed(otherCalls, other);
    a = timed(calls, ours);
    if (i % 2 == 0) b = timed(otherCalls, other);
    mine.push_back(a);
    theirs.push_back(b);
    ratios.push_back(b / a);
  }
  const auto median = [](std::vector<double> v) {
    std::sort(v.begin(), v.end());
    return v[v.size() / 2];
  };
  std::printf("{\"name\": \"%s\", \"weft_us\": %.2f, \"direct_us\": %.2f, \"ratio\": %.4f}\n", name.c_str(), median(mine) * 1e6, median(theirs) * 1e6,
              median(ratios));
  std::fflush(stdout);
}

/// relu(a * x + y) in one pass over arrays larger than any cache, compared with the triad, which moves as many bytes.
void fusion() {
  constexpr int64_t kElements = int64_t(32) << 20;
  Ours ours;
  GraphBuilder& b = ours.builder();
  const Output x = b.identity(ours.variable({kElements})), y = b.identity(ours.variable({kElements}));
  const Output result = b.op("Relu", {b.op("Add", {b.op("Mul", {x, b.scalar(0.5f)}), y})});
  if (const Status s = ours.finish(result); !s.ok()) return;
  std::vector<float> p(size_t(kElements), 1.f), q(size_t(kElements), 2.f), r(size_t(kElements), 0.f);
  const float* from = p.data();
  const float* more = q.data();
  float* to = r.data();
  // Separate threads, so that the measurement includes neither the engine nor its pool.
  const int64_t threads = std::max<int64_t>(1, std::thread::hardware_concurrency());
  const auto part = [&](int64_t t) {
    for (int64_t i = kElements * t / threads, end = kElements * (t + 1) / threads; i < end; ++i) to[i] = from[i] + 0.5f * more[i];
  };
  report(
      "triad of 3 x 128 MB", [&] { ours.run(); },
      [&] {
        std::vector<std::thread> others;
        for (int64_t t = 1; t < threads; ++t) others.emplace_back(part, t);
        part(0);
        for (std::thread& t : others) t.join();
      });
}

}  // namespace

int main() {
  std::vector<std::function<Pair()>> all;
  for (const auto& [m, k, n, ta, tb] : std::vector<std::tuple<int64_t, int64_t, int64_t, bool, bool>>{{128, 784, 256, false, false},
                                                                                                      {784, 128, 256, true, false},
                                                                                                      {50, 3136, 1024, false, false},
                                                                                                      {50, 1024, 3136, false, true},
                                                                                                      {3136, 50, 1024, true, false},
                                                                                                      {1024, 128, 128, false, false},
                                                                                                      {512, 512, 512, false, false},
                                                                                                      {32, 400, 800, false, false}})
    all.push_back([=] { return product(m, k, n, ta, tb); });
  for (const Way way : {Way::Output, Way::Input, Way::Filter}) {
    for (const auto& s : std::vector<std::vector<int64_t>>{
             {50, 28, 1, 5, 32, 1}, {50, 14, 32, 5, 64, 1}, {32, 32, 16, 3, 16, 1}, {32, 16, 32, 3, 64, 2}, {32, 8, 64, 3, 64, 1}})
      if (way == Way::Output || s[2] > 1) all.push_back([=] { return convolution(way, false, s[0], s[1], s[2], s[3], s[4], s[5]); });
    for (const auto& s : std::vector<std::vector<int64_t>>{{32, 28, 64, 3, 64, 1}})
      all.push_back([=] { return convolution(way, true, s[0], s[1], s[2], s[3], s[4], s[5]); });
  }
  all.push_back([] { return convolution(Way::Output, true, 32, 28, 64, 3, 64, 2); });
  all.push_back([] { return pool("MaxPool", false, 50, 28, 32); });
  all.push_back([] { return pool("MaxPool", false, 50, 14, 64); });
  all.push_back([] { return pool("MaxPool", true, 50, 28, 32); });
  all.push_back([] { return pool("AvgPool", false, 50, 28, 32); });
  all.push_back([] { return pool("AvgPool", true, 50, 28, 32); });
  for (const auto& make : all) {
    Pair p = make();
    if (const Status s = p.ours->finish(p.result); !s.ok()) {
      std::fprintf(stderr, "%s: %s\n", p.name.c_str(), s.error().message.c_str());
      return 1;
    }
    report(
        p.name, [&] { p.ours->run(); }, [&] { p.direct->run(); });
  }
  fusion();
}
