"""tf.contrib.tensorboard.plugins.projector: the configuration of TensorBoard's projector: embeddings, labels and sprite images."""

import os

from google.protobuf import descriptor_pb2, descriptor_pool, text_format

from .. import protos
from ..exports import export, export_value
from ..platform import gfile

_PATH = "contrib.tensorboard.plugins.projector."
_FILE = "projector_config.pbtxt"
_TEXT, _NUMBER, _MESSAGE = 9, 13, 11  # of FieldDescriptorProto
# Message: (field, number, repeated, type or message).
_MESSAGES = {
    "SpriteMetadata": [("image_path", 1, False, _TEXT), ("single_image_dim", 2, True, _NUMBER)],
    "EmbeddingInfo": [("tensor_name", 1, False, _TEXT), ("metadata_path", 2, False, _TEXT), ("bookmarks_path", 3, False, _TEXT), ("tensor_shape", 4, True, _NUMBER),
                      ("sprite", 5, False, "SpriteMetadata"), ("tensor_path", 6, False, _TEXT)],
    "ProjectorConfig": [("model_checkpoint_path", 1, False, _TEXT), ("embeddings", 2, True, "EmbeddingInfo"), ("model_checkpoint_dir", 3, False, _TEXT)],
}


def _register():
    described = descriptor_pb2.FileDescriptorProto(name="weft/projector_config.proto", package="tensorflow", syntax="proto3")
    for name, fields in _MESSAGES.items():
        message = described.message_type.add(name=name)
        for field, number, repeated, kind in fields:
            made = message.field.add(name=field, number=number, label=3 if repeated else 1, type=_MESSAGE if isinstance(kind, str) else kind)
            if isinstance(kind, str):
                made.type_name = ".tensorflow." + kind
    descriptor_pool.Default().AddSerializedFile(described.SerializeToString())


_register()
for _name in _MESSAGES:
    export_value(protos.message(_name), _PATH + _name)


@export(_PATH + "visualize_embeddings")
def visualize_embeddings(summary_writer, config):
    """Writes the configuration into the folder of the writer's event files, where TensorBoard looks for it."""
    folder = summary_writer.get_logdir()
    if folder is None:
        raise ValueError("Summary writer must have a logdir")
    folder = folder.decode() if isinstance(folder, bytes) else folder
    gfile.MakeDirs(folder)
    gfile.write_string_to_file(os.path.join(folder, _FILE), text_format.MessageToString(config))
