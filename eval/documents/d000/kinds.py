"""Document 000's kinds of measurement."""

from eval.tasks.kind import Kind

KINDS = {
    "fixed-multiplier": Kind("eval.documents.d000.multipliers_section", 5, after="layout"),
    "fixed-reduction": Kind("eval.documents.d000.reductions_section", 3, after="fixed-multiplier"),
}
