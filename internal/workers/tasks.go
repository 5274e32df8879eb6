package workers

// Tasks are done once a round, each by one of the workers. A worker does the tasks of its own list first, from the
// front. Then it helps with the rest of the others' lists, from the back: so from round to round most tasks stay with
// a worker, whose processor may still have their data.
type Tasks struct {
	lists []list // by worker
	done  padded // how many, in all rounds
	all   uint64 // a round
}

type list struct {
	tasks []int
	taken padded // the round, how many were taken from the front, and how many from the back
}

const (
	takenBits = 20            // of one number of tasks
	roundBit  = 2 * takenBits // the lowest; the rest of a word is compared as rounds that are near each other
	takenMask = 1<<takenBits - 1
)

// NewTasks makes tasks of a list for each worker. A list has fewer than a million.
func NewTasks(lists [][]int) *Tasks {
	t := &Tasks{lists: make([]list, len(lists))}
	for i, tasks := range lists {
		if len(tasks) > takenMask {
			panic("workers: a list of more than a million tasks")
		}
		t.lists[i].tasks = tasks
		t.all += uint64(len(tasks))
	}
	return t
}

// Take returns a task of a round that nobody has taken yet, if there is one. Rounds are numbered from 1, and nobody
// begins one before the last has ended.
func (t *Tasks) Take(worker int, round uint64) (task int, ok bool) {
	if task, ok = t.lists[worker].take(round, true); ok {
		return task, true
	}
	for i := range t.lists {
		if i != worker {
			if task, ok = t.lists[i].take(round, false); ok {
				return task, true
			}
		}
	}
	return 0, false
}

func (l *list) take(round uint64, front bool) (task int, ok bool) {
	for {
		was := l.taken.Load()
		from, back := was>>takenBits&takenMask, was&takenMask
		switch ahead := int64(was-round<<roundBit) >> roundBit; {
		case ahead > 0:
			return 0, false // others are in a later round
		case ahead < 0:
			from, back = 0, 0
		}
		n := uint64(len(l.tasks))
		if from+back == n {
			return 0, false
		}
		if front {
			task = l.tasks[from]
			from++
		} else {
			back++
			task = l.tasks[n-back]
		}
		if l.taken.CompareAndSwap(was, round<<roundBit|from<<takenBits|back) {
			return task, true
		}
	}
}

// Done says that a task that was taken is done.
func (t *Tasks) Done() { t.done.Add(1) }

// Ended tells whether all tasks of a round are done.
func (t *Tasks) Ended(round uint64) bool { return t.done.Load() >= round*t.all }
