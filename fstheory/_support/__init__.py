"""What knows nothing of the theory: exact text, results, progress, journals, files, memory."""
