# The power of each cell of flat.v, in W: internal, switching, leakage. SAIF, TOP and CLOCK_PERIOD
# (ns) are in the environment. OpenSTA 2.0 reads no SAIF; newer ones do, by read_saif.
read_liberty power.lib
read_verilog flat.v
link_design $env(TOP)
create_clock -name clk -period $env(CLOCK_PERIOD) [get_ports clk]
set_load LOAD [all_outputs]

set file [open $env(SAIF)]
set text [read $file]
close $file
regexp {\(DURATION (\d+)\)} $text - duration
set cycles [expr {$duration / (1000.0 * $env(CLOCK_PERIOD))}]
set net {\((\S+) \(T0 \d+\) \(T1 (\d+)\) \(TX \d+\) \(TC (\d+)\)}
foreach {- name high toggles} [regexp -all -inline $net $text] {
  set name [string map {\\ ""} $name]
  set activity($name) [expr {$toggles / $cycles}]
  set duty($name) [expr {double($high) / $duration}]
}
foreach port [all_inputs] {
  set name [get_property $port full_name]
  if {$name eq "clk"} continue
  set_driving_cell -lib_cell DRIVING_CELL $port
  set_power_activity -input_ports $port -activity $activity($name) -duty $duty($name)
}
foreach pin [get_pins *] {
  set net [get_nets -of_objects $pin]
  if {$net in {NULL {}}} continue
  set name [string map {\\ ""} [get_full_name $net]]
  if {$name eq "clk"} continue
  sta::set_power_pin_activity $pin $activity($name) $duty($name)
}
report_power -digits 6
foreach cell [get_cells *] {
  puts "CELL [get_full_name $cell] [lrange [sta::instance_power $cell [sta::cmd_corner]] 0 2]"
}
