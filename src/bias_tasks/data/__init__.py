"""Where items come from: the paper's data sets, generated ones, and the user's own files."""

from bias_tasks.data.errors import DataError
from bias_tasks.data.load import load_items
from bias_tasks.data.loading import Loaded

__all__ = ["DataError", "Loaded", "load_items"]
