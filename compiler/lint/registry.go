package lint

import "slices"

// registry is every rule.
var registry = slices.Concat([]*Rule{
	// what Heat refuses about resources and values
	unknownType, unknownPropertyRule, missingRequired, propertyType, constraintViolatedRule, unimplemented, conflicting,
	incomplete, inconsistent, snapshotPolicy, unsatisfiable, groupMember, deploymentFormat, rootFacade,
	// what Heat accepts and people regret: the language
	functionWithMoreKeys, refSpelling, unusedParameter, unusedOptional, unusedCondition, scalarChangesType, replaceUnused, replacePrefix, replaceLeft, sameBranches,
	constantCondition, nullableIf, uselessCall, joinNumbers, nullSection, versionTooHigh, oldVersion, computedFile, typeAsFile,
	// parameters and environments
	secretNotHidden, secretDefault, secretLiteral, secretOutput, hiddenValue, ungroupedParameter, undescribedParameter,
	immutableParameter, numberAsText, unusedDefault, suspiciousMapping,
	// resources
	deprecatedType, placeholderType, deprecatedProperty, releaseDifference, nestedOutput, resourceByName, hardCodedID,
	redundantDepends, dependsOnDisabled, replaceAlways, waitWithoutSender, waitTooLong, waitBeforeSender, floatingIPOrder, subnetRanges,
	openIngress, duplicateRule, deploymentInput, deploymentOutput, unusedPolicy, idleAlarm,
	// what a captured profile tells of a cloud
	unknownName, versionNotInCloud, overQuota,
	// what runs on servers
	shellSyntax, cloudConfigSyntax, cloudConfigKey, userDataSize,
}, readerRules, workflowRules)
