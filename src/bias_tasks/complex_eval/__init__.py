"""Judges under auxiliary information (ComplexEval): how references and rubrics pull verdicts."""
