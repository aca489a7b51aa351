package main

import "github.com/hotloom/hotloom/resources/catalog"

// This file holds what the recorded facts do not say, read from the sources of the two releases.

// oldTranslations are the rewrites of types that the newer release made placeholders, and so has none for.
var oldTranslations = map[string][]catalog.Translation{
	"OS::Neutron::Pool":   {{Rule: "Replace", Path: []string{"subnet"}, ValuePath: []string{"subnet_id"}}},
	"OS::Sahara::Cluster": {{Rule: "Replace", Path: []string{"default_image_id"}, ValuePath: []string{"image"}}},
}

// conditionalTranslations are rewrites that a type makes only where the property is given.
var conditionalTranslations = map[string][]catalog.Translation{
	"OS::Heat::RandomString": {{Rule: "Delete", Path: []string{"sequence"}}},
}

// snapshotTypes take the deletion policy Snapshot.
var snapshotTypes = map[string]bool{
	"AWS::EC2::Volume": true, "OS::Cinder::Volume": true, "OS::Heat::DeployedServer": true, "OS::Nova::Server": true,
}

// placeholderTypes accept every property on purpose.
var placeholderTypes = map[string]bool{"OS::Heat::None": true}
