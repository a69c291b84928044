"""Biases of language models that come from how they are prompted, as evaluation tasks.

What can be imported from here stands in `__init__.pyi`. The task `instruction_boundary` stands in
`bias_tasks.instruction_boundary_tasks`: here the package of its paper has the name.
"""

from importlib.metadata import version

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
__version__ = version("bias-tasks")
