// Package wave writes, reads and compares waveforms.
//
// [VCD] writes a running simulation's signals as a Value Change Dump (IEEE 1364-2005 clause 18) that every viewer
// takes: exact stamps, one settled value a variable and instant, nothing that depends on the day or the machine.
// [Recorder] keeps the last cycles only and writes them when something has gone wrong, as VCD, as WaveJSON or as text.
// [NewReader] reads the dumps of any simulator, and [Diff] finds where two of them part.
package wave
