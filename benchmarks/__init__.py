"""How many decisions a second the faces of the environment make, beside what they are measured against."""
