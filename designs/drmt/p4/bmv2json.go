package p4

import "encoding/json"

// The members of BMv2's JSON that this package reads. Others (source_info, ids of named things, ...) are passed over,
// as BMv2 does; what would change a program's meaning and is not supported is listed here, to be refused if it is not
// empty.
type bmv2File struct {
	Meta *struct {
		Version []int `json:"version"`
	} `json:"__meta__"`
	HeaderTypes []struct {
		Name      string              `json:"name"`
		Fields    [][]json.RawMessage `json:"fields"`
		Length    *bmv2Value          `json:"length_exp"`
		MaxLength *int                `json:"max_length"`
	} `json:"header_types"`
	Headers []struct {
		Name       string `json:"name"`
		ID         int    `json:"id"`
		HeaderType string `json:"header_type"`
		Metadata   bool   `json:"metadata"`
	} `json:"headers"`
	HeaderStacks []struct {
		Name      string `json:"name"`
		HeaderIDs []int  `json:"header_ids"`
	} `json:"header_stacks"`
	HeaderUnionTypes []struct {
		Name    string     `json:"name"`
		Headers [][]string `json:"headers"`
	} `json:"header_union_types"`
	HeaderUnions []struct {
		Name      string `json:"name"`
		ID        int    `json:"id"`
		UnionType string `json:"union_type"`
		HeaderIDs []int  `json:"header_ids"`
	} `json:"header_unions"`
	HeaderUnionStacks []struct {
		Name      string `json:"name"`
		UnionType string `json:"union_type"`
		UnionIDs  []int  `json:"header_union_ids"`
	} `json:"header_union_stacks"`
	FieldAliases [][]json.RawMessage `json:"field_aliases"`
	Errors       [][]json.RawMessage `json:"errors"`
	Parsers      []struct {
		Name        string       `json:"name"`
		InitState   string       `json:"init_state"`
		ParseStates []bmv2PState `json:"parse_states"`
	} `json:"parsers"`
	ParseVSets []struct {
		Name string `json:"name"`
		Bits int    `json:"compressed_bitwidth"`
	} `json:"parse_vsets"`
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
		Type        string     `json:"type"`
		Target      []string   `json:"target"`
		Calculation string     `json:"calculation"`
		Verify      *bool      `json:"verify"`
		Update      *bool      `json:"update"`
		IfCond      *bmv2Value `json:"if_cond"`
	} `json:"checksums"`
	MeterArrays []struct {
		Name   string          `json:"name"`
		Type   string          `json:"type"`
		Rates  int             `json:"rate_count"`
		Size   int             `json:"size"`
		Direct bool            `json:"is_direct"`
		Target json.RawMessage `json:"result_target"`
	} `json:"meter_arrays"`
	CounterArrays []struct {
		Name   string `json:"name"`
		Size   int    `json:"size"`
		Direct bool   `json:"is_direct"`
	} `json:"counter_arrays"`
	RegisterArrays []struct {
		Name string `json:"name"`
		Size int    `json:"size"`
		Bits int    `json:"bitwidth"`
	} `json:"register_arrays"`
	LearnLists []struct {
		ID int `json:"id"`
	} `json:"learn_lists"`
	FieldLists []struct {
		ID       int         `json:"id"`
		Elements []bmv2Value `json:"elements"`
	} `json:"field_lists"`
	ExternInstances []struct {
		Name string `json:"name"`
		Type string `json:"type"`
	} `json:"extern_instances"`
}

type bmv2PState struct {
	Name      string `json:"name"`
	ParserOps []struct {
		Op         string            `json:"op"`
		Parameters []json.RawMessage `json:"parameters"`
	} `json:"parser_ops"`
	Transitions []struct {
		Type      *string `json:"type"`
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
	Name         string        `json:"name"`
	InitTable    *string       `json:"init_table"`
	Tables       []bmv2Table   `json:"tables"`
	Profiles     []bmv2Profile `json:"action_profiles"`
	Conditionals []struct {
		Name       string    `json:"name"`
		Expression bmv2Value `json:"expression"`
		TrueNext   *string   `json:"true_next"`
		FalseNext  *string   `json:"false_next"`
	} `json:"conditionals"`
	ActionCalls []struct {
		Name     string  `json:"name"`
		ActionID int     `json:"action_id"`
		Next     *string `json:"next_node"`
	} `json:"action_calls"`
}

type bmv2Profile struct {
	Name     string        `json:"name"`
	Selector *bmv2Selector `json:"selector"`
}

type bmv2Selector struct {
	Algo  string      `json:"algo"`
	Input []bmv2Value `json:"input"`
}

type bmv2Table struct {
	Name string `json:"name"`
	Key  []struct {
		Name      string          `json:"name"`
		MatchType string          `json:"match_type"`
		Target    json.RawMessage `json:"target"`
		Mask      *string         `json:"mask"`
	} `json:"key"`
	MatchType    string             `json:"match_type"`
	Type         string             `json:"type"`
	Profile      *string            `json:"action_profile"`
	OldProfile   *string            `json:"act_prof_name"`
	Selector     *bmv2Selector      `json:"selector"`
	MaxSize      *int               `json:"max_size"`
	WithCounters bool               `json:"with_counters"`
	DirectMeters *string            `json:"direct_meters"`
	ActionIDs    []int              `json:"action_ids"`
	Actions      []string           `json:"actions"`
	NextTables   map[string]*string `json:"next_tables"`
	BaseNext     *string            `json:"base_default_next"`
	DefaultEntry *struct {
		ActionID    int      `json:"action_id"`
		ActionConst bool     `json:"action_const"`
		ActionData  []string `json:"action_data"`
		EntryConst  bool     `json:"action_entry_const"`
	} `json:"default_entry"`
	Entries []struct {
		MatchKey []struct {
			MatchType    string          `json:"match_type"`
			Key          json.RawMessage `json:"key"`
			Mask         string          `json:"mask"`
			PrefixLength int             `json:"prefix_length"`
			Start        string          `json:"start"`
			End          string          `json:"end"`
		} `json:"match_key"`
		ActionEntry struct {
			ActionID   int      `json:"action_id"`
			ActionData []string `json:"action_data"`
		} `json:"action_entry"`
		Priority int `json:"priority"`
	} `json:"entries"`
}

// bmv2Value is anything with a type and a value; an expression may stand in its place.
type bmv2Value struct {
	Type     string          `json:"type"`
	Value    json.RawMessage `json:"value"`
	Bitwidth int             `json:"bitwidth"`
	Op       string          `json:"op"`
	Left     *bmv2Value      `json:"left"`
	Right    json.RawMessage `json:"right"`
	Cond     *bmv2Value      `json:"cond"`
}
