package emit

// keywords are Verilog's, and those of SystemVerilog that a signal may be called by accident.
var keywords = []string{"always", "and", "assign", "automatic", "begin", "buf", "bufif0", "bufif1", "case", "casex", "casez", "cell", "cmos",
	"config", "deassign", "default", "defparam", "design", "disable", "edge", "else", "end", "endcase", "endconfig", "endfunction",
	"endgenerate", "endmodule", "endprimitive", "endspecify", "endtable", "endtask", "event", "for", "force", "forever", "fork", "function",
	"generate", "genvar", "highz0", "highz1", "if", "ifnone", "incdir", "include", "initial", "inout", "input", "instance", "integer", "join",
	"large", "liblist", "library", "localparam", "macromodule", "medium", "module", "nand", "negedge", "nmos", "nor", "noshowcancelled", "not",
	"notif0", "notif1", "or", "output", "parameter", "pmos", "posedge", "primitive", "pull0", "pull1", "pulldown", "pullup",
	"pulsestyle_onevent", "pulsestyle_ondetect", "rcmos", "real", "realtime", "reg", "release", "repeat", "rnmos", "rpmos", "rtran",
	"rtranif0", "rtranif1", "scalared", "showcancelled", "signed", "small", "specify", "specparam", "strong0", "strong1", "supply0",
	"supply1", "table", "task", "time", "tran", "tranif0", "tranif1", "tri", "tri0", "tri1", "triand", "trior", "trireg", "unsigned", "use",
	"vectored", "wait", "wand", "weak0", "weak1", "while", "wire", "wor", "xnor", "xor",
	"bit", "break", "byte", "chandle", "checker", "class", "clocking", "const", "constraint", "context", "continue", "cover", "cross", "do",
	"enum", "expect", "export", "extends", "extern", "final", "global", "import", "inside", "int", "interface", "local", "logic", "longint",
	"matches", "modport", "new", "null", "package", "packed", "priority", "program", "property", "protected", "pure", "rand", "randc", "ref",
	"return", "sequence", "shortint", "shortreal", "static", "string", "struct", "super", "tagged", "this", "throughout", "timeprecision",
	"timeunit", "type", "typedef", "union", "unique", "var", "virtual", "void", "with", "within"}
