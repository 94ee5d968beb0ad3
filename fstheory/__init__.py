"""The workbench for the theory of feature selection on finite sample spaces."""
