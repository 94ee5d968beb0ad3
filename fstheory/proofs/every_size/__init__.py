"""Proofs and refutations of claims for every number of states, in terms of risks, entropies and other criteria."""
