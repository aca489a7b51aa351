package plugins

import (
	"context"
	"errors"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/hotloom/hotloom/plugins/proto"
	"github.com/hotloom/hotloom/resources"
)

// Client is a provider at the other end of a connection.
type Client struct{ rpc proto.ProviderClient }

var _ resources.Provider = (*Client)(nil)

// NewClient uses a connection.
func NewClient(c grpc.ClientConnInterface) *Client {
	return &Client{rpc: proto.NewProviderClient(c)}
}

// Describe implements resources.Provider.
func (c *Client) Describe(ctx context.Context) (*resources.Description, error) {
	d, err := c.rpc.Describe(ctx, &proto.DescribeRequest{})
	if err != nil {
		return nil, transport("describe", err)
	}
	return descriptionFromProto(d)
}

// Validate implements resources.Provider.
func (c *Client) Validate(ctx context.Context, of *resources.Instance) ([]resources.Fault, error) {
	in, err := instanceToProto(of)
	if err != nil {
		return nil, err
	}
	r, err := c.rpc.Validate(ctx, &proto.ValidateRequest{Resource: in})
	if err != nil {
		return nil, transport("validate", err)
	}
	return faultsFromProto(r.GetFaults()), errorFromProto(r.GetError())
}

// Start implements resources.Provider.
func (c *Client) Start(ctx context.Context, op *resources.Operation) (*resources.Result, error) {
	return c.operate(ctx, "start", op, c.rpc.Start)
}

// Poll implements resources.Provider.
func (c *Client) Poll(ctx context.Context, op *resources.Operation) (*resources.Result, error) {
	return c.operate(ctx, "poll", op, c.rpc.Poll)
}

type operateFunc func(context.Context, *proto.Operation, ...grpc.CallOption) (*proto.OperationResponse, error)

func (c *Client) operate(ctx context.Context, what string, op *resources.Operation, call operateFunc) (*resources.Result, error) {
	in, err := operationToProto(op)
	if err != nil {
		return nil, err
	}
	r, err := call(ctx, in)
	if err != nil {
		return nil, transport(what, err)
	}
	result, err := resultFromProto(r.GetResult())
	if err != nil {
		return nil, resources.Errorf(resources.Permanent, "the provider's answer: %w", err)
	}
	if failure := errorFromProto(r.GetError()); failure != nil {
		return result, failure
	}
	if result == nil {
		return nil, resources.Errorf(resources.Permanent, "the provider answered neither a result nor an error")
	}
	return result, nil
}

// Cancel implements resources.Provider.
func (c *Client) Cancel(ctx context.Context, op *resources.Operation) error {
	in, err := operationToProto(op)
	if err != nil {
		return err
	}
	r, err := c.rpc.Cancel(ctx, in)
	if err != nil {
		return transport("cancel", err)
	}
	return errorFromProto(r.GetError())
}

// Attributes implements resources.Provider.
func (c *Client) Attributes(ctx context.Context, of *resources.Instance, names []string) (resources.Values, error) {
	in, err := instanceToProto(of)
	if err != nil {
		return nil, err
	}
	r, err := c.rpc.Attributes(ctx, &proto.AttributesRequest{Resource: in, Names: names})
	if err != nil {
		return nil, transport("attributes", err)
	}
	values, err := resources.DecodeValues(r.GetValues())
	if err != nil {
		return nil, resources.Errorf(resources.Permanent, "the provider's attributes: %w", err)
	}
	return values, errorFromProto(r.GetError())
}

// ErrLost is the cause of the error of a call in whose course the provider ended, or could not be reached at all.
var ErrLost = errors.New("the provider has ended")

// ErrSlow is the cause of the error of a call that the provider did not answer in time.
var ErrSlow = errors.New("the provider did not answer in time")

// transport explains a failure of the call itself.
func transport(what string, err error) error {
	s := status.Convert(err)
	switch s.Code() {
	case codes.Unavailable:
		return resources.Errorf(resources.Interrupted, "%s: %w", what, ErrLost)
	case codes.DeadlineExceeded:
		return resources.Errorf(resources.Interrupted, "%s: %w", what, ErrSlow)
	case codes.Canceled:
		return resources.Errorf(resources.Cancelled, "%s: %w", what, context.Canceled)
	case codes.ResourceExhausted:
		return resources.Errorf(resources.Permanent, "%s: too large a message: %s", what, s.Message())
	case codes.Unimplemented:
		return resources.Errorf(resources.Unsupported, "%s: the provider has no such call", what)
	}
	return resources.Errorf(resources.Permanent, "%s: %s", what, s.Message())
}
