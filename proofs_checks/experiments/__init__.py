"""The experiments of Section 6: data, certified optima, tables, figures and stored values."""
