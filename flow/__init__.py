"""Take an RTL component to area, delay and more: mflowgen graphs of small steps of our own."""
