package journey

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"
)

// forms are the forms of a log by the ending of a file's name.
var forms = map[string]func(*Log, io.Writer) error{
	".txt": (*Log).WriteText, ".svg": (*Log).WriteSVG, ".json": (*Log).WriteTraceEvents,
	".pftrace": (*Log).WritePerfetto, ".perfetto-trace": (*Log).WritePerfetto,
}

// CheckPath refuses a file's name that does not say in which form a log is to be written.
func CheckPath(path string) error {
	if forms[strings.ToLower(filepath.Ext(path))] == nil {
		return fmt.Errorf(
			"%.80q: want a name that ends in .txt (a table), .svg (drawn), .json (trace events) or .pftrace (Perfetto)",
			path,
		)
	}
	return nil
}

// Write writes the log in the form that the ending of a file's name says.
func (l *Log) Write(path string, w io.Writer) error {
	if err := CheckPath(path); err != nil {
		return err
	}
	return forms[strings.ToLower(filepath.Ext(path))](l, w)
}
