# Tell the slacks at the pins and ports on slow paths. The environment names the design as for
# opensta.tcl, which reads it, and PATHS, how many paths, one to each endpoint.
source $env(OPENSTA)

if {[catch {
  array set told {}
  set paths [find_timing_paths -path_delay max -sort_by_slack -group_count $env(PATHS)]
  foreach path $paths {
    set slack [get_property $path slack]
    foreach point [get_property $path points] {
      set pin [get_property $point pin]
      set name [get_property $pin full_name]
      if {![info exists told($name)]} {
        set told($name) 1
        puts "SLACK $name [get_property $pin direction] $slack"
      }
    }
  }
} message]} {
  puts "Error: $message"
} else {
  puts "SCRIPT DONE"
}
