"""Conformance: published vectors of RSA, each power made by a design, the padding by the host."""
