"""tf.contrib.tensorboard.plugins.projector: the configuration of TensorBoard's projector: embeddings, labels and sprite images."""

import os

from google.protobuf import text_format

from .. import protos
from ..exports import export, export_value
from ..platform import gfile

_PATH = "contrib.tensorboard.plugins.projector."
_FILE = "projector_config.pbtxt"
for _name in ("SpriteMetadata", "EmbeddingInfo", "ProjectorConfig"):
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
