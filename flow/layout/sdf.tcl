# Write the delays of a layout as SDF. The environment names the design as for opensta.tcl, which
# reads it, and SDF, the file.
source $env(OPENSTA)

if {[catch { write_sdf -divider . -no_timestamp $env(SDF) } message]} {
  puts "Error: $message"
} else {
  puts "SCRIPT DONE"
}
