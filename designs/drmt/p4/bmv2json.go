package p4

import "encoding/json"

// The members of BMv2's JSON that this package reads. Others (source_info, ids of what has a name, ...) are passed over, as BMv2
// does; what would change a program's meaning and is not supported is listed here, to be refused if it is not empty.
type bmv2File struct {
	Meta *struct {
		Version []int `json:"version"`
	} `json:"__meta__"`
	HeaderTypes []struct {
		Name   string              `json:"name"`
		Fields [][]json.RawMessage `json:"fields"`
	} `json:"header_types"`
	Headers []struct {
		Name       string `json:"name"`
		HeaderType string `json:"header_type"`
		Metadata   bool   `json:"metadata"`
	} `json:"headers"`
	Parsers []struct {
		Name        string       `json:"name"`
		InitState   string       `json:"init_state"`
		ParseStates []bmv2PState `json:"parse_states"`
	} `json:"parsers"`
	Deparsers []struct {
		Name       string            `json:"name"`
		Order      []string          `json:"order"`
		Primitives []json.RawMessage `json:"primitives"`
	} `json:"deparsers"`
	Actions []struct {
		Name        string `json:"name"`
		ID          *int   `json:"id"`
		RuntimeData []struct {
			Name     string `json:"name"`
			Bitwidth int    `json:"bitwidth"`
		} `json:"runtime_data"`
		Primitives []bmv2Primitive `json:"primitives"`
	} `json:"actions"`
	Pipelines    []bmv2Pipeline `json:"pipelines"`
	Calculations []struct {
		Name  string      `json:"name"`
		Algo  string      `json:"algo"`
		Input []bmv2Value `json:"input"`
	} `json:"calculations"`
	Checksums []struct {
		Name        string     `json:"name"`
		Target      []string   `json:"target"`
		Calculation string     `json:"calculation"`
		Verify      *bool      `json:"verify"`
		Update      *bool      `json:"update"`
		IfCond      *bmv2Value `json:"if_cond"`
	} `json:"checksums"`

	HeaderStacks      []json.RawMessage `json:"header_stacks"`
	HeaderUnions      []json.RawMessage `json:"header_unions"`
	HeaderUnionStacks []json.RawMessage `json:"header_union_stacks"`
	ParseVSets        []json.RawMessage `json:"parse_vsets"`
	MeterArrays       []json.RawMessage `json:"meter_arrays"`
	CounterArrays     []json.RawMessage `json:"counter_arrays"`
	RegisterArrays    []json.RawMessage `json:"register_arrays"`
	LearnLists        []json.RawMessage `json:"learn_lists"`
	ExternInstances   []json.RawMessage `json:"extern_instances"`
}

type bmv2PState struct {
	Name      string `json:"name"`
	ParserOps []struct {
		Op         string      `json:"op"`
		Parameters []bmv2Value `json:"parameters"`
	} `json:"parser_ops"`
	Transitions []struct {
		Type      string  `json:"type"`
		Value     *string `json:"value"`
		Mask      *string `json:"mask"`
		NextState *string `json:"next_state"`
	} `json:"transitions"`
	TransitionKey []bmv2Value `json:"transition_key"`
}

type bmv2Primitive struct {
	Op         string      `json:"op"`
	Parameters []bmv2Value `json:"parameters"`
}

type bmv2Pipeline struct {
	Name         string            `json:"name"`
	InitTable    *string           `json:"init_table"`
	Tables       []bmv2Table       `json:"tables"`
	Profiles     []json.RawMessage `json:"action_profiles"`
	Conditionals []struct {
		Name       string    `json:"name"`
		Expression bmv2Value `json:"expression"`
		TrueNext   *string   `json:"true_next"`
		FalseNext  *string   `json:"false_next"`
	} `json:"conditionals"`
}

type bmv2Table struct {
	Name string `json:"name"`
	Key  []struct {
		MatchType string   `json:"match_type"`
		Target    []string `json:"target"`
		Mask      *string  `json:"mask"`
	} `json:"key"`
	MatchType    string             `json:"match_type"`
	Type         string             `json:"type"`
	MaxSize      int                `json:"max_size"`
	DirectMeters *string            `json:"direct_meters"`
	ActionIDs    []int              `json:"action_ids"`
	Actions      []string           `json:"actions"`
	NextTables   map[string]*string `json:"next_tables"`
	DefaultEntry *struct {
		ActionID    int      `json:"action_id"`
		ActionConst bool     `json:"action_const"`
		ActionData  []string `json:"action_data"`
	} `json:"default_entry"`
	Entries []struct {
		MatchKey []struct {
			MatchType    string `json:"match_type"`
			Key          string `json:"key"`
			Mask         string `json:"mask"`
			PrefixLength int    `json:"prefix_length"`
		} `json:"match_key"`
		ActionEntry struct {
			ActionID   int      `json:"action_id"`
			ActionData []string `json:"action_data"`
		} `json:"action_entry"`
		Priority int `json:"priority"`
	} `json:"entries"`
}

// bmv2Value is anything with a type and a value.
type bmv2Value struct {
	Type     string          `json:"type"`
	Value    json.RawMessage `json:"value"`
	Bitwidth int             `json:"bitwidth"`
}

type bmv2Expression struct {
	Op    string     `json:"op"`
	Left  *bmv2Value `json:"left"`
	Right *bmv2Value `json:"right"`
	Cond  *bmv2Value `json:"cond"`
}
