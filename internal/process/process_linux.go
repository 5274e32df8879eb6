// Package process tells what Linux knows of processes, for tests of the programs that ours start.
package process

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strconv"
	"syscall"
)

// Ended tells whether a process has ended, though nobody may have waited for it.
func Ended(pid int) bool {
	s, err := look(strconv.Itoa(pid))
	if err != nil {
		return errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ESRCH)
	}
	return s.state == 'Z' || s.state == 'X'
}

// Children returns this process's children that run a program of that name, cut to 15 bytes.
func Children(name string) (pids []int, _ error) {
	all, err := os.ReadDir("/proc")
	if err != nil {
		return nil, err
	}
	for _, entry := range all {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue
		}
		s, err := look(entry.Name())
		if err == nil && s.name == name && s.parent == os.Getpid() { // if it is an error, the process has ended
			pids = append(pids, pid)
		}
	}
	return pids, nil
}

type stat struct {
	name   string
	state  byte
	parent int
}

// look reads a process's entry in /proc: its number, its name in brackets, its state, its parent, and more. A name may
// have brackets too.
func look(pid string) (s stat, err error) {
	text, err := os.ReadFile("/proc/" + pid + "/stat")
	if err != nil {
		return s, err
	}
	from, to := bytes.IndexByte(text, '('), bytes.LastIndexByte(text, ')')
	if from < 0 || to < from {
		return s, fmt.Errorf("process %s is described as %q", pid, text)
	}
	s.name = string(text[from+1 : to])
	_, err = fmt.Sscanf(string(text[to+1:]), " %c %d", &s.state, &s.parent)
	return s, err
}
