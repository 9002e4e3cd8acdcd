"""Cores of others: how they are read, adapted, measured and told of."""
