"""What any package needs: errors, lazy imports, files that users name, worker processes."""
