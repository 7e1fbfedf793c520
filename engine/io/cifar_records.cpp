// CIFAR-10 as TFRecord. The binary form is a label and 3,072 bytes per image; the Python form is a pickle, of which a safe subset is read.
#include "weft/cifar.h"

#include <algorithm>
#include <map>
#include <memory>
#include <variant>

#include "weft/records.h"

namespace weft {
namespace {

constexpr int64_t kPixels = 32 * 32 * 3;

/// The subset of Python's pickle protocols 0 to 4 needed for data. Unknown objects become empty; no names are looked up and no functions called.
class Unpickler {
 public:
  struct Value;
  using List = std::vector<Value>;
  struct Value {
    std::variant<std::monostate, int64_t, std::string, std::shared_ptr<List>, std::shared_ptr<std::map<std::string, Value>>> is;
    const std::string* text() const { return std::get_if<std::string>(&is); }
    const std::shared_ptr<List>* list() const { return std::get_if<std::shared_ptr<List>>(&is); }
  };

  explicit Unpickler(std::string_view bytes) : in_(bytes) {}

  Result<Value> run() {
    while (at_ < in_.size()) {
      const char op = in_[at_++];
      if (op == '.') {
        if (stack_.empty()) break;
        return stack_.back();
      }
      if (!step(op)) return wrong(op);
    }
    return dataLoss("the pickle ends at byte ", in_.size(), " before it is complete").ofKind("truncated");
  }

 private:
  Error wrong(char op) const {
    if (cut_) return dataLoss("the pickle is cut: it has ", in_.size(), " bytes and goes on beyond").ofKind("truncated");
    return invalidArgument("the pickle has an operation ", int(static_cast<unsigned char>(op)), " at byte ", at_ - 1, " that data does not need")
        .ofKind("bad_syntax");
  }
  std::string_view take(size_t n) {
    if (n > in_.size() - at_) {
      cut_ = true;
      return {};
    }
    at_ += n;
    return in_.substr(at_ - n, n);
  }
  uint64_t number(int bytes) {
    const std::string_view b = take(size_t(bytes));
    uint64_t v = 0;
    for (size_t i = b.size(); i-- > 0;) v = v << 8 | static_cast<unsigned char>(b[i]);
    return v;
  }
  std::string_view line() {
    const size_t end = in_.find('\n', at_);
    if (end == in_.npos) {
      cut_ = true;
      return {};
    }
    const std::string_view out = in_.substr(at_, end - at_);
    at_ = end + 1;
    return out;
  }
  bool pushText(size_t size) {
    const std::string_view b = take(size);
    if (!cut_) stack_.push_back({std::string(b)});
    return !cut_;
  }
  bool pushNumber(int64_t v) {
    if (!cut_) stack_.push_back({v});
    return !cut_;
  }
  bool popMark(List* out) {
    if (marks_.empty() || marks_.back() > stack_.size()) return false;
    out->assign(std::make_move_iterator(stack_.begin() + long(marks_.back())), std::make_move_iterator(stack_.end()));
    stack_.resize(marks_.back());
    marks_.pop_back();
    return true;
  }
  bool tuple(size_t n) {
    if (stack_.size() < n) return false;
    auto list = std::make_shared<List>(stack_.end() - long(n), stack_.end());
    stack_.resize(stack_.size() - n);
    stack_.push_back({std::move(list)});
    return true;
  }
  bool setItems(const List& items) {
    if (stack_.empty()) return false;
    auto* map = std::get_if<std::shared_ptr<std::map<std::string, Value>>>(&stack_.back().is);
    if (!map || items.size() % 2) return false;
    for (size_t i = 0; i < items.size(); i += 2)
      if (const std::string* key = items[i].text()) (**map)[*key] = items[i + 1];
    return true;
  }
  bool append(const List& items) {
    if (stack_.empty() || !stack_.back().list()) return false;
    auto& list = **stack_.back().list();
    list.insert(list.end(), items.begin(), items.end());
    return true;
  }
  bool remember(uint64_t key) {
    if (stack_.empty() || cut_) return false;
    memo_[key] = stack_.back();
    return true;
  }
  bool recall(uint64_t key) {
    const auto it = memo_.find(key);
    if (it == memo_.end() || cut_) return false;
    stack_.push_back(it->second);
    return true;
  }
  /// A call that is not executed: its arguments stand for its result, so that an array's bytes can be found in it.
  bool reduce() {
    if (stack_.size() < 2) return false;
    const Value arguments = stack_.back();
    stack_.pop_back();
    stack_.back() = arguments;
    return true;
  }
  bool build() {  // an array's state: (version, shape, type, order, bytes)
    if (stack_.size() < 2) return false;
    const Value state = stack_.back();
    stack_.pop_back();
    if (const auto* list = state.list(); list && (*list)->size() == 5) stack_.back() = state;
    return true;
  }

  bool step(char op) {
    List items;
    switch (op) {
      case '\x80': return take(1).size() == 1;
      case '\x95': return take(8).size() == 8;  // a frame
      case '(': return marks_.push_back(stack_.size()), true;
      case '}': return stack_.push_back({std::make_shared<std::map<std::string, Value>>()}), true;
      case ']': return stack_.push_back({std::make_shared<List>()}), true;
      case ')': return stack_.push_back({std::make_shared<List>()}), true;
      case 'd': return popMark(&items) && (stack_.push_back({std::make_shared<std::map<std::string, Value>>()}), setItems(items));
      case 'l':
      case 't': return popMark(&items) && (stack_.push_back({std::make_shared<List>(std::move(items))}), true);
      case '\x85': return tuple(1);
      case '\x86': return tuple(2);
      case '\x87': return tuple(3);
      case 'u': return popMark(&items) && setItems(items);
      case 'e': return popMark(&items) && append(items);
      case 's': {
        if (stack_.size() < 3) return false;
        items.assign(stack_.end() - 2, stack_.end());
        stack_.resize(stack_.size() - 2);
        return setItems(items);
      }
      case 'a': {
        if (stack_.size() < 2) return false;
        items.assign(stack_.end() - 1, stack_.end());
        stack_.pop_back();
        return append(items);
      }
      case 'U':
      case 'C':
      case '\x8c': return pushText(size_t(number(1)));
      case 'T':
      case 'B':
      case 'X': return pushText(size_t(number(4)));
      case '\x8e':
      case '\x8d': return pushText(size_t(number(8)));
      case 'S':
      case 'V': return pushQuoted();
      case 'K': return pushNumber(int64_t(number(1)));
      case 'M': return pushNumber(int64_t(number(2)));
      case 'J': return pushNumber(int32_t(number(4)));
      case 'I':
      case 'L': return pushNumber(std::atoll(std::string(line()).c_str()));
      case '\x8a': {
        const int n = int(number(1));
        return n <= 8 && pushNumber(int64_t(number(n)));
      }
      case 'F': return line(), pushNumber(0);
      case 'G': return take(8), pushNumber(0);
      case 'N':
      case '\x88':
      case '\x89': return pushNumber(op == '\x88');
      case 'q': return remember(number(1));
      case 'r': return remember(number(4));
      case 'p': return remember(uint64_t(std::atoll(std::string(line()).c_str())));
      case '\x94': return remember(memo_.size());
      case 'h': return recall(number(1));
      case 'j': return recall(number(4));
      case 'g': return recall(uint64_t(std::atoll(std::string(line()).c_str())));
      case 'c': return line(), line(), stack_.push_back({}), !cut_;
      case '\x93': return stack_.size() >= 2 && (stack_.pop_back(), stack_.back() = {}, true);
      case 'R':
      case '\x81': return reduce();
      case 'b': return build();
      case '0': return !stack_.empty() && (stack_.pop_back(), true);
      default: return false;
    }
  }
  bool pushQuoted() {
    std::string_view text = line();
    if (text.size() >= 2 && (text.front() == '\'' || text.front() == '"')) text = text.substr(1, text.size() - 2);
    if (!cut_) stack_.push_back({std::string(text)});
    return !cut_;
  }

  std::string_view in_;
  size_t at_ = 0;
  bool cut_ = false;
  std::vector<Value> stack_;
  std::vector<size_t> marks_;
  std::map<uint64_t, Value> memo_;
};

void varint(std::string* out, uint64_t v) {
  for (; v >= 0x80; v >>= 7) *out += char(v | 0x80);
  *out += char(v);
}
void field(std::string* out, int number, std::string_view content) {
  varint(out, uint64_t(number) << 3 | 2);
  varint(out, content.size());
  *out += content;
}

/// A tf.train.Example with one image.
std::string exampleOf(std::string_view pixels, int64_t label) {
  std::string bytes, image, ints, number, labelFeature, first, second, features, out;
  field(&bytes, 1, pixels);
  field(&image, 1, bytes);  // Feature.bytes_list
  varint(&number, uint64_t(label));
  field(&ints, 1, number);
  field(&labelFeature, 3, ints);  // Feature.int64_list
  field(&first, 1, "image");
  field(&first, 2, image);
  field(&second, 1, "label");
  field(&second, 2, labelFeature);
  field(&features, 1, first);
  field(&features, 1, second);
  field(&out, 1, features);
  return out;
}

Result<LabeledImages> readBatch(const std::string& path, FileSystem& files) {
  WEFT_LET(const std::string bytes, files.readAll(path));
  auto batch = isCifar10Python(bytes) ? decodeCifar10Python(bytes) : decodeCifar10(bytes);
  if (!batch.ok()) return batch.error().inFile(path);
  return batch;
}

/// Writes the records of batches to `path`; their number. CANCELLED if `goOn`, asked after each batch, returns false.
Result<int64_t> writeBatches(const std::vector<std::string>& batches, const std::string& path, const std::function<bool()>& goOn, FileSystem& files) {
  WEFT_LET(const auto writer, RecordWriter::create(path, Compression::None, &files));
  int64_t records = 0;
  for (const std::string& batch : batches) {
    WEFT_LET(const LabeledImages images, readBatch(batch, files));
    const auto* pixels = images.images.data<uint8_t>();
    const auto* labels = images.labels.data<int32_t>();
    std::string planes(size_t(kPixels), '\0');
    for (int64_t i = 0; i < images.labels.dim(0); ++i, ++records) {
      for (int64_t p = 0; p < 1024; ++p)
        for (int64_t c = 0; c < 3; ++c) planes[size_t(c * 1024 + p)] = char(pixels[i * kPixels + p * 3 + c]);
      WEFT_TRY(writer->write(exampleOf(planes, labels[i])));
    }
    if (!goOn()) return Error{Code::Cancelled, "", {}, {}, {}};
  }
  WEFT_TRY(writer->close());
  return records;
}

}  // namespace

bool isCifar10Python(std::string_view bytes) {
  if (bytes.size() < 100 || (bytes[0] != '\x80' && bytes[0] != '(')) return false;
  return bytes.substr(0, 400).find("batch_label") != bytes.npos || bytes.substr(0, 400).find("data") != bytes.npos;
}

Result<LabeledImages> decodeCifar10Python(std::string_view bytes) {
  WEFT_LET(const Unpickler::Value top, Unpickler(bytes).run());
  const auto* map = std::get_if<std::shared_ptr<std::map<std::string, Unpickler::Value>>>(&top.is);
  if (!map) return invalidArgument("the pickle is no dictionary of a CIFAR-10 batch").ofKind("bad_syntax");
  const auto data = (*map)->find("data"), labels = (*map)->find("labels");
  const std::string* pixels = nullptr;
  if (data != (*map)->end()) {
    pixels = data->second.text();
    if (const auto* state = data->second.list(); state && (*state)->size() == 5) pixels = (**state)[4].text();
  }
  const auto* list = labels == (*map)->end() ? nullptr : labels->second.list();
  if (!pixels || !list) return invalidArgument("the pickle has no data and labels of a CIFAR-10 batch").ofKind("bad_syntax");
  const int64_t n = int64_t((*list)->size());
  if (int64_t(pixels->size()) != n * kPixels)
    return invalidArgument("the batch has ", n, " labels and ", pixels->size(), " bytes of pictures; expected ", n * kPixels).ofKind("bad_syntax");
  // Converted to the binary form, which a single function reads.
  std::string binary;
  binary.reserve(size_t(n * (kPixels + 1)));
  for (int64_t i = 0; i < n; ++i) {
    const int64_t* label = std::get_if<int64_t>(&(**list)[size_t(i)].is);
    if (!label || *label < 0 || *label > 9) return invalidArgument("label ", i, " is no number from 0 to 9").ofKind("bad_syntax");
    binary += char(*label);
    binary.append(*pixels, size_t(i * kPixels), size_t(kPixels));
  }
  return decodeCifar10(binary);
}

Result<Cifar10Files> findCifar10(const std::string& path, FileSystem* given) {
  FileSystem& files = given ? *given : posixFileSystem();
  Cifar10Files out;
  WEFT_LET(const auto info, files.stat(path));
  if (!info.isFolder) {
    out.training.push_back(path);
    return out;
  }
  for (const char* end : {".bin", ""}) {
    for (int i = 1; i <= 5; ++i)
      if (const std::string file = joinPath(path, "data_batch_" + std::to_string(i) + end); files.exists(file)) out.training.push_back(file);
    if (const std::string file = joinPath(path, std::string("test_batch") + end); files.exists(file)) out.test.push_back(file);
    if (!out.training.empty() || !out.test.empty()) return out;
  }
  return notFound("there are no CIFAR-10 batches: expected data_batch_1.bin (binary version) or data_batch_1 (Python version)").inFile(path);
}

Result<std::vector<WrittenRecords>> cifar10ToRecords(const std::string& from, const std::string& to, const std::function<bool(double)>& progress,
                                                     FileSystem* given) {
  FileSystem& files = given ? *given : posixFileSystem();
  WEFT_LET(const Cifar10Files found, findCifar10(from, &files));
  const size_t slash = to.rfind('/') == to.npos ? 0 : to.rfind('/'), dot = to.rfind('.');
  const std::string test = dot == to.npos || dot < slash ? to + "-test" : to.substr(0, dot) + "-test" + to.substr(dot);
  const double all = double(found.training.size() + found.test.size());
  double done = 0;
  const auto goOn = [&] { return !progress || progress(++done / all); };
  std::vector<WrittenRecords> out;
  for (const auto& [batches, path] : {std::pair{&found.training, to}, std::pair{&found.test, test}}) {
    if (batches->empty()) continue;
    const std::string part = path + ".part";  // so that a truncated file is not mistaken for a complete one
    const auto records = writeBatches(*batches, part, goOn, files);
    Status placed = records.ok() ? files.rename(part, path) : Status(records.error());
    if (!placed.ok()) {
      (void)files.remove(part);
      if (placed.error().code == Code::Cancelled) return Error{Code::Cancelled, "the conversion was cancelled", {}, to, {}};
      return placed.error();
    }
    out.push_back({path, *records});
  }
  return out;
}

}  // namespace weft
