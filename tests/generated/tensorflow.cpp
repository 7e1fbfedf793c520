#include "tensorflow.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>

namespace weft::generated {
namespace {

constexpr int kPatienceMs = 60000;
constexpr uint32_t kDied = 0xffffffff;  // in place of a length

template <typename T>
void put(std::string& out, T value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}
void putText(std::string& out, const std::string& text) {
  put(out, uint32_t(text.size()));
  out += text;
}

void putTensor(std::string& out, const Tensor& t) {
  put(out, int32_t(t.dtype()));
  put(out, uint32_t(t.rank()));
  for (const int64_t d : t.shape().dims()) put(out, d);
  if (t.dtype() == DType::String) {
    for (int64_t i = 0; i < t.elements(); ++i) putText(out, t.data<std::string>()[i]);
    return;
  }
  put(out, uint32_t(t.bytes()));
  if (t.bytes()) out.append(static_cast<const char*>(t.raw()), t.bytes());
}

/// Parses an answer; truncated data reads as zeros and sets `bad`.
class Cursor {
 public:
  explicit Cursor(const std::string& bytes) : bytes_(bytes) {}
  bool bad = false;
  template <typename T>
  T number() {
    T v{};
    if (at_ + sizeof v > bytes_.size()) return bad = true, v;
    std::memcpy(&v, bytes_.data() + at_, sizeof v);
    at_ += sizeof v;
    return v;
  }
  std::string text() {
    const auto n = number<uint32_t>();
    if (bad || at_ + n > bytes_.size()) return bad = true, std::string();
    at_ += n;
    return bytes_.substr(at_ - n, n);
  }
  Tensor tensor() {
    const auto type = DType(number<int32_t>());
    Shape shape;
    for (auto rank = number<uint32_t>(); rank > 0 && !bad; --rank) shape.append(number<int64_t>());
    if (bad || !isKnown(type)) return bad = true, Tensor();
    Tensor t = Tensor::zeros(type, shape);
    if (type == DType::String) {
      for (int64_t i = 0; i < t.elements(); ++i) t.mutableData<std::string>()[i] = text();
      return t;
    }
    const std::string raw = text();
    if (raw.size() != t.bytes()) return bad = true, Tensor();
    if (!raw.empty()) std::memcpy(t.mutableRaw(), raw.data(), raw.size());
    return t;
  }

 private:
  const std::string& bytes_;
  size_t at_ = 0;
};

}  // namespace

std::string notForTensorFlow(const Case& one) {
  static const std::map<std::string, const char*> kOps = {
      {"FusedBatchNorm", "reserve spaces and statistics of inference are memory as it was"},
      {"FusedBatchNormV2", "as FusedBatchNorm"},
      {"FusedBatchNormV3", "as FusedBatchNorm"},
      {"FusedBatchNormGrad", "takes those spaces"},
      {"FusedBatchNormGradV2", "takes those spaces"},
      {"FusedBatchNormGradV3", "takes those spaces"},
      {"MaxPoolGradGrad", "looks for the output among the inputs; where it is none of them the result is what was in memory"},
      {"MaxPoolGradGradV2", "as MaxPoolGradGrad"},
      {"MaxPool3DGradGrad", "as MaxPoolGradGrad"},
      {"SelfAdjointEigV2", "vectors up to their sign"},
      {"SelfAdjointEig", "vectors up to their sign"},
      {"Svd", "vectors up to their sign"},
      {"Qr", "vectors up to their sign"},
      {"BatchSvd", "as Svd"},
      {"BatchSelfAdjointEig", "as SelfAdjointEig"},
      {"BatchSelfAdjointEigV2", "as SelfAdjointEigV2"},
      {"UniqueV2", "says that indices along an axis have the shape of what is indexed, and refuses graphs for it"},
      {"UniqueWithCountsV2", "as UniqueV2"},
      {"GatherTree", "is of its contrib module"},
      {"Resampler", "as GatherTree"},
      {"ResamplerGrad", "as GatherTree"},
      {"AnonymousRandomSeedGenerator", "is gone with what came with it, which a step may leave out"},
      {"AnonymousMemoryCache", "as AnonymousRandomSeedGenerator"},
      {"AnonymousIteratorV2", "as AnonymousRandomSeedGenerator"},
      {"Igamma", "gives up after some rounds: of large numbers, hundredths away"},
      {"Igammac", "as Igamma"},
      {"FusedResizeAndPadConv2D", "refuses paddings that are not known beforehand"},
      {"FusedPadConv2D", "as FusedResizeAndPadConv2D"},
      {"InplaceUpdate", "writes into the constant or the feed that it is given, which later steps then read"},
      {"InplaceAdd", "as InplaceUpdate"},
      {"InplaceSub", "as InplaceUpdate"},
      {"AliasInplaceUpdate", "as InplaceUpdate"},
      {"AliasInplaceAdd", "as InplaceUpdate"},
      {"AliasInplaceSub", "as InplaceUpdate"},
      {"BlockLSTM", "leaves what comes after seq_len_max as memory was"},
      {"BlockLSTMGrad", "as BlockLSTM"},
      {"LSTMBlockCellGrad", "clears the peepholes' gradients in the peepholes' own memory, where it is free, before it reads these"},
      {"SparseSegmentMeanGrad", "without indices the result is memory as it was"},
      {"SparseSegmentSqrtNGrad", "as SparseSegmentMeanGrad"},
      {"DrawBoundingBoxes", "does not look whether a box has four numbers, and reads on"},
      {"DrawBoundingBoxesV2", "as DrawBoundingBoxes"},
      {"SparseReduceMax", "does not look whether indices lie within the shape"},
      {"SparseReduceMaxSparse", "as SparseReduceMax"},
      {"SparseReduceSum", "as SparseReduceMax"},
      {"SparseReduceSumSparse", "as SparseReduceMax"},
      {"NonMaxSuppression", "of equal scores takes what its heap has first"},
      {"NonMaxSuppressionV2", "as NonMaxSuppression"},
      {"NonMaxSuppressionV3", "as NonMaxSuppression; reads a threshold as if it had the boxes' type"},
      {"NonMaxSuppressionV4", "as NonMaxSuppressionV3"},
      {"NonMaxSuppressionV5", "as NonMaxSuppressionV3"},
      {"NonMaxSuppressionWithOverlaps", "as NonMaxSuppression"},
      {"QuantizedBatchNormWithGlobalNormalization", "does not look whether statistics have a number for each channel, and reads on"},
      {"UnicodeEncode", "does not look whether splits lie within the values, and reads on"},
      {"Substr", "takes shapes of which less is known for other ones, and gives a vector where a text is alone"},
      {"SymbolicGradient", "gives 0 where an argument is also read by an op of which nothing is read"},
  };
  if (!one.files.empty()) return "its working directory is another one";
  for (int id = 0; id < one.meta.graph.size(); ++id) {
    const Node& n = *one.meta.graph.node(id);
    if (const auto it = kOps.find(n.op); it != kOps.end()) return it->second;
    if (n.op == "SplitV" && one.meta.graph.node(n.inputs[2].node)->op != "Const") return "takes an axis that is not known beforehand for the last one";
    if (n.op == "MatrixSetDiagV2" && one.meta.graph.node(n.inputs[2].node)->op != "Const")
      return "takes diagonals that are not known beforehand for the main one";
    if (n.op == "MatrixDiagV2" && !one.meta.graph.shape(n.inputs[0]).isFullyKnown()) return "takes a length that is not known beforehand for -1";
    if (n.op == "CombinedNonMaxSuppression" && n.attrs.flag("pad_per_class")) return "says of a size that is not known beforehand that it is below 0";
    if (n.op == "Mean" && (isComplex(n.outputTypes[0]) || n.outputTypes[0] == DType::BFloat16)) return "the mean of nothing is 0, having no NaN of the type";
    if (n.op == "RaggedTensorToTensor" && one.meta.graph.node(n.inputs[0].node)->op != "Const")
      return "refuses a shape that is not known beforehand where it is a scalar";
    if (n.op == "Expm1" && !n.outputTypes.empty() && isComplex(n.outputTypes[0])) return "wrong where the imaginary part is beyond pi";
  }
  return {};
}

bool TensorFlow::start() {
  int to[2], from[2];
  if (pipe2(to, O_CLOEXEC) != 0 || pipe2(from, O_CLOEXEC) != 0) return false;
  signal(SIGPIPE, SIG_IGN);
  pid_ = fork();
  if (pid_ < 0) return false;
  if (pid_ == 0) {
    dup2(to[0], 0);
    dup2(from[1], 1);
    execlp(python_.c_str(), python_.c_str(), script_.c_str(), static_cast<char*>(nullptr));
    _exit(127);
  }
  close(to[0]);
  close(from[1]);
  in_ = to[1];
  out_ = from[0];
  for (const int fd : {in_, out_}) fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
  outgoing_.clear();
  incoming_.clear();
  for (Asked& a : asked_)
    if (!a.answered) outgoing_ += a.request;
  since_ = std::chrono::steady_clock::now();
  return true;
}

void TensorFlow::stop() {
  if (pid_ < 0) return;
  close(in_);
  close(out_);
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
  pid_ = -1;
}

TensorFlow::Asked* TensorFlow::settle() {
  since_ = std::chrono::steady_clock::now();
  for (Asked& a : asked_) {
    if (a.answered) continue;
    a.answered = true;
    a.request.clear();
    return &a;
  }
  return nullptr;
}

void TensorFlow::died() {
  stop();
  (void)settle();  // of this one
}

void TensorFlow::answer(const std::string& bytes) {
  Asked* oldest = settle();
  if (!oldest) return;
  Cursor c(bytes);
  Outcome out;
  out.load.code = Code(c.number<int32_t>());
  out.load.message = c.text();
  for (auto n = c.number<uint32_t>(); n > 0 && !c.bad; --n) {
    StepOutcome& s = out.steps.emplace_back();
    s.code = Code(c.number<int32_t>());
    s.message = c.text();
    for (auto k = c.number<uint32_t>(); k > 0 && !c.bad; --k) s.values.push_back(c.tensor());
  }
  if (!c.bad) oldest->outcome = std::move(out);
}

void TensorFlow::move(bool wait) {
  const bool open = std::any_of(asked_.begin(), asked_.end(), [](const Asked& a) { return !a.answered; });
  if (!open) return;
  if (pid_ < 0 && !start()) return died();
  const auto waited = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - since_).count();
  pollfd fds[2] = {{out_, POLLIN, 0}, {in_, short(outgoing_.empty() ? 0 : POLLOUT), 0}};
  const int ready = poll(fds, 2, wait ? int(std::max<int64_t>(0, kPatienceMs - waited)) : 0);
  if (ready == 0 && waited >= kPatienceMs) return died();
  if (ready <= 0) return;
  if (fds[1].revents & POLLOUT) {
    const ssize_t n = ::write(in_, outgoing_.data(), outgoing_.size());
    if (n > 0) outgoing_.erase(0, size_t(n));
    else if (errno != EAGAIN && errno != EINTR) return died();
  }
  if (fds[0].revents == 0) return;
  char chunk[1 << 16];
  const ssize_t n = ::read(out_, chunk, sizeof chunk);
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (n <= 0) return died();
  incoming_.append(chunk, size_t(n));
  for (uint32_t size = 0; incoming_.size() >= sizeof size; incoming_.erase(0, sizeof size + size)) {
    std::memcpy(&size, incoming_.data(), sizeof size);
    if (size == kDied) {
      (void)settle();
      size = 0;
      continue;
    }
    if (incoming_.size() - sizeof size < size) break;
    answer(incoming_.substr(sizeof size, size));
  }
}

void TensorFlow::send(const Case& one) {
  Asked& asked = asked_.emplace_back();
  const auto graph = serializeGraph(one.meta, GraphFormat::GraphBinary);
  if (!graph.ok()) {
    asked.answered = true;
    return;
  }
  std::string body;
  putText(body, *graph);
  put(body, uint32_t(one.steps.size()));
  for (const Step& s : one.steps) {
    put(body, uint32_t(s.feeds.size()));
    for (const auto& [name, value] : s.feeds) {
      putText(body, name);
      putTensor(body, value);
    }
    for (const auto* list : {&s.fetches, &s.targets}) {
      put(body, uint32_t(list->size()));
      for (const std::string& name : *list) putText(body, name);
    }
  }
  put(asked.request, uint32_t(body.size()));
  asked.request += body;
  if (pid_ >= 0) outgoing_ += asked.request;
  if (std::count_if(asked_.begin(), asked_.end(), [](const Asked& a) { return !a.answered; }) == 1) since_ = std::chrono::steady_clock::now();
  move(false);
}

bool TensorFlow::answered() {
  move(false);
  return !asked_.empty() && asked_.front().answered;
}

std::optional<Outcome> TensorFlow::receive() {
  while (!asked_.front().answered) move(true);
  auto out = std::move(asked_.front().outcome);
  asked_.pop_front();
  return out;
}

std::optional<Outcome> TensorFlow::run(const Case& one) {
  send(one);
  while (!asked_.back().answered) move(true);
  auto out = std::move(asked_.back().outcome);
  asked_.pop_back();
  return out;
}

}  // namespace weft::generated
