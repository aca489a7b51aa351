package lint

// registry is every rule. Those without a check are found while a document is read.
var registry = []*Rule{
	// properties and types of resources
	unknownType, unknownPropertyRule, missingRequired, propertyType, constraintViolatedRule, unimplemented, conflicting,
	incomplete, inconsistent, snapshotPolicy, unsatisfiable,
	// what Heat accepts and people regret
	functionWithMoreKeys, unusedParameter, scalarChangesType,
}
