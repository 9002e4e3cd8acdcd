"""The documents that designs, figures and statements come from: a folder each, found by listing."""
