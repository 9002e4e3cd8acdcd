"""What a student begins with: values and cycles, and hardware with gaps."""
