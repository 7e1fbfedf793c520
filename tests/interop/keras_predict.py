"""Predictions of Keras models: PYTHON keras_predict.py MODEL.h5=ARRAYS.npz… — prints a JSON object, the largest difference to y0, y1, … or the error."""
import json
import os
import sys
import warnings

warnings.filterwarnings("ignore")
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import numpy as np
import tensorflow as tf

out = {}
for word in sys.argv[1:]:
    model_file, arrays = word.split("=")
    data = np.load(arrays)
    inputs = [data[k] for k in sorted(data.files) if k[0] == "x"]
    wanted = [data[k] for k in sorted(data.files) if k[0] == "y"]
    try:
        tf.keras.backend.clear_session()
        model = tf.keras.models.load_model(model_file, compile=False)
        got = model.predict(inputs if len(inputs) > 1 else inputs[0], verbose=0)
        got = got if isinstance(got, list) else [got]
        out[model_file] = max(float(np.abs(a - b).max()) if a.shape == b.shape else float("inf") for a, b in zip(got, wanted))
    except Exception as error:
        out[model_file] = "%s: %s" % (type(error).__name__, str(error).strip().split("\n")[0][:120])
print("\n" + json.dumps(out))
