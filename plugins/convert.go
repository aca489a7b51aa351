package plugins

import (
	"encoding/json"
	"fmt"
	"time"
	"unicode/utf8"

	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/hotloom/hotloom/plugins/proto"
	"github.com/hotloom/hotloom/resources"
)

func valueToJSON(v any) ([]byte, error) {
	if v == nil {
		return nil, nil
	}
	return json.Marshal(v)
}

func valueFromJSON(text []byte) (any, error) {
	if len(text) == 0 {
		return nil, nil
	}
	return resources.Decode(text)
}

// valuesToJSON tells an empty map from none: the one clears, the other changes nothing.
func valuesToJSON(v resources.Values) ([]byte, error) {
	if v == nil {
		return nil, nil
	}
	return json.Marshal(v)
}

// text makes a string fit for protobuf, which refuses what is not UTF-8.
func text(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return string([]rune(s))
}

func duration(d time.Duration) *durationpb.Duration {
	if d == 0 {
		return nil
	}
	return durationpb.New(d)
}

func instant(t time.Time) *timestamppb.Timestamp {
	if t.IsZero() {
		return nil
	}
	return timestamppb.New(t)
}

func timeOf(t *timestamppb.Timestamp) time.Time {
	if t == nil {
		return time.Time{}
	}
	return t.AsTime()
}

// reader collects the first error of several conversions.
type reader struct{ err error }

func (r *reader) values(what string, text []byte) resources.Values {
	v, err := resources.DecodeValues(text)
	r.note(what, err)
	return v
}

func (r *reader) value(what string, text []byte) any {
	v, err := valueFromJSON(text)
	r.note(what, err)
	return v
}

func (r *reader) note(what string, err error) {
	if err != nil && r.err == nil {
		r.err = resources.Errorf(resources.Permanent, "%s: %w", what, err)
	}
}

// writer does the same the other way round.
type writer struct{ err error }

func (w *writer) values(what string, v resources.Values) []byte {
	text, err := valuesToJSON(v)
	w.note(what, err)
	return text
}

func (w *writer) value(what string, v any) []byte {
	text, err := valueToJSON(v)
	w.note(what, err)
	return text
}

func (w *writer) note(what string, err error) {
	if err != nil && w.err == nil {
		w.err = resources.Errorf(resources.Permanent, "%s: %w", what, err)
	}
}

func instanceToProto(i *resources.Instance) (*proto.Instance, error) {
	if i == nil {
		return nil, nil
	}
	var w writer
	out := &proto.Instance{
		Type: i.Type, Name: i.Name, Stack: i.Stack, StackId: i.StackID, PhysicalName: i.PhysicalName,
		Properties: w.values("properties", i.Properties), Id: i.ID, Data: w.values("data", i.Data), SignalUrl: i.SignalURL,
	}
	for _, path := range i.Unknown {
		out.Unknown = append(out.Unknown, &proto.Path{Steps: path})
	}
	return out, w.err
}

func instanceFromProto(i *proto.Instance) (*resources.Instance, error) {
	if i == nil {
		return nil, resources.Errorf(resources.Permanent, "the request names no resource")
	}
	var r reader
	out := &resources.Instance{
		Type: i.GetType(), Name: i.GetName(), Stack: i.GetStack(), StackID: i.GetStackId(), PhysicalName: i.GetPhysicalName(),
		Properties: r.values("properties", i.GetProperties()), ID: i.GetId(), Data: r.values("data", i.GetData()),
		SignalURL: i.GetSignalUrl(),
	}
	for _, path := range i.GetUnknown() {
		out.Unknown = append(out.Unknown, path.GetSteps())
	}
	return out, r.err
}

func operationToProto(op *resources.Operation) (*proto.Operation, error) {
	var w writer
	out := &proto.Operation{
		Key: op.Key, Action: string(op.Action), Prior: w.values("prior", op.Prior), Details: w.value("details", op.Details),
		Authentic: op.Authentic, Saved: w.value("saved", op.Saved), Repeated: op.Repeated, Token: op.Token,
		Deadline: instant(op.Deadline), Wait: duration(op.Wait),
	}
	switch {
	case op.Resource != nil:
		in, err := instanceToProto(op.Resource)
		w.note("resource", err)
		out.Subject = &proto.Operation_Resource{Resource: in}
	case op.Tool != nil:
		t := op.Tool
		out.Subject = &proto.Operation_Tool{Tool: &proto.ToolRun{
			Tool: t.Tool, Component: t.Component, Config: w.value("config", t.Config), Inputs: w.values("inputs", t.Inputs),
			Secrets: t.Secrets, Outputs: t.Outputs, Options: w.values("options", t.Options),
			Host: &proto.Host{
				Address: t.Host.Address, Port: int32(t.Host.Port), User: t.Host.User, Key: t.Host.Key,
				KnownHosts: t.Host.KnownHosts, Sudo: t.Host.Sudo, Dir: t.Host.Dir,
			},
		}}
	case op.Call != nil:
		c := op.Call
		out.Subject = &proto.Operation_Call{Call: &proto.Call{
			Name: c.Name, Input: w.values("input", c.Input), Workflow: c.Workflow, ExecutionId: c.ExecutionID, TaskId: c.TaskID,
		}}
	}
	return out, w.err
}

func operationFromProto(op *proto.Operation) (*resources.Operation, error) {
	var r reader
	out := &resources.Operation{
		Key: op.GetKey(), Action: resources.Action(op.GetAction()), Prior: r.values("prior", op.GetPrior()),
		Details: r.value("details", op.GetDetails()), Authentic: op.GetAuthentic(), Saved: r.value("saved", op.GetSaved()),
		Repeated: op.GetRepeated(), Token: op.GetToken(), Deadline: timeOf(op.GetDeadline()), Wait: op.GetWait().AsDuration(),
	}
	switch s := op.GetSubject().(type) {
	case *proto.Operation_Resource:
		in, err := instanceFromProto(s.Resource)
		r.note("resource", err)
		out.Resource = in
	case *proto.Operation_Tool:
		t, h := s.Tool, s.Tool.GetHost()
		out.Tool = &resources.ToolRun{
			Tool: t.GetTool(), Component: t.GetComponent(), Config: r.value("config", t.GetConfig()),
			Inputs: r.values("inputs", t.GetInputs()), Secrets: t.GetSecrets(), Outputs: t.GetOutputs(),
			Options: r.values("options", t.GetOptions()),
			Host: resources.Host{
				Address: h.GetAddress(), Port: int(h.GetPort()), User: h.GetUser(), Key: h.GetKey(),
				KnownHosts: h.GetKnownHosts(), Sudo: h.GetSudo(), Dir: h.GetDir(),
			},
		}
	case *proto.Operation_Call:
		c := s.Call
		out.Call = &resources.Call{
			Name: c.GetName(), Input: r.values("input", c.GetInput()), Workflow: c.GetWorkflow(),
			ExecutionID: c.GetExecutionId(), TaskID: c.GetTaskId(),
		}
	default:
		r.note("operation", fmt.Errorf("it is about nothing"))
	}
	return out, r.err
}

func resultToProto(res *resources.Result) (*proto.Result, error) {
	if res == nil {
		return nil, nil
	}
	if len(res.Token) > resources.MaxToken {
		return nil, fmt.Errorf("the token has %d bytes, the limit is %d", len(res.Token), resources.MaxToken)
	}
	if n := utf8.RuneCountInString(res.ID); n > resources.MaxID {
		return nil, fmt.Errorf("the id has %d characters, the limit is %d", n, resources.MaxID)
	}
	var w writer
	out := &proto.Result{
		Done: res.Done, Token: res.Token, After: duration(res.After), Id: text(res.ID), Data: w.values("data", res.Data),
		Replace: res.Replace, Attributes: w.values("attributes", res.Attributes), Output: w.value("output", res.Output),
	}
	for _, e := range res.Progress {
		out.Progress = append(out.Progress, &proto.Event{Time: instant(e.Time), Message: text(e.Message), Percent: e.Percent})
	}
	return out, w.err
}

func resultFromProto(res *proto.Result) (*resources.Result, error) {
	if res == nil {
		return nil, nil
	}
	var r reader
	out := &resources.Result{
		Done: res.GetDone(), Token: res.GetToken(), After: res.GetAfter().AsDuration(), ID: res.GetId(),
		Data: r.values("data", res.GetData()), Replace: res.GetReplace(), Attributes: r.values("attributes", res.GetAttributes()),
		Output: r.value("output", res.GetOutput()),
	}
	for _, e := range res.GetProgress() {
		out.Progress = append(out.Progress, resources.Event{Time: timeOf(e.GetTime()), Message: e.GetMessage(), Percent: e.GetPercent()})
	}
	return out, r.err
}

func faultsToProto(faults []resources.Fault) []*proto.Fault {
	var out []*proto.Fault
	for _, f := range faults {
		out = append(out, &proto.Fault{Path: &proto.Path{Steps: f.Path}, Message: text(f.Message)})
	}
	return out
}

func faultsFromProto(faults []*proto.Fault) []resources.Fault {
	var out []resources.Fault
	for _, f := range faults {
		out = append(out, resources.Fault{Path: f.GetPath().GetSteps(), Message: f.GetMessage()})
	}
	return out
}

func errorToProto(err error) *proto.Error {
	e := resources.AsError(err)
	if e == nil {
		return nil
	}
	out := &proto.Error{Kind: string(e.Kind), Message: text(e.Message), Faults: faultsToProto(e.Faults), After: duration(e.After)}
	data, err := valueToJSON(e.Data)
	if err != nil {
		out.Message += fmt.Sprintf(" (its data cannot be sent: %v)", err)
	}
	out.Data = data
	return out
}

// errorFromProto gives an error interface that is nil where there is none.
func errorFromProto(e *proto.Error) error {
	if e == nil {
		return nil
	}
	data, err := valueFromJSON(e.GetData())
	if err != nil {
		return resources.Errorf(resources.Permanent, "%s (and its data is no JSON: %w)", e.GetMessage(), err)
	}
	kind := resources.Kind(e.GetKind())
	if kind == "" {
		kind = resources.Permanent
	}
	return &resources.Error{
		Kind: kind, Message: e.GetMessage(), Faults: faultsFromProto(e.GetFaults()), After: e.GetAfter().AsDuration(), Data: data,
	}
}
