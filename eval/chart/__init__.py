"""The one form of the charts: panels as data, which Vega-Lite draws."""
