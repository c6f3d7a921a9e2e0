package scenario

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// Schema is the JSON schema (draft 2020-12) of a scenario file, for editors. It
// is made from the same tables as the reader; the reader is stricter where a
// schema cannot follow, such as inside a distribution.
func Schema() []byte {
	s := schemaWriter{defs: object{}}
	s.block(fileBlock)
	top := object{
		"$schema": "https://json-schema.org/draft/2020-12/schema",
		"$id":     "https://github.com/tenggat/tenggat/model/scenario/schema.json",
		"title":   "Tenggat scenario",
		"$ref":    reference(fileBlock),
		"$defs":   s.defs,
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(top); err != nil {
		panic("scenario: " + err.Error())
	}
	return out.Bytes()
}

type object = map[string]any

// schemaWriter collects the definitions of blocks, each once.
type schemaWriter struct{ defs object }

func reference(b *block) string { return "#/$defs/" + strings.ReplaceAll(b.name, " ", "_") }

func (s schemaWriter) block(b *block) object {
	name := strings.ReplaceAll(b.name, " ", "_")
	if _, done := s.defs[name]; !done {
		s.defs[name] = nil // a block may contain itself
		properties := object{}
		for _, k := range b.keys {
			p := s.form(k.form)
			p["description"] = k.help
			if k.initial != "" && k.initial != "{}" {
				p["default"] = k.initial
			}
			properties[k.name] = p
		}
		s.defs[name] = object{"type": "object", "properties": properties, "additionalProperties": false}
	}
	return object{"$ref": reference(b)}
}

func (s schemaWriter) form(f *form) object {
	switch {
	case f.raw:
		return s.raw(f)
	case f.steps:
		step := s.block(verbs)
		return object{"type": "array", "items": object{"allOf": []object{step}, "minProperties": 1, "maxProperties": 1}}
	case f.of != nil:
		thing := []object{s.block(f.of), {"enum": []any{nil, "none"}}}
		if main, ok := f.of.row(f.of.main); ok {
			thing = append(thing, s.form(main.form))
		}
		return object{"type": "object", "propertyNames": object{"pattern": namePattern(f)}, "additionalProperties": object{"anyOf": thing}}
	case f.block != nil:
		short := object{"enum": []any{"none"}}
		alternatives := []object{s.block(f.block), short}
		if main, ok := f.block.row(f.block.main); ok {
			alternatives = append(alternatives, s.form(main.form))
		} else if f.block.spread {
			alternatives = append(alternatives, s.form(f.block.keys[0].form))
		} else if f.block.refers {
			alternatives = append(alternatives, s.form(namesValue.form))
		}
		return object{"anyOf": alternatives}
	}
	return s.scalar(f)
}

// namePattern leaves presets their hyphens.
func namePattern(f *form) string {
	if f.of == presetBlock {
		return "^[a-z][a-z0-9_-]*$"
	}
	return "^[a-z][a-z0-9_]*$"
}

func (s schemaWriter) scalar(f *form) object {
	var alternatives []object
	if len(f.words) > 0 {
		var words []any
		for _, w := range f.words {
			words = append(words, w)
		}
		switch {
		case slices.Contains(f.words, "true"):
			words = []any{true, false}
		case !slices.Contains(f.words, "none"):
			words = append(words, "none") // takes a preset's value away
		}
		alternatives = append(alternatives, object{"enum": words})
	}
	if f.open {
		alternatives = append(alternatives, open(f)...)
	}
	one := object{"anyOf": alternatives}
	if len(alternatives) == 1 {
		one = alternatives[0]
	}
	if f.many == 0 {
		return one
	}
	return object{"anyOf": []object{one, {"type": "array", "items": one, "minItems": 1}}}
}

func open(f *form) []object {
	text := object{"type": "string", "title": f.name}
	if f.pattern != "" {
		text["pattern"] = "^(" + f.pattern + "|none|=.*)$"
	}
	if f.unit == asCount || f.unit == asShare || f == seedValue.form || f == rankValue.form {
		return []object{text, {"type": "number", "minimum": 0}}
	}
	return []object{text}
}

// raw describes the forms that are read by hand.
func (s schemaWriter) raw(f *form) object {
	anything := object{"type": "object"}
	switch f {
	case aboutForm:
		return object{"anyOf": []object{{"type": "string"}, {"type": "object", "properties": object{"en": object{"type": "string"}, "id": object{"type": "string"}}, "additionalProperties": false}}}
	case variantsForm:
		return object{"type": "object", "additionalProperties": anything}
	case expectForm:
		text := object{"type": "string"}
		return object{"type": "object", "additionalProperties": object{"anyOf": []object{text, {"type": "array", "items": text}}}}
	case axesForm:
		return object{"type": "array", "minItems": 1, "items": object{"type": "object", "minProperties": 1}}
	case plotsForm:
		plot := s.block(plotBlock)
		return object{"anyOf": []object{plot, {"type": "array", "items": plot}}}
	case ends:
		end := s.form(targetsValue.form)
		return object{"type": "array", "prefixItems": []object{end, end}, "minItems": 2, "maxItems": 2}
	case fieldsForm:
		return object{"type": "object", "additionalProperties": object{"anyOf": []object{
			{"type": "string", "pattern": "^(serial( [0-9_]+)?|(uniform|zipf) [0-9_]+)$"}, {"type": "array", "items": object{"type": "integer"}}}}}
	}
	return anything
}
