package lint

import (
	"maps"
	"slices"
	"strings"
	"sync"
)

// cloudConfigModules are the top-level keys of cloud-config that the modules of cloud-init read.
var cloudConfigModules = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	for _, name := range strings.Fields(`
		allow_public_ssh_keys ansible apk_repos apt apt_pipelining apt_preserve_sources_list apt_proxy apt_mirror apt_sources apt_update
		apt_upgrade apt_reboot_if_required authkey_hash autoinstall bootcmd byobu_by_default ca-certs ca_certs chef chpasswd
		cloud_config_modules cloud_final_modules cloud_init_modules create_hostname_file datasource datasource_list debconf_selections
		debug device_aliases disable_ec2_metadata disable_root disable_root_opts disk_setup drivers fan final_message fqdn fs_setup
		groups growpart grub-dpkg grub_dpkg hostname ignore_growroot_disabled keyboard landscape launch-index locale locale_configfile
		lxd manage_etc_hosts manage_resolv_conf mcollective merge_how merge_type migrate mount_default_fields mounts network
		no_ssh_fingerprints ntp output package_reboot_if_required package_update package_upgrade packages password phone_home
		power_state prefer_fqdn_over_hostname preserve_hostname puppet random_seed reporting resize_rootfs resize_rootfs_tmp
		resolv_conf rh_subscription root rsyslog runcmd salt_minion snap snappy spacewalk ssh ssh_authorized_keys ssh_deletekeys
		ssh_fp_console_blacklist ssh_genkeytypes ssh_import_id ssh_key_console_blacklist ssh_keys ssh_publish_hostkeys ssh_pwauth
		ssh_quiet_keygen swap syslog_fix_perms system_info timezone ubuntu_advantage ubuntu_pro unverified_modules updates user
		users vendor_data vendor_data2 warnings wireguard write_files yum_repos zypper bootcmd cloud_init allow_userdata coreos
		groups yum_repo_dir rancher write_metadata storage`) {
		m[name] = true
	}
	return m
})

func cloudConfigNames() []string { return slices.Sorted(maps.Keys(cloudConfigModules())) }
