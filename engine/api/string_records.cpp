// tf.strings, text parsing, CTC, Fourier transforms, candidate samplers: thin functions over ops.
#include "api/nn_functions.h"
#include "api/statement.h"

namespace weft::api {
namespace {

using Ints = std::vector<int64_t>;

SparseValue sparseTensor(GraphBuilder& b, Output indices, Output values, Output shape) {
  const py::Scope scope(b, "SparseTensor");
  return {indices, values, shape};
}

Built split(Call& c) {
  GraphBuilder& b = c.b;
  const auto scope = c.scope("StringSplit");
  const Argument sep = c.has("sep") ? c["sep"] : c.has("delimiter") ? c["delimiter"] : Argument(" ");
  const Output delimiter = toTensor(b, sep, {}, DType::String), source = toTensor(b, c["source"], {}, DType::String);
  const auto out = emitAll(b, "StringSplit", {source, delimiter}, {{"skip_empty", c.a.flag("skip_empty")}});
  if (!b.ok()) return b.status().error();
  const SparseValue s = sparseTensor(b, out[0], out[1], out[2]);
  return Values{{s.indices, s.values, s.denseShape}, {}, {Argument(s)}};
}

Built reduceJoin(Call& c) {
  GraphBuilder& b = c.b;
  const py::Scope scope(b, "ReduceJoin");
  const Output x = toTensor(b, c["inputs"], {});
  Argument axis = c["axis"];
  if (isNone(axis)) {
    const Shape s = b.shape(x);
    if (s.hasRank()) {
      std::vector<int32_t> all;
      for (int i = s.rank() - 1; i >= 0; --i) all.push_back(int32_t(i));
      axis = b.constant(Tensor::vector(all));
    } else {
      axis = tf::range(b, tf::minus(b, tf::rank(b, x), 1), -1, -1);
    }
  }
  return c.one(emit(b, "ReduceJoin", {x, axis}, {{"keep_dims", c.a.flag("keepdims")}, {"separator", c.a.text("separator")}}, c.name()));
}

Built format(Call& c) {
  const std::string text = c.a.text("template"), mark = c.a.text("placeholder");
  const Argument& given = c["inputs"];
  const ArgumentList list = std::holds_alternative<Output>(given) ? ArgumentList{given} : c.list("inputs");
  size_t count = 0;
  for (size_t at = text.find(mark); !mark.empty() && at != text.npos; at = text.find(mark, at + mark.size())) ++count;
  if (count != list.size()) return invalidArgument(count, " placeholder(s) in template does not match ", list.size(), " tensor(s) provided as input");
  return c.one(emit(c.b, "StringFormat", {Argument(list)}, {{"template", text}, {"placeholder", mark}, {"summarize", c.a.integer("summarize")}}, c.name()));
}

// Zero padding for a signal shorter than its transform.
Output paddedFor(GraphBuilder& b, Output x, int rank, Output length, bool back) {
  const Shape s = b.shape(x);
  const auto known = b.constantValue(length);
  for (const int64_t d : s.dims()) {
    if (d == 0) return x;
  }
  const Shape last = s.hasRank() && s.rank() >= rank ? s.slice(s.rank() - rank) : Shape::unknown();
  if (known && s.hasRank() && last.isFullyKnown()) {
    ArgumentList paddings;
    bool any = false;
    for (int i = 0; i < s.rank() - rank; ++i) paddings.emplace_back(Ints{0, 0});
    for (int i = 0; i < rank; ++i) {
      int64_t want = known->asInt(i);
      if (back && i == rank - 1) want = want / 2 + 1;
      const int64_t more = std::max<int64_t>(want - last.dim(i), 0);
      any = any || more > 0;
      paddings.emplace_back(Ints{0, more});
    }
    return any ? tf::pad(b, x, paddings) : x;
  }
  const Output ranks = tf::rank(b, x);
  const Output own = tf::part(b, tf::shape(b, x), -rank, {});
  const Output outer = emit(b, "Maximum", {0, tf::minus(b, ranks, rank)});
  const Output none = tf::zeros(b, ArgumentList{outer}, DType::Int32);
  if (back) {
    const Output first = tf::part(b, length, {}, -1);
    const Output half = tf::plus(b, tf::floordiv(b, tf::part(b, length, -1, {}), 2), 1);
    length = tf::concatenate(b, ArgumentList{first, half}, 0);
  }
  const Output more = emit(b, "Maximum", {0, tf::minus(b, length, own)});
  const Output ends = tf::concatenate(b, ArgumentList{none, more}, 0);
  return tf::pad(b, x, tf::stack(b, ArgumentList{tf::zerosLike(b, ends), ends}, 1));
}

Built realTransform(Call& c, const std::string& op, int rank, bool back) {
  GraphBuilder& b = c.b;
  std::string scopeName = op;
  for (char& ch : scopeName) ch = ch >= 'A' && ch <= 'Z' ? char(ch + 32) : ch;
  const auto scope = c.scope(scopeName);
  const Output x = toTensor(b, c["input_tensor"], {}, back ? DType::Complex64 : DType::Float);
  const Shape s = b.shape(x);
  if (!b.ok()) return b.status().error();
  if (s.hasRank() && s.rank() < rank) return invalidArgument("Shape ", s.toPythonString(), " must have rank at least ", rank);
  Output length;
  const Shape last = s.hasRank() ? s.slice(s.rank() - rank) : Shape::unknown();
  if (c.has("fft_length")) {
    length = toTensor(b, c["fft_length"], {}, DType::Int32);
  } else if (last.isFullyKnown()) {
    Ints dims = last.toVector();
    if (back && !dims.empty()) dims.back() = std::max<int64_t>(0, 2 * (dims.back() - 1));
    length = toTensor(b, dims, {}, DType::Int32);
  } else {
    const Output own = tf::part(b, tf::shape(b, x), -rank, {});
    if (back) {
      auto dims = tf::unstack(b, own, rank);
      if (!b.ok()) return b.status().error();
      dims.back() = emit(b, "Maximum", {0, tf::times(b, 2, tf::minus(b, dims.back(), 1))});
      length = tf::stack(b, Argument(dims));
    } else {
      length = own;
    }
  }
  const Output padded = paddedFor(b, x, rank, length, back);
  return c.one(b.op(op, {padded, length}, {}, scope.name()));
}

}  // namespace

void registerStrings(ApiRegistry& r) {
  def(r, "string_split",
      "source -- Strings.|sep=None -- Delimiter; None: split at spaces.|skip_empty: bool=true -- Whether to omit empty pieces.|delimiter=None -- Deprecated; "
      "use sep.|result_type: string=SparseTensor -- Ignored; kept for compatibility.|name",
      "Splits strings into pieces.", "sparse: A sparse tensor of the pieces.", split);
  def(r, "strings.reduce_join reduce_join",
      "inputs|axis/reduction_indices=None -- None: all.|keepdims/keep_dims: bool=None|separator: string='' -- Separator between the strings.|name",
      "Joins strings along dimensions.", "A tensor with fewer dimensions.", reduceJoin);
  def(r, "strings.format",
      "template: string -- The text with placeholders.|inputs: any -- Tensors.|placeholder: string={} -- What is replaced.|summarize: int=3|name",
      "Formats tensors into a template string.", "A scalar.", format);
  def(r, "strings.length string_length", "input|name|unit: string=BYTE -- \"BYTE\" or \"UTF8_CHAR\".", "Length of each string.", "A tensor.", [](Call& c) {
    return c.one(emit(c.b, "StringLength", {c["input"]}, {{"unit", c.a.text("unit")}}, c.name()));
  });
  def(r, "strings.substr substr", "input|pos -- Start of each substring.|len -- Length of each substring.|name|unit: string=BYTE -- \"BYTE\" or \"UTF8_CHAR\".",
      "Splits strings into pieces.", "A tensor.", [](Call& c) {
        return c.one(emit(c.b, "Substr", {c["input"], c["pos"], c["len"]}, {{"unit", c.a.text("unit")}}, c.name()));
      });
  def(r, "strings.regex_replace regex_replace",
      "input|pattern -- Regular expression (RE2).|rewrite -- Replacement.|replace_global: bool=true -- Whether to replace all matches or only the first.|name",
      "Replaces matches of a regular expression.", "A tensor.", [](Call& c) {
        const auto* pattern = std::get_if<std::string>(&c["pattern"]);
        const auto* rewrite = std::get_if<std::string>(&c["rewrite"]);
        const bool all = c.a.flag("replace_global");
        if (pattern && rewrite)
          return c.one(emit(c.b, "StaticRegexReplace", {c["input"]}, {{"pattern", *pattern}, {"rewrite", *rewrite}, {"replace_global", all}}, c.name()));
        return c.one(emit(c.b, "RegexReplace", {c["input"], c["pattern"], c["rewrite"]}, {{"replace_global", all}}, c.name()));
      });
  def(r, "strings.regex_full_match", "input|pattern -- Regular expression (RE2).|name", "Whether a regular expression matches each whole string.",
      "A boolean tensor.", [](Call& c) {
        const auto* pattern = std::get_if<std::string>(&c["pattern"]);
        if (pattern) return c.one(emit(c.b, "StaticRegexFullMatch", {c["input"]}, {{"pattern", *pattern}}, c.name()));
        return c.one(emit(c.b, "RegexFullMatch", {c["input"], c["pattern"]}, {}, c.name()));
      });
  def(r, "strings.to_number string_to_number", "string_tensor/input -- Strings.|out_type: dtype=float32|name", "Parses strings as numbers.", "A tensor.",
      [](Call& c) {
        return c.one(emit(c.b, "StringToNumber", {c["string_tensor"]}, {{"out_type", c.a.dtype("out_type")}}, c.name()));
      });
  def(r, "strings.to_hash_bucket string_to_hash_bucket", "string_tensor/input -- Strings.|num_buckets: int -- Number of buckets.|name",
      "Hashes strings to bucket indices.", "A tensor.", [](Call& c) {
        return c.one(emit(c.b, "StringToHashBucket", {c["string_tensor"]}, {{"num_buckets", c.a.integer("num_buckets")}}, c.name()));
      });
  def(r, "decode_raw io.decode_raw",
      "input_bytes/bytes -- Byte strings of the same length.|out_type: dtype|little_endian: bool=true -- Whether the bytes are in little-endian order.|name",
      "Reinterprets bytes as numbers.", "A tensor with one more dimension.", [](Call& c) {
        return c.one(emit(c.b, "DecodeRaw", {c["input_bytes"]}, {{"out_type", c.a.dtype("out_type")}, {"little_endian", c.a.flag("little_endian")}}, c.name()));
      });
  def(r, "decode_csv io.decode_csv",
      "records -- CSV records.|record_defaults: any -- Default value of each field; an empty list: the field is required.|field_delim: string=, -- Field "
      "delimiter.|use_quote_delim: bool=true -- Whether double quotes delimit fields.|name|na_value: string='' -- String that marks a missing "
      "value.|select_cols: ints=None -- Indices of the fields to return; None: all.",
      "Parses CSV records into one tensor per field.", "tensors: One tensor per field.", [](Call& c) {
        AttrMap attrs = {{"field_delim", c.a.text("field_delim")}, {"use_quote_delim", c.a.flag("use_quote_delim")}, {"na_value", c.a.text("na_value")}};
        if (c.has("select_cols")) attrs.set("select_cols", c.a.integers("select_cols"));
        return c.all(emitAll(c.b, "DecodeCSV", {c["records"], Argument(c.list("record_defaults"))}, attrs, c.name()));
      });
  def(r, "nn.ctc_loss",
      "labels: sparse|inputs/logits=None -- Logits of the network.|sequence_length|preprocess_collapse_repeated: bool=false -- Collapse repeated labels "
      "before computing the loss.|ctc_merge_repeated: bool=true -- Collapse repeated labels of the output.|ignore_longer_outputs_than_inputs: bool=false -- "
      "Whether labels that are too long count nothing.|time_major: bool=true",
      "CTC (connectionist temporal classification) loss.", "[batch]: one loss per sequence.", [](Call& c) {
        const auto& labels = std::get<SparseValue>(c["labels"]);
        Argument x = c["inputs"];
        if (!c.a.flag("time_major")) x = tf::transpose(c.b, x, Ints{1, 0, 2});
        return c.one(emit(c.b, "CTCLoss", {x, labels.indices, labels.values, c["sequence_length"]},
                          {{"preprocess_collapse_repeated", c.a.flag("preprocess_collapse_repeated")},
                           {"ctc_merge_repeated", c.a.flag("ctc_merge_repeated")},
                           {"ignore_longer_outputs_than_inputs", c.a.flag("ignore_longer_outputs_than_inputs")}}));
      });
  def(r, "nn.ctc_greedy_decoder", "inputs -- [time, batch, classes]|sequence_length|merge_repeated: bool=true -- Whether to collapse repeated labels.",
      "Greedy CTC decoding: the best label at each step.", "others: A list with one sparse tensor of labels, and the scores.", [](Call& c) -> Built {
        const auto out = emitAll(c.b, "CTCGreedyDecoder", {c["inputs"], c["sequence_length"]}, {{"merge_repeated", c.a.flag("merge_repeated")}});
        if (!c.b.ok()) return c.b.status().error();
        return Values{{}, {}, {Argument(ArgumentList{ArgumentList{sparseTensor(c.b, out[0], out[1], out[2])}, out[3]})}};
      });
  def(r, "nn.ctc_beam_search_decoder",
      "inputs -- [time, batch, classes]|sequence_length|beam_width: int=100 -- Number of candidate sequences kept at each step.|top_paths: int=1 -- Number "
      "of sequences to return.|merge_repeated: bool=true -- Whether to collapse repeated labels.",
      "CTC beam search decoding: the most probable label sequences.", "others: A list of sparse tensors of labels, and the scores.", [](Call& c) -> Built {
        const auto n = size_t(c.a.integer("top_paths"));
        const auto out = emitAll(c.b, "CTCBeamSearchDecoder", {c["inputs"], c["sequence_length"]},
                                 {{"beam_width", c.a.integer("beam_width")}, {"top_paths", int64_t(n)}, {"merge_repeated", c.a.flag("merge_repeated")}});
        if (!c.b.ok()) return c.b.status().error();
        ArgumentList paths;
        for (size_t i = 0; i < n; ++i) paths.emplace_back(sparseTensor(c.b, out[i], out[n + i], out[2 * n + i]));
        return Values{{}, {}, {Argument(ArgumentList{Argument(paths), out[3 * n]})}};
      });
  for (int rank = 1; rank <= 3; ++rank) {
    const std::string n = rank == 1 ? "" : std::to_string(rank) + "d", op = rank == 1 ? "" : std::to_string(rank) + "D";
    for (const bool back : {false, true}) {
      const std::string name = std::string(back ? "irfft" : "rfft") + n;
      def(r, "signal." + name + " spectral." + name,
          "input_tensor -- Signals, along the last dimensions.|fft_length=None -- FFT length of each transformed dimension; None: that of the signal.|name",
          "Fourier transform of real signals, or its inverse.", "A tensor.",
          [op = std::string(back ? "IRFFT" : "RFFT") + op, rank, back](Call& c) { return realTransform(c, op, rank, back); });
    }
  }
}

}  // namespace weft::api
