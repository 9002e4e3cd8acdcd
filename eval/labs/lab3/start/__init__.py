"""What a student begins with: AddRed's integers and the pipeline's cycles, and stages with gaps."""
