# Tell the pins whose edges are slower than the library allows, with that and their slew. The
# environment names the design as for opensta.tcl, which reads it.
source $env(OPENSTA)

if {[catch { report_check_types -max_transition -all_violators } message]} {
  puts "Error: $message"
} else {
  puts "SCRIPT DONE"
}
