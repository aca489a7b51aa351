package plugins

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"

	"github.com/hotloom/hotloom/plugins/proto"
	"github.com/hotloom/hotloom/resources"
)

// Server answers the protocol's calls with a provider. A panic of the provider fails the call, not the process.
type Server struct {
	proto.UnimplementedProviderServer
	provider resources.Provider
}

// NewServer serves a provider.
func NewServer(p resources.Provider) *Server { return &Server{provider: p} }

// guard turns a panic into an error. The stack goes to the log, which is the host's.
func guard(err *error) {
	if p := recover(); p != nil {
		slog.Error("the provider's code panicked", "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
		*err = resources.Errorf(resources.Permanent, "the provider's code panicked: %v", p)
	}
}

// Describe implements the protocol.
func (s *Server) Describe(ctx context.Context, _ *proto.DescribeRequest) (*proto.Description, error) {
	d, err := s.provider.Describe(ctx)
	if err != nil {
		return nil, err
	}
	return descriptionToProto(d)
}

// Validate implements the protocol.
func (s *Server) Validate(ctx context.Context, r *proto.ValidateRequest) (*proto.ValidateResponse, error) {
	of, err := instanceFromProto(r.GetResource())
	if err != nil {
		return nil, err
	}
	faults, err := func() (f []resources.Fault, err error) {
		defer guard(&err)
		return s.provider.Validate(ctx, of)
	}()
	return &proto.ValidateResponse{Faults: faultsToProto(faults), Error: errorToProto(err)}, nil
}

// Start implements the protocol.
func (s *Server) Start(ctx context.Context, r *proto.Operation) (*proto.OperationResponse, error) {
	return operate(ctx, r, s.provider.Start)
}

// Poll implements the protocol.
func (s *Server) Poll(ctx context.Context, r *proto.Operation) (*proto.OperationResponse, error) {
	return operate(ctx, r, s.provider.Poll)
}

func operate(ctx context.Context, r *proto.Operation, do func(context.Context, *resources.Operation) (*resources.Result, error)) (*proto.OperationResponse, error) {
	op, err := operationFromProto(r)
	if err != nil {
		return nil, err
	}
	result, failure := func() (res *resources.Result, err error) {
		defer guard(&err)
		return do(ctx, op)
	}()
	answer, err := resultToProto(result)
	if err != nil {
		return &proto.OperationResponse{Error: errorToProto(fmt.Errorf("the provider's result cannot be sent: %w", err))}, nil
	}
	return &proto.OperationResponse{Result: answer, Error: errorToProto(failure)}, nil
}

// Cancel implements the protocol.
func (s *Server) Cancel(ctx context.Context, r *proto.Operation) (*proto.CancelResponse, error) {
	op, err := operationFromProto(r)
	if err != nil {
		return nil, err
	}
	err = func() (err error) {
		defer guard(&err)
		return s.provider.Cancel(ctx, op)
	}()
	return &proto.CancelResponse{Error: errorToProto(err)}, nil
}

// Attributes implements the protocol.
func (s *Server) Attributes(ctx context.Context, r *proto.AttributesRequest) (*proto.AttributesResponse, error) {
	of, err := instanceFromProto(r.GetResource())
	if err != nil {
		return nil, err
	}
	values, failure := func() (v resources.Values, err error) {
		defer guard(&err)
		return s.provider.Attributes(ctx, of, r.GetNames())
	}()
	text, err := valuesToJSON(values)
	if err != nil {
		failure = fmt.Errorf("the provider's attributes cannot be sent: %w", err)
	}
	return &proto.AttributesResponse{Values: text, Error: errorToProto(failure)}, nil
}
