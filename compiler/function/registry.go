package function

// registry is every form of every function. Where a name has several forms the older stand first.
var registry = []*Function{
	// HOT
	&getParam, &getResource, &getAttrWhole, &getAttr, &getAttrAll, &getFile, &resourceFacade,
	&listJoinOne, &listJoin, &strReplaceText, &strReplace, &strReplaceStrict, &strReplaceVstrict, &strSplit, &digest,
	&repeatLists, &repeatMaps, &repeatPermutations, &mapMerge, &mapReplace, &filter, &makeURL,
	&listConcat, &listConcatUnique, &contains, &yaqlCall, &ifThree, &ifNullable,
	// Conditions of HOT
	&equals, &not, &and, &or,
	// CFN, and what HOT 2013-05-23 kept of it
	&ref, &paramRef, &fnGetAtt, &fnFindInMap, &fnSelect, &fnJoin, &fnSplit, &fnReplace, &fnBase64, &fnGetAZs,
	&fnMemberListToMap, &fnResourceFacade, &fnIf, &fnEquals, &fnNot, &fnAnd, &fnOr,
}
