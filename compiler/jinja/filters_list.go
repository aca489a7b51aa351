package jinja

import (
	"strings"

	"github.com/hotloom/hotloom/compiler/value"
)

func filterFirst(e *evaluator, v any, _ args, _ *value.Map) (any, error) {
	items, err := e.iterate(v)
	if err != nil {
		return nil, err
	}
	if len(items) == 0 {
		return &undefined{message: "No first item, sequence was empty."}, nil
	}
	return items[0], nil
}

func filterLast(e *evaluator, v any, _ args, _ *value.Map) (any, error) {
	items, err := e.iterate(v)
	if err != nil {
		return nil, err
	}
	if len(items) == 0 {
		return &undefined{message: "No last item, sequence was empty."}, nil
	}
	return items[len(items)-1], nil
}

func filterList(e *evaluator, v any, _ args, _ *value.Map) (any, error) {
	items, err := e.iterate(v)
	if err != nil {
		return nil, err
	}
	return append([]any{}, items...), nil
}

func filterReverse(e *evaluator, v any, _ args, _ *value.Map) (any, error) {
	items, err := e.iterate(v)
	if err != nil {
		return nil, err
	}
	out := make([]any, len(items))
	for i, item := range items {
		out[len(items)-1-i] = item
	}
	if _, ok := v.(string); ok {
		return textJoin(e, "", []any{out}, value.NewMap(0))
	}
	return &sequence{items: out, kind: "list_reverseiterator"}, nil
}

func filterSort(e *evaluator, v any, a args, _ *value.Map) (any, error) {
	items, err := e.iterate(v)
	if err != nil {
		return nil, err
	}
	out := append([]any{}, items...)
	return out, e.sortBy(out, value.Truth(a[0]), value.Truth(a[1]), func(item any) (any, error) { return e.sortKey(item, a[2]) })
}

// sortKey reads attribute="a" or several, "a,b".
func (e *evaluator) sortKey(item, attribute any) (any, error) {
	s, ok := attribute.(string)
	if !ok || !strings.Contains(s, ",") {
		return e.path(item, attribute)
	}
	var key value.Tuple
	for _, part := range strings.Split(s, ",") {
		v, err := e.path(item, strings.TrimSpace(part))
		if err != nil {
			return nil, err
		}
		key = append(key, v)
	}
	return key, nil
}

func filterExtreme(op string) func(*evaluator, any, args, *value.Map) (any, error) {
	return func(e *evaluator, v any, a args, _ *value.Map) (any, error) {
		items, err := e.iterate(v)
		if err != nil {
			return nil, err
		}
		if len(items) == 0 {
			return &undefined{message: "No aggregated item, sequence was empty."}, nil
		}
		sorted := append([]any{}, items...)
		err = e.sortBy(sorted, op == "max", value.Truth(a[0]), func(item any) (any, error) { return e.path(item, a[1]) })
		return sorted[0], err
	}
}

func filterSum(e *evaluator, v any, a args, _ *value.Map) (any, error) {
	items, err := e.iterate(v)
	if err != nil {
		return nil, err
	}
	total := any(int64(0))
	if a[1] != nil {
		total = a[1]
	}
	for _, item := range items {
		if item, err = e.path(item, a[0]); err != nil {
			return nil, err
		}
		if total, err = e.arith("add", total, item); err != nil {
			return nil, err
		}
	}
	return total, nil
}

func filterUnique(e *evaluator, v any, a args, _ *value.Map) (any, error) {
	items, err := e.iterate(v)
	if err != nil {
		return nil, err
	}
	seen := value.NewSet(false)
	out := []any{}
	for _, item := range items {
		key, err := e.path(item, a[1])
		if err != nil {
			return nil, err
		}
		if s, ok := key.(string); ok && !value.Truth(a[0]) {
			key = value.Lower(s)
		}
		has, err := seen.Has(e.meter, key)
		if err != nil {
			return nil, err
		}
		if !has {
			if err := seen.Add(e.meter, key); err != nil {
				return nil, err
			}
			out = append(out, item)
		}
	}
	return &sequence{items: out, kind: "generator"}, nil
}

func filterBatch(e *evaluator, v any, a args, _ *value.Map) (any, error) {
	items, err := e.iterate(v)
	if err != nil {
		return nil, err
	}
	n, _ := value.Int(a[0])
	if n < 1 {
		return nil, fail("ValueError", "batch needs a positive size")
	}
	out := []any{}
	for len(items) > 0 {
		part := append([]any{}, items[:min(n, len(items))]...)
		items = items[len(part):]
		if missing := n - len(part); a[1] != nil && missing > 0 {
			if err := e.step(missing); err != nil {
				return nil, err
			}
			for range missing {
				part = append(part, a[1])
			}
		}
		out = append(out, part)
	}
	return &sequence{items: out, kind: "generator"}, nil
}

func filterSlice(e *evaluator, v any, a args, _ *value.Map) (any, error) {
	items, err := e.iterate(v)
	if err != nil {
		return nil, err
	}
	n, _ := value.Int(a[0])
	if n < 1 {
		return nil, fail("ZeroDivisionError", "integer division or modulo by zero")
	}
	if err := e.step(n); err != nil {
		return nil, err
	}
	per, extra, at := len(items)/n, len(items)%n, 0
	out := []any{}
	for i := range n {
		end := at + per
		if i < extra {
			end++
		}
		part := append([]any{}, items[at:end]...)
		if a[1] != nil && i >= extra && extra > 0 {
			part = append(part, a[1])
		}
		out, at = append(out, part), end
	}
	return &sequence{items: out, kind: "generator"}, nil
}

func filterGroupby(e *evaluator, v any, a args, _ *value.Map) (any, error) {
	items, err := e.iterate(v)
	if err != nil {
		return nil, err
	}
	key := func(item any) (any, error) {
		k, err := e.path(item, a[0])
		if u, ok := k.(*undefined); ok {
			if a[1] == nil {
				return nil, u.err()
			}
			k = a[1]
		}
		return k, err
	}
	sorted := append([]any{}, items...)
	if err := e.sortBy(sorted, false, value.Truth(a[2]), key); err != nil {
		return nil, err
	}
	out := []any{}
	for _, item := range sorted {
		k, err := key(item)
		if err != nil {
			return nil, err
		}
		if n := len(out); n > 0 {
			last := out[n-1].(value.Tuple)
			if eq, err := e.meter.Equal(last[0], k); err != nil {
				return nil, err
			} else if eq {
				last[1] = append(last[1].([]any), item)
				continue
			}
		}
		out = append(out, value.Tuple{k, []any{item}})
	}
	return out, nil
}

func filterMap(e *evaluator, v any, a args, kw *value.Map) (any, error) {
	if !value.Truth(v) {
		return &sequence{kind: "generator"}, nil
	}
	items, err := e.iterate(v)
	if err != nil {
		return nil, err
	}
	out := make([]any, len(items))
	if attribute, ok := kw.GetStr("attribute"); ok && len(a) == 0 {
		standard, hasDefault := kw.GetStr("default")
		for i, item := range items {
			if out[i], err = e.path(item, attribute); err != nil {
				return nil, err
			}
			if _, undef := out[i].(*undefined); undef && hasDefault {
				out[i] = standard
			}
		}
		return &sequence{items: out, kind: "generator"}, nil
	}
	if len(a) == 0 {
		return nil, fail("FilterArgumentError", "map requires a filter argument")
	}
	name, _ := a[0].(string)
	for i, item := range items {
		if out[i], err = e.filterBy(name, item, a[1:], kw); err != nil {
			return nil, err
		}
	}
	return &sequence{items: out, kind: "generator"}, nil
}

// filterSelect is select, reject, selectattr and rejectattr.
func filterSelect(keep, byAttribute bool) func(*evaluator, any, args, *value.Map) (any, error) {
	return func(e *evaluator, v any, a args, kw *value.Map) (any, error) {
		if !value.Truth(v) {
			return &sequence{kind: "generator"}, nil
		}
		items, err := e.iterate(v)
		if err != nil {
			return nil, err
		}
		var attribute any
		if byAttribute {
			if len(a) == 0 {
				return nil, fail("FilterArgumentError", "Missing parameter for attribute name")
			}
			attribute, a = a[0], a[1:]
		}
		out := []any{}
		for _, item := range items {
			subject := item
			if byAttribute {
				if subject, err = e.path(item, attribute); err != nil {
					return nil, err
				}
			}
			var verdict any = subject
			if len(a) > 0 {
				name, _ := a[0].(string)
				if verdict, err = e.testOf(name, subject, a[1:], kw); err != nil {
					return nil, err
				}
			}
			yes, err := e.truth(verdict)
			if err != nil {
				return nil, err
			}
			if yes == keep {
				out = append(out, item)
			}
		}
		return &sequence{items: out, kind: "generator"}, nil
	}
}
