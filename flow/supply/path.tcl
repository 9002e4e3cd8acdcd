# Show the slowest path, pin by pin. The environment names the design as for opensta.tcl, which reads
# it.
source $env(OPENSTA)

if {[catch {
  report_checks -path_delay max -sort_by_slack -group_count 1 \
    -fields {input_pin capacitance slew} -digits 5
} message]} {
  puts "Error: $message"
} else {
  puts "SCRIPT DONE"
}
