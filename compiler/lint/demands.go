package lint

import "sync"

// demands is the table of what the types' own checks refuse at create, before a cloud is asked. Each row mirrors a
// condition of the validate method of the type's class in heat/engine/resources.
var demands = sync.OnceValue(func() []demand {
	return []demand{
		// heat
		{
			types: []string{"OS::Heat::ScalingPolicy", "AWS::AutoScaling::ScalingPolicy"}, rule: "conflicting-properties",
			tests:   []test{set("min_adjustment_step"), isNot("adjustment_type", "percent_change_in_capacity")},
			message: "min_adjustment_step needs the adjustment_type percent_change_in_capacity", at: "min_adjustment_step",
		},
		{
			types: []string{"AWS::AutoScaling::ScalingPolicy"}, rule: "conflicting-properties",
			tests:   []test{set("MinAdjustmentStep"), isNot("AdjustmentType", "PercentChangeInCapacity")},
			message: "MinAdjustmentStep needs the AdjustmentType PercentChangeInCapacity", at: "MinAdjustmentStep",
		},
		{
			types: []string{"OS::Heat::AutoScalingGroup"}, rule: "properties-inconsistent",
			tests: []test{above("min_size", "max_size")}, message: "min_size is greater than max_size", at: "max_size",
		},
		{
			types: []string{"OS::Heat::AutoScalingGroup"}, rule: "properties-inconsistent",
			tests:   []test{set("desired_capacity"), anyOf(above("desired_capacity", "max_size"), above("min_size", "desired_capacity"))},
			message: "desired_capacity is not between min_size and max_size", at: "desired_capacity",
		},
		{
			types: []string{"AWS::AutoScaling::AutoScalingGroup"}, rule: "constraint-violated",
			tests: []test{below("MinSize", 0)}, message: "MinSize is less than 0", at: "MinSize",
		},
		{
			types: []string{"AWS::AutoScaling::AutoScalingGroup"}, rule: "properties-inconsistent",
			tests: []test{above("MinSize", "MaxSize")}, message: "MinSize is greater than MaxSize", at: "MaxSize",
		},
		{
			types: []string{"AWS::AutoScaling::AutoScalingGroup"}, rule: "properties-inconsistent",
			tests:   []test{set("DesiredCapacity"), anyOf(above("DesiredCapacity", "MaxSize"), above("MinSize", "DesiredCapacity"))},
			message: "DesiredCapacity is not between MinSize and MaxSize", at: "DesiredCapacity",
		},
		{
			types: []string{"AWS::AutoScaling::AutoScalingGroup"}, rule: "properties-incomplete",
			tests: []test{falsy("InstanceId"), falsy("LaunchConfigurationName")}, message: "InstanceId or LaunchConfigurationName is needed",
		},
		{
			types: []string{"AWS::AutoScaling::AutoScalingGroup"}, rule: "conflicting-properties",
			tests:   []test{truthy("InstanceId"), truthy("LaunchConfigurationName")},
			message: "InstanceId and LaunchConfigurationName exclude each other", at: "InstanceId",
		},
		{
			types: []string{"AWS::AutoScaling::AutoScalingGroup"}, rule: "properties-inconsistent",
			tests: []test{longer("VPCZoneIdentifier", 1)}, message: "Heat supports only one VPCZoneIdentifier", at: "VPCZoneIdentifier",
		},
		{
			types: []string{"AWS::AutoScaling::LaunchConfiguration"}, rule: "properties-incomplete",
			tests:   []test{falsy("InstanceId"), anyOf(falsy("ImageId"), falsy("InstanceType"))},
			message: "without InstanceId, ImageId and InstanceType are needed",
		},
		{
			types: []string{"AWS::EC2::EIPAssociation"}, rule: "properties-incomplete",
			tests: []test{falsy("EIP"), falsy("AllocationId")}, message: "EIP or AllocationId is needed",
		},
		{
			types: []string{"AWS::EC2::EIPAssociation"}, rule: "conflicting-properties",
			tests: []test{truthy("EIP"), truthy("AllocationId")}, message: "EIP and AllocationId exclude each other", at: "AllocationId",
		},
		{
			types: []string{"AWS::EC2::EIPAssociation"}, rule: "properties-incomplete",
			tests: []test{truthy("EIP"), falsy("InstanceId")}, message: "EIP needs InstanceId", at: "EIP",
		},
		// barbican
		{
			types: []string{"OS::Barbican::Order"}, rule: "properties-incomplete",
			tests:   []test{isNot("type", "certificate"), anyOf(unset("algorithm"), unset("bit_length"))},
			message: "an order of this type needs algorithm and bit_length", at: "type",
		},
		{
			types: []string{"OS::Barbican::Order"}, rule: "properties-incomplete",
			tests: []test{is("type", "certificate"), truthy("profile"), falsy("ca_id")}, message: "profile needs ca_id", at: "profile",
		},
		{
			types: []string{"OS::Barbican::Secret"}, rule: "properties-incomplete",
			tests: []test{truthy("payload_content_type"), falsy("payload")}, message: "payload_content_type needs payload", at: "payload_content_type",
		},
		{
			types: []string{"OS::Barbican::Secret"}, rule: "properties-incomplete",
			tests:   []test{is("payload_content_type", "application/octet-stream"), falsy("payload_content_encoding")},
			message: "application/octet-stream needs payload_content_encoding", at: "payload_content_type",
		},
		{
			types: []string{"OS::Barbican::Secret"}, rule: "conflicting-properties",
			tests:   []test{truthy("payload_content_encoding"), anyOf(falsy("payload_content_type"), is("payload_content_type", "text/plain"))},
			message: "payload_content_encoding needs the payload_content_type application/octet-stream", at: "payload_content_encoding",
		},
		// cinder
		{
			types: []string{"OS::Cinder::Volume"}, rule: "properties-incomplete",
			tests: []test{
				falsy("backup_id"), unset("size"), falsy("source_volid"), falsy("snapshot_id"),
			},
			message: "without backup_id and size, one of source_volid and snapshot_id is needed", fix: "add size: with a number of GB",
		},
		{
			types: []string{"OS::Cinder::Volume"}, rule: "conflicting-properties",
			tests:   []test{falsy("backup_id"), truthy("source_volid"), truthy("snapshot_id")},
			message: "source_volid and snapshot_id exclude each other", at: "snapshot_id",
		},
		{
			types: []string{"OS::Cinder::Volume"}, rule: "conflicting-properties",
			tests:   []test{falsy("backup_id"), truthy("image"), anyOf(truthy("source_volid"), truthy("snapshot_id"))},
			message: "image, source_volid and snapshot_id exclude each other", at: "image",
		},
		{
			types: []string{"OS::Cinder::VolumeType"}, rule: "conflicting-properties",
			tests: []test{truthy("projects"), truthy("is_public")}, message: "projects cannot be given for a public volume type", at: "projects",
		},
		// designate
		{
			types: []string{"OS::Designate::Zone"}, rule: "properties-incomplete",
			tests: []test{is("type", "PRIMARY"), falsy("email")}, message: "a PRIMARY zone needs email",
		},
		{
			types: []string{"OS::Designate::Zone"}, rule: "properties-incomplete",
			tests: []test{is("type", "SECONDARY"), falsy("primaries"), falsy("masters")}, message: "a SECONDARY zone needs primaries", at: "type",
		},
		// glance
		{
			types: []string{"OS::Glance::WebImage", "OS::Glance::Image"}, rule: "properties-inconsistent",
			tests: []test{anyOf(
				allOf(is("container_format", "ami"), isNot("disk_format", "ami")),
				allOf(is("container_format", "ari"), isNot("disk_format", "ari")),
				allOf(is("container_format", "aki"), isNot("disk_format", "aki")),
			)},
			message: "with the container_format ami, ari or aki, disk_format must be the same", at: "disk_format",
		},
		{
			types: []string{"OS::Glance::WebImage"}, rule: "conflicting-properties",
			tests: []test{truthy("members"), isNot("visibility", "shared")}, message: "members needs the visibility shared", at: "members",
		},
		// keystone
		{
			types: []string{"OS::Keystone::User", "OS::Keystone::Group", "OS::Keystone::UserRoleAssignment", "OS::Keystone::GroupRoleAssignment"},
			each:  "roles", rule: "conflicting-properties",
			tests: []test{set("project"), set("domain")}, message: "project and domain of a role exclude each other", at: "domain",
		},
		{
			types: []string{"OS::Keystone::User", "OS::Keystone::Group", "OS::Keystone::UserRoleAssignment", "OS::Keystone::GroupRoleAssignment"},
			each:  "roles", rule: "properties-incomplete",
			tests: []test{unset("project"), unset("domain")}, message: "a role needs project or domain",
		},
		// magnum
		{
			types: []string{"OS::Magnum::ClusterTemplate"}, rule: "properties-inconsistent",
			tests: []test{anyOf(
				allOf(is("coe", "kubernetes"), set("volume_driver"), isNot("volume_driver", "cinder")),
				allOf(is("coe", "swarm"), set("volume_driver"), isNot("volume_driver", "rexray")),
				allOf(is("coe", "mesos"), set("volume_driver"), isNot("volume_driver", "rexray")),
			)},
			message: "kubernetes takes the volume_driver cinder, swarm and mesos take rexray", at: "volume_driver",
		},
		// manila
		{
			late:  true,
			types: []string{"OS::Manila::ShareNetwork"}, rule: "conflicting-properties",
			tests: []test{truthy("nova_network")}, message: "nova_network cannot be used where Neutron is there", at: "nova_network",
		},
		{
			late:  true,
			types: []string{"OS::Manila::ShareNetwork"}, rule: "properties-incomplete",
			tests: []test{truthy("neutron_network"), falsy("neutron_subnet")}, message: "neutron_network needs neutron_subnet", at: "neutron_network",
		},
		// mistral
		{
			types: []string{"OS::Mistral::Workflow"}, rule: "properties-incomplete",
			tests: []test{is("type", "reverse"), falsy("params.task_name")}, message: "a reverse workflow needs task_name in params", at: "type",
		},
		{
			types: []string{"OS::Mistral::CronTrigger"}, rule: "properties-incomplete",
			tests: []test{falsy("pattern"), falsy("first_time")}, message: "pattern or first_time is needed",
		},
		{
			types: []string{"OS::Mistral::Workflow"}, each: "tasks", rule: "conflicting-properties",
			tests: []test{truthy("workflow"), truthy("action")}, message: "workflow and action of a task exclude each other", at: "action",
		},
		{
			types: []string{"OS::Mistral::Workflow"}, each: "tasks", rule: "properties-incomplete",
			tests: []test{falsy("workflow"), falsy("action")}, message: "a task needs workflow or action",
		},
		{
			types: []string{"OS::Mistral::Workflow"}, each: "tasks", rule: "properties-incomplete",
			tests: []test{unset("with_items"), set("concurrency")}, message: "concurrency of a task needs with_items", at: "concurrency",
		},
		// neutron
		{
			types: []string{"OS::Neutron::FloatingIP"}, rule: "properties-incomplete",
			tests: []test{unset("port_id"), set("fixed_ip_address")}, message: "fixed_ip_address needs port_id", at: "fixed_ip_address",
		},
		{
			types: []string{"OS::Neutron::Port"}, rule: "conflicting-properties",
			tests: []test{truthy("fixed_ips"), truthy("no_fixed_ips")}, message: "fixed_ips and no_fixed_ips exclude each other", at: "no_fixed_ips",
		},
		{
			types: []string{"OS::Neutron::ProviderNet"}, rule: "conflicting-properties",
			tests: []test{truthy("segmentation_id"), isNot("network_type", "vlan")}, message: "segmentation_id needs the network_type vlan", at: "segmentation_id",
		},
		{
			types: []string{"OS::Neutron::NetworkGateway"}, each: "connections", rule: "properties-incomplete",
			tests: []test{is("segmentation_type", "vlan"), unset("segmentation_id")}, message: "the segmentation_type vlan needs segmentation_id", at: "segmentation_type",
		},
		{
			types: []string{"OS::Neutron::NetworkGateway"}, each: "connections", rule: "conflicting-properties",
			tests: []test{is("segmentation_type", "flat"), truthy("segmentation_id")}, message: "the segmentation_type flat takes no segmentation_id but 0", at: "segmentation_id",
		},
		{
			types: []string{"OS::Neutron::Router"}, rule: "conflicting-properties",
			tests: []test{truthy("l3_agent_id"), truthy("l3_agent_ids")}, message: "l3_agent_id and l3_agent_ids exclude each other", at: "l3_agent_id",
		},
		{
			types: []string{"OS::Neutron::Router"}, rule: "conflicting-properties",
			tests:   []test{truthy("distributed"), anyOf(truthy("l3_agent_id"), truthy("l3_agent_ids"))},
			message: "a distributed router takes no L3 agent", at: "distributed",
		},
		{
			types: []string{"OS::Neutron::Router"}, rule: "conflicting-properties",
			tests: []test{truthy("distributed"), truthy("ha")}, message: "distributed and ha exclude each other", at: "ha",
		},
		{
			types: []string{"OS::Neutron::Router"}, rule: "properties-inconsistent",
			tests: []test{falsy("ha"), longer("l3_agent_ids", 1)}, message: "a router without ha takes one L3 agent", at: "l3_agent_ids",
		},
		{
			types: []string{"OS::Neutron::RouterInterface"}, rule: "conflicting-properties",
			tests: []test{set("subnet"), set("port")}, message: "subnet and port exclude each other", at: "port",
		},
		{
			types: []string{"OS::Neutron::RouterInterface"}, rule: "properties-incomplete",
			tests: []test{unset("subnet"), unset("port")}, message: "subnet or port is needed",
		},
		{
			types: []string{"OS::Neutron::SecurityGroup"}, rule: "properties-inconsistent",
			tests: []test{is("name", "default")}, message: `a security group cannot be named "default"`, at: "name",
		},
		{
			types: []string{"OS::Neutron::SecurityGroupRule"}, rule: "conflicting-properties",
			tests: []test{set("remote_group"), set("remote_ip_prefix")}, message: "remote_group and remote_ip_prefix exclude each other", at: "remote_ip_prefix",
		},
		{
			types: []string{"OS::Neutron::SecurityGroupRule"}, rule: "properties-inconsistent",
			tests:   []test{isNot("protocol", "icmp", "icmpv6", "ipv6-icmp"), above("port_range_min", "port_range_max")},
			message: "port_range_min is greater than port_range_max", at: "port_range_min",
		},
		{
			types: []string{"OS::Neutron::Segment"}, rule: "properties-incomplete",
			tests: []test{is("network_type", "flat", "vlan"), unset("physical_network")}, message: "the network_type flat or vlan needs physical_network", at: "network_type",
		},
		{
			types: []string{"OS::Neutron::Segment"}, rule: "properties-incomplete",
			tests: []test{is("network_type", "vlan"), unset("segmentation_id")}, message: "the network_type vlan needs segmentation_id", at: "network_type",
		},
		{
			types: []string{"OS::Neutron::Segment"}, rule: "conflicting-properties",
			tests: []test{is("network_type", "local", "flat"), set("segmentation_id")}, message: "the network_type local or flat takes no segmentation_id", at: "segmentation_id",
		},
		{
			types: []string{"OS::Neutron::Segment"}, rule: "conflicting-properties",
			tests: []test{is("network_type", "vxlan", "gre", "geneve"), set("physical_network")}, message: "a tunnel takes no physical_network", at: "physical_network",
		},
		{
			types: []string{"OS::Neutron::Subnet"}, rule: "conflicting-properties",
			tests: []test{set("subnetpool"), truthy("cidr")}, message: "subnetpool and cidr exclude each other", at: "subnetpool",
		},
		{
			types: []string{"OS::Neutron::Subnet"}, rule: "properties-incomplete",
			tests: []test{unset("subnetpool"), falsy("cidr")}, message: "subnetpool or cidr is needed", fix: "add cidr: with a network such as 10.0.0.0/24",
		},
		{
			types: []string{"OS::Neutron::Subnet"}, rule: "conflicting-properties",
			tests: []test{truthy("prefixlen"), truthy("cidr")}, message: "prefixlen and cidr exclude each other", at: "prefixlen",
		},
		{
			types: []string{"OS::Neutron::Subnet"}, rule: "conflicting-properties",
			tests:   []test{is("ip_version", int64(4)), anyOf(truthy("ipv6_ra_mode"), truthy("ipv6_address_mode"))},
			message: "ipv6_ra_mode and ipv6_address_mode need ip_version 6", at: "ipv6_ra_mode",
		},
		{
			types: []string{"OS::Neutron::Subnet"}, rule: "properties-inconsistent",
			tests:   []test{truthy("ipv6_ra_mode"), truthy("ipv6_address_mode"), differ("ipv6_ra_mode", "ipv6_address_mode")},
			message: "ipv6_ra_mode and ipv6_address_mode must be equal", at: "ipv6_address_mode",
		},
		{
			types: []string{"OS::Neutron::Subnet"}, rule: "properties-inconsistent",
			tests: []test{truthy("gateway_ip"), isNot("gateway_ip", "~"), not(ipAddress("gateway_ip"))}, message: "gateway_ip is not an IP address", at: "gateway_ip",
		},
		{
			types: []string{"OS::Neutron::SubnetPool"}, rule: "properties-inconsistent",
			tests:   []test{truthy("min_prefixlen"), truthy("max_prefixlen"), above("min_prefixlen", "max_prefixlen")},
			message: "min_prefixlen is greater than max_prefixlen", at: "min_prefixlen",
		},
		{
			types: []string{"OS::Neutron::SubnetPool"}, rule: "properties-inconsistent",
			tests: []test{truthy("default_prefixlen"), anyOf(
				allOf(truthy("max_prefixlen"), above("default_prefixlen", "max_prefixlen")),
				allOf(truthy("min_prefixlen"), above("min_prefixlen", "default_prefixlen")),
			)},
			message: "default_prefixlen is not between min_prefixlen and max_prefixlen", at: "default_prefixlen",
		},
		// octavia and the older load balancers
		{
			types: []string{"OS::Octavia::L7Policy", "OS::Neutron::LBaaS::L7Policy"}, rule: "conflicting-properties",
			tests:   []test{is("action", "REJECT"), anyOf(set("redirect_pool"), set("redirect_url"))},
			message: "the action REJECT takes no redirect_pool nor redirect_url", at: "action",
		},
		{
			types: []string{"OS::Octavia::L7Policy", "OS::Neutron::LBaaS::L7Policy"}, rule: "conflicting-properties",
			tests: []test{is("action", "REDIRECT_TO_POOL"), set("redirect_url")}, message: "redirect_url needs the action REDIRECT_TO_URL", at: "redirect_url",
		},
		{
			types: []string{"OS::Octavia::L7Policy", "OS::Neutron::LBaaS::L7Policy"}, rule: "properties-incomplete",
			tests: []test{is("action", "REDIRECT_TO_POOL"), unset("redirect_pool")}, message: "the action REDIRECT_TO_POOL needs redirect_pool", at: "action",
		},
		{
			types: []string{"OS::Octavia::L7Policy", "OS::Neutron::LBaaS::L7Policy"}, rule: "conflicting-properties",
			tests: []test{is("action", "REDIRECT_TO_URL"), set("redirect_pool")}, message: "redirect_pool needs the action REDIRECT_TO_POOL", at: "redirect_pool",
		},
		{
			types: []string{"OS::Octavia::L7Policy", "OS::Neutron::LBaaS::L7Policy"}, rule: "properties-incomplete",
			tests: []test{is("action", "REDIRECT_TO_URL"), unset("redirect_url")}, message: "the action REDIRECT_TO_URL needs redirect_url", at: "action",
		},
		{
			types: []string{"OS::Octavia::L7Rule", "OS::Neutron::LBaaS::L7Rule"}, rule: "properties-incomplete",
			tests: []test{is("type", "HEADER", "COOKIE"), unset("key")}, message: "a rule of type HEADER or COOKIE needs key", at: "type",
		},
		{
			types: []string{"OS::Octavia::Listener", "OS::Neutron::LBaaS::Listener"}, rule: "properties-incomplete",
			tests: []test{unset("loadbalancer"), unset("default_pool")}, message: "loadbalancer or default_pool is needed",
		},
		{
			types: []string{"OS::Octavia::Listener", "OS::Neutron::LBaaS::Listener"}, rule: "properties-incomplete",
			tests: []test{is("protocol", "TERMINATED_HTTPS"), unset("default_tls_container_ref")}, message: "the protocol TERMINATED_HTTPS needs default_tls_container_ref", at: "protocol",
		},
		{
			types: []string{"OS::Octavia::Pool", "OS::Neutron::LBaaS::Pool"}, rule: "properties-incomplete",
			tests: []test{unset("listener"), unset("loadbalancer")}, message: "listener or loadbalancer is needed",
		},
		{
			types: []string{"OS::Octavia::Pool", "OS::Neutron::LBaaS::Pool"}, rule: "properties-incomplete",
			tests:   []test{is("session_persistence.type", "APP_COOKIE"), falsy("session_persistence.cookie_name")},
			message: "the session_persistence type APP_COOKIE needs cookie_name", at: "session_persistence",
		},
		{
			types: []string{"OS::Octavia::Pool", "OS::Neutron::LBaaS::Pool"}, rule: "conflicting-properties",
			tests:   []test{is("session_persistence.type", "SOURCE_IP"), truthy("session_persistence.cookie_name")},
			message: "the session_persistence type SOURCE_IP takes no cookie_name", at: "session_persistence",
		},
		// nova
		{
			types: []string{"OS::Nova::Server"}, rule: "conflicting-properties",
			tests:   []test{truthy("block_device_mapping"), truthy("block_device_mapping_v2")},
			message: "block_device_mapping and block_device_mapping_v2 exclude each other", at: "block_device_mapping",
		},
		{
			types: []string{"OS::Nova::Server"}, rule: "properties-incomplete",
			tests:   []test{unset("image"), falsy("block_device_mapping"), falsy("block_device_mapping_v2")},
			message: "the server has no image and no bootable volume", fix: "add image: or a block_device_mapping_v2",
		},
		{
			types: []string{"OS::Nova::Server"}, each: "block_device_mapping", rule: "conflicting-properties",
			tests: []test{set("volume_id"), set("snapshot_id")}, message: "volume_id and snapshot_id exclude each other", at: "snapshot_id",
		},
		{
			types: []string{"OS::Nova::Server"}, each: "block_device_mapping", rule: "properties-incomplete",
			tests: []test{unset("volume_id"), unset("snapshot_id")}, message: "volume_id or snapshot_id is needed",
		},
		{
			types: []string{"OS::Nova::Server"}, each: "block_device_mapping_v2", rule: "properties-incomplete",
			tests: []test{
				unset("volume_id"), unset("snapshot_id"), unset("image"), unset("image_id"), unset("swap_size"),
				falsy("ephemeral_size"), falsy("ephemeral_format"),
			},
			message: "one of volume_id, snapshot_id, image, swap_size, ephemeral_size and ephemeral_format is needed",
		},
		{
			types: []string{"OS::Nova::Server"}, each: "block_device_mapping_v2", rule: "conflicting-properties",
			tests: []test{severalOf(
				set("volume_id"), set("snapshot_id"), anyOf(set("image"), set("image_id")), set("swap_size"),
				anyOf(truthy("ephemeral_size"), truthy("ephemeral_format")),
			)},
			message: "only one of volume_id, snapshot_id, image, swap_size and the ephemeral disk can be given",
		},
		{
			late:  true,
			types: []string{"OS::Nova::Server"}, each: "networks", rule: "properties-incomplete",
			tests:   []test{unset("network"), unset("uuid"), unset("port"), unset("subnet"), falsy("allocate_network")},
			message: "one of network, port, subnet and allocate_network is needed",
		},
		{
			late:  true,
			types: []string{"OS::Nova::Server"}, each: "networks", rule: "conflicting-properties",
			tests: []test{truthy("fixed_ip"), set("port")}, message: "fixed_ip and port of a network exclude each other: the port has the address", at: "fixed_ip",
		},
		{
			late:  true,
			types: []string{"OS::Nova::Server"}, each: "networks", rule: "properties-incomplete",
			tests:   []test{set("floating_ip"), anyOf(set("network"), set("uuid")), unset("port"), unset("subnet")},
			message: "floating_ip needs port or subnet", at: "floating_ip",
		},
		{
			late:  true,
			types: []string{"OS::Nova::Server"}, rule: "conflicting-properties",
			tests:   []test{truthy("security_groups"), eachSome("networks", set("port"))},
			message: "security_groups of a server cannot be given together with a port, which has its own", at: "security_groups",
			fix: "move the security groups to the port",
		},
		// quotas
		{
			types: []string{"OS::Cinder::Quota"}, rule: "properties-incomplete",
			tests: noneOf("gigabytes", "snapshots", "volumes", "backups", "backup_gigabytes"), message: "one limit at least is needed",
		},
		{
			types: []string{"OS::Octavia::Quota"}, rule: "properties-incomplete",
			tests: noneOf("healthmonitor", "listener", "loadbalancer", "member", "pool"), message: "one limit at least is needed",
		},
		{
			types: []string{"OS::Nova::Quota"}, rule: "properties-incomplete",
			tests: noneOf("cores", "fixed_ips", "floating_ips", "injected_file_content_bytes", "injected_file_path_bytes", "injected_files", "instances",
				"key_pairs", "metadata_items", "ram", "security_group_rules", "security_groups", "server_groups", "server_group_members"),
			message: "one limit at least is needed",
		},
		{
			types: []string{"OS::Neutron::Quota"}, rule: "properties-incomplete",
			tests:   noneOf("subnet", "network", "floatingip", "security_group_rule", "security_group", "router", "port", "subnetpool", "rbac_policy"),
			message: "one limit at least is needed",
		},
		// sahara, zaqar
		{
			types: []string{"OS::Sahara::JobBinary"}, rule: "constraint-violated",
			tests:   []test{not(begins("url", "swift://", "internal-db://"))},
			message: "url must begin with swift:// or internal-db://", at: "url",
		},
		{
			types: []string{"OS::Zaqar::Subscription"}, rule: "constraint-violated",
			tests:   []test{not(begins("subscriber", "http:", "https:", "mailto:", "trust+http:", "trust+https:"))},
			message: "subscriber must begin with http:, https:, mailto:, trust+http: or trust+https:", at: "subscriber",
		},
		// trove
		{
			types: []string{"OS::Trove::Instance", "OS::Trove::Cluster"}, rule: "properties-incomplete",
			tests: []test{truthy("datastore_version"), falsy("datastore_type")}, message: "datastore_version needs datastore_type", at: "datastore_version",
		},
		{
			late:  true,
			types: []string{"OS::Trove::Instance"}, rule: "properties-incomplete",
			tests: []test{truthy("users"), falsy("databases")}, message: "users needs databases", at: "users",
		},
		{
			late:  true,
			types: []string{"OS::Trove::Instance"}, each: "networks", rule: "properties-incomplete",
			tests: []test{falsy("network"), falsy("port")}, message: "a network needs network or port",
		},
		{
			late:  true,
			types: []string{"OS::Trove::Instance"}, each: "networks", rule: "conflicting-properties",
			tests: []test{truthy("network"), truthy("port")}, message: "network and port exclude each other", at: "port",
		},
		// zun
		{
			types: []string{"OS::Zun::Container"}, each: "mounts", rule: "properties-incomplete",
			tests: []test{unset("volume_id"), unset("volume_size")}, message: "a mount needs volume_id or volume_size",
		},
		{
			types: []string{"OS::Zun::Container"}, each: "mounts", rule: "conflicting-properties",
			tests: []test{truthy("volume_id"), truthy("volume_size")}, message: "volume_id and volume_size exclude each other", at: "volume_size",
		},
		{
			types: []string{"OS::Zun::Container"}, each: "networks", rule: "properties-incomplete",
			tests: []test{unset("network"), unset("port")}, message: "a network needs network or port",
		},
		{
			types: []string{"OS::Zun::Container"}, each: "networks", rule: "conflicting-properties",
			tests: []test{truthy("fixed_ip"), set("port")}, message: "fixed_ip and port exclude each other", at: "fixed_ip",
		},
		{
			types: []string{"OS::Heat::RandomString"}, rule: "properties-inconsistent",
			tests: []test{shorterThanItsParts}, message: "length is smaller than the minimums of character_classes and character_sequences together", at: "length",
		},
	}
})

// demandsByType finds the rows of a type.
var demandsByType = sync.OnceValue(func() map[string][]*demand {
	rows, m := demands(), map[string][]*demand{}
	for i := range rows {
		for _, t := range rows[i].types {
			m[t] = append(m[t], &rows[i])
		}
	}
	return m
})
