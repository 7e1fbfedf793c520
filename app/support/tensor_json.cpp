#include "support/tensor_json.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>

#include "weft/arrays.h"

namespace weft::app {
namespace {

using Json = nlohmann::ordered_json;

constexpr char kAlphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

Json numberToJson(double v) {
  if (std::isnan(v)) return "NaN";
  if (std::isinf(v)) return v > 0 ? "Infinity" : "-Infinity";
  return v;
}

Json stringToJson(const std::string& s) {
  if (isPrintableUtf8(s)) return s;
  return Json{{"b64", base64Encode(s)}};
}

template <typename T, typename F>
void appendAll(const Tensor& t, Json& data, F&& convert) {
  for (const T& v : t.flat<T>()) data.push_back(convert(v));
}

/// A JSON number or one of the three names of non-finite values.
Result<double> jsonToDouble(const Json& j) {
  if (j.is_number()) return j.get<double>();
  if (j.is_string()) {
    const std::string& s = j.get_ref<const std::string&>();
    if (s == "NaN") return std::numeric_limits<double>::quiet_NaN();
    if (s == "Infinity") return std::numeric_limits<double>::infinity();
    if (s == "-Infinity") return -std::numeric_limits<double>::infinity();
  }
  return invalidArgument("tensor data: ", j.dump(), " is no number");
}

template <typename T>
Status fillIntegers(const Json& data, Tensor& t) {
  T* out = t.mutableData<T>();
  for (const Json& j : data) {
    if (j.is_number_unsigned()) *out++ = T(j.get<uint64_t>());
    else if (j.is_number_integer()) *out++ = T(j.get<int64_t>());
    else if (j.is_number_float() && std::floor(j.get<double>()) == j.get<double>()) *out++ = T(j.get<double>());
    else return invalidArgument("tensor data: ", j.dump(), " is no integer");
  }
  return {};
}

template <typename T, typename F>
Status fillFloats(const Json& data, Tensor& t, F&& convert) {
  T* out = t.mutableData<T>();
  for (const Json& j : data) {
    WEFT_LET(const double v, jsonToDouble(j));
    *out++ = convert(v);
  }
  return {};
}

template <typename R>
Status fillComplex(const Json& data, Tensor& t) {
  auto* out = t.mutableData<std::complex<R>>();
  for (const Json& j : data) {
    if (!j.is_array() || j.size() != 2) return invalidArgument("tensor data: ", j.dump(), " is no [re, im]");
    WEFT_LET(const double re, jsonToDouble(j[0]));
    WEFT_LET(const double im, jsonToDouble(j[1]));
    *out++ = {R(re), R(im)};
  }
  return {};
}

Status fillStrings(const Json& data, Tensor& t) {
  auto* out = t.mutableData<std::string>();
  for (const Json& j : data) {
    if (j.is_string()) {
      *out++ = j.get<std::string>();
    } else if (j.is_object() && j.contains("b64") && j["b64"].is_string()) {
      WEFT_LET(*out, base64Decode(j["b64"].get<std::string>()));
      ++out;
    } else {
      return invalidArgument("tensor data: ", j.dump(), " is neither text nor {\"b64\": …}");
    }
  }
  return {};
}

Status fillBools(const Json& data, Tensor& t) {
  bool* out = t.mutableData<bool>();
  for (const Json& j : data) {
    if (j.is_boolean()) *out++ = j.get<bool>();
    else if (j.is_number_integer()) *out++ = j.get<int64_t>() != 0;
    else return invalidArgument("tensor data: ", j.dump(), " is neither true nor false");
  }
  return {};
}

Status fill(const Json& data, Tensor& t) {
  switch (t.dtype()) {
    case DType::Float: return fillFloats<float>(data, t, [](double v) { return float(v); });
    case DType::Double: return fillFloats<double>(data, t, [](double v) { return v; });
    case DType::Half: return fillFloats<HalfBits>(data, t, [](double v) { return halfFromFloat(float(v)); });
    case DType::BFloat16: return fillFloats<BFloat16Bits>(data, t, [](double v) { return bfloat16FromFloat(float(v)); });
    case DType::Int8: return fillIntegers<int8_t>(data, t);
    case DType::Int16: return fillIntegers<int16_t>(data, t);
    case DType::Int32: return fillIntegers<int32_t>(data, t);
    case DType::Int64: return fillIntegers<int64_t>(data, t);
    case DType::UInt8: return fillIntegers<uint8_t>(data, t);
    case DType::UInt16: return fillIntegers<uint16_t>(data, t);
    case DType::UInt32: return fillIntegers<uint32_t>(data, t);
    case DType::UInt64: return fillIntegers<uint64_t>(data, t);
    case DType::Bool: return fillBools(data, t);
    case DType::String: return fillStrings(data, t);
    case DType::Complex64: return fillComplex<float>(data, t);
    case DType::Complex128: return fillComplex<double>(data, t);
    default: return invalidArgument("tensors of dtype ", dtypeName(t.dtype()), " cannot be given as JSON");
  }
}

}  // namespace

std::string base64Encode(std::string_view bytes) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    uint32_t group = uint32_t(uint8_t(bytes[i])) << 16;
    if (i + 1 < bytes.size()) group |= uint32_t(uint8_t(bytes[i + 1])) << 8;
    if (i + 2 < bytes.size()) group |= uint8_t(bytes[i + 2]);
    out += kAlphabet[group >> 18];
    out += kAlphabet[group >> 12 & 63];
    out += i + 1 < bytes.size() ? kAlphabet[group >> 6 & 63] : '=';
    out += i + 2 < bytes.size() ? kAlphabet[group & 63] : '=';
  }
  return out;
}

Result<std::string> base64Decode(std::string_view text) {
  std::string out;
  uint32_t group = 0;
  int bits = 0;
  while (!text.empty() && text.back() == '=') text.remove_suffix(1);
  for (const char c : text) {
    const char* at = c ? std::strchr(kAlphabet, c) : nullptr;
    if (!at) return invalidArgument("base64: unexpected character '", c, "'");
    group = group << 6 | uint32_t(at - kAlphabet);
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      out += char(group >> bits & 255);
    }
  }
  return out;
}

bool isPrintableUtf8(std::string_view text) {
  for (size_t i = 0; i < text.size();) {
    const auto c = uint8_t(text[i]);
    if (c < 0x20 || c == 0x7f) return false;
    const int more = c < 0x80 ? 0 : c >= 0xc2 && c < 0xe0 ? 1 : c >= 0xe0 && c < 0xf0 ? 2 : c >= 0xf0 && c < 0xf5 ? 3 : -1;
    if (more < 0 || i + size_t(more) >= text.size()) return false;
    uint32_t code = more == 0 ? c : more == 1 ? c & 31 : more == 2 ? c & 15 : c & 7;
    for (int k = 1; k <= more; ++k) {
      const auto d = uint8_t(text[i + k]);
      if ((d & 0xc0) != 0x80) return false;
      code = code << 6 | (d & 63);
    }
    const bool overlong = (more == 2 && code < 0x800) || (more == 3 && (code < 0x10000 || code > 0x10ffff));
    const bool surrogate = code >= 0xd800 && code < 0xe000;
    if (overlong || surrogate || (code >= 0x80 && code < 0xa0)) return false;
    i += size_t(more) + 1;
  }
  return true;
}

Json tensorToJson(const Tensor& tensor) {
  Json data = Json::array();
  const Tensor& t = tensor;
  auto plain = [](auto v) { return Json(v); };
  switch (t.dtype()) {
    case DType::Float: appendAll<float>(t, data, [](float v) { return numberToJson(v); }); break;
    case DType::Double: appendAll<double>(t, data, [](double v) { return numberToJson(v); }); break;
    case DType::Half: appendAll<HalfBits>(t, data, [](HalfBits v) { return numberToJson(toFloat(v)); }); break;
    case DType::BFloat16: appendAll<BFloat16Bits>(t, data, [](BFloat16Bits v) { return numberToJson(toFloat(v)); }); break;
    case DType::Int8:
    case DType::QInt8: appendAll<int8_t>(t.withDType(DType::Int8), data, plain); break;
    case DType::Int16:
    case DType::QInt16: appendAll<int16_t>(t.withDType(DType::Int16), data, plain); break;
    case DType::Int32:
    case DType::QInt32: appendAll<int32_t>(t.withDType(DType::Int32), data, plain); break;
    case DType::Int64: appendAll<int64_t>(t, data, plain); break;
    case DType::UInt8:
    case DType::QUInt8: appendAll<uint8_t>(t.withDType(DType::UInt8), data, plain); break;
    case DType::UInt16:
    case DType::QUInt16: appendAll<uint16_t>(t.withDType(DType::UInt16), data, plain); break;
    case DType::UInt32: appendAll<uint32_t>(t, data, plain); break;
    case DType::UInt64: appendAll<uint64_t>(t, data, plain); break;
    case DType::Bool: appendAll<bool>(t, data, plain); break;
    case DType::String: appendAll<std::string>(t, data, stringToJson); break;
    case DType::Complex64: appendAll<std::complex<float>>(t, data, [](auto v) { return Json::array({numberToJson(v.real()), numberToJson(v.imag())}); }); break;
    case DType::Complex128:
      appendAll<std::complex<double>>(t, data, [](auto v) { return Json::array({numberToJson(v.real()), numberToJson(v.imag())}); });
      break;
    default:
      for (int64_t i = 0; i < t.elements(); ++i) data.push_back(nullptr);
  }
  return Json{{"dtype", dtypeName(t.dtype())}, {"shape", t.shape().toVector()}, {"data", std::move(data)}};
}

Result<Tensor> tensorFromJson(const Json& json, const std::string& folder) {
  if (!json.is_object()) return invalidArgument("a tensor must be an object with dtype, shape and data, not ", json.dump().substr(0, 60));
  if (json.contains("npy")) {
    if (!json["npy"].is_string()) return invalidArgument("\"npy\" must be a file's name");
    const std::string name = json["npy"].get<std::string>();
    return loadNpy(folder.empty() || (!name.empty() && name[0] == '/') ? name : folder + "/" + name);
  }
  if (!json.contains("dtype") || !json["dtype"].is_string()) return invalidArgument("a tensor lacks \"dtype\"");
  const DType dtype = dtypeFromName(json["dtype"].get<std::string>());
  if (dtype == DType::Invalid || isRef(dtype)) return invalidArgument("unknown dtype ", json["dtype"].dump());
  if (!json.contains("shape") || !json["shape"].is_array()) return invalidArgument("a tensor lacks \"shape\"");
  std::vector<int64_t> dims;
  for (const Json& d : json["shape"]) {
    if (!d.is_number_integer() || d.get<int64_t>() < 0) return invalidArgument("shape ", json["shape"].dump(), " must be a list of sizes");
    dims.push_back(d.get<int64_t>());
  }
  if (!json.contains("data") || !json["data"].is_array()) return invalidArgument("a tensor lacks \"data\"");
  const Shape shape(dims);
  if (shape.elements() != int64_t(json["data"].size())) return invalidArgument("a tensor of shape ", shape.toString(), " has ", json["data"].size(), " values");
  WEFT_LET(Tensor t, Tensor::allocate(dtype, shape));
  WEFT_TRY(fill(json["data"], t));
  return t;
}

}  // namespace weft::app
