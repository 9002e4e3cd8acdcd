# Tell where data reaches registers too early. The environment names the design as for opensta.tcl,
# which reads it; ENDS, how many pins at most; and ENOUGH, a slack in ns. For each pin: its hold slack
# and its setup slack.
source $env(OPENSTA)

if {[catch {
  if {[llength [all_registers -clock_pins]]} {
    set paths [find_timing_paths -path_delay min -sort_by_slack -group_count $env(ENDS)]
    # All of these first: sta forgets paths when it is asked for others.
    set early {}
    foreach path $paths {
      set slack [get_property $path slack]
      if {$slack < $env(ENOUGH)} { lappend early [list [get_property $path endpoint] $slack] }
    }
    foreach one $early {
      lassign $one end slack
      set late [lindex [find_timing_paths -path_delay max -to $end] 0]
      puts "HOLD [get_property $end full_name] $slack [get_property $late slack]"
    }
  }
} message]} {
  puts "Error: $message"
} else {
  puts "SCRIPT DONE"
}
