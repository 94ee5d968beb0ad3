"""Helpers that use nothing of the theory: exact text, results, progress, work in chunks, journals, files, memory."""
