"""Heat's own filter for CFN-signed requests, which sends heat's service token along when it asks keystone."""
from heat.api.aws import ec2token
from keystoneauth1 import loading
from keystoneauth1 import session
from oslo_config import cfg
import requests


class Requests(object):
    """Takes the place of the module `requests` in heat.api.aws.ec2token."""
    session = None

    @classmethod
    def post(cls, url, headers=None, **kwargs):
        if cls.session is None:  # the options are registered by the authtoken filter, after this module is loaded
            auth = loading.load_auth_from_conf_options(cfg.CONF, 'keystone_authtoken')
            cls.session = session.Session(auth=auth)
        return requests.post(url, headers=dict(headers or {}, **cls.session.get_auth_headers()), **kwargs)


def filter_factory(global_conf, **local_conf):
    ec2token.requests = Requests
    return ec2token.EC2Token_filter_factory(global_conf, **local_conf)
