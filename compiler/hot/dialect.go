package hot

// dialect is how one format names its sections and keys.
type dialect struct {
	description, groups, parameters, conditions, resources, outputs, mappings string // sections

	rType, rProperties, rMetadata, rDependsOn, rDeletionPolicy, rUpdatePolicy string // resource keys
	rDescription, rExternalID, rCondition                                     string

	oValue, oDescription, oCondition string // output keys
}

var hotDialect = dialect{
	description: "description", groups: "parameter_groups", parameters: "parameters", conditions: "conditions",
	resources: "resources", outputs: "outputs",
	rType: "type", rProperties: "properties", rMetadata: "metadata", rDependsOn: "depends_on",
	rDeletionPolicy: "deletion_policy", rUpdatePolicy: "update_policy", rDescription: "description",
	rExternalID: "external_id", rCondition: "condition",
	oValue: "value", oDescription: "description", oCondition: "condition",
}

var cfnDialect = dialect{
	description: "Description", parameters: "Parameters", conditions: "Conditions", resources: "Resources",
	outputs: "Outputs", mappings: "Mappings",
	rType: "Type", rProperties: "Properties", rMetadata: "Metadata", rDependsOn: "DependsOn",
	rDeletionPolicy: "DeletionPolicy", rUpdatePolicy: "UpdatePolicy", rDescription: "Description",
	rCondition: "Condition",
	oValue:     "Value", oDescription: "Description", oCondition: "Condition",
}

func (v *Version) dialect() *dialect {
	if v.Format == CFN {
		return &cfnDialect
	}
	return &hotDialect
}

// DeletionPolicies lists what the version accepts under deletion_policy.
func (v *Version) DeletionPolicies() []string {
	policies := []string{"Delete", "Retain", "Snapshot"}
	if v.Format == HOT && v.HasConditions() {
		policies = append(policies, "delete", "retain", "snapshot")
	}
	return policies
}

// PseudoParameters lists the parameters that every stack of the version has without defining them.
func (v *Version) PseudoParameters() []string {
	if v.Format == CFN {
		return []string{"AWS::StackId", "AWS::StackName", "AWS::Region"}
	}
	return []string{"OS::stack_id", "OS::project_id", "OS::stack_name"}
}

// componentTypesSection is hotloom's own section; it is legal in every HOT version.
const componentTypesSection = "component_types"

// undefinedSection is a name that Heat's class for HOT carries where CFN has Mappings, and therefore accepts.
const undefinedSection = "__undefined__"
