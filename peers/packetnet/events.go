package packetnet

// The kinds of events; the comments name the fields a and b of an event.
const (
	portFree    uint8 = iota // a: port whose frame and gap are over
	atIngress                // a: packet whose last byte reached the switch
	atSwitch                 // a: packet that the forwarding pipeline hands to its egress
	atNode                   // a: packet that a node's stack hands over
	memoryReady              // a: response flow whose data the memory has
	timerDue                 // a: connection
	ackDue                   // a: message whose request has waited long enough for its response
	pauseSeen                // a: port, b: class, and pauseOn to pause
	paceDue                  // a: receiver that may grant or pull again, flow that may send again
	ratesDue                 // R2C2: rates are computed
	grantReady               // a: grant that the sender may use
	grantVoid                // a: grant, b: its generation
	pairFree                 // a: source, b: destination
	creditSeen               // a: port that gets credits, b: how many
)

// pauseOn is added to the class of a pauseSeen that pauses.
const pauseOn = 1 << 8

// list is a queue of things that link to each other by next; 0 is none.
type list struct{ head, tail int32 }

// span is how many byte times most events lie less ahead.
const span = 1 << 14
