"""Tests of the form of the charts."""
