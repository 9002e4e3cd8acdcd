"""What the flow says, as records decoded from its JSON: a misspelt name is an error."""
