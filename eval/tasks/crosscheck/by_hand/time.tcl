# The shortest period of a netlist: NETLIST, TOP and CLOCK_PERIOD (ns) are in the environment.
read_liberty stdcells.lib
read_verilog $env(NETLIST)
link_design $env(TOP)
if {"WIRE_LOAD" ne ""} { set_wire_load_model -name "WIRE_LOAD" }
create_clock -name clk -period $env(CLOCK_PERIOD) [get_ports clk]
foreach port [all_inputs] {
  if {[get_property $port full_name] in {clk clk[0]}} continue
  set_input_delay INPUT_DELAY -clock clk $port
  set_driving_cell -lib_cell DRIVING_CELL $port
}
set_output_delay OUTPUT_DELAY -clock clk [all_outputs]
set_load LOAD [all_outputs]
set path [lindex [find_timing_paths -path_delay max -sort_by_slack] 0]
puts "period [format %.5f [expr {$env(CLOCK_PERIOD) - [get_property $path slack]}]]"
