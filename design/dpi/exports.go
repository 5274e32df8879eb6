package dpi

// #include <stdint.h>
import "C"

import "unsafe"

// A handle is a number that C carries about as a pointer.
func pointer(handle uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&handle)) }

//export goldwire_new
func goldwire_new(unit *C.char) unsafe.Pointer { return pointer(newModel(C.GoString(unit))) }

// goldwire_fields returns a line for each field: its name, in or out, its width, and the output that says when it
// counts, or -. The text lasts as long as the program.
//
//export goldwire_fields
func goldwire_fields(p unsafe.Pointer) *C.char {
	m := find(uintptr(p), "goldwire_fields")
	if m == nil {
		return C.CString("")
	}
	if m.described == nil {
		m.described = unsafe.Pointer(C.CString(m.fields()))
	}
	return (*C.char)(m.described)
}

//export goldwire_reset
func goldwire_reset(p unsafe.Pointer) { find(uintptr(p), "goldwire_reset").reset() }

//export goldwire_input
func goldwire_input(p unsafe.Pointer, field C.int, value C.uint64_t) {
	find(uintptr(p), "goldwire_input").input(int(field), uint64(value))
}

//export goldwire_settle
func goldwire_settle(p unsafe.Pointer) { find(uintptr(p), "goldwire_settle").settle() }

//export goldwire_edge
func goldwire_edge(p unsafe.Pointer) { find(uintptr(p), "goldwire_edge").edge() }

//export goldwire_output
func goldwire_output(p unsafe.Pointer, field C.int) C.uint64_t {
	return C.uint64_t(find(uintptr(p), "goldwire_output").output(int(field)))
}
