// Package state writes the fields of values, private ones too, to bytes and reads them back into values that were built
// alike.
//
// How to walk a type is worked out once, as a plan: stretches of memory that can be copied, and between them the
// strings, slices, pointers, interfaces and maps. Kept are:
//
//   - Identity. Two pointers to one thing, two slices or maps that are the same one, are so again. A pointer to inside
//     a registered object, or a slice of an array in it, must point there as built.
//   - Nil and empty, and the capacity of a slice: lists are full when theirs is.
//   - The text of an error.
//   - Order. Maps are written by their sorted keys, so equal states give equal bytes.
//
// What cannot be kept is refused with the path of the field: a channel, a function, slices that overlap in part, an
// interface that holds another type than as built. A field with the tag `state:"none"` is left out, and stays as built:
// a function that captures nothing that changes, or a value that is worked out anew before it is read.
package state
