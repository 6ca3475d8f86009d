"""The paper as claims, one module per section in the paper's order; ``proofs_checks.ledger.claims`` runs them."""
