"""The SVM and its indices as functions of C."""
