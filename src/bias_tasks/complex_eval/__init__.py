"""Judges under auxiliary information (ComplexEval): references and rubrics that mislead them."""
