package scenario

import (
	"fmt"
	"strings"
)

var (
	templateValue = value[Template]{&form{name: "template", open: true}, parseTemplate}
	templateList  = value[Template]{&form{name: "template", open: true, many: set}, parseTemplate}
)

// holes are the names that every job can fill.
var holes = map[string]Hole{
	"job": HoleJob, "attempt": HoleAttempt, "delivery": HoleDelivery,
	"worker": HoleWorker, "step": HoleStep, "publish": HolePublish,
}

// unbound is the index of a field in a template that belongs to no job yet.
const unbound = -1

// parseTemplate reads text with {name} holes. A hole that is none of holes is
// a field of the job; bind gives it its index.
func parseTemplate(text string) (Template, error) {
	t := Template{Text: text}
	for rest := text; rest != ""; {
		literal, after, open := strings.Cut(rest, "{")
		if strings.Contains(literal, "}") {
			return t, fmt.Errorf("%q: } without {", text)
		}
		if literal != "" {
			t.Parts = append(t.Parts, Part{Literal: literal})
		}
		if !open {
			break
		}
		name, next, closed := strings.Cut(after, "}")
		if !closed {
			return t, fmt.Errorf("%q: { without }", text)
		}
		if _, err := parseName(name); err != nil {
			return t, fmt.Errorf("%q: {%s} names no field", text, name)
		}
		part := Part{Hole: HoleField, Field: unbound, Name: name}
		if hole, ok := holes[name]; ok {
			part = Part{Hole: hole, Name: name}
		}
		t.Parts = append(t.Parts, part)
		rest = next
	}
	if len(t.Parts) == 0 {
		return t, fmt.Errorf("the text is empty")
	}
	return t, nil
}

// bind points the holes of a template at the fields of a job.
func (t Template) bind(fields []Field) (Template, error) {
	bound := Template{Text: t.Text, Parts: append([]Part(nil), t.Parts...)}
	known := []string{"job", "attempt", "delivery", "worker", "step", "publish"}
	for i := range fields {
		known = append(known, fields[i].Name)
	}
	for i := range bound.Parts {
		p := &bound.Parts[i]
		if p.Hole != HoleField {
			continue
		}
		for j := range fields {
			if fields[j].Name == p.Name {
				p.Field = j
			}
		}
		if p.Field == unbound {
			return bound, fmt.Errorf("%q: the job has no field %q%s", t.Text, p.Name, didYouMean(p.Name, known))
		}
	}
	return bound, nil
}
