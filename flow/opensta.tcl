# Timing of one netlist, which the environment names: NETLIST, TOP, LIBERTY, CLOCK_PORT,
# CLOCK_PERIOD (ns), DRIVING_CELL, LOAD (in the library's unit), WIRE_LOAD, the library's model of
# wires before layout, TIES, the cells that hold a net at 0 or 1, and ENABLE, a pin of clock gates. Inputs come INPUT_DELAY after the edge of a
# clock outside, and outputs are due OUTPUT_DELAY before it (ns); after layout, that clock is as late
# as that of the design's registers. sta exits with 0 whatever happens and goes on after an error, hence
# the catch, and the last line that alone says that all of it ran. QUICK leaves out hold and what is
# unconstrained; ROUGH takes a net for one capacitance: half the time, paths up to half a percent off.
set link_make_black_boxes 0

proc result {key value} { puts "RESULT $key $value" }

proc worst {kind paths} {
  set path [lindex $paths 0]
  if {$path eq ""} { return }
  result ${kind}_slack [format %.5f [get_property $path slack]]
  result ${kind}_start [get_property [get_property $path startpoint] full_name]
  result ${kind}_end [get_property [get_property $path endpoint] full_name]
}

if {[catch {
  read_liberty $env(LIBERTY)
  read_verilog $env(NETLIST)
  link_design $env(TOP)
  if {[info exists env(ROUGH)]} { set_delay_calculator lumped_cap }

  # A clock port of one bit may be written clk[0].
  set clock [get_ports -quiet $env(CLOCK_PORT)]
  create_clock -name clk -period $env(CLOCK_PERIOD) $clock
  create_clock -name outside -period $env(CLOCK_PERIOD)
  set inputs {}
  foreach port [all_inputs] {
    set name [get_property $port full_name]
    if {$name ne $env(CLOCK_PORT) && $name ne "$env(CLOCK_PORT)\[0\]"} { lappend inputs $port }
  }
  if {[llength $inputs]} {
    set_input_delay $env(INPUT_DELAY) -clock outside $inputs
    set_driving_cell -lib_cell $env(DRIVING_CELL) $inputs
  }
  if {[llength [all_outputs]]} {
    set_output_delay $env(OUTPUT_DELAY) -clock outside [all_outputs]
    set_load $env(LOAD) [all_outputs]
  }

  if {[info exists env(SPEF)]} {
    read_spef $env(SPEF)
    set_propagated_clock [get_clocks clk]
    with_output_to_variable skew { report_clock_skew -digits 4 -clock clk }
    puts $skew
    if {[regexp {Skew\n\S.*?\n +([\d.]+)\n\S.*?\n +([\d.]+) } $skew - first second]} {
      set_clock_latency [expr {($first + $second) / 2}] [get_clocks outside]
    }
  } elseif {[info exists env(WIRE_LOAD)]} {
    set_wire_load_model -name $env(WIRE_LOAD)
  }

  set quick [info exists env(QUICK)]
  if {!$quick} {
    with_output_to_variable said { check_setup -verbose }
    puts $said
    # What no path ends at that begins at a register or input, a tie cell's net, is constant.
    set listed [regexp -inline {unconstrained endpoints?\.\n((  \S+\n)*)} "$said\n"]
    foreach name [split [string trim [lindex $listed 1]]] {
      if {$name eq ""} continue
      set end [get_ports -quiet $name]
      if {![llength $end]} { set end [get_pins -quiet $name] }
      foreach begin [get_fanin -to $end -startpoints_only -flat] {
        set from [get_property $begin full_name]
        set cell [get_cells -quiet -of_objects $begin]
        if {$from ne $name && ($cell eq "" || [get_property $cell ref_name] ni $env(TIES))} {
          puts "UNTIMED $name"
          break
        }
      }
    }
  }
  # Of the cells that designs are mapped to only clock gates have a pin of the name of their enable.
  if {[info exists env(ENABLE)]} {
    set enables [get_pins -quiet -hierarchical */$env(ENABLE)]
    if {[llength $enables]} {
      worst enable [find_timing_paths -path_delay max -to $enables -sort_by_slack]
    }
  }
  worst setup [find_timing_paths -path_delay max -sort_by_slack]
  set registers [all_registers -clock_pins]
  result registers [llength $registers]
  if {[llength $registers] && !$quick} {
    worst hold [find_timing_paths -path_delay min -sort_by_slack]
  }
  if {[info exists env(REPORT)]} {
    puts "CRITICAL PATH"
    report_checks -path_delay max -format full -fields {slew capacitance net} -digits 4
    puts "END OF CRITICAL PATH"
  }
} message]} {
  puts "Error: $message"
} else {
  puts "ALL DONE"
}
