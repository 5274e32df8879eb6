package drmt

// Replication makes copies of packets between ingress and egress, as a traffic manager does: replicas for a multicast
// group, and clones for a mirroring session. The paper has none. Here copies enter a processor again, before packets
// that are new, and go through egress alone. A packet that asks for a copy at ingress' end goes through egress after
// its copies.
//
//	clone of ingress    headers as the packet came, metadata of 0 but for a list's fields
//	clone of egress     headers as egress leaves them, metadata of 0 but for a list's fields
//	replica             headers and metadata as ingress leaves them
type Replication struct {
	// Copy is 1 in the header vector of a packet that goes through egress alone.
	Copy []Piece
	// Clone and CloneInEgress ask for a clone at a pipeline's end: 0, or 2^31 + 2^15 times the number of the list + the
	// number of the session, of 15 bits. Group asks for replicas.
	Clone, CloneInEgress, Group []Piece
	// Port, Replica and Instance are where egress finds the port, the replica's number and the [InstanceType].
	Port, Replica, Instance []Piece
	// Clear are the indices of accesses to registers and counters. They are 0 in a replica, and in a packet behind its
	// clone: ingress made its accesses before. Limit is the length that truncate leaves, 0 in a replica, which is whole.
	Clear, Limit []Piece
	// Keep has a 1 for each bit of a header vector that a clone keeps, whatever its list is.
	Keep [vectorWords]uint64
	// Headers: the fields of one that is not valid are 0 in replicas and in clones of egress.
	Headers  []CopiedHeader
	Lists    []KeptList
	Groups   []MulticastGroup
	Sessions []MirrorSession
}

// CopiedHeader is a header. A copy has its fields if Valid is not 0.
type CopiedHeader struct {
	Valid  Field
	Fields []Field
}

// MulticastGroup is a group's replicas, in the order in which they enter.
type MulticastGroup struct {
	Number   uint32
	Replicas []Replica
}

// Replica is a copy for a port. Number is its egress_rid.
type Replica struct {
	Port   uint16
	Number uint16
}

// MirrorSession is where clones go: to a port, to the replicas of a group, or to both.
type MirrorSession struct {
	Number          uint32
	Port, Group     uint16
	ToPort, ToGroup bool
}

const (
	sessionBits = 15
	listBits    = 16
)

// requests notes which copies a packet asks for at the end of a pipeline. Over says that it leaves the processor there:
// it asks at ingress' end, and comes back behind its copies.
func (r *Replication) requests(h *HeaderVector, spec uint16, d *Departure) (over bool) {
	if getPieces(h, r.Copy) != 0 || d.InEgress {
		d.Clone, d.InEgress = uint32(getPieces(h, r.CloneInEgress)), true
		if d.Clone != 0 {
			d.Vector = *h
		}
		return false
	}
	d.Clone, d.Group = uint32(getPieces(h, r.Clone)), uint32(getPieces(h, r.Group))
	if d.Clone == 0 && d.Group == 0 {
		return false
	}
	d.Vector, d.Unicast = *h, d.Group == 0 && spec != noPort
	return true
}

// noPort is the port of a packet that ingress drops.
const noPort = 511

func (r *Replication) group(number uint32) []Replica {
	for i := range r.Groups {
		if r.Groups[i].Number == number {
			return r.Groups[i].Replicas
		}
	}
	return nil
}

func (r *Replication) session(number uint32) *MirrorSession {
	for i := range r.Sessions {
		if r.Sessions[i].Number == number {
			return &r.Sessions[i]
		}
	}
	return nil
}

// validOnly makes the fields of headers 0 that are not valid.
func (r *Replication) validOnly(v *HeaderVector) {
	for i := range r.Headers {
		if x := &r.Headers[i]; v.Get(x.Valid) == 0 {
			for _, f := range x.Fields {
				v.Set(f, 0)
			}
		}
	}
}

// copies appends the copies that a packet asks for to the waiting runs.
func (b *packetBuffer) copies(d *Departure) {
	r, w := b.replication, &b.slots[d.Slot]
	add := func(v *HeaderVector, kind InstanceType) {
		setPieces(v, r.Copy, 1)
		setPieces(v, r.Instance, uint64(kind))
		w.holders++
		b.waiting = append(b.waiting, waitingRun{slot: d.Slot, copy: true, vector: *v})
	}
	replicas := func(v *HeaderVector, number uint32, kind InstanceType) {
		for _, x := range r.group(number) {
			y := *v
			setPieces(&y, r.Replica, uint64(x.Number))
			setPieces(&y, r.Port, uint64(x.Port))
			add(&y, kind)
		}
	}
	if s := r.session(d.Clone & (1<<sessionBits - 1)); d.Clone != 0 && s != nil {
		v, kind := d.Vector, EgressClone
		r.validOnly(&v)
		if !d.InEgress {
			kind = IngressClone
			b.parser.parseNew(w.data, w.port, w.time, &v)
			b.parser.draw(w.run, &v)
		}
		for i := range v.Words {
			v.Words[i] &= r.Keep[i]
		}
		keepFields(r.Lists, uint64(d.Clone>>sessionBits&(1<<listBits-1)), &d.Vector, &v)
		if s.ToGroup {
			replicas(&v, uint32(s.Group), kind)
		}
		if s.ToPort {
			setPieces(&v, r.Port, uint64(s.Port))
			add(&v, kind)
		}
	}
	if d.Group == 0 && !d.Unicast {
		return
	}
	v := d.Vector
	setPieces(&v, r.Clear, 0)
	if d.Unicast {
		add(&v, Normal)
		return
	}
	setPieces(&v, r.Limit, 0)
	r.validOnly(&v)
	replicas(&v, d.Group, Replicated)
}
