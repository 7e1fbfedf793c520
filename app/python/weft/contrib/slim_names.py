"""tf.contrib.slim: re-exports from tf.contrib.layers and tf.contrib.framework."""

from .. import engine
from ..exports import export_value, names

export_value(0xDECAFCAFFE, "contrib.layers.SPARSE_FEATURE_CROSS_DEFAULT_HASH_KEY", "contrib.slim.SPARSE_FEATURE_CROSS_DEFAULT_HASH_KEY")
for _folder, _list in (("layers", ("xavier_initializer", "xavier_initializer_conv2d", "variance_scaling_initializer", "safe_embedding_lookup_sparse", "legacy_fully_connected",
                                   "summarize_activation", "summarize_activations", "summarize_collection", "summarize_tensor", "summarize_tensors")),):
    for _name in _list:
        export_value(names.get("contrib.%s.%s" % (_folder, _name)) or getattr(getattr(engine.contrib, _folder), _name), "contrib.slim." + _name)
for _name in ("variables", "weights", "biases"):
    export_value(names["contrib.layers.summarize_" + _name], "contrib.slim.summarize_" + _name)
