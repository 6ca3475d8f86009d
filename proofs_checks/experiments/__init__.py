"""The experiments of Section 6: data sets, certified optima, tables, figures and the stored study."""
