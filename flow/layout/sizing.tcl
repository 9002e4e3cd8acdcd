# Change the sizes of cells until the slowest path has slack enough. The environment names the
# design as for opensta.tcl, which reads it; SIZES, a file of lines "cell larger smaller" with - for
# none; KEEP, the beginning of the names of cells that stay; and ENOUGH, a slack in ns. ROOM, if there
# is one, is a file of lines "cell sites", how wide each of a routed design's cells may get, after lines
# "master sites": then no cell is made smaller. STAY is a file of the names of cells that must not get
# smaller.
#
# Of the slowest path, the slowest stages are tried in the next size, one after the other; what makes
# the path faster, and no other slower than it, stays. At the end cells are made smaller by groups,
# where the worst slack stays what it is: a hundred groups at most, since each is timed.
source $env(OPENSTA)

set TRIED 16
set PASSES 200
set GROUPS 100
set SMALLEST_GROUP 16
set GAIN 0.0005
set LOSS 0.000001

proc slack_to {end} { get_property [lindex [find_timing_paths -path_delay max -to $end] 0] slack }

proc resize {cell master} {
  replace_cell $cell $master
  set ::changed([get_property $cell full_name]) $master
}

# The cells of a path with their delays, the slowest first; the register that it begins at, last.
proc stages {path} {
  set found {}
  set before ""
  foreach point [get_property $path points] {
    set pin [get_property $point pin]
    set at [get_property $point arrival]
    if {[get_property $pin direction] eq "output"} {
      set cell [get_cells -quiet -of_objects $pin]
      if {$before eq ""} { set before $at }
      if {$cell ne ""} { lappend found [list [expr {$at - $before}] $cell] }
    }
    set before $at
  }
  lsort -real -decreasing -index 0 $found
}

# Try stages in the next size; the number of those that stay.
proc try_larger {stages end} {
  set stayed 0
  set own [slack_to $end]
  set worst [worst_slack -max]
  foreach stage $stages {
    set cell [lindex $stage 1]
    set master [get_property $cell ref_name]
    if {![info exists ::larger($master)] || [kept $cell]} { continue }
    if {![fits $cell $::larger($master)]} { continue }
    resize $cell $::larger($master)
    set now [slack_to $end]
    if {$now > $own + $::GAIN && [worst_slack -max] > $worst - $::LOSS} {
      incr stayed
      set own $now
      set worst [worst_slack -max]
    } else {
      resize $cell $master
    }
  }
  return $stayed
}

proc fits {cell master} {
  if {![info exists ::env(ROOM)]} { return 1 }
  expr {$::sites($master) <= $::sites([get_property $cell full_name])}
}

proc kept {cell} { string match "$::env(KEEP)*" [get_property $cell full_name] }

proc make_faster {} {
  for {set pass 0} {$pass < $::PASSES} {incr pass} {
    set path [lindex [find_timing_paths -path_delay max -sort_by_slack] 0]
    if {$path eq "" || [get_property $path slack] >= $::env(ENOUGH)} { return }
    set end [get_property $path endpoint]
    set found [stages $path]
    set first [lrange $found 0 [expr {$::TRIED - 1}]]
    if {![try_larger $first $end] && ![try_larger [lrange $found $::TRIED end] $end]} { return }
  }
}

# Make cells smaller; each half of them, down to so few, if that makes the slowest path slower.
proc try_smaller {cells least} {
  set worst [worst_slack -max]
  set before {}
  foreach cell $cells {
    set master [get_property $cell ref_name]
    lappend before $master
    resize $cell $::smaller($master)
  }
  if {[worst_slack -max] > $worst - $::LOSS} { return }
  foreach cell $cells master $before { resize $cell $master }
  set half [expr {[llength $cells] / 2}]
  if {$half >= $least} {
    try_smaller [lrange $cells 0 [expr {$half - 1}]] $least
    try_smaller [lrange $cells $half end] $least
  }
}

proc make_smaller {} {
  set cells {}
  foreach cell [get_cells *] {
    set name [get_property $cell full_name]
    if {[info exists ::smaller([get_property $cell ref_name])] && ![kept $cell]
        && ![info exists ::stays($name)]} {
      lappend cells $cell
    }
  }
  set group [expr {max($::SMALLEST_GROUP, ([llength $cells] + $::GROUPS - 1) / $::GROUPS)}]
  for {set at 0} {$at < [llength $cells]} {incr at $group} {
    try_smaller [lrange $cells $at [expr {$at + $group - 1}]] [expr {$group / $::SMALLEST_GROUP}]
  }
}

if {[catch {
  set file [open $env(SIZES)]
  foreach line [split [string trim [read $file]] "\n"] {
    lassign $line master up down
    if {$up ne "-"} { set larger($master) $up }
    if {$down ne "-"} { set smaller($master) $down }
  }
  close $file
  if {[info exists env(ROOM)]} {
    set file [open $env(ROOM)]
    foreach line [split [string trim [read $file]] "\n"] {
      lassign $line name width
      set sites($name) $width
    }
    close $file
  }
  set file [open $env(STAY)]
  foreach name [split [string trim [read $file]] "\n"] { set stays($name) 1 }
  close $file
  array set changed {}
  make_faster
  if {![info exists env(ROOM)]} { make_smaller }
  foreach name [lsort [array names changed]] { puts "RESIZED $name $changed($name)" }
  result sized_slack [format %.5f [worst_slack -max]]
} message]} {
  puts "Error: $message"
} else {
  puts "SCRIPT DONE"
}
