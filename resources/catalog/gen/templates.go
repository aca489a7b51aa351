package main

// templateTypes are the types that Heat ships as templates in its global environment, told by their parameters.
const templateTypes = `{
  "AWS::CloudWatch::Alarm": {
    "properties": {
      "AlarmDescription": {"type": "string", "update": true, "default": "An alarm"},
      "EvaluationPeriods": {"type": "string", "update": true, "required": true},
      "MetricName": {"type": "string", "update": true, "required": true},
      "Namespace": {"type": "string", "update": true, "default": "system/linux"},
      "Period": {"type": "string", "update": true, "required": true},
      "ComparisonOperator": {"type": "string", "update": true, "required": true, "constraints": [{"allowed_values": ["GreaterThanOrEqualToThreshold", "GreaterThanThreshold", "LessThanThreshold", "LessThanOrEqualToThreshold"]}]},
      "Statistic": {"type": "string", "update": true, "required": true, "constraints": [{"allowed_values": ["SampleCount", "Average", "Sum", "Minimum", "Maximum"]}]},
      "Threshold": {"type": "string", "update": true, "required": true},
      "Units": {"type": "string", "update": true, "default": "None", "constraints": [{"allowed_values": ["Seconds", "Microseconds", "Milliseconds", "Bytes", "Kilobytes", "Megabytes", "Gigabytes", "Terabytes", "Bits", "Kilobits", "Megabits", "Gigabits", "Terabits", "Percent", "Count", "Bytes/Second", "Kilobytes/Second", "Megabytes/Second", "Gigabytes/Second", "Terabytes/Second", "Bits/Second", "Kilobits/Second", "Megabits/Second", "Gigabits/Second", "Terabits/Second", "Count/Second", "None"]}]},
      "AlarmActions": {"type": "list", "update": true, "default": ""},
      "OKActions": {"type": "list", "update": true, "default": ""},
      "InsufficientDataActions": {"type": "list", "update": true, "default": ""},
      "Dimensions": {"type": "list", "update": true, "default": ""}},
    "attributes": {"show": {"type": "map"}},
    "dynamic_attributes": true,
    "own_validate": true,
    "loose": true,
    "handles": ["create", "update", "delete", "check", "suspend", "resume"]},
  "AWS::RDS::DBInstance": {
    "properties": {
      "AllocatedStorage": {"type": "string", "update": true, "required": true},
      "DBInstanceClass": {"type": "string", "update": true, "required": true},
      "DBName": {"type": "string", "update": true, "required": true},
      "DBSecurityGroups": {"type": "list", "update": true, "default": ""},
      "Engine": {"type": "string", "update": true, "required": true, "constraints": [{"allowed_values": ["MySQL"]}]},
      "MasterUsername": {"type": "string", "update": true, "required": true},
      "MasterUserPassword": {"type": "string", "update": true, "required": true},
      "Port": {"type": "string", "update": true, "default": "3306"},
      "KeyName": {"type": "string", "update": true, "default": ""}},
    "attributes": {"Endpoint.Address": {}, "Endpoint.Port": {}, "show": {"type": "map"}},
    "dynamic_attributes": true,
    "own_validate": true,
    "loose": true,
    "handles": ["create", "update", "delete", "check", "suspend", "resume"]}
}`
