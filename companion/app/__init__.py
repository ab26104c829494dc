"""What the commands do, without argparse and without HTML."""
