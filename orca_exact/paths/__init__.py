"""The SVM and its indices for every C at once."""
