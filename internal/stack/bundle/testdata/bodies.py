"""Bodies as python-heatclient makes them: one job a line on stdin, one body or fault a line on stdout."""
import json
import sys

from heatclient.common import template_utils
from oslo_serialization import jsonutils

for line in sys.stdin:
    job = json.loads(line)
    environment_files = []
    try:
        files, template = template_utils.process_template_path(job['path'])
        more, environment = template_utils.process_multiple_environments_and_files(
            env_paths=job['environments'] or [], env_list_tracker=environment_files)
        body = {'template': template, 'files': dict(files, **more), 'environment': environment}
        if environment_files:
            body['environment_files'] = environment_files
        text = jsonutils.dumps(body)
    except (Exception, RecursionError) as fault:
        text = json.dumps({'fault': type(fault).__name__ + ': ' + str(fault)[:300]})
    print(text)
