"""From an RTL component to area, delay and more: mflowgen graphs of small custom steps."""
