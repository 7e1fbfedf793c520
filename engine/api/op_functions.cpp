// Functions of tf.* that are a single op, with parameters, defaults and documentation from the op's record. A new one takes one line.
#include <algorithm>

#include "api/statement.h"

namespace weft::api {
namespace {

struct OpFunction {
  std::string_view names, op;
};

constexpr OpFunction kOpFunctions[] = {
    {"batch_to_space_nd manip.batch_to_space_nd", "BatchToSpaceND"},
    {"bitcast", "Bitcast"},
    {"broadcast_to", "BroadcastTo"},
    {"check_numerics debugging.check_numerics", "CheckNumerics"},
    {"dequantize quantization.dequantize", "Dequantize"},
    {"diag linalg.tensor_diag", "Diag"},
    {"diag_part linalg.tensor_diag_part", "DiagPart"},
    {"extract_volume_patches", "ExtractVolumePatches"},
    {"guarantee_const", "GuaranteeConst"},
    {"roll manip.roll", "Roll"},
    {"quantized_concat quantization.quantized_concat", "QuantizedConcat"},
    {"nn.fractional_avg_pool", "FractionalAvgPool"},
    {"nn.fractional_max_pool", "FractionalMaxPool"},
    {"nn.quantized_avg_pool", "QuantizedAvgPool"},
    {"nn.quantized_conv2d", "QuantizedConv2D"},
    {"nn.quantized_max_pool", "QuantizedMaxPool"},
    {"nn.quantized_relu_x", "QuantizedReluX"},
    {"identity_n", "IdentityN"},
    {"invert_permutation math.invert_permutation", "InvertPermutation"},
    {"matrix_band_part linalg.band_part batch_matrix_band_part", "MatrixBandPart"},
    {"reverse reverse_v2 manip.reverse", "ReverseV2"},
    {"scatter_nd manip.scatter_nd", "ScatterNd"},
    {"space_to_batch_nd manip.space_to_batch_nd", "SpaceToBatchND"},
    {"stop_gradient", "StopGradient"},
    {"tensor_scatter_add tensor_scatter_nd_add", "TensorScatterAdd"},
    {"tensor_scatter_sub tensor_scatter_nd_sub", "TensorScatterSub"},
    {"tensor_scatter_update tensor_scatter_nd_update", "TensorScatterUpdate"},
    {"tile manip.tile", "Tile"},
    {"unravel_index", "UnravelIndex"},
    {"audio.decode_wav", "DecodeWav"},
    {"audio.encode_wav", "EncodeWav"},
    {"bitwise.bitwise_and", "BitwiseAnd"},
    {"bitwise.bitwise_or", "BitwiseOr"},
    {"bitwise.bitwise_xor", "BitwiseXor"},
    {"bitwise.invert", "Invert"},
    {"bitwise.left_shift", "LeftShift"},
    {"bitwise.right_shift", "RightShift"},
    {"no_op", "NoOp"},
    {"dynamic_partition", "DynamicPartition"},
    {"dynamic_stitch", "DynamicStitch"},
    {"io.decode_proto", "DecodeProtoV2"},
    {"io.encode_proto", "EncodeProto"},
    {"image.encode_png", "EncodePng"},
    {"image.hsv_to_rgb", "HSVToRGB"},
    {"image.resize_area", "ResizeArea"},
    {"image.rgb_to_hsv", "RGBToHSV"},
    {"io.decode_and_crop_jpeg image.decode_and_crop_jpeg", "DecodeAndCropJpeg"},
    {"io.decode_bmp image.decode_bmp", "DecodeBmp"},
    {"io.decode_gif image.decode_gif", "DecodeGif"},
    {"io.decode_jpeg image.decode_jpeg", "DecodeJpeg"},
    {"io.decode_png image.decode_png", "DecodePng"},
    {"io.encode_jpeg image.encode_jpeg", "EncodeJpeg"},
    {"io.extract_jpeg_shape image.extract_jpeg_shape", "ExtractJpegShape"},
    {"matching_files io.matching_files", "MatchingFiles"},
    {"read_file io.read_file", "ReadFile"},
    {"write_file io.write_file", "WriteFile"},
    {"cholesky linalg.cholesky batch_cholesky", "Cholesky"},
    {"matrix_determinant linalg.det batch_matrix_determinant", "MatrixDeterminant"},
    {"matrix_inverse linalg.inv batch_matrix_inverse", "MatrixInverse"},
    {"linalg.logm", "MatrixLogarithm"},
    {"linalg.lu", "Lu"},
    {"linalg.slogdet", "LogMatrixDeterminant"},
    {"matrix_solve linalg.solve batch_matrix_solve", "MatrixSolve"},
    {"matrix_square_root linalg.sqrtm", "MatrixSquareRoot"},
    {"matrix_triangular_solve linalg.triangular_solve batch_matrix_triangular_solve", "MatrixTriangularSolve"},
    {"qr linalg.qr", "Qr"},
    {"timestamp", "Timestamp"},
    {"acos math.acos", "Acos"},
    {"acosh math.acosh", "Acosh"},
    {"add math.add", "Add"},
    {"arg_max", "ArgMax"},
    {"arg_min", "ArgMin"},
    {"asin math.asin", "Asin"},
    {"asinh math.asinh", "Asinh"},
    {"atan math.atan", "Atan"},
    {"atan2 math.atan2", "Atan2"},
    {"atanh math.atanh", "Atanh"},
    {"betainc math.betainc", "Betainc"},
    {"ceil math.ceil", "Ceil"},
    {"cos math.cos", "Cos"},
    {"cosh math.cosh", "Cosh"},
    {"cross linalg.cross", "Cross"},
    {"digamma math.digamma", "Digamma"},
    {"erf math.erf", "Erf"},
    {"erfc math.erfc", "Erfc"},
    {"exp math.exp", "Exp"},
    {"expm1 math.expm1", "Expm1"},
    {"floor math.floor", "Floor"},
    {"floor_div", "FloorDiv"},
    {"greater math.greater", "Greater"},
    {"greater_equal math.greater_equal", "GreaterEqual"},
    {"igamma math.igamma", "Igamma"},
    {"igammac math.igammac", "Igammac"},
    {"is_finite math.is_finite debugging.is_finite", "IsFinite"},
    {"is_inf math.is_inf debugging.is_inf", "IsInf"},
    {"is_nan math.is_nan debugging.is_nan", "IsNan"},
    {"less math.less", "Less"},
    {"less_equal math.less_equal", "LessEqual"},
    {"lgamma math.lgamma", "Lgamma"},
    {"linspace lin_space", "LinSpace"},
    {"log math.log", "Log"},
    {"log1p math.log1p", "Log1p"},
    {"logical_and math.logical_and", "LogicalAnd"},
    {"logical_not math.logical_not", "LogicalNot"},
    {"logical_or math.logical_or", "LogicalOr"},
    {"math.bessel_i0e", "BesselI0e"},
    {"math.bessel_i1e", "BesselI1e"},
    {"math.nextafter", "NextAfter"},
    {"math.xdivy", "Xdivy"},
    {"math.xlogy", "Xlogy"},
    {"maximum math.maximum", "Maximum"},
    {"minimum math.minimum", "Minimum"},
    {"mod floormod math.mod math.floormod", "FloorMod"},
    {"negative math.negative neg", "Neg"},
    {"polygamma math.polygamma", "Polygamma"},
    {"realdiv", "RealDiv"},
    {"reciprocal math.reciprocal inv", "Reciprocal"},
    {"rint math.rint", "Rint"},
    {"rsqrt math.rsqrt", "Rsqrt"},
    {"segment_max math.segment_max", "SegmentMax"},
    {"segment_mean math.segment_mean", "SegmentMean"},
    {"segment_min math.segment_min", "SegmentMin"},
    {"segment_prod math.segment_prod", "SegmentProd"},
    {"segment_sum math.segment_sum", "SegmentSum"},
    {"sign math.sign", "Sign"},
    {"sin math.sin", "Sin"},
    {"sinh math.sinh", "Sinh"},
    {"sparse_matmul", "SparseMatMul"},
    {"sqrt math.sqrt", "Sqrt"},
    {"square math.square", "Square"},
    {"squared_difference math.squared_difference", "SquaredDifference"},
    {"tan math.tan", "Tan"},
    {"tanh nn.tanh math.tanh", "Tanh"},
    {"truncatediv", "TruncateDiv"},
    {"truncatemod", "TruncateMod"},
    {"unsorted_segment_max math.unsorted_segment_max", "UnsortedSegmentMax"},
    {"unsorted_segment_min math.unsorted_segment_min", "UnsortedSegmentMin"},
    {"unsorted_segment_prod math.unsorted_segment_prod", "UnsortedSegmentProd"},
    {"unsorted_segment_sum math.unsorted_segment_sum", "UnsortedSegmentSum"},
    {"zeta math.zeta", "Zeta"},
    {"nn.conv3d_backprop_filter nn.conv3d_backprop_filter_v2", "Conv3DBackpropFilterV2"},
    {"nn.depthwise_conv2d_backprop_filter nn.depthwise_conv2d_native_backprop_filter", "DepthwiseConv2dNativeBackpropFilter"},
    {"nn.depthwise_conv2d_backprop_input nn.depthwise_conv2d_native_backprop_input", "DepthwiseConv2dNativeBackpropInput"},
    {"nn.depthwise_conv2d_native", "DepthwiseConv2dNative"},
    {"nn.elu", "Elu"},
    {"nn.l2_loss", "L2Loss"},
    {"nn.lrn nn.local_response_normalization", "LRN"},
    {"nn.relu", "Relu"},
    {"nn.selu", "Selu"},
    {"nn.softplus math.softplus", "Softplus"},
    {"nn.softsign math.softsign", "Softsign"},
    {"decode_compressed io.decode_compressed", "DecodeCompressed"},
    {"decode_json_example io.decode_json_example", "DecodeJSONExample"},
    {"parse_tensor io.parse_tensor", "ParseTensor"},
    {"serialize_tensor io.serialize_tensor", "SerializeTensor"},
    {"fft signal.fft spectral.fft batch_fft", "FFT"},
    {"fft2d signal.fft2d spectral.fft2d", "FFT2D"},
    {"fft3d signal.fft3d spectral.fft3d", "FFT3D"},
    {"ifft signal.ifft spectral.ifft", "IFFT"},
    {"ifft2d signal.ifft2d spectral.ifft2d", "IFFT2D"},
    {"ifft3d signal.ifft3d spectral.ifft3d", "IFFT3D"},
    {"as_string dtypes.as_string strings.as_string", "AsString"},
    {"decode_base64 io.decode_base64", "DecodeBase64"},
    {"encode_base64 io.encode_base64", "EncodeBase64"},
    {"string_join strings.join", "StringJoin"},
    {"string_strip strings.strip", "StringStrip"},
    {"string_to_hash_bucket_fast strings.to_hash_bucket_fast", "StringToHashBucketFast"},
    {"string_to_hash_bucket_strong strings.to_hash_bucket_strong", "StringToHashBucketStrong"},
    {"strings.lower", "StringLower"},
    {"strings.unicode_script", "UnicodeScript"},
    {"strings.unicode_transcode", "UnicodeTranscode"},
    {"strings.unsorted_segment_join", "UnsortedSegmentJoin"},
    {"strings.upper", "StringUpper"},
    {"multiply math.multiply mul", "Mul"},
    {"subtract math.subtract sub", "Sub"},
    {"equal math.equal", "Equal"},
    {"not_equal math.not_equal", "NotEqual"},
};

std::string typeOfAttr(const std::string& type) {
  if (type == "type") return "dtype";
  if (type == "list(int)") return "ints";
  if (type == "list(type)") return "dtypes";
  if (type.starts_with("list(") && type != "list(func)") return type.substr(5, type.size() - 6) + "s";
  return type == "func" || type == "list(func)" ? "any" : type;
}

template <typename T>
Argument listArgument(const std::vector<T>& list) {
  ArgumentList out;
  for (const auto& item : list) out.emplace_back(T(item));
  return Argument(std::move(out));
}

std::optional<Argument> argumentOf(const Attr& a) {
  if (const auto* v = a.get<std::string>()) return Argument(*v);
  if (const auto* v = a.get<int64_t>()) return Argument(*v);
  if (const auto* v = a.get<float>()) return Argument(double(*v));
  if (const auto* v = a.get<bool>()) return Argument(*v);
  if (const auto* v = a.get<DType>()) return Argument(*v);
  if (const auto* v = a.get<Shape>()) return Argument(*v);
  if (const auto* v = a.get<std::vector<int64_t>>()) return Argument(*v);
  if (const auto* v = a.get<std::vector<std::string>>()) return listArgument(*v);
  if (const auto* v = a.get<std::vector<DType>>()) return listArgument(*v);
  if (const auto* v = a.get<std::vector<Shape>>()) return listArgument(*v);
  if (const auto* v = a.get<std::vector<float>>()) return listArgument(std::vector<double>(v->begin(), v->end()));
  return Argument(ArgumentList());
}

// Attributes inferred from inputs are not parameters.
bool isInferred(const OpRecord& op, const AttrSpec& attr) {
  return std::any_of(op.inputs.begin(), op.inputs.end(), [&](const ArgSpec& i) { return i.typeAttr == attr.name || i.numberAttr == attr.name; });
}

ApiParameter attrParameter(const AttrSpec& attr) {
  ApiParameter p;
  p.name = attr.name;
  p.type = typeOfAttr(attr.type);
  p.doc = attr.doc.empty() ? "An attribute of the op." : attr.doc;
  p.choices = attr.type == "string" ? attr.allowedStrings : std::vector<std::string>();
  if (attr.defaultValue) p.otherwise = argumentOf(*attr.defaultValue);
  return p;
}

void addOpFunction(ApiRegistry& r, const OpRecord& op, const std::vector<std::string>& names) {
  ApiRecord record;
  record.name = names[0];
  record.aliases.assign(names.begin() + 1, names.end());
  record.summary = op.summaryText;
  record.doc = op.descriptionText;
  record.source = "The op " + op.name + " of TensorFlow 1.15";
  for (const ArgSpec& i : op.inputs) {
    const bool list = i.isTypeList || !i.numberAttr.empty();
    record.parameters.push_back({i.name, list ? "tensors" : i.isRef ? "variable" : "tensor", {}, i.doc.empty() ? "An input of the op." : i.doc, {}, {}});
  }
  std::vector<const AttrSpec*> attrs;
  for (const bool withDefault : {false, true}) {
    for (const AttrSpec& a : op.attrs) {
      if (a.name == "incompatible_shape_error") continue;  // tf.equal and tf.not_equal do not have it
      if (!isInferred(op, a) && a.defaultValue.has_value() == withDefault) attrs.push_back(&a);
    }
  }
  for (const AttrSpec* a : attrs) record.parameters.push_back(attrParameter(*a));
  record.parameters.push_back(parametersOf("name")[0]);
  for (const ArgSpec& o : op.outputs) record.returns += (record.returns.empty() ? "" : "; ") + (op.outputs.size() > 1 ? o.name + ": " : std::string()) + o.doc;
  if (op.outputs.empty()) {
    record.form = "operation";
    record.returns = "The operation.";
  } else if (op.outputs.size() > 1) {
    record.form = "tuple";
    for (const ArgSpec& o : op.outputs) record.fields.push_back(o.name);
  } else if (op.outputs[0].isTypeList || !op.outputs[0].numberAttr.empty()) {
    record.form = "tensors";
  }
  if (record.returns.empty()) record.returns = "A tensor.";
  record.build = [&op, attrs](GraphBuilder& b, const Arguments& a) -> Built {
    ArgumentList inputs;
    const Call c(b, a);
    for (const ArgSpec& i : op.inputs) inputs.push_back(c[i.name]);
    AttrMap given;
    for (const AttrSpec* attr : attrs) {
      if (!a.given(attr->name)) continue;
      WEFT_LET(Attr value, attrFromArgument(attr->type, c[attr->name]));
      given.set(attr->name, std::move(value));
    }
    const int id = emitNode(b, op.name, inputs, std::move(given), c.name());
    return Values{b.outputsOf(id), {id}};
  };
  r.add(std::move(record));
}

}  // namespace

void registerOpFunctions(ApiRegistry& r) {
  for (const OpFunction& f : kOpFunctions) {
    const OpRecord* op = OpRegistry::instance().find(f.op);
    if (!op) continue;
    std::vector<std::string> names;
    for (size_t at = 0; at < f.names.size();) {
      const size_t end = std::min(f.names.find(' ', at), f.names.size());
      names.emplace_back(f.names.substr(at, end - at));
      at = end + 1;
    }
    addOpFunction(r, *op, names);
  }
}

}  // namespace weft::api
