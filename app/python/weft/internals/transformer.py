"""tensorflow.python.autograph.pyct.transformer: the base class of transformers of syntax trees. Reading functions into such trees is not there."""

import ast


class Context:
    """What a transformer knows beside the tree: `info` about the function."""

    def __init__(self, info):
        self.info = info
        self.current_origin = None


class Base(ast.NodeTransformer):
    """Visits a tree of ast or gast nodes; each visit_NAME() returns what replaces the node."""

    def __init__(self, ctx):
        self.ctx = ctx
        self._enclosing_entities = []

    @property
    def enclosing_entities(self):
        """The functions and classes around the visited node, outermost first."""
        return tuple(self._enclosing_entities)

    def visit_block(self, nodes, before_visit=None, after_visit=None):
        """Visits a list of statements, each of which may become several."""
        if nodes is None:
            return None
        if before_visit is not None:
            before_visit()
        found = []
        for node in nodes:
            made = self.visit(node)
            if made is not None:
                found.extend(made if isinstance(made, (list, tuple)) else [made])
        if after_visit is not None:
            after_visit()
        return found

    def visit(self, node):
        entity = isinstance(node, ast.AST) and type(node).__name__ in ("FunctionDef", "ClassDef", "Lambda")
        if entity:
            self._enclosing_entities.append(node)
        try:
            return super().visit(node)
        finally:
            if entity:
                self._enclosing_entities.pop()
