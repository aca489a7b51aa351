// Package proto is the generated code of the protocol in provider.proto.
//
// To make it again: protoc 3.21 or later with protoc-gen-go v1.36.12 and protoc-gen-go-grpc v1.6.2 in the PATH.
package proto

//go:generate protoc --go_out=. --go_opt=paths=source_relative --go-grpc_out=. --go-grpc_opt=paths=source_relative provider.proto
