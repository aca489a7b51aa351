package function

// fnGetAZs asks nova for its availability zones.
var fnGetAZs = Function{Name: "Fn::GetAZs", Usage: "{Fn::GetAZs: REGION}"}
