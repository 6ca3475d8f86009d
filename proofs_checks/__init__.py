"""The paper as claims, one module per section in the paper's order; ``orca_exact.paper.claims`` runs them."""
