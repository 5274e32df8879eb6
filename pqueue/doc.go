// Package pqueue has the hardware priority queues of packet schedulers, and the matchings built on them.
//
//   - [List] is an ordered list as in PIEO: bounded, sorted by key, the highest of the eligible entries in one step.
//     [OrderedList] is the module: insert and delete take 2 cycles and one starts every cycle, the highest eligible
//     entry takes 1 (EDM §3.1.2).
//   - [SourceArray] is EDM's array a source port: destinations in the order of their priority, a bit each, and a
//     priority encoder that finds the best request in one step.
//   - [PriorityPIM] is EDM's matching, three steps an iteration; [PIM] and [ISLIP] are its peers without priorities.
//     [Maximal] judges them.
package pqueue
