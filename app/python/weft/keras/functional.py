"""How layers' calls are remembered, so that a model can be made of its inputs and outputs."""


def prepare(inputs):
    """Whether the call of a layer with `inputs` is to be remembered."""
    return False
