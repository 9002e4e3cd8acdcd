"""Document 004's kind of measurement, and its place in the JSON of a study."""

from eval.tasks.kind import Kind

KINDS = {"table-004": Kind("eval.documents.d004.table_1_section", 1, after="flow")}
PLACES = ("table_004",)
