"""What figures and pictures look like: tables, files of figures, galleries."""
