"""Distributions in files: exact JSON of our own, and tables of samples, or of all there is, as CSV."""

from fstheory.io.csv_file import read_csv
from fstheory.io.loading import load, read_json, write_json

__all__ = ["load", "read_csv", "read_json", "write_json"]
